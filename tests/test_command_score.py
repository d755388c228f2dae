"""``scorekey score`` and ``scorekey scales``."""

from __future__ import annotations

import json

import pandas as pd
import pytest

import scorekey as sk

pytest.importorskip("typer")

from typer.testing import CliRunner

from scorekey.command.application import application

from .command_line import CONFIG, COUNTS, EXAMPLE, FORM, RESULTS, write_example


@pytest.fixture
def example(tmp_path):
    return write_example(tmp_path)


def invoke(*arguments):
    return CliRunner().invoke(application, [str(argument) for argument in arguments])


def score(example, *options):
    config, results = example
    return invoke("score", results, "--questionnaire", config, *options)


def cells(output):
    """Return the rows of a printed table as lists of cells."""
    return [line.split() for line in output.splitlines()]


class TestScore:
    def test_a_table_and_the_counts(self, example):
        result = score(example)
        assert result.exit_code == 0
        assert result.stderr.splitlines() == [COUNTS]
        rows = cells(result.stdout)
        assert ["Ann", "Alpha", "3.0", "2", "0"] in rows
        assert ["Ann", "Beta,", "too", "NaN", "0", "2"] in rows
        assert ["Ben", "Alpha", "NaN", "0", "5"] in rows
        assert ["Ben", "Beta,", "too", "1.0", "1", "0"] in rows

    def test_the_example_as_the_functions_score_it(self, tmp_path):
        out = tmp_path / "scales.csv"
        result = invoke("score", EXAMPLE, "-q", CONFIG, "--total", "-o", out)
        assert result.exit_code == 0
        assert result.stdout == ""
        form = sk.Questionnaire.from_json(CONFIG)
        expected = sk.score_experiment(form, sk.read_results(EXAMPLE, form), include_total=True)
        found = pd.read_csv(out)
        pd.testing.assert_frame_equal(found, expected, check_dtype=False)
        assert result.stderr.startswith("720 rows: ")
        counts = [int(part.split()[0]) for part in result.stderr.split(": ")[1].split(", ")]
        assert sum(counts) == 720
        assert counts[-1] == expected.loc[expected["dimension"] == "total", "n_items"].sum()

    def test_a_name_of_several_columns_that_is_not_used(self, tmp_path):
        pytest.importorskip("pyarrow")
        lines = "profile_id,instruction_item_id,decision,x,x\nAnn,0,Yes,a,b\n"
        example = write_example(tmp_path, results=lines)
        items = tmp_path / "items.csv"
        result = score(example, "--items", items)
        assert result.exit_code == 0
        assert items.read_text(encoding="utf-8").splitlines() == [
            "profile_id,instruction_item_id,decision,x,x,score,dimension",
            "Ann,0,Yes,a,b,2.0,Alpha",
        ]
        assert ["Ann", "Alpha", "2.0", "1", "0"] in cells(invoke("scales", items).stdout)
        result = score(example, "--items", tmp_path / "items.parquet")
        assert result.exit_code == 1
        assert "'x'" in result.stderr
        result = score(example, "--by", "x")
        assert result.exit_code == 1
        assert "'x' occurs more than once" in result.stderr

    def test_what_in_the_questionnaire_is_probably_a_mistake(self, tmp_path):
        options = {"1": {"text": "No"}, "2": {"text": "Yes", "weight": 2, "ignore": False}}
        items = [{**FORM["instruction_items"][0], "reverse": True}, *FORM["instruction_items"][1:]]
        form = FORM | {"default_answer_options": options, "instruction_items": items}
        result = score(write_example(tmp_path, form=form))
        assert result.exit_code == 0
        *found, _ = result.stderr.splitlines()
        assert [line.partition(":")[0] for line in found] == ["warning"] * 3
        assert "'No' has no weight" in found[0]
        assert "is 'reversed' meant? (item 0)" in found[1]
        assert "is 'ignored_for_scale' meant? (default options)" in found[2]

    def test_lenient_matching(self, tmp_path):
        lines = "profile_id,instruction_item_id,decision\nAnn,0,Yes.\nAnn,0,**very  much**\n"
        example = write_example(tmp_path, results=lines)
        result = score(example, "--matching", "strict")
        assert "2 unmatched, 0 ignored, 0 scored" in result.stderr
        output = tmp_path / "scales.csv"
        result = score(example, "--matching", "lenient", "-o", output)
        assert result.stderr == "2 rows: 0 invalid, 0 missing, 0 unmatched, 0 ignored, 2 scored\n"
        assert output.read_text(encoding="utf-8").splitlines()[1] == "Ann,Alpha,2.5,2,0"
        result = score(example, "--matching", "loose")
        assert result.exit_code == 2
        assert "--matching" in result.stderr

    def test_keep_invalid(self, example):
        result = score(example, "--keep-invalid")
        assert "10 rows: 0 invalid, 3 missing, 2 unmatched, 1 ignored, 4 scored" in result.stderr
        assert ["Ben", "Alpha", "2.0", "1", "4"] in cells(result.stdout)

    def test_by_agg_total_and_dimensions(self, example):
        result = score(example, "--agg", "sum", "--total", "--dimensions", "Beta, too")
        rows = [row for row in cells(result.stdout) if row[:1] == ["Ann"]]
        assert rows == [
            ["Ann", "Beta,", "too", "NaN", "0", "2"],
            ["Ann", "Alpha", "6.0", "2", "0"],
            ["Ann", "total", "6.0", "2", "2"],
        ]
        assert result.stderr.splitlines() == [COUNTS]
        result = score(example, "--by", "valid,profile_id")
        assert ["True", "Ann", "Alpha", "3.0", "2", "0"] in cells(result.stdout)
        result = score(example, "--by", "valid", "--by", "profile_id")
        assert ["True", "Ann", "Alpha", "3.0", "2", "0"] in cells(result.stdout)

    def test_columns_by_other_names(self, tmp_path):
        results = RESULTS.replace("instruction_item_id", "id").replace("decision", "choice")
        example = write_example(tmp_path, results=results.replace(",valid", ",ok"))
        options = ["--item-column", "id", "--decision-column", "choice", "--valid-column", "ok"]
        result = score(example, *options)
        assert result.exit_code == 0
        assert result.stderr.splitlines() == [COUNTS]

    def test_separator_and_encoding(self, tmp_path):
        config, results = write_example(tmp_path)
        text = RESULTS.replace(",", "\t").replace("Ann", "Änn")
        (tmp_path / "results.csv").write_bytes(text.encode("utf-16"))
        result = score((config, results), "--separator", "\\t", "--encoding", "utf-16")
        assert result.exit_code == 0
        assert ["Änn", "Alpha", "3.0", "2", "0"] in cells(result.stdout)

    def test_several_files_and_patterns(self, tmp_path, example):
        config, results = example
        (tmp_path / "results2.csv").write_text(RESULTS.replace("Ann", "Cleo"), encoding="utf-8")
        result = invoke("score", str(tmp_path / "res*.csv"), results, "-q", config)
        assert "20 rows: 4 invalid" in result.stderr
        assert ["Cleo", "Alpha", "3.0", "2", "0"] in cells(result.stdout)

    def test_the_most_frequent_unmatched_texts_are_named(self, tmp_path):
        texts = [text for number, text in enumerate("gfedcba", 1) for _ in range(number)]
        rows = "\n".join(f"x,0,{text}" for text in texts)
        results = f"profile_id,instruction_item_id,decision\n{rows}\nx,0,Yes\n"
        result = score(write_example(tmp_path, results=results))
        assert result.stderr.splitlines()[-1] == (
            "29 rows: 0 invalid, 0 missing, 28 unmatched, 0 ignored, 1 scored; "
            "unmatched: 'a' (7), 'b' (6), 'c' (5), 'd' (4), 'e' (3) and 2 more texts"
        )

    def test_clashing_options_are_counted_with_the_ignored_ones(self, tmp_path):
        options = FORM["default_answer_options"] | {"4": {"text": "Yes", "weight": 4}}
        form = FORM | {"default_answer_options": options}
        result = score(write_example(tmp_path, form=form), "--keep-invalid")
        assert result.exit_code == 0
        warning, counts = result.stderr.splitlines()
        assert warning.startswith("warning: Answer options with the same text")
        assert "2 unmatched, 2 ignored (of which 1 clashing), 3 scored" in counts

    def test_warnings_are_lines_and_leave_the_exit_code(self, tmp_path):
        results = "who,instruction_item_id,decision\na,0,perhaps\nb,0,maybe\n"
        result = score(write_example(tmp_path, results=results))
        assert result.exit_code == 0
        lines = result.stderr.splitlines()
        assert [line.partition(":")[0] for line in lines] == ["warning", "2 rows", "warning"]
        assert "respondent" in lines[2]

    def test_an_unknown_dimension_is_warned_of(self, example):
        result = score(example, "--dimensions", "Alhpa")
        assert result.exit_code == 0
        assert "warning: --dimensions names 'Alhpa'" in result.stderr

    def test_a_header_without_rows(self, tmp_path):
        results = "profile_id,instruction_item_id,decision\n"
        result = score(write_example(tmp_path, results=results))
        assert result.exit_code == 0
        assert "warning: " in result.stderr
        assert "0 rows: 0 invalid" in result.stderr

    def test_long_tables_say_what_is_left_out(self, tmp_path):
        rows = "".join(f"p{number:04},0,Yes\n" for number in range(501))
        results = f"profile_id,instruction_item_id,decision\n{rows}"
        result = score(write_example(tmp_path, results=results))
        assert "p0499" in result.stdout
        assert "p0500" not in result.stdout
        assert "first 500 of 501 rows" in result.stderr


