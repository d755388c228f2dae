"""Why a text is no option, in a word, and which option may be meant."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pandas as pd
import pytest

import scorekey as sk
from scorekey.audit.reasons import Explainer, Explanation
from tests.material import AGREEMENT, answers, item, options, plain, questionnaire

FOUR = AGREEMENT[3]
DATA = Path(__file__).parent / "data"


@pytest.mark.parametrize(
    ("text", "texts", "reason", "nearest"),
    [
        # What strict matching does not bridge, one step at a time.
        ("I’m unable to", ["I'm unable to"], "apostrophe", 0),
        ("“Yes”", ['"Yes"'], "quotation mark", 0),
        ("1 - Never", ["1 – Never"], "hyphen or dash", 0),
        (unicodedata.normalize("NFD", "Mäßig"), ["Mäßig"], "Unicode form", 0),
        ("４", ["4"], "Unicode form", 0),
        ("Agree\u200b", ["Agree"], "invisible character", 0),
        ("4.0", ["4"], "number form", 0),
        ("04", ["3", "4"], "number form", 1),
        ("-4,50", ["-4.5"], "number form", 0),
        ("<b>Agree</b>", ["Agree"], "HTML", 0),
        ("Strongly agree", ["Strongly&nbsp;agree"], "HTML", 0),
        ("Agree.", ["Agree"], "punctuation", 0),
        ("**Agree**", ["Agree"], "punctuation", 0),
        ("Verymuch", ["Very much"], "white space", 0),
        ("KATILIYORUM", ["Katılıyorum"], "case", 0),
        ("Massig", ["Mäßig"], "accent", 0),
        ("Maessig", ["Mäßig"], "other", 0),
        ("I’m\u200b ok.", ["I'm ok"], "invisible character, apostrophe, punctuation", 0),
        # A raised digit is no digit.
        ("102", ["10²"], "other", 0),
        # Parts, labels and longer texts.
        ("Agree a little", AGREEMENT, "leading label", 3),
        ("3. Agree a little", AGREEMENT, "leading label", 3),
        ("4) agree a little", ["Agree a little"], "leading label", 0),
        ("4", AGREEMENT, "part of the option", 3),
        ("(4)", AGREEMENT, "part of the option", 3),
        ("0", ["0: Yes"], "part of the option", 0),
        ("disagree", AGREEMENT, "part of the option", None),
        ("neither agree", AGREEMENT, "part of the option", 2),
        ("I would say 4. Agree a little here", AGREEMENT, "longer text", 3),
        ("I agree strongly with it", AGREEMENT, "longer text", 4),
        ("agree a little or agree strongly", AGREEMENT, "several options", None),
        ("very agree, strongly agree it is", ["agree", "strongly agree"], "longer text", 1),
        ("1-2", list("1234"), "several options", None),
        ("1,2", list("1234"), "several options", None),
        ("(1) 2", list("1234"), "several options", None),
        ("2. 2", list("1234"), "leading label", 1),
        ("x" * 3000, AGREEMENT, "longer text", None),
        # What is like an option, and what is not.
        ("4. Agree a litle", AGREEMENT, "spelling", 3),
        ("I would rather not say", AGREEMENT, "other", None),
        ("True", ["Yes", "No"], "truth value", None),
        ("", ["Yes"], "other", None),
        ("a", AGREEMENT, "other", None),
        # A judge's words in another spelling.
        ("Not present", AGREEMENT, "case", "not present"),
        (" inconclusive", AGREEMENT, "white space", "inconclusive"),
        ("INCONCLUSIVE.", AGREEMENT, "punctuation, case", "inconclusive"),
        ("yes", [], "other", None),
        ("Yes.", ["", "Yes"], "punctuation", 1),
    ],
)
def test_the_reason(text, texts, reason, nearest):
    option = texts[nearest] if isinstance(nearest, int) else nearest
    assert Explainer(texts).explain(text) == Explanation(reason, option)


def test_an_option_of_another_item():
    form = questionnaire(item(), item(own=options("Yes", "No")))
    audit = sk.audit_answers(answers(["yes", FOUR], [0, 1]), form, by=[])
    assert plain(audit.texts["reason"]) == ["option of another item"] * 2
    assert plain(audit.texts["nearest"]) == [None, None]


def test_items_with_the_same_options_share_the_explanations():
    form = questionnaire(item(), item(), item(own=options("Yes", "No")))
    frame = answers(["Agree a little"] * 3, [0, 1, 2])
    audit = sk.audit_answers(frame, form, by=[])
    assert plain(audit.texts["reason"]) == ["leading label", "leading label", "other"]


def test_a_lone_surrogate_is_explained():
    audit = sk.audit_answers(answers(["\ud800gree", "Agre\udc00"]), questionnaire(), by=[])
    assert plain(audit.texts["what"]) == ["unmatched"] * 2
    assert json.loads(audit.to_json())["texts"][0]["text"] == "\ud800gree"
    audit.to_html().encode("utf-8")


def test_shapes_of_labels():
    """Labels as instruments, apps and exports have them, in nine languages."""
    matches = json.loads((DATA / "label_matches.json").read_text(encoding="utf-8"))
    near = {
        case["id"] for case in matches if case["strict"] is None and case["lenient"] is not None
    }
    reasons = {}
    for case in json.loads((DATA / "label_shapes.json").read_text(encoding="utf-8")):
        texts = {str(i): option for i, option in enumerate(case["options"])}
        form = questionnaire(item(reverse=case["reversed"]), default=texts)
        frame = pd.DataFrame({"instruction_item_id": [0], "decision": [case["decision"]]})
        (row,) = sk.audit_answers(frame, form, by=[]).texts.itertuples()
        if row.lenient:
            reasons[case["id"]] = row.reason
    assert set(reasons) - {"dk-4"} == near, "dk-4 is an option that is no point on the scale"
    assert reasons["curly-1"] == reasons["fr-1"] == reasons["dk-4"] == "apostrophe"
    assert reasons["num-3"] == "number form"
    assert reasons["vi-1"] == reasons["ko-1"] == reasons["de-2"] == "Unicode form"
    assert set(reasons.values()) == {
        "apostrophe", "hyphen or dash", "invisible character", "number form", "punctuation",
        "Unicode form",
    }  # fmt: skip
