"""The pages in docs/ are true: their examples run and print what stands there."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import numpy as np
import pytest

import scorekey as sk

from .command_line import ROOT, environment

PAGES = ("from-rupsycho.md", "command-line.md", "questionnaire.md")


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
    assert len(blocks("command-line.md", "console")) == 7
    assert len(blocks("questionnaire.md", "python")) == 1


def test_the_questionnaire_of_the_page():
    (text,) = blocks("questionnaire.md", "json")
    key = sk.ScoringKey(json.loads(text))
    assert key.dimensions == ("Extraversion", "Neuroticism")
    items, decisions = [0, 1, 2, 0], ["very much", "Very much", "Sometimes", "I do not know"]
    assert key.score(items, decisions).tolist()[:3] == [3, 1, 2.5]
    assert np.isnan(key.score([0], ["I do not know"])).all()


@pytest.mark.parametrize(
    ("decision", "texts", "score"),
    [
        ("Very much", ["Very much"], 1),
        (" very  MUCH", ["Very much"], 1),
        ("STRASSE", ["Straße"], 1),
        ("Verymuch", ["Very much"], None),
        ("Very much.", ["Very much"], None),
        (4, ["4"], 1),
        (4.0, ["4"], 1),
        (4, ["04", "4.0"], None),
        ("4.0", ["4"], None),
        (True, ["true"], 1),
        (" ", [" ", ""], None),
        ("not present", ["present"], None),
        ("Yes", ["Yes", "Yes"], None),
        ("YES", ["Yes", "yes"], None),
        ("yes", ["Yes", "yes"], 2),
    ],
)
def test_the_table_of_matches(decision, texts, score):
    options = {str(i): {"text": text, "weight": i} for i, text in enumerate(texts, start=1)}
    form = {
        "name": "x",
        "general_instruction": "y",
        "default_answer_options": options,
        "instruction_items": [{"question": "z"}],
    }
    (found,) = sk.ScoringKey(form).score([0], [decision]).tolist()
    assert found == score or (score is None and np.isnan(found))


def test_the_tables_of_strict_and_lenient_matches():
    text = (ROOT / "docs" / "matching.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(.+)` \| `(.+)` \| (yes|no) \| (yes|no) \|$", text, flags=re.MULTILINE)
    assert len(rows) == 24
    for decision, option, *matches in rows:
        form = {
            "name": "x",
            "general_instruction": "y",
            "default_answer_options": {"1": {"text": ast.literal_eval(option), "weight": 1}},
            "instruction_items": [{"question": "z"}],
        }
        for matching, match in zip(("strict", "lenient"), matches, strict=True):
            (score,) = sk.ScoringKey(form, matching).score([0], [ast.literal_eval(decision)])
            assert (score == 1) == (match == "yes"), (decision, option, matching)
