"""The pages in docs/ are true: their examples run and print what stands there."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from .command_line import ROOT, environment

PAGES = ("from-rupsycho.md", "command-line.md")


def blocks(page, language):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the examples, which a page may write to."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


@pytest.mark.parametrize("page", PAGES)
def test_python(page, folder):
    for code in blocks(page, "python"):
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code], cwd=folder, env=environment(), check=True
        )


@pytest.mark.parametrize("page", PAGES)
def test_console(page, folder):
    for block in blocks(page, "console"):
        pytest.importorskip("typer")
        pytest.importorskip("pyarrow")
        command, _, expected = block.partition("\n")
        program, *arguments = shlex.split(command.removeprefix("$ "))
        assert program == "scorekey"
        result = subprocess.run(
            [sys.executable, "-m", "scorekey", *arguments],
            cwd=folder, env=environment(COLUMNS="80"), capture_output=True, check=True,
        )  # fmt: skip
        printed = (result.stderr + result.stdout).decode().replace(os.linesep, "\n")
        lines = [line.rstrip() for line in printed.splitlines()]
        assert "\n".join(lines).strip() == expected.strip()


def test_there_are_examples():
    assert len(blocks("from-rupsycho.md", "python")) == 2
    assert len(blocks("command-line.md", "console")) == 4
