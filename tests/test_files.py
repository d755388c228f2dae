"""Results files: what a person reads in them is what is scored."""

from __future__ import annotations

import csv
import json
import logging
import os
import pickle
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorekey as sk

TRAPS = Path(__file__).parent / "data" / "csv_traps"
KEYS = json.loads((TRAPS / "keys.json").read_text(encoding="utf-8"))
TRUTH = json.loads((TRAPS / "truth.json").read_text(encoding="utf-8"))
FORMATS = {"semicolon_cp1252.csv": {"separator": ";", "encoding": "cp1252"}}
HEADER = "respondent,instruction_item_id,decision"


def questionnaire(options, n_items=2):
    if isinstance(options, list):
        options = {str(i): {"text": text, "weight": i + 1} for i, text in enumerate(options)}
    return sk.Questionnaire.from_dict(
        {
            "name": "Test",
            "general_instruction": "Answer.",
            "default_answer_options": options,
            "instruction_items": [{"question": f"Question {i}"} for i in range(n_items)],
        }
    )


DIGITS = questionnaire(["1", "2", "3", "4", "5"])


@pytest.fixture
def write(tmp_path):
    def write(content, name="results.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write


def read(path, form=DIGITS, **arguments):
    return sk.read_results(path, form, **arguments)


def values(column):
    return [None if pd.isna(value) else value for value in column]


def scores(frame, form=DIGITS):
    return values(sk.score_answers(frame, form)["score"])


@pytest.mark.parametrize("name", sorted(TRUTH))
def test_traps_give_the_scores_that_a_person_expects(name):
    key, expected = TRUTH[name]
    form = questionnaire(KEYS[key])
    frame = read(TRAPS / name, form, **FORMATS.get(name, {}))
    assert scores(frame, form) == expected


def test_there_are_twelve_traps():
    assert sorted(TRUTH) == sorted(path.name for path in TRAPS.glob("*.csv"))
    assert len(TRUTH) == 12


class TestDecisions:
    def rows(self, decisions, item=0):
        return "\n".join([HEADER, *(f"A,{item},{decision}" for decision in decisions)])

    def test_a_number_becomes_the_option_that_it_is(self, write):
        frame = read(write(self.rows(["4.0", "+4", "04", "4.00", "4"])))
        assert values(frame["decision"]) == ["4"] * 5

    def test_what_is_an_option_stays(self, write):
        form = questionnaire(["01", "1", "4.0"])
        frame = read(write(self.rows(["01", "1", "1.0", "4.0", "04.0"])), form)
        assert values(frame["decision"]) == ["01", "1", "1", "4.0", "04.0"]
        assert scores(frame, form) == [1, 2, 2, 3, None]

    def test_a_decimal_is_written_as_a_decision_is_compared(self, write):
        form = questionnaire(["0.5", "0", "-1"])
        frame = read(write(self.rows(["0.50", "+0.5", "-0.0", "-1.0", "-01"])), form)
        assert values(frame["decision"]) == ["0.5", "0.5", "0", "-1", "-1"]

    @pytest.mark.parametrize(
        "text", ["4.", ".4e1", "4e0", "4,0", "４.0", " 4.0", "4.0x", "0x4", "6.0", "inf"]
    )
    def test_other_spellings_stay(self, write, text):
        cell = f'"{text}"' if "," in text else text
        frame = read(write(self.rows([cell, "4"])))
        assert values(frame["decision"]) == [text, "4"]

    def test_the_options_of_the_item_decide(self, write):
        form = sk.Questionnaire.from_dict(
            {
                "name": "Two kinds",
                "general_instruction": "Answer.",
                "instruction_items": [
                    {"question": "a", "answer_options": {"1": {"text": "4", "weight": 4}}},
                    {"question": "b", "answer_options": {"1": {"text": "4.0", "weight": 8}}},
                    {"question": "c"},
                ],
            }
        )
        frame = read(write(f"{HEADER}\nA,0,4.0\nA,1,4.0\nA,2,4.0\nA,0.0,4.0\n"), form)
        assert values(frame["decision"]) == ["4", "4.0", "4.0", "4"]
        assert scores(frame, form) == [4, 8, None, 4]

    def test_a_match_but_for_case_and_white_space_counts_as_a_match(self, write):
        form = questionnaire([" 4.0 ", "4"])
        frame = read(write(self.rows(["4.0"])), form)
        assert values(frame["decision"]) == ["4.0"]
        assert scores(frame, form) == [1]

    def test_an_ignored_option_is_an_option(self, write):
        options = {"0": {"text": "99", "weight": 99, "ignored_for_scale": True}}
        frame = read(write(self.rows(["99.0"])), questionnaire(options))
        assert values(frame["decision"]) == ["99"]

    def test_numbers_of_any_size(self, write):
        long = "9" * 5000
        decisions = [long, f"{long}.0", "9007199254740993.0", "9007199254740993"]
        form = questionnaire(["9007199254740992", "9007199254740993"])
        frame = read(write(self.rows(decisions)), form)
        assert values(frame["decision"]) == [
            long, f"{long}.0", "9007199254740992", "9007199254740993",
        ]  # fmt: skip

    def test_ids_that_are_no_items_are_left_to_the_scoring(self, write):
        frame = read(write(f"{HEADER}\nA,7,4.0\nA,,4.0\nA,x,4.0\nA,1,4.0\n"))
        assert values(frame["decision"]) == ["4.0", "4.0", "4.0", "4"]
        with pytest.raises(ValueError, match="invalid item id"):
            sk.score_answers(frame, DIGITS)

    def test_only_an_empty_cell_is_missing(self, write):
        labels = ["None", "N/A", "NA", "nan", "null", "True", "#N/A", "-", "NULL"]
        form = questionnaire(labels)
        frame = read(write(self.rows([*labels, "", '""'])), form)
        assert values(frame["decision"]) == [*labels, None, None]
        assert scores(frame, form) == [*range(1, 10), None, None]

    @pytest.mark.skipif(sys.version_info < (3, 11), reason="the csv module takes no NUL")
    def test_texts_keep_their_white_space_and_nul(self, write):
        form = questionnaire(["a\0x", "a\0y"])
        frame = read(write(f'{HEADER}\nA,0,a\0x\nA,0,a\0y\nA,0," a"\n'), form)
        assert values(frame["decision"]) == ["a\0x", "a\0y", " a"]
        assert scores(frame, form) == [1, 2, None]


class TestVerdicts:
    def test_zero_in_any_spelling_is_not_valid(self, write):
        cells = ["0.0", "0", "-0", "00", "+0.00", "0.", " 0.0 ", "0e0", "False", "no"]
        rows = "\n".join(f"0,4,{cell}" for cell in cells)
        frame = read(write(f"instruction_item_id,decision,valid\n{rows}\n"))
        assert scores(frame) == [None] * len(cells)

    def test_anything_else_is_valid(self, write):
        cells = ["1.0", "1", "0.1", "", "True", "yes", "0x0", "１"]
        rows = "\n".join(f"0,4,{cell}" for cell in cells)
        frame = read(write(f"instruction_item_id,decision,valid\n{rows}\n"))
        assert scores(frame) == [4] * len(cells)

    def test_the_column_may_have_another_name_or_be_absent(self, write):
        path = write("instruction_item_id,decision,ok\n0,4,0.0\n")
        assert scores(read(path)) == [4]
        frame = read(path, valid_column="ok")
        assert values(frame["ok"]) == ["0"]


class TestTypes:
    def column(self, write, cells):
        rows = "\n".join(f"{cell},0,1" for cell in cells)
        return read(write(f"x,instruction_item_id,decision\n{rows}\n"))["x"]

    def test_plain_integers_become_int64(self, write):
        column = self.column(write, ["7", "-3", "0", str(2**63 - 1), str(-(2**63))])
        assert column.dtype == np.int64
        assert column.tolist() == [7, -3, 0, 2**63 - 1, -(2**63)]

    def test_with_gaps_they_become_nullable(self, write):
        column = self.column(write, ["7", "", "9007199254740993"])
        assert column.dtype == "Int64"
        assert values(column) == [7, None, 9007199254740993]

    @pytest.mark.parametrize(
        "odd", ["007", "1.0", "None", "+1", "-0", " 1", "1_0", "１", "1e3", str(2**63), "True"]
    )
    def test_any_other_spelling_keeps_the_column_text(self, write, odd):
        assert values(self.column(write, ["7", odd, ""])) == ["7", odd, None]

    def test_a_column_without_any_value_stays_text(self, write):
        column = self.column(write, ["", ""])
        assert values(column) == [None, None]
        assert not pd.api.types.is_numeric_dtype(column)

    def test_decisions_and_verdicts_stay_text(self, write):
        frame = read(write("instruction_item_id,decision,valid\n0,4,1\n1,5,0\n"))
        assert values(frame["decision"]) == ["4", "5"]
        assert values(frame["valid"]) == ["1", "0"]
        assert frame["instruction_item_id"].dtype == np.int64


class TestColumns:
    """Many columns, and several of one name."""

    @pytest.mark.parametrize("cell", ["7", "x", ""])
    def test_many_columns_can_be_scored_without_a_warning(self, write, cell):
        names = [f"column{number}" for number in range(150)]
        frame = read(write(f"{HEADER},{','.join(names)}\nA,0,4,{','.join([cell] * 150)}\n"))
        scored = sk.score_answers(frame, DIGITS)
        assert list(scored.columns) == [*HEADER.split(","), *names, "score", "dimension"]
        assert scored["score"].tolist() == [4]
        assert values(frame["column149"]) == [{"7": 7, "x": "x", "": None}[cell]]

    def test_a_name_that_is_not_used_may_be_that_of_several_columns(self, write):
        frame = read(write(f"note,{HEADER},note,note\n1,A,0,4.0,x,\n2,B,1,5,,7\n"))
        assert list(frame.columns) == ["note", *HEADER.split(","), "note", "note"]
        assert frame.iloc[:, 0].tolist() == [1, 2]
        assert values(frame.iloc[:, 4]) == ["x", None]
        assert values(frame.iloc[:, 5]) == [None, 7]
        scored = sk.score_answers(frame, DIGITS)
        assert scored["score"].tolist() == [4, 5]
        assert list(scored.columns) == [*frame.columns, "score", "dimension"]

    def test_columns_of_one_name_follow_each_other_in_several_files(self, write):
        first = write(f"x,x,{HEADER}\n1,a,A,0,4\n", "a.csv")
        second = write(f"{HEADER},x\nB,1,5,2\n", "b.csv")
        with pytest.warns(UserWarning, match=r"b\.csv has no column 'x'"):
            frame = read([first, second])
        assert list(frame.columns) == ["x", "x", *HEADER.split(",")]
        assert frame.iloc[:, 0].tolist() == [1, 2]
        assert values(frame.iloc[:, 1]) == ["a", None]
        assert scores(frame) == [4, 5]


class TestForm:
    """Quotes, line ends, blank lines."""

    def test_cells_with_line_breaks_separators_and_quotes(self, write):
        text = f'x,{HEADER}\n"a\r\nb, ""c""",A,0,4\n"\r",A,1,5\n'
        frame = read(write(text))
        assert frame["x"].tolist() == ['a\r\nb, "c"', "\r"]
        assert scores(frame) == [4, 5]

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_any_line_end(self, write, end):
        path = write(end.join([HEADER, "A,0,4", "A,1,5"]))
        assert scores(read(path)) == [4, 5]

    def test_blank_lines_and_empty_rows_are_no_rows(self, write):
        path = write(f"\n{HEADER}\n\nA,0,4\n,,\n  \nA,1,5\n\n")
        assert scores(read(path)) == [4, 5]

    def test_a_cell_may_be_longer_than_the_csv_module_allows(self, write):
        limit = csv.field_size_limit()
        long = "x" * (limit + 1)
        frame = read(write(f"x,{HEADER}\n{long},A,0,4\n"))
        assert frame["x"].tolist() == [long]
        assert csv.field_size_limit() == limit

    def test_an_index_without_a_name_is_called_as_pandas_calls_it(self, tmp_path):
        path = tmp_path / "saved.csv"
        pd.DataFrame({"instruction_item_id": [0, 1], "decision": ["4", None]}).to_csv(path)
        frame = read(path)
        assert list(frame.columns) == ["Unnamed: 0", "instruction_item_id", "decision"]
        assert scores(frame) == [4, None]

    def test_an_index_that_was_saved_twice(self, write):
        frame = read(write(",Unnamed: 0,instruction_item_id,decision\n5,6,0,4\n"))
        assert list(frame.columns)[:2] == ["Unnamed: 0.1", "Unnamed: 0"]
        assert frame.iloc[0, :2].tolist() == [5, 6]

    def test_other_separators_and_encodings(self, write):
        path = write("instruction_item_id\tdecision\n0\tMäßig\n", encoding="utf-16")
        form = questionnaire(["Mäßig"])
        assert scores(read(path, form, separator="\t", encoding="utf-16"), form) == [1]

    def test_a_byte_order_mark_is_no_part_of_the_name(self, write):
        frame = read(write(f"{HEADER}\nA,0,4\n", encoding="utf-8-sig"))
        assert frame.columns[0] == "respondent"

    def test_what_csv_module_writes_is_read_back(self, tmp_path):
        texts = ["a,b", 'say "x"', "two\nlines", " lead", "é", "\u2028", "NULL", "'"]
        path = tmp_path / "x.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["instruction_item_id", "decision"])
            writer.writerows([0, text] for text in texts)
        assert read(path)["decision"].tolist() == texts


class TestFaults:
    """One message with the file, the line and what to try."""

    def fault(self, path, *parts, **arguments):
        with pytest.raises(ValueError) as info:  # noqa: PT011 (the parts are compared)
            read(path, **arguments)
        message = str(info.value)
        assert len(message) < 1000
        assert "\n" not in message
        for part in (path.name, *parts):
            assert part in message

    def test_too_many_cells(self, write):
        path = write(f'{HEADER}\n"A\nB",0,4\nA,0,4,5\n')
        self.fault(path, "line 4", "4 cells", "header has 3")

    def test_too_few_cells(self, write):
        path = write(f'{HEADER}\nA,0,4\n"A\n\nB",0\n')
        self.fault(path, "line 3", "2 cells", "header has 3")

    def test_a_ragged_line_far_down(self, write):
        rows = "A,0,4\n" * 5000
        self.fault(write(f"{HEADER}\n{rows}A,0\n{rows}"), "line 5002", "2 cells")

    def test_a_quotation_mark_that_is_never_closed(self, write):
        path = write(f'{HEADER}\nA,0,4\nA,1,"5\nA,0,4\nA,1,5\n')
        self.fault(path, "line 3", "never closed")

    def test_text_after_a_quoted_cell(self, write):
        self.fault(write(f'{HEADER}\nA,0,4\nA,1,"5" or 4\n'), "line 3", "quotation mark")

    def test_a_repeated_header(self, write):
        path = write(f"{HEADER}\nA,0,4\n{HEADER}\nA,0,4\n")
        self.fault(path, "line 3", "header occurs again")

    @pytest.mark.parametrize("content", ["", "\n\n", "\ufeff", "  \n"])
    def test_an_empty_file(self, write, content):
        self.fault(write(content), "line 1", "empty")

    def test_a_header_that_has_a_name_twice(self, write):
        self.fault(write(f"{HEADER},decision\nA,0,4,5\n"), "line 1", "'decision'", "more than once")
        self.fault(write(f"{HEADER},x,x,valid,valid\nA,0,4,5,6,1,1\n"), "column 'valid' occurs")
        path = write(f"{HEADER},ok,ok\nA,0,4,1,1\n")
        self.fault(path, "'ok'", "more than once", valid_column="ok")
        assert scores(read(path)) == [4]

    @pytest.mark.parametrize("separator", [";", "\t", "|"])
    def test_a_wrong_separator(self, write, separator):
        path = write(f"{HEADER}\nA,0,4\n".replace(",", separator))
        self.fault(path, "line 1", "separator", repr(separator))

    def test_a_wrong_separator_that_splits_the_header_all_the_same(self, write):
        path = write("Last, first;instruction_item_id;decision\nA;0;4\n")
        self.fault(path, "line 1", "try the separator ';'")

    def test_an_encoding_that_does_not_fit(self):
        self.fault(TRAPS / "semicolon_cp1252.csv", "line 2", "0xe4", "cp1252", separator=";")

    def test_an_encoding_that_does_not_fit_far_down(self, write):
        content = f"{HEADER}\n".encode() + b"A,0,4\r\n" * 50_000 + b"\xff,0,4\n"
        self.fault(write(content), "line 50002", "0xff", "cp1252")

    def test_utf8_read_as_something_else(self, write):
        path = write(f"{HEADER}\nA,0,4é\n")
        self.fault(path, "line 2", "0xc3", "'utf-8-sig'", encoding="ascii")

    @pytest.mark.parametrize(
        ("written", "read_as"),
        [("utf-8-sig", "utf-8"), ("utf-8-sig", "cp1252"), ("utf-16", "utf-8-sig"),
         ("utf-16", "utf-16-le"), ("utf-32", "utf-16")],
    )  # fmt: skip
    def test_a_byte_order_mark_of_another_encoding(self, write, written, read_as):
        path = write(f"{HEADER}\nA,0,4\n", encoding=written)
        self.fault(path, "line 1", "byte order mark", repr(written), encoding=read_as)

    @pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
    def test_utf16_without_a_byte_order_mark(self, write, encoding):
        self.fault(write(f"{HEADER}\nA,0,4\n", encoding=encoding), repr(encoding))

    @pytest.mark.parametrize("cell", ["4", "45"])  # an even and an odd number of bytes
    @pytest.mark.parametrize("encoding", ["utf-16", "UTF-32"])
    def test_utf8_read_as_an_encoding_with_a_byte_order_mark(self, write, encoding, cell):
        path = write(f"{HEADER}\nA,0,{cell}\n")
        self.fault(path, f"is not {encoding}", "'utf-8-sig'", encoding=encoding)

    def test_utf16_without_the_byte_order_mark_that_is_needed(self, write):
        path = write(f"{HEADER}\nA,0,4\n", encoding="utf-16-be")
        self.fault(path, "'utf-16-be'", encoding="utf-16")

    def test_a_second_byte_order_mark(self, write):
        path = write("\ufeff\ufeffdecision,instruction_item_id\n4,0\n")
        self.fault(path, "byte order mark")

    def test_a_note_to_spreadsheet_programs(self, write):
        path = write("sep=;\nrespondent;instruction_item_id;decision\nA;0;4\n")
        self.fault(path, "line 1", "'sep=;'", "remove it")

    def test_missing_columns(self, write):
        self.fault(write("item,decision\n0,4\n"), "line 1", "'instruction_item_id'", "'item'")
        path = write("instruction_item_id,Decision \n0,4\n")
        self.fault(path, "line 1", "'decision'", "'Decision '", "case or white space")

    def test_raw_answers_instead_of_decisions(self, write):
        self.fault(write("instruction_item_id,answer\n0,4\n"), "raw answers")

    @pytest.mark.parametrize("start", [b"PK\x03\x04rest", b"\x1f\x8brest"])
    def test_files_that_are_no_csv(self, write, start):
        self.fault(write(start), "no CSV file")

    def test_arguments(self, write):
        path = write(f"{HEADER}\nA,0,4\n")
        for separator in ("", ",,", "\n", '"'):
            with pytest.raises(ValueError, match="separator"):
                read(path, separator=separator)
        for encoding in (
            "no-such", "hex", "rot13", "", "a\0b", "idna", "IDNA", "punycode", "undefined",
            "unicode_escape", "unicode-escape", "raw_unicode_escape",
        ):  # fmt: skip
            with pytest.raises(ValueError, match="' is no encoding of files"):
                read(path, encoding=encoding)
        for name in (5, ["x"], b"decision", ("decision",)):
            for argument in ("decision_column", "item_column", "valid_column"):
                with pytest.raises(TypeError, match=f"^{argument} must be a text"):
                    read(path, **{argument: name})
        for argument in ("decision_column", "item_column"):
            with pytest.raises(TypeError, match=f"^{argument} must be a text, .*None"):
                read(path, **{argument: None})
        assert values(read(path, valid_column=None)["decision"]) == ["4"]
        with pytest.raises(TypeError, match="separator"):
            read(path, separator=None)
        with pytest.raises(TypeError, match="questionnaire"):
            read(path, 5)

    def test_a_header_without_rows_warns(self, write):
        with pytest.warns(UserWarning, match=r"results\.csv has a header but no rows"):
            frame = read(write(f"{HEADER}\n"))
        assert frame.shape == (0, 3)
        assert len(sk.score_answers(frame, DIGITS)) == 0


class TestSeveralFiles:
    def test_rows_follow_each_other(self, write):
        first = write(f"{HEADER}\nA,0,4.0\n", "a.csv")
        second = write("decision,instruction_item_id,respondent\n5,1,B\n", "b.csv")
        frame = read([first, str(second)])
        assert frame["respondent"].tolist() == ["A", "B"]
        assert scores(frame) == [4, 5]
        assert frame.index.tolist() == [0, 1]

    def test_a_column_has_one_type_in_all_files(self, write):
        first = write(f"{HEADER}\n1,0,4\n", "a.csv")
        second = write(f"{HEADER}\n01,0,4\n", "b.csv")
        assert read([first, second])["respondent"].tolist() == ["1", "01"]
        assert read([first])["respondent"].tolist() == [1]

    def test_files_that_differ_in_their_columns_are_named(self, write):
        first = write(f"{HEADER}\nA,0,4\n", "a.csv")
        second = write("instruction_item_id,decision,seed\n1,5,7\n", "b.csv")
        with pytest.warns(UserWarning, match="differ") as caught:
            frame = read([first, second])
        message = str(caught[0].message)
        assert "a.csv has no column 'seed'" in message
        assert "b.csv has no column 'respondent'" in message
        assert Path(caught[0].filename) == Path(__file__)
        assert values(frame["respondent"]) == ["A", None]
        assert values(frame["seed"]) == [None, 7]

    def test_every_file_needs_the_columns(self, write):
        first = write(f"{HEADER}\nA,0,4\n", "a.csv")
        second = write("respondent,instruction_item_id\nB,1\n", "b.csv")
        with pytest.raises(ValueError, match=r"b\.csv, line 1: .*'decision'"):
            read([first, second])

    def test_patterns(self, write, tmp_path):
        write(f"{HEADER}\nB,0,5\n", "run2.csv")
        write(f"{HEADER}\nA,0,4\n", "run1.csv")
        write(b"no results", "notes.txt")
        (tmp_path / "run3.csv").mkdir()
        assert scores(read(str(tmp_path / "run*.csv"))) == [4, 5]
        assert scores(read(tmp_path / "run[2].csv")) == [5]
        assert scores(read(str(tmp_path / "**" / "run1.csv"))) == [4]

    def test_a_file_that_exists_is_taken_literally(self, write, tmp_path):
        write(f"{HEADER}\nA,0,4\n", "run[1].csv")
        write(f"{HEADER}\nA,0,5\n", "run1.csv")
        assert scores(read(str(tmp_path / "run[1].csv"))) == [4]

    def test_the_same_file_is_read_once(self, write, tmp_path, monkeypatch):
        path = write(f"{HEADER}\nA,0,4\n")
        (tmp_path / "link.csv").symlink_to(path)
        monkeypatch.chdir(tmp_path)
        frame = read([path, "results.csv", "*.csv", "./results.csv"])
        assert len(frame) == 1

    def test_nothing_there(self, tmp_path):
        for missing in (tmp_path / "no.csv", str(tmp_path / "*.csv"), []):
            with pytest.raises(FileNotFoundError):
                read(missing)
        with pytest.raises(IsADirectoryError, match=r"\*\.csv"):
            read(tmp_path)
        for wrong in (5, None, b"x.csv", [5]):
            with pytest.raises(TypeError, match="path"):
                read(wrong)

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
    def test_a_pipe(self, tmp_path):
        import threading

        pipe = tmp_path / "pipe.csv"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_text, args=(f"{HEADER}\nA,0,4.0\n",))
        writer.start()
        assert scores(read(pipe)) == [4]
        writer.join()