class TestTexts:
    def test_the_wrong_questionnaire_stops(self, tmp_path):
        items = [
            {**item, "question": f"Other {item['question']}"} for item in FORM["instruction_items"]
        ]
        example = write_example(tmp_path, form=FORM | {"instruction_items": items})
        result = score(example)
        assert result.exit_code == 1
        assert result.stdout == ""
        (line,) = result.stderr.splitlines()
        for part in (
            "error: ",
            "'First'",
            "'Other First'",
            "'Other Third'",
            "--allow-text-mismatch",
        ):
            assert part in line
        result = score(example, "--allow-text-mismatch")
        assert result.exit_code == 0
        warning, counts = result.stderr.splitlines()
        assert warning.startswith("warning: ")
        assert counts == COUNTS

    def test_line_breaks_in_a_question_are_no_mismatch(self, tmp_path):
        items = [{**FORM["instruction_items"][0], "question": "\nFirst "}]
        form = FORM | {"instruction_items": [*items, *FORM["instruction_items"][1:]]}
        assert score(write_example(tmp_path, form=form)).exit_code == 0

    def test_results_without_texts_are_scored(self, tmp_path):
        results = "profile_id,instruction_item_id,decision\nAnn,0,Yes\n"
        assert score(write_example(tmp_path, results=results)).exit_code == 0


