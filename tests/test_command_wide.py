"""``scorekey score --wide`` and ``scorekey reliability``."""

from __future__ import annotations

import json
import warnings

import pandas as pd
import pytest

import scorekey as sk

pytest.importorskip("typer")

from typer.testing import CliRunner

from scorekey.command.application import application

from .command_line import CONFIG, EXAMPLE
from .material import item, option, questionnaire

FORM = questionnaire(
    item("e"),
    item("e", reverse=True),
    item("e"),
    default={
        **{str(n): option(str(n), n) for n in range(1, 6)},
        "9": option("Do not know", 0, ignored=True),
    },
    dimensions={"e": "Extraversion"},
)
SURVEY = """\
id,group,q1,q2,q10
a,x,5,1.0,4
b,x,4.0,2,5
c,x,2,5,1
d,y,1,,2
e,y,Do not know,3,3
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(FORM), encoding="utf-8")
    (tmp_path / "survey.csv").write_text(SURVEY, encoding="utf-8")
    return tmp_path


def invoke(*arguments):
    return CliRunner().invoke(application, [str(argument) for argument in arguments])


def run(command, folder, *options, file="survey.csv"):
    return invoke(command, folder / file, "-q", folder / "config.json", *options)


def cells(output):
    return [line.split() for line in output.splitlines()]


def quietly(scored, **arguments):
    """Return the reliability; that some scales have no omega is of no interest."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return sk.reliability(scored, confidence=None, **arguments)


class TestScore:
    def test_a_table(self, folder):
        result = run("score", folder, "--wide", "--columns", "q", "--by", "id")
        assert result.exit_code == 0, result.stderr
        assert result.stderr == "15 answers: 13 scored, 2 without a score\n"
        rows = cells(result.stdout)
        assert ["id", "Extraversion"] in rows
        assert ["a", "4.666667"] in rows
        assert ["d", "1.5"] in rows
        everything = run("score", folder, "--wide", "--columns", "q1,q2,q10")
        assert ["a", "x", "4.666667"] in cells(everything.stdout)

    def test_files(self, folder):
        scales, items = folder / "scales.csv", folder / "items.csv"
        result = run(
            "score", folder, "--wide", "--columns", "q", "--by", "id,group", "--agg", "pomp",
            "--min-items", "3", "--total", "-o", scales, "--items", items,
        )  # fmt: skip
        assert result.exit_code == 0, result.stderr
        assert result.stdout == ""
        found = pd.read_csv(scales)
        assert found.columns.tolist() == [
            "id", "group", "q1", "q2", "q10", "Extraversion", "total",
        ]  # fmt: skip
        assert found["total"].round(3).tolist()[:3] == [91.667, 83.333, 8.333]
        assert found["total"].isna().tolist() == [False] * 3 + [True] * 2
        long = pd.read_csv(items)
        assert long.columns.tolist() == [
            "id", "group", "instruction_item_id", "score", "dimension",
        ]  # fmt: skip
        assert len(long) == 15

    def test_other_cells(self, folder):
        (folder / "codes.tsv.csv").write_text("Q1\tQ2\tQ3\nA5\tA1\t-9\n", encoding="utf-8")
        form = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        codes = {f"A{n}": option(f"Label {n}", n) for n in range(1, 6)}
        form["default_answer_options"] = codes
        (folder / "config.json").write_text(json.dumps(form), encoding="utf-8")
        result = run(
            "score", folder, "--wide", "--columns", "Q", "--answers", "id", "--separator", "\\t",
            "--missing", "-9,99", file="codes.tsv.csv",
        )  # fmt: skip
        assert result.exit_code == 0, result.stderr
        assert result.stderr.startswith("3 answers: 2 scored")
        assert ["5.0"] in cells(result.stdout)

    def test_one_item(self, folder):
        form = questionnaire(item("e"), default=FORM["default_answer_options"])
        (folder / "config.json").write_text(json.dumps(form), encoding="utf-8")
        result = run("score", folder, "--wide", "--columns", "q10", "--by", "id")
        assert ["b", "5.0"] in cells(result.stdout)

    @pytest.mark.parametrize(
        ("options", "fact"),
        [
            (["--columns", "x"], "--columns"),
            (["--columns", "q", "--by", "nobody"], "--by"),
            (["--columns", "q", "--answers", "number"], "--answers"),
            (["--columns", "q", "--item-column", "id"], "--item-column"),
            (["--columns", "q", "--duplicates", "first"], "--duplicates"),
            (["--columns", "q", "--expected"], "--expected"),
            ([], "--columns"),
        ],
    )
    def test_wrong_usage(self, folder, options, fact):
        result = run("score", folder, "--wide", *options)
        assert result.exit_code == 2
        assert fact in result.stderr

    def test_options_that_need_it(self, folder):
        for options in (["--columns", "q"], ["--missing", "9"]):
            result = run("score", folder, *options)
            assert result.exit_code == 2
            assert "needs --wide" in " ".join(result.stderr.split())

    def test_several_files(self, folder):
        result = invoke(
            "score", folder / "survey.csv", folder / "config.json", "-q", folder / "config.json",
            "--wide",
        )  # fmt: skip
        assert result.exit_code == 2
        assert "one file" in result.stderr

    def test_a_scale_that_is_a_column_already(self, folder):
        text = SURVEY.replace("group", "Extraversion", 1)
        (folder / "survey.csv").write_text(text, encoding="utf-8")
        result = run("score", folder, "--wide", "--columns", "q")
        assert result.exit_code == 1
        assert "'Extraversion' already" in result.stderr


