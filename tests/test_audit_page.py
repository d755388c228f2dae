"""An audit as a page, in a notebook, as JSON and on the terminal."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd

import scorekey as sk
from scorekey.audit import page, plain
from tests.audit_material import FORM, audited, clean, where
from tests.material import AGREEMENT, answers, item, options, questionnaire

HOSTILE = "<script>alert('x')</script> & \"quoted\" <img src=http://evil.example/x>"
VOID = {"meta", "br"}


class Checker(HTMLParser):
    """Checks that every element is closed, and collects what there is."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.text, self.attributes = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def checked(markup):
    checker = Checker()
    checker.feed(markup)
    checker.close()
    assert checker.open == []
    return checker


def hostile():
    form = questionnaire(
        *(item(HOSTILE, reverse=number % 2 == 1, question=HOSTILE) for number in range(10)),
        default=options(*AGREEMENT, {"text": HOSTILE, "ignored_for_scale": True}),
    )
    form["name"] = HOSTILE
    rows = [(person, number) for person in range(20) for number in range(10)]
    frame = pd.DataFrame(
        {
            HOSTILE: [f"{HOSTILE}{person}" for person, _ in rows],
            "instruction_item_id": [number for _, number in rows],
            "instruction_item": HOSTILE + "!",
            "answer": HOSTILE,
            "decision": [HOSTILE if number % 2 else HOSTILE.upper() + "?" for _, number in rows],
        }
    )
    frame.loc[:9, "decision"] = AGREEMENT[3]
    frame.loc[10:59, "decision"] = [f"{HOSTILE}{number}" for number in range(50)]
    return audited(frame, form, by=[HOSTILE])


def test_a_page_is_whole_and_asks_for_nothing():
    for audit in (audited(clean()), hostile()):
        markup = audit.to_html()
        found = checked(markup)
        assert markup.startswith("<!DOCTYPE html>")
        assert {"title", "style", "svg", "table", "h1"} <= set(found.tags)
        assert not {"script", "link", "img", "iframe", "object", "base", "form"} & set(found.tags)
        names = {name for name, _ in found.attributes}
        assert not {"href", "src", "srcset", "action", "style", "onclick", "onload"} & names
        style = re.search(r"<style>(.*?)</style>", markup, flags=re.DOTALL)[1]
        assert "url(" not in style
        assert "@import" not in style
        assert "prefers-color-scheme:dark" in style
        assert "@media print" in style
        assert ("name", "viewport") in found.attributes


def test_hostile_texts_are_only_text():
    audit = hostile()
    text = "".join(checked(audit.to_html()).text)
    assert f"Audit of {HOSTILE}" in text
    assert text.count("<script>alert") > 20
    excerpt = checked(audit._repr_html_())
    assert "script" not in excerpt.tags
    assert "<script>" in "".join(excerpt.text)
    assert "<script>" not in audit._repr_html_()


def test_what_a_page_shows():
    frame = clean()
    frame.loc[where(frame, people=[4]), "decision"] = AGREEMENT[2]
    frame.loc[where(frame, people=[5], items=range(6)), "decision"] = "Agree\u200b a little"
    frame.loc[where(frame, people=[5], items=[7]), "decision"] = None
    text = " ".join(checked(audited(frame).to_html()).text)
    for part in (
        "150 answers of 15 respondents to 10 items, strict matching",
        "Respondents chose one option over and over",
        "Agree\\u200b a little",
        "How respondents answer",
        "Respondents and scales with the most unanswered items",
        "A sample to read",
        "Statement 9.",
    ):
        assert part in text
    assert "How respondents answer" not in audited(clean()).to_html()
    assert "Nothing found that needs a look." in audited(clean())._repr_html_()


def test_long_tables_and_lists_are_cut(monkeypatch):
    monkeypatch.setattr(page, "MOST_ROWS", 4)
    frame = clean()
    frame.loc[:24, "decision"] = [f"text {number}" for number in range(25)]
    markup = audited(frame).to_html()
    assert "and 6 more rows" in markup, "ten items, four of them shown"
    assert "and 21 more rows" in markup, "25 texts"
    assert "<summary>15 more</summary>" in markup, "twenty texts and how many more, six at once"


def test_json_is_plain_and_comes_back():
    frame = clean()
    frame.loc[3, "decision"] = None
    frame["random_seed"] = np.float64(1)
    audit = audited(frame)
    data = json.loads(audit.to_json(), parse_constant=lambda name: pytest_fail(name))
    assert data == audit.to_dict()
    assert list(data) == [
        "questionnaire", "fingerprint", "matching", "by", "rows", "respondents", "quality",
        "findings", "items", "scales", "texts", "least_answered", "left_out",
    ]  # fmt: skip
    assert data["fingerprint"] == sk.ScoringKey(FORM).fingerprint
    assert (data["rows"], data["respondents"], len(data["items"])) == (150, 15, 10)
    assert data["scales"][0] == {
        "dimension": "Alpha", "expected": 75, "answered": 74, "unanswered": 1, "invalid": 0,
        "missing": 1, "sentinel": 0, "unmatched": 0, "clash": 0, "ignored": 0, "absent": 0,
    }  # fmt: skip
    (least,) = data["least_answered"]
    assert (least["profile_id"], least["random_seed"], least["unanswered"]) == ("p0", 1.0, 1)
    missing = [text for text in data["texts"] if text["what"] == "missing"]
    assert missing[0]["text"] is None
    assert missing[0]["score"] is None
    assert data["left_out"] == {"items": 0, "scales": 0, "texts": 0, "least_answered": 0}


def pytest_fail(name):
    raise AssertionError(f"{name} is no JSON")


def test_long_json_is_cut(monkeypatch):
    monkeypatch.setattr(plain, "MOST_ENTRIES", 3)
    data = audited(clean()).to_dict()
    assert len(data["items"]) == 3
    assert data["left_out"]["items"] == 7


def test_text_for_the_terminal():
    frame = clean()
    frame.loc[where(frame, people=[0], items=[0]), "decision"] = "Agree"
    frame.loc[1:4, "valid"] = False
    text = str(audited(frame))
    assert text.splitlines()[:2] == [
        "Audit of A questionnaire: 150 answers of 15 respondents to 10 items, strict matching",
        "Answers: 3% not valid, 1% without a clear option, 3% without a score",
    ]
    assert max(map(len, text.splitlines())) <= 96
    one = audited(answers([AGREEMENT[0]]), questionnaire(), by=[])
    assert "1 answer of 1 respondent to 1 item" in str(one)
