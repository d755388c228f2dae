"""Options of ``scorekey score`` and ``scorekey scales`` that are about items and not about rows."""

from __future__ import annotations

import pandas as pd
import pytest

import scorekey as sk

pytest.importorskip("typer")

from .command_line import FORM, write_example
from .test_command_score import cells, invoke, score

WISHES = [
    ({"min_items": 2}, ["--min-items", "2"]),
    (
        {"min_items": {"Alpha": 2, "Beta, too": 1}},
        ["--min-items", "Alpha=2", "--min-items", "Beta, too=1"],
    ),
    ({"min_fraction": 0.5, "expected": True}, ["--min-fraction", "0.5", "--expected"]),
    ({"agg": "prorated_sum"}, ["--agg", "prorated_sum"]),
    ({"agg": "pomp"}, ["--agg", "pomp"]),
    ({"agg": "pomp_items"}, ["--agg", "pomp_items"]),
    ({"duplicates": "unique"}, ["--duplicates", "unique"]),
    ({"impute": "item_median"}, ["--impute", "item_median"]),
]  # fmt: skip


@pytest.fixture
def example(tmp_path):
    return write_example(tmp_path)


@pytest.fixture
def expected(example):
    def of(arguments):
        config, results = example
        frame = sk.read_results(results, config)
        return sk.score_experiment(FORM, frame, **arguments)

    return of


@pytest.mark.filterwarnings("ignore:min_items asks")
@pytest.mark.parametrize(("arguments", "options"), WISHES)
def test_the_options_are_the_arguments(example, expected, tmp_path, arguments, options):
    out, items = tmp_path / "scales.csv", tmp_path / "items.csv"
    result = score(example, *options, "--output", out, "--items", items)
    assert result.exit_code == 0, result.stderr
    pd.testing.assert_frame_equal(pd.read_csv(out), expected(arguments), check_dtype=False)
    again = tmp_path / "again.csv"
    result = invoke("scales", items, "-q", example[0], *options, "-o", again)
    assert result.exit_code == 0, result.stderr
    assert again.read_text() == out.read_text()


@pytest.mark.parametrize(("arguments", "options"), WISHES[2:4])
def test_a_parquet_file_remembers_the_items(example, expected, tmp_path, arguments, options):
    pytest.importorskip("pyarrow")
    items, out = tmp_path / "items.parquet", tmp_path / "out.csv"
    assert score(example, "--items", items).exit_code == 0
    result = invoke("scales", items, *options, "-o", out)
    assert result.exit_code == 0, result.stderr
    pd.testing.assert_frame_equal(pd.read_csv(out), expected(arguments), check_dtype=False)


def test_a_csv_file_needs_the_questionnaire(example, tmp_path):
    items = tmp_path / "items.csv"
    assert score(example, "--items", items).exit_code == 0
    result = invoke("scales", items, "--min-items", "2")
    assert result.exit_code == 1
    assert "which items a scale has" in result.stderr
    assert "--questionnaire" in result.stderr
    result = invoke("scales", items, "--duplicates", "last")
    assert result.exit_code == 0
    assert ["Ann", "Beta,", "too", "NaN", "0", "1"] in cells(result.stdout)


def test_the_item_column(example, tmp_path):
    items, renamed = tmp_path / "items.csv", tmp_path / "renamed.csv"
    assert score(example, "--items", items).exit_code == 0
    pd.read_csv(items).rename(columns={"instruction_item_id": "q"}).to_csv(renamed, index=False)
    assert invoke("scales", renamed).exit_code == 0
    result = invoke("scales", renamed, "--duplicates", "last")
    assert result.exit_code == 1
    assert "--item-column" in result.stderr
    result = invoke("scales", renamed, "--duplicates", "last", "--item-column", "q")
    assert result.exit_code == 0
    result = invoke("scales", renamed, "--duplicates", "last", "--item-column", "p")
    assert result.exit_code == 2
    assert "--item-column" in result.stderr


@pytest.mark.parametrize(
    ("options", "fact"),
    [
        (["--min-items", "two"], "'two' is neither a number of items nor SCALE=N"),
        (["--min-items", "Alpha="], "SCALE=N"),
        (["--min-items", "2", "--min-items", "Alpha=1"], "not both"),
        (["--min-items", "2", "--min-fraction", "1"], "not both"),
        (["--min-items", "-1"], "0 or more"),
        (["--min-fraction", "50"], "from 0 to 1"),
        (["--duplicates", "drop"], "duplicates must be one of"),
        (["--impute", "mean"], "impute must be one of"),
        (["--impute", "midpoint", "--agg", "count"], "does not go with"),
    ],
)
def test_wrong_usage(example, tmp_path, options, fact):
    for result in (score(example, *options), invoke("scales", example[1], *options)):
        assert result.exit_code == 2
        assert fact in " ".join(result.stderr.replace("│", " ").split())


def test_what_only_the_results_tell_is_an_error(example):
    result = score(example, "--min-items", "Gamma=1")
    assert result.exit_code == 1
    assert "'Gamma'" in result.stderr
    result = score(example, "--duplicates", "error")
    assert result.exit_code == 1
    assert "Rows 2 and 3" in result.stderr
    result = score(example, "--min-items", "2")
    assert result.exit_code == 0
    assert "warning: min_items asks for more items than there are" in result.stderr
