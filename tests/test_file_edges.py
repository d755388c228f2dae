"""Files at the edge of what a branch of the readers is for."""

from __future__ import annotations

import pytest

import scorekey as sk
from scorekey.files import csv_faults
from scorekey.files.csv_layout import CsvLayout, ResultsFile

from .test_files import DIGITS, HEADER, read, values, write  # noqa: F401 (write is a fixture)

PLAIN = CsvLayout(",", "utf-8-sig")


def fault(path, **arguments):
    with pytest.raises(ValueError) as info:  # noqa: PT011 (the caller looks at the message)
        read(path, **arguments)
    return str(info.value)


def test_a_lone_surrogate_in_a_file_matches_nothing(write):  # noqa: F811
    # UTF-7 is the one encoding of files in which Python reads such a character.
    frame = read(write(f"{HEADER}\nA,0,+2AA-\nA,0,4\n"), encoding="utf-7")
    assert frame["decision"].tolist() == ["\ud800", "4"]
    with pytest.warns(UserWarning, match="none is scored"):
        sk.score_answers(frame.iloc[:1], DIGITS)
    assert values(sk.score_answers(frame, DIGITS)["score"]) == [None, 4.0]


def test_only_encodings_that_fit_are_proposed(write):  # noqa: F811
    # 0x81 is no letter in cp1252 and no beginning in UTF-8.
    message = fault(write(f"{HEADER}\nA,0,".encode() + b"\x81\n"))
    assert message.endswith(
        "line 2: the byte 0x81 is not utf-8-sig; try the encoding 'latin-1', or the one of the "
        "program that wrote the file"
    )


def test_the_first_separator_that_fits_is_proposed(write):  # noqa: F811
    path = write("respondent;x|instruction_item_id|decision\nA|0|4\n")
    assert "try the separator '|'" in fault(path)


def test_a_file_that_changes_while_it_is_read_is_named(write):  # noqa: F811
    # The second look at a file finds nothing that is wrong with it.
    file = ResultsFile(write(f"{HEADER}\nA,0,4\n"))
    for explain in (csv_faults.bad_row, csv_faults.undecodable):
        assert f"{file} changed while it was read" in str(explain(file, PLAIN))


def test_what_else_the_reader_says_is_passed_on(write):  # noqa: F811
    # Python 3.10 refuses NUL.
    message = csv_faults._unreadable(ResultsFile(write("")), 2, 3, "line contains NUL")
    assert message.endswith("results.csv, line 3: line contains NUL")


def test_blocks_of_blank_lines_are_no_rows(write):  # noqa: F811
    blank = "\n" * 2000
    frame = read(write(f"{HEADER}\n{blank}A,0,4\n{blank}"))
    assert frame["decision"].tolist() == ["4"]


def test_a_name_that_no_file_can_have_names_none(tmp_path):
    for name in ("x" * 5000, "a\0b"):
        with pytest.raises(FileNotFoundError, match="there is no file"):
            sk.read_results(name, DIGITS)
