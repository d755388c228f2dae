"""What the pages in docs/ say beyond their examples, and the site that is made of them."""

from __future__ import annotations

import ast
import html
import json
import re

import numpy as np
import pytest

import scorekey as sk

from .command_line import ROOT
from .scripts import load_script


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_questionnaire_of_the_page():
    (text,) = re.findall(r"^```json\n(.*?)^```", text_of("docs/questionnaire.md"), re.M | re.S)
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
    text = text_of("docs/matching.md")
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


def test_the_reference_has_every_public_name():
    listed = set(re.findall(r"^::: scorekey\.(\w+)$", text_of("docs/reference.md"), re.M))
    assert listed == set(sk.__all__) - {"__version__"}


def test_every_page_is_in_the_navigation():
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert pages - set(re.findall(r"^ +- .*: (.+\.md)$", text_of("mkdocs.yml"), re.M)) == set()


def test_the_map_of_the_code_names_every_module():
    named = set(re.findall(r"`((?:python/)?\w+(?:/|\.rs|\.pyi?))`", text_of("CONTRIBUTING.md")))
    for folder, suffixes in (("python/scorekey", (".py", ".pyi")), ("rust/src", (".rs",))):
        for path in sorted((ROOT / folder).iterdir()):
            name = f"{path.name}/" if path.is_dir() else path.name
            is_module = path.is_dir() or path.suffix in suffixes
            if is_module and not name.startswith("__") and name not in ("lib.rs", "python/"):
                assert name in named, f"{folder}/{name}"


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_links_of_the_root_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#]+)", text_of(page))
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_the_picture_shows_what_the_command_prints():
    pytest.importorskip("typer")
    pytest.importorskip("pyarrow")
    picture = load_script("docs/picture.py")
    drawing = picture.PICTURE.read_text(encoding="utf-8")
    assert "font-face" not in drawing  # it would be fetched from elsewhere
    # One element for each stretch of text, with its line in the name of its clip path.
    parts = re.findall(r'clip-path="url\(#scorekey-line-(\d+)\)">(.*?)</text>', drawing)
    lines = {}
    for line, text in parts:
        lines[int(line)] = lines.get(int(line), "") + html.unescape(text).replace("\xa0", " ")
    expected = ["$ " + picture.COMMAND, *picture.printed().splitlines()]
    assert [lines.get(i, "").rstrip() for i in range(len(expected))] == expected