class TestScales:
    def test_saved_item_scores_give_the_same_scales(self, tmp_path, example):
        items, direct, again = (tmp_path / name for name in ("items.csv", "a.csv", "b.csv"))
        assert score(example, "--items", items, "-o", direct, "--total").exit_code == 0
        result = invoke("scales", items, "-o", again, "--total")
        assert (result.exit_code, result.output) == (0, "")
        assert again.read_bytes() == direct.read_bytes()

    def test_the_saved_items_have_all_columns_and_the_scores(self, tmp_path, example):
        items = tmp_path / "items.csv"
        score(example, "--items", items)
        frame = pd.read_csv(items, keep_default_na=False)
        assert list(frame.columns) == [
            *RESULTS.splitlines()[0].split(","), "score", "dimension",
        ]  # fmt: skip
        assert frame["score"].tolist() == ["3.0", "3.0", "", "", "", "", "1.0", "", "", ""]
        assert frame["dimension"].tolist()[:3] == ["Alpha", "Alpha", "Beta, too"]

    def test_a_table_with_options(self, tmp_path):
        path = tmp_path / "items.csv"
        path.write_text("who;scale;points\n01;B;1.5\n01;A;4\n02;A;\n", encoding="utf-8")
        result = invoke(
            "scales", path, "--separator", ";", "--by", "who", "--dimension-column", "scale",
            "--score-column", "points", "--dimensions", "A,B", "--agg", "sum",
        )  # fmt: skip
        assert result.exit_code == 0
        rows = cells(result.stdout)
        assert rows.index(["01", "A", "4.0", "1", "0"]) < rows.index(["01", "B", "1.5", "1", "0"])
        assert ["02", "A", "NaN", "0", "1"] in rows

    def test_faults(self, tmp_path):
        path = tmp_path / "items.csv"
        path.write_text("model_id,dimension,score\na,A,1\na,A,high\n", encoding="utf-8")
        result = invoke("scales", path)
        assert result.exit_code == 1
        assert "'score'" in result.stderr
        assert "'high'" in result.stderr
        result = invoke("scales", path, "--score-column", "points")
        assert result.exit_code == 2
        path.write_text("model_id,dimension\na,A\n", encoding="utf-8")
        result = invoke("scales", path)
        assert result.exit_code == 1
        assert "--score-column" in result.stderr
        assert invoke("scales", tmp_path / "no.csv").exit_code == 2


class TestParquet:
    @pytest.fixture(autouse=True)
    def _needs_pyarrow(self):
        pytest.importorskip("pyarrow")

    def test_out_and_in_again(self, tmp_path, example):
        import pyarrow.parquet as pq

        items, direct, again = (tmp_path / name for name in ("i.parquet", "a.parquet", "b.parquet"))
        assert score(example, "--items", items, "-o", direct).exit_code == 0
        assert invoke("scales", items, "-o", again).exit_code == 0
        assert pd.read_parquet(again).equals(pd.read_parquet(direct))
        fingerprint = sk.ScoringKey(json.loads(json.dumps(FORM))).fingerprint
        for path in (items, direct, again):
            assert pq.read_metadata(path).metadata[b"scorekey_fingerprint"].decode() == fingerprint
        frame = pd.read_parquet(items)
        assert frame.attrs["rupsycho_dimensions"] == ["Alpha", "Beta, too"]
        assert frame["score"].tolist()[:2] == [3.0, 3.0]

    def test_results_in_parquet(self, tmp_path, example):
        config, results = example
        path = tmp_path / "results.parquet"
        sk.read_results(results, config).to_parquet(path)
        result = invoke("score", path, "-q", config)
        assert result.stderr.splitlines() == [COUNTS]