class TestLog:
    def messages(self, caplog, path, **arguments):
        with caplog.at_level(logging.INFO, logger="scorekey"):
            read(path, **arguments)
        return [record.getMessage() for record in caplog.records]

    def test_what_was_changed_is_counted(self, write, caplog):
        path = write("instruction_item_id,decision,valid,x\n0,4.0,0.0,7\n1,5,1,8\n0,4.0,0,9\n")
        messages = self.messages(caplog, path)
        assert any(m.startswith("2 decisions") and "'4.0'" in m and "'4'" in m for m in messages)
        assert any(m.startswith("1 cell") and "'valid'" in m for m in messages)
        assert any("3 rows, 4 columns" in m for m in messages)
        assert any("whole numbers: 'instruction_item_id', 'x'" in m for m in messages)

    def test_nothing_was_changed(self, write, caplog):
        messages = self.messages(caplog, write(f"{HEADER}\nA,0,4\n"))
        assert any("no decision" in m for m in messages)


class TestParquet:
    @pytest.fixture(autouse=True)
    def _needs_pyarrow(self):
        pytest.importorskip("pyarrow")

    def test_types_are_kept(self, tmp_path):
        path = tmp_path / "results.parquet"
        frame = pd.DataFrame(
            {
                "model_id": ["a", "b", None],
                "instruction_item_id": [0, 1, 1],
                "decision": [4.0, 5.0, np.nan],
                "valid": [True, False, True],
            }
        )
        frame.to_parquet(path)
        result = read(path)
        assert scores(result) == [4, None, None]
        assert result["decision"].dtype == np.float64
        assert result["valid"].dtype == bool

    def test_texts_follow_the_rules_of_text(self, tmp_path):
        path = tmp_path / "results.PARQUET"
        pd.DataFrame(
            {
                "instruction_item_id": ["0", "1.0", "1", "0"],
                "decision": ["4.0", "5.0", None, "None"],
                "valid": ["1", "yes", None, "0.0"],
            }
        ).to_parquet(path)
        result = read(path)
        assert values(result["decision"]) == ["4", "5", None, "None"]
        assert values(result["valid"]) == ["1", "yes", None, "0"]
        assert scores(result) == [4, 5, None, None]

    def test_a_named_index_becomes_a_column(self, tmp_path):
        path = tmp_path / "results.parquet"
        frame = pd.DataFrame(
            {"model_id": ["a", "b"], "instruction_item_id": [0, 1], "decision": ["4", "5"]}
        )
        frame.set_index("model_id").to_parquet(path)
        assert read(path)["model_id"].tolist() == ["a", "b"]

    def test_several_files(self, tmp_path):
        one = pd.DataFrame({"instruction_item_id": [0], "decision": ["4"], "valid": [True]})
        one.assign(note=None).to_parquet(tmp_path / "a.parquet")
        one.assign(note="x", seed=7).to_parquet(tmp_path / "b.parquet")
        with pytest.warns(UserWarning, match=r"a\.parquet has no column 'seed'"):
            frame = read(tmp_path / "*.parquet")
        assert values(frame["note"]) == [None, "x"]
        assert scores(frame) == [4, 4]

    def test_faults(self, write, tmp_path):
        with pytest.raises(ValueError, match=r"x\.parquet"):
            read(write(b"no parquet", "x.parquet"))
        pd.DataFrame({"decision": ["4"]}).to_parquet(tmp_path / "y.parquet")
        with pytest.raises(ValueError, match=r"y\.parquet.*'instruction_item_id'"):
            read(tmp_path / "y.parquet")
        with pytest.raises(ValueError, match=r"no CSV file but a Parquet file"):
            read(write((tmp_path / "y.parquet").read_bytes(), "y.csv"))
        write(f"{HEADER}\nA,0,4\n", "z.csv")
        with pytest.raises(ValueError, match="each kind by itself"):
            read([tmp_path / "z.csv", tmp_path / "y.parquet"])