class TestReliability:
    def test_tables(self, folder):
        result = run("reliability", folder, "--wide", "--columns", "q", "--confidence", "0")
        assert result.exit_code == 0, result.stderr
        rows = cells(result.stdout)
        form = sk.Questionnaire.from_json(folder / "config.json")
        frame = pd.read_csv(folder / "survey.csv").astype({"q2": "Int64"})
        frame["q1"] = frame["q1"].replace("4.0", "4")
        scored = sk.score_wide(frame, form, columns="q", form="items")
        found = quietly(scored, by="respondent")
        (alpha,) = found.scales["alpha"].round(6)
        (row,) = [row for row in rows if row[:3] == ["Extraversion", "3", "5"]]
        assert float(row[3]) == alpha
        assert row[4:6] == ["NaN", "NaN"]
        items = [row for row in rows if row[:1] == ["Extraversion"]][1:]
        assert [row[1:4] for row in items] == [
            ["0", "False", "4"], ["1", "True", "4"], ["2", "False", "5"],
        ]  # fmt: skip

    def test_results_files(self, tmp_path):
        scales, items = tmp_path / "scales.csv", tmp_path / "items.csv"
        result = invoke(
            "reliability", EXAMPLE, "-q", CONFIG, "--within", "model_id", "--impute", "item_median",
            "--nan-policy", "listwise", "--confidence", "0", "-o", scales, "--items", items,
        )  # fmt: skip
        assert result.exit_code == 0, result.stderr
        assert result.stdout == ""
        form = sk.Questionnaire.from_json(CONFIG)
        scored = sk.score_answers(sk.read_results(EXAMPLE, form), form)
        found = quietly(scored, within="model_id", impute="item_median", nan_policy="listwise")
        pd.testing.assert_frame_equal(pd.read_csv(scales), found.scales, check_dtype=False)
        pd.testing.assert_frame_equal(pd.read_csv(items), found.items, check_dtype=False)

    def test_groups_of_a_wide_file(self, folder):
        options = ["--wide", "--columns", "q", "--within", "group", "--confidence", "0"]
        for by in ([], ["--by", "id"], ["--by", "id,group"]):
            scales = folder / "scales.csv"
            result = run("reliability", folder, *options, *by, "-o", scales)
            assert result.exit_code == 0, result.stderr
            found = pd.read_csv(scales)
            assert found["group"].tolist() == ["x", "y"]
            assert found["n"].tolist() == [3, 2]
            # Variances 7/3, 13/3, 13/3 of (5, 4, 2), (5, 4, 1), (4, 5, 1), and 91/3 of their sum.
            assert found["alpha"][0] == pytest.approx(1.5 * (1 - 33 / 91))
        result = run("reliability", folder, "--wide", "--columns", "q", "--within", "x")
        assert result.exit_code == 2
        assert "--within" in result.stderr

    def test_items_of_another_questionnaire(self, tmp_path):
        form = sk.Questionnaire.from_json(CONFIG).to_dict()
        items = form["instruction_items"]
        items[0], items[1] = items[1], items[0]
        config = tmp_path / "config.json"
        config.write_text(json.dumps(form), encoding="utf-8")
        result = invoke("reliability", EXAMPLE, "-q", config)
        assert result.exit_code == 1
        assert "--allow-text-mismatch" in result.stderr
        result = invoke("reliability", EXAMPLE, "-q", config, "--allow-text-mismatch")
        assert result.exit_code == 0
        assert "not of this questionnaire" in result.stderr

    @pytest.mark.parametrize(
        ("options", "code", "fact"),
        [
            (["--within", "x"], 2, "--within"),
            (["--by", "x"], 2, "--by"),
            (["--nan-policy", "x"], 1, "nan_policy"),
            (["--by", "model_id"], 1, "duplicates"),
        ],
    )
    def test_what_is_wrong(self, options, code, fact):
        result = invoke("reliability", EXAMPLE, "-q", CONFIG, *options)
        assert result.exit_code == code
        assert fact in result.stderr
