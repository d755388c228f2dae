"""Exit codes and messages of the commands: 1 for content, 2 for wrong usage."""

from __future__ import annotations

import pytest

pytest.importorskip("typer")

from typer.testing import CliRunner

from scorekey.command.application import application

from .command_line import files_in, write_example


@pytest.fixture
def example(tmp_path):
    return write_example(tmp_path)


def invoke(*arguments):
    return CliRunner().invoke(application, [str(argument) for argument in arguments])


def score(example, *options):
    config, results = example
    return invoke("score", results, "--questionnaire", config, *options)


@pytest.mark.parametrize(
    "options",
    [
        ["--nonsense"],
        ["-o", "scales.txt"],
        ["-o", "scales"],
        ["--items", "items.xlsx"],
        ["-o", "nowhere/scales.csv"],
        ["-o", "same.csv", "--items", "./same.csv"],
        ["-o", "results.csv"],
        ["--items", "config.json"],
        ["--by", "nobody"],
        ["--by", "profile_id,nobody"],
        ["--decision-column", "choice"],
        ["--item-column", "id"],
        ["--valid-column", "ok"],
        ["--agg", "average"],
        ["--separator", ";;"],
        ["--encoding", "utf-99"],
        ["missing.csv"],
        ["miss*.csv"],
    ],
)
def test_wrong_usage_is_2(example, tmp_path, monkeypatch, options):
    monkeypatch.chdir(tmp_path)
    result = score(example, *options)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Error: " in result.stderr
    assert "Traceback" not in result.stderr
    assert files_in(tmp_path) == ["config.json", "results.csv"]


def test_a_missing_questionnaire_is_2(example, tmp_path):
    _, results = example
    assert invoke("score", results).exit_code == 2
    result = invoke("score", results, "--questionnaire", tmp_path / "no.json")
    assert result.exit_code == 2
    assert "Invalid value for --questionnaire: " in result.stderr
    assert "no.json: No such file" in result.stderr
    result = invoke("key", tmp_path / "no.json")
    assert result.exit_code == 2
    assert "Invalid value for CONFIG: " in result.stderr
    assert invoke("score", results, "--questionnaire", tmp_path).exit_code == 2


@pytest.mark.parametrize("command", [["key"], ["score", "results.csv", "-q"]])
def test_a_questionnaire_that_is_not_in_utf8(example, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.json").write_bytes('{\n"name": "Mäßig"}'.encode("cp1252"))
    result = invoke(*command, "config.json")
    assert result.exit_code == 1
    assert result.stderr == (
        "error: config.json, line 2: the byte 0xe4 is not UTF-8; save the file as UTF-8\n"
    )


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("", "empty"),
        ("profile_id,instruction_item_id,decision\na,0\n", "line 2"),
        ("profile_id;instruction_item_id;decision\na;0;Yes\n", "';'"),
        ("profile_id,instruction_item_id,choice\na,0,Yes\n", "--decision-column"),
        ("profile_id,instruction_item_id,decision\na,3,Yes\n", "invalid item id"),
        ("profile_id,instruction_item_id,instruction_item,decision\na,0,Else,Yes\n", "'Else'"),
    ],
)
def test_content_that_cannot_be_scored_is_1(tmp_path, content, part):
    result = score(write_example(tmp_path, results=content), "-o", tmp_path / "out.csv")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert part in line
    assert not (tmp_path / "out.csv").exists()


def test_a_questionnaire_that_cannot_be_read_is_1(tmp_path):
    result = score(write_example(tmp_path, form=[1, 2]))
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert "config.json" in line
