"""The commands at the edge of what a branch of their code is for."""

from __future__ import annotations

import io
import os
import sys

import pandas as pd
import pytest

pytest.importorskip("typer")
pytest.importorskip("pyarrow")

from typer.testing import CliRunner

from scorekey import command
from scorekey.command import application as module
from scorekey.command.tables import decimal, print_table
from scorekey.files import parquet

from .command_line import FORM, OPTIONS, files_in, write_example


@pytest.fixture
def example(tmp_path):
    return write_example(tmp_path)


def invoke(*arguments):
    return CliRunner().invoke(module.application, [str(argument) for argument in arguments])


def flat(text):
    return " ".join(text.replace("│", " ").split())


def test_ctrl_c_outside_a_command_ends_with_130(monkeypatch):
    def interrupted(**_):
        raise KeyboardInterrupt

    # A stream that is no terminal and no file, as a program that embeds Python may put it there.
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(module, "application", interrupted)
    with pytest.raises(SystemExit) as caught:
        command.main()
    assert caught.value.code == 130


def test_too_little_memory_is_said_in_one_line(example, monkeypatch):
    def greedy(*_, **__):
        raise MemoryError

    config, results = example
    monkeypatch.setattr("scorekey.command.results_files.read_results", greedy)
    result = invoke("score", results, "-q", config)
    assert (result.exit_code, result.stderr) == (1, "error: there is not enough memory\n")


@pytest.mark.parametrize("name", ["scales", "judge"])
def test_a_pattern_may_only_match_one_file(example, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for file in ("a.csv", "b.csv"):
        (tmp_path / file).write_text("reply,dimension,score\nScore: 4,A,1\n")
    more = ["--rubric", "accuracy"] if name == "judge" else []
    result = invoke(name, "?.csv", *more)
    assert result.exit_code == 2
    assert "?.csv names several files; name one" in flat(result.stderr)


def test_an_output_may_be_no_folder(example, tmp_path):
    config, results = example
    (tmp_path / "folder.csv").mkdir()
    result = invoke("score", results, "-q", config, "-o", tmp_path / "folder.csv")
    assert result.exit_code == 2
    assert "is no ordinary file" in flat(result.stderr)


def test_a_read_only_file_is_not_replaced(example, tmp_path, monkeypatch):
    config, results = example
    out = tmp_path / "out.csv"
    out.write_text("old")
    out.chmod(0o444)
    # The superuser may write to every file, so the tests cannot rely on its mode.
    monkeypatch.setattr(os, "access", lambda path, _mode: os.fspath(path) != os.fspath(out))
    result = invoke("score", results, "-q", config, "-o", out)
    assert result.exit_code == 1
    assert f"error: {out} cannot be written: the file is read-only" in flat(result.stderr)
    assert out.read_text() == "old"
    assert files_in(tmp_path) == ["config.json", "out.csv", "results.csv"]


def test_a_blank_option_is_shown_as_one_that_is_never_matched(tmp_path):
    blank = {**OPTIONS, "5": {"text": " ", "weight": 4}}
    config, _ = write_example(tmp_path, form={**FORM, "default_answer_options": blank})
    result = invoke("key", config)
    assert result.exit_code == 0
    assert "blank, never matched" in flat(result.stdout)


def test_a_terminal_has_the_width_that_it_has(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "30")
    print_table("Title", ["name"], [["word " * 20]])
    assert max(map(len, capsys.readouterr().out.splitlines())) < 60
    monkeypatch.delenv("FORCE_COLOR")
    print_table("Title", ["name"], [["word " * 20]])
    assert "word " * 19 in capsys.readouterr().out


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0.0"),
        (1e-4, "0.0001"),
        (9e-5, "9e-05"),
        (-9e-5, "-9e-05"),
        (1 / 3, "0.333333"),
        (999999999999999.0, "999999999999999.0"),
        (1e15, "1000000000000000.0"),
        (1e16, "1e+16"),
    ],
)
def test_a_tiny_or_huge_number_keeps_its_digits(number, text):
    assert decimal(number) == text


def test_scales_need_no_questionnaire_to_be_written_as_parquet(tmp_path):
    items = tmp_path / "items.csv"
    items.write_text("model_id,dimension,score\na,A,1\na,A,3\n")
    result = invoke("scales", items, "-o", tmp_path / "scales.parquet")
    assert result.exit_code == 0, result.stderr
    assert pd.read_parquet(tmp_path / "scales.parquet")["score"].tolist() == [2.0]


def test_without_pyarrow_parquet_says_what_to_install(example, monkeypatch):
    config, results = example
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = invoke("score", results, "-q", config, "-o", "scales.parquet")
    assert result.exit_code == 1
    assert 'Parquet files need pyarrow: pip install "scorekey[arrow]"' in flat(result.stderr)


def test_a_parquet_file_that_the_system_refuses_is_not_called_broken(tmp_path, monkeypatch):
    def refused(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(pd, "read_parquet", refused)
    with pytest.raises(PermissionError):
        parquet.read_parquet(tmp_path / "a.parquet")
