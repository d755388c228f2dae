"""``scorekey audit``: the findings, files, and exit codes."""

from __future__ import annotations

import json

import pytest

from scorekey.audit import KINDS
from tests.audit_material import FORM, clean
from tests.command_line import CONFIG, EXAMPLE, files_in, run
from tests.material import AGREEMENT

pytest.importorskip("typer")
pytest.importorskip("pyarrow")


def written(folder, frame):
    """Write a questionnaire and results, and return the arguments of the command."""
    config, results = folder / "config.json", folder / "results.csv"
    config.write_text(json.dumps(FORM), encoding="utf-8")
    frame.to_csv(results, index=False)
    return ["audit", results, "--questionnaire", config]


@pytest.mark.parametrize(("columns", "width"), [(50, 50), (300, 96)])
def test_the_findings_are_lines_no_wider_than_the_terminal(columns, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    result = run("audit", EXAMPLE, "-q", CONFIG)
    assert (result.returncode, result.stderr) == (0, "")
    first, shares, *lines = result.stdout.splitlines()
    assert first.startswith("Audit of Mini-IPIP: 720 answers of 36 respondents")
    assert shares == "Answers: 7% not valid, 8% without a clear option, 12% without a score"
    assert width - 20 < max(map(len, lines)) <= width
    heads = [line.split()[1] for line in lines if not line.startswith("    ")]
    assert heads == ["uneven_missing:", "invalid_answers:", "acquiescence:"]
    assert sum(line.startswith("    -> ") for line in lines) == 3


def test_letters_that_a_terminal_would_obey_are_shown(tmp_path):
    command = written(tmp_path, clean())
    config = tmp_path / "config.json"
    config.write_text(json.dumps(FORM | {"name": "A\x1b[2J"}), encoding="utf-8")
    assert run(*command).stdout.startswith("Audit of A\\x1b[2J: ")


def test_nothing_found(tmp_path):
    result = run(*written(tmp_path, clean()), "--fail-on", "any")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-1] == "Nothing found that needs a look."


def test_exit_codes(tmp_path):
    frame = clean()
    frame.loc[0, "decision"] = "Agree a little"
    command = written(tmp_path, frame)
    assert run(*command).returncode == 0
    assert run(*command, "--fail-on", "any").returncode == 3
    assert run(*command, "--fail-on", "duplicates, unmatched_texts").returncode == 3
    assert run(*command, "--fail-on", "duplicates", "--fail-on", "item_order").returncode == 0
    result = run(*command, "--fail-on", "duplicate")
    assert result.returncode == 2
    for kind in ("'duplicate'", "any", *KINDS):
        assert kind in " ".join(result.stderr.replace("│", " ").split())


def test_files_are_written(tmp_path):
    frame = clean()
    frame.loc[0, "decision"] = "<script>"
    command = written(tmp_path, frame)
    page, data = tmp_path / "audit.html", tmp_path / "audit.json"
    result = run(*command, "--html", page, "--json", data, "--fail-on", "unmatched_texts")
    assert result.returncode == 3
    assert "&lt;script&gt;" in page.read_text(encoding="utf-8")
    assert [f["kind"] for f in json.loads(data.read_text("utf-8"))["findings"]] == [
        "unmatched_texts"
    ]
    assert files_in(tmp_path) == ["audit.html", "audit.json", "config.json", "results.csv"]
    wrong = run(*command, "--html", tmp_path / "audit.csv")
    assert wrong.returncode == 2
    assert "must end in .html or .htm" in wrong.stderr
    assert run(*command, "--json", tmp_path / "config.json").returncode == 2


def test_the_options_of_columns_are_those_of_score(tmp_path):
    frame = clean().rename(
        columns={"decision": "choice", "instruction_item_id": "id", "valid": "ok"}
    )
    frame.loc[:9, "ok"] = False
    command = written(tmp_path, frame)
    named = ["--decision-column", "choice", "--item-column", "id", "--valid-column", "ok"]
    result = run(*command, *named, "--by", "model_id")
    assert "merged_respondents" in result.stdout
    assert "7% not valid, 0% without a clear option, 7% without a score" in result.stdout
    assert (
        "7% not valid, 0% without a clear option, 0% without"
        in run(*command, *named, "--keep-invalid").stdout
    )
    assert "or name another one with --item-column" in run(*command).stderr
    assert run(*command, *named, "--by", "person").returncode == 2
    frame["choice"] = frame["choice"].replace({AGREEMENT[3]: "4. Agree a little!"})
    written(tmp_path, frame)
    assert "near_matches" in run(*command, *named).stdout
    lenient = run(*command, *named, "--matching", "lenient")
    assert "lenient matching" in lenient.stdout
    assert "near_matches" not in lenient.stdout