def test_every_form_of_the_questionnaire_is_taken(write, tmp_path):
    path = write(f"{HEADER}\nA,0,4.0\n")
    saved = tmp_path / "config.json"
    saved.write_text(json.dumps({"questionnaire": DIGITS.to_dict()}), encoding="utf-8")
    key = pickle.loads(pickle.dumps(sk.ScoringKey(DIGITS)))
    for form in (DIGITS, DIGITS.to_dict(), key, saved, str(saved)):
        assert values(read(path, form)["decision"]) == ["4"]


# What a spreadsheet or a program may put into a cell; the csv module of Python 3.10 takes no NUL.
CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)


@given(
    rows=st.lists(st.tuples(CELLS, CELLS, st.sampled_from(["0", "1"])), min_size=1, max_size=5),
    separator=st.sampled_from([",", ";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_texts_come_back_as_they_were_written(rows, separator, encoding, end):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "results.csv")
        with path.open("w", newline="", encoding=encoding) as file:
            writer = csv.writer(
                file, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL
            )
            writer.writerow(["decision", "note", "instruction_item_id"])
            writer.writerows(rows)
        form = questionnaire(["Yes", "No"])
        reader = "utf-8-sig" if encoding == "utf-8" else encoding
        frame = read(path, form, separator=separator, encoding=reader)
    assert values(frame["decision"]) == [decision or None for decision, *_ in rows]
    notes = frame["note"]
    if notes.dtype in (np.int64, "Int64"):
        notes = notes.astype("string")
    assert values(notes) == [note or None for _, note, _ in rows]
    assert frame["instruction_item_id"].tolist() == [int(item) for *_, item in rows]
