"""The command as a process: exit codes, messages, files that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

import scorekey as sk

from .command_line import CONFIG, COUNTS, EXAMPLE, FORM, environment, files_in, run, write_example

WITHOUT_TYPER = """
import sys
for name in ("typer", "rich"):
    sys.modules[name] = None
sys.argv = ["scorekey", "--help"]
from scorekey.command import main
main()
"""


def test_without_the_extra_it_says_what_to_install():
    result = subprocess.run(
        [sys.executable, "-c", WITHOUT_TYPER],
        env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr == 'The command needs more packages: pip install "scorekey[cli]"\n'


def test_the_package_needs_neither_the_command_nor_pyarrow():
    check = (
        "import sys, pandas; before = set(sys.modules); import scorekey; "
        "loaded = {name.partition('.')[0] for name in set(sys.modules) - before}; "
        "assert not loaded & {'typer', 'rich', 'click', 'scipy'}, loaded"
    )
    subprocess.run([sys.executable, "-c", check], env=environment(), check=True)


@pytest.fixture
def example(tmp_path):
    pytest.importorskip("typer")
    return write_example(tmp_path)


def score(example, *options, **how):
    config, results = example
    return run("score", results, "--questionnaire", config, *options, **how)


def test_a_run_with_files(example, tmp_path):
    result = score(example, "-o", "scales.csv", "--items", "items.csv", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr.splitlines() == [COUNTS]
    scales = pd.read_csv(tmp_path / "scales.csv")
    assert scales["dimension"].tolist() == ["Alpha", "Beta, too"] * 2
    assert scales["score"].fillna(-1).tolist() == [3.0, -1.0, -1.0, 1.0]
    assert files_in(tmp_path) == ["config.json", "items.csv", "results.csv", "scales.csv"]


def test_version_and_help(example):
    result = run("--version")
    assert (result.returncode, result.stdout) == (0, f"scorekey {sk.__version__}\n")
    for command in ([], ["score"], ["scales"], ["key"]):
        result = run(*command, "--help")
        assert result.returncode == 0
        assert "Usage: scorekey" in result.stdout
        assert result.stderr == ""


def test_an_existing_file_is_replaced_and_keeps_its_mode(example, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("old", encoding="utf-8")
    out.chmod(0o640)
    assert score(example, "-o", out).returncode == 0
    assert out.read_text(encoding="utf-8").startswith("profile_id,")
    assert out.stat().st_mode & 0o777 == 0o640


def test_cells_with_any_line_end_survive(example, tmp_path):
    config, _ = example
    cells = ["a\rb", "a\nb", "a\r\nb", 'a"b', "a,b", "\ufeff", "", "None"]
    (tmp_path / "items.csv").unlink(missing_ok=True)
    frame = pd.DataFrame({"instruction_item_id": 0, "decision": "Yes", "answer": cells})
    frame.to_csv(tmp_path / "r.csv", index=False, quoting=1)
    assert (
        run("score", tmp_path / "r.csv", "-q", config, "--items", tmp_path / "i.csv").returncode
        == 0
    )
    again = sk.read_results(tmp_path / "i.csv", config)["answer"]
    assert [None if pd.isna(cell) else cell for cell in again] == [cell or None for cell in cells]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs file permissions")
class TestUnwritable:
    @pytest.mark.skipif(
        hasattr(os, "geteuid") and os.geteuid() == 0, reason="the superuser may write anywhere"
    )
    def test_a_read_only_folder(self, example, tmp_path):
        folder = tmp_path / "locked"
        folder.mkdir()
        folder.chmod(0o555)
        result = score(example, "-o", folder / "out.csv")
        folder.chmod(0o755)
        assert result.returncode == 1
        assert "Permission denied" in result.stderr
        assert files_in(folder) == []

    @pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
    def test_a_disk_without_room(self, tmp_path, name):
        resource = pytest.importorskip("resource")
        pytest.importorskip("typer")
        pytest.importorskip("pyarrow")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

        (tmp_path / "out.csv").write_text("old", encoding="utf-8")
        result = run(
            "score", EXAMPLE, "-q", CONFIG, "-o", tmp_path / "scales.csv",
            "--items", tmp_path / name, measured=False, preexec_fn=limit,
        )  # fmt: skip
        assert result.returncode == 1
        assert result.stderr.splitlines()[-1].startswith(f"error: {tmp_path / name} cannot be")
        assert files_in(tmp_path) == ["out.csv"]
        assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "old"


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_ctrl_c_while_writing(tmp_path):
    pytest.importorskip("typer")
    config, results = write_example(tmp_path)
    # So many rows that the files are being written for seconds.
    rows = "".join(f"p{number},0,First,Yes,True\n" for number in range(1_000_000))
    with Path(results).open("a", encoding="utf-8") as file:
        file.write(rows)
    out = tmp_path / "out"
    out.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "scorekey", "score", results, "-q", config,
         "--items", str(out / "items.csv"), "-o", str(out / "scales.csv")],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # Where the tests run in the background, the signal may be ignored, and its children's too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not files_in(out) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)
    drafts = files_in(out)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert drafts
    assert "Traceback" not in errors
    assert files_in(out) == []


@pytest.mark.skipif(shutil.which("head") is None, reason="needs a shell's tools")
def test_a_reader_that_has_seen_enough(example):
    config, _ = example
    process = subprocess.Popen(
        [sys.executable, "-m", "scorekey", "key", config],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdout.close()
    errors = process.stderr.read()
    process.wait(timeout=60)
    process.stderr.close()
    assert b"Traceback" not in errors


def test_a_terminal_without_the_letters(tmp_path):
    pytest.importorskip("typer")
    form = FORM | {"name": "Fragebogen für Übermüdete"}
    config, _ = write_example(tmp_path, form=form)
    result = subprocess.run(
        [sys.executable, "-m", "scorekey", "key", config],
        env=environment(PYTHONIOENCODING="ascii"), capture_output=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0
    assert result.stderr == b""
    assert b"Alpha" in result.stdout
