"""What an audit counts: texts, items, respondents, shares, samples."""

from __future__ import annotations

import json
import pickle
from datetime import date

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from scorekey.audit import counting
from tests.audit_material import FORM, N_ITEMS, N_PEOPLE, audited, clean, kinds, where
from tests.material import (
    AGREEMENT,
    PANDAS,
    answers,
    item,
    options,
    plain,
    questionnaire,
    refused,
    table,
)

ONE, TWO, THREE, FOUR, FIVE = AGREEMENT
MINI = questionnaire(
    item("1", question="I am talkative."),
    item("1", reverse=True, question="I am reserved."),
    item("2", question="I am helpful to others."),
    item("2", reverse=True, question="I start quarrels."),
    item("3", reverse=True, question="I am relaxed."),
    item("3", question="I get nervous easily."),
    dimensions={"1": "Extraversion", "2": "Agreeableness", "3": "Neuroticism"},
)
DECISIONS = [FIVE, TWO, ONE, FOUR, FOUR, FOUR, TWO, "inconclusive", FIVE, "not present", TWO, FIVE]
WORKED = pd.DataFrame(
    {
        "profile_id": ["Anna", "Ben"] * 6,
        "instruction_item_id": [number // 2 for number in range(12)],
        "decision": DECISIONS,
        "valid": [True] * 5 + [False] + [True] * 3 + [False] + [True] * 2,
    }
)
"""The worked example of the scoring rules: two of Ben's answers are not valid, one undecided."""

COUNTS = ["invalid", "missing", "sentinel", "unmatched", "clash", "ignored", "absent"]


def test_the_quality_of_the_worked_example():
    quality = audited(WORKED, MINI).quality
    assert quality == {"invalid": 2 / 12, "without_option": 2 / 12, "without_score": 3 / 12}
    assert [f"{part:.0%}" for part in quality.values()] == ["17%", "17%", "25%"]
    kept = audited(WORKED, MINI, only_valid=False).quality
    assert kept == {"invalid": 2 / 12, "without_option": 2 / 12, "without_score": 2 / 12}


def test_respondents_and_items_of_the_worked_example():
    audit = audited(WORKED, MINI)
    columns = ["profile_id", "dimension", "expected", "answered", "unanswered", *COUNTS]
    assert list(audit.respondents.columns) == columns
    assert table(audit.respondents) == [
        ("Anna", "Extraversion", 2, 2, 0, *[0] * 7),
        ("Anna", "Agreeableness", 2, 2, 0, *[0] * 7),
        ("Anna", "Neuroticism", 2, 2, 0, *[0] * 7),
        ("Ben", "Extraversion", 2, 2, 0, *[0] * 7),
        ("Ben", "Agreeableness", 2, 0, 2, 1, 0, 1, 0, 0, 0, 0),
        ("Ben", "Neuroticism", 2, 1, 1, 1, 0, 0, 0, 0, 0, 0),
    ]
    items = audit.items
    assert plain(items["question"])[:2] == ["I am talkative.", "I am reserved."]
    assert plain(items["reversed"]) == [False, True, False, True, True, False]
    assert plain(items["expected"]) == [2] * 6
    assert plain(items["answered"]) == [2, 2, 1, 1, 1, 2]
    assert plain(items["invalid"]) == [0, 0, 1, 0, 1, 0]
    assert plain(items["sentinel"]) == [0, 0, 0, 1, 0, 0]
    assert plain(items["rows"]) == [2] * 6
    assert (audit.n_rows, audit.n_respondents, audit.by) == (12, 2, ["profile_id"])
    assert audit.findings == [], "two invalid answers and one undecided are not many"


def test_the_respondents_join_the_scale_scores():
    scales = sk.score_experiment(MINI, WORKED, by="profile_id")
    joined = scales.merge(audited(WORKED, MINI).respondents, on=["profile_id", "dimension"])
    assert len(joined) == len(scales)
    assert joined["n_items"].equals(joined["answered"])


def test_texts_of_the_worked_example():
    texts = audited(WORKED, MINI).texts
    assert list(texts.columns) == [
        "item", "text", "listed", "count", "invalid", "what", "score", "nearest", "reason",
        "lenient",
    ]  # fmt: skip
    rows = table(texts[["item", "text", "count", "invalid", "what", "score"]])
    assert rows == [
        (0, FIVE, 1, 0, "exact", 5.0),
        (0, TWO, 1, 0, "exact", 2.0),
        (1, ONE, 1, 0, "exact", 5.0),
        (1, FOUR, 1, 0, "exact", 2.0),
        (2, FOUR, 2, 1, "exact", 4.0),
        (3, TWO, 1, 0, "exact", 4.0),
        (3, "inconclusive", 1, 0, "sentinel", None),
        (4, FIVE, 1, 0, "exact", 1.0),
        (4, "not present", 1, 1, "invalid", None),
        (5, TWO, 1, 0, "exact", 2.0),
        (5, FIVE, 1, 0, "exact", 5.0),
    ]


def test_what_each_text_is():
    form = questionnaire(
        item(own=options("Yes", ("No", 0), ("no", 2), {"text": "?", "ignored_for_scale": True}))
    )
    decisions = ["Yes", " yes ", "NO", "?", "not present", None, "", "Yes.", "Yes or no", 3.5]
    frame = answers(decisions)
    strict = audited(frame, form, by=[])
    assert table(strict.texts[["text", "what"]]) == [
        ("Yes", "exact"),
        (" yes ", "folded"),
        ("NO", "clash"),
        ("?", "ignored option"),
        ("not present", "sentinel"),
        (None, "missing"),
        ("", "missing"),
        ("Yes.", "unmatched"),
        ("Yes or no", "unmatched"),
        ("3.5", "unmatched"),
    ]
    assert plain(strict.texts.loc[strict.texts["lenient"], "text"]) == ["Yes."]
    lenient = audited(frame, form, by=[], matching="lenient")
    row = lenient.texts.set_index("text").loc["Yes."]
    assert (row["what"], row["score"], lenient.matching) == ("lenient", 1.0, "lenient")
    assert not lenient.texts["lenient"].any()
    assert strict.quality["without_option"] == 0.7, "all but Yes, yes and the question mark"
    assert strict.quality["without_score"] == 0.8


@pytest.mark.parametrize("dtype", [object, "category", "string", *["str"] * (PANDAS > 2)])
def test_every_type_of_column_gives_the_same(dtype):
    frame = clean()
    frame.loc[3, "decision"] = None
    frame.loc[5, "decision"] = "Agree a little"
    expected = audited(frame).to_dict()
    changed = frame.astype({"decision": dtype, "profile_id": dtype, "instruction_item": dtype})
    assert audited(changed).to_dict() == expected
    shuffled = changed.sample(frac=1, random_state=3)
    again = audited(shuffled).to_dict()
    for name in ("quality", "items", "scales", "findings", "respondents"):
        assert again[name] == expected[name], "the order of the rows says nothing"


def test_numbers_and_truth_values_are_texts():
    form = questionnaire(item(own=options("4", "True")))
    audit = audited(answers([4, 4.0, "4", True, "True", False]), form, by=[])
    assert table(audit.texts[["text", "count", "what", "reason"]]) == [
        ("4", 3, "exact", None),
        ("True", 2, "exact", None),
        ("False", 1, "unmatched", "truth value"),
    ]


def test_an_empty_frame():
    audit = audited(clean().head(0))
    assert audit.findings == []
    assert all(np.isnan(part) for part in audit.quality.values())
    assert (audit.n_rows, audit.n_respondents) == (0, 0)
    assert (
        len(audit.texts) == len(audit.respondents) == len(audit.styles) == len(audit.sample()) == 0
    )
    assert plain(audit.items["expected"]) == [0] * N_ITEMS
    assert json.loads(audit.to_json())["quality"]["invalid"] is None
    assert "–" in audit.to_html()
    assert "– not valid" in str(audit)


def test_a_questionnaire_without_items():
    form = {"name": "None", "general_instruction": "", "instruction_items": []}
    audit = audited(answers([]), form, by=[])
    assert len(audit.items) == 0
    assert audit.findings == []


def test_a_key_has_no_item_texts():
    key = sk.ScoringKey(FORM)
    frame = clean().assign(instruction_item="Something else")
    audit = audited(frame, key)
    assert audit.findings == []
    assert (audit.questionnaire, "question" in audit.items) == ("", False)
    assert str(audit).startswith(
        "Audit: 150 answers of 15 respondents to 10 items, strict matching"
    )
    assert "<h1>Audit</h1>" in audit.to_html()
    assert audited(clean(), sk.ScoringKey(FORM, "lenient")).matching == "lenient"


def test_respondents_without_and_with_odd_columns():
    frame = clean()
    nobody = audited(frame[frame["profile_id"] == "p0"], by=[])
    assert list(nobody.respondents.columns)[:2] == ["dimension", "expected"]
    assert plain(nobody.respondents["answered"]) == [5, 5]
    frame["run"] = frame["profile_id"].map(lambda name: date(2024, 1, 1 + int(name[1:])))
    audit = audited(frame, by=["run"])
    assert len(audit.respondents) == 2 * N_PEOPLE
    assert json.loads(audit.to_json())["by"] == ["run"]
    frame["profile_id"] = frame["profile_id"].where(frame["profile_id"] != "p0", None)
    assert audited(frame).n_respondents == N_PEOPLE


def test_absent_and_repeated_answers_are_counted():
    frame = clean()
    frame = frame[~where(frame, people=[0], items=[2, 3])]
    other = frame[where(frame, people=[1], items=[4])].assign(decision=ONE)
    same = frame[where(frame, people=[2], items=[4])]
    audit = audited(pd.concat([frame, other, same, same]))
    items = audit.items
    assert plain(items["absent"]) == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0]
    assert plain(items["repeated"]) == [0, 0, 0, 0, 2, 0, 0, 0, 0, 0]
    assert plain(items["conflicting"])[4] == 1
    assert plain(items["rows"])[4] == N_PEOPLE + 3
    assert plain(items["answered"])[4] == N_PEOPLE
    first = audit.respondents.iloc[0]
    assert (first["profile_id"], first["absent"], first["answered"]) == ("p0", 2, 3)


def test_the_longest_run():
    form = questionnaire(*[item() for _ in range(6)])
    row = [AGREEMENT[chosen - 1] for chosen in (3, 3, 3, 3, 1, 5)]
    frame = answers([*row, *row[:2], "x", *row[3:]], [*range(6), *range(6)], who=[1] * 6 + [2] * 6)
    styles = audited(frame, form, by="who").styles
    assert plain(styles["longest_run"]) == [4, 3]
    assert plain(styles["chosen"]) == [6, 5]
    assert plain(styles["agreement"]) == [None, None], "there are no reverse-keyed items"
    assert styles.columns[0] == "who"


def test_agreement_with_all_and_with_nothing():
    frame = clean()
    frame.loc[where(frame, people=[0]), "decision"] = [FOUR, FIVE] * 5
    frame.loc[where(frame, people=[1]), "decision"] = [TWO, ONE] * 5
    styles = audited(frame).styles.set_index("profile_id")
    assert styles.loc["p0", "agreement"] == 1
    assert styles.loc["p1", "agreement"] == 0
    assert set(styles["agreement"].drop(["p0", "p1"])) == {0.5}
    assert plain(styles["acquiescence"])[:2] != [0, 0]


def test_texts_beyond_the_limit_are_counted_together(monkeypatch):
    monkeypatch.setattr(counting, "MOST_TEXTS", 3)
    decisions = [ONE, ONE, ONE, "a", "a", None, None, "b", "c", "not present"]
    audit = audited(answers(decisions), questionnaire(item()), by=[])
    rows = table(audit.texts[["text", "listed", "count", "what", "reason"]])
    assert rows == [
        (ONE, True, 3, "exact", None),
        ("a", True, 2, "unmatched", "other"),
        (None, True, 2, "missing", None),
        (None, False, 2, "unmatched", None),
        (None, False, 1, "sentinel", None),
    ]
    assert int(audit.texts["count"].sum()) == len(decisions)
    assert "unlisted_texts" in kinds(audit)
    assert audit.findings[-1].count == 3
    assert audit.to_html()


def test_a_sample_is_reproducible():
    frame = clean()
    frame["decision"] = frame["decision"].where(frame.index % 3 > 0, "Agree a little")
    frame.loc[7, "valid"] = False
    audit = audited(frame)
    sample = audit.sample(n=5, random_state=1)
    assert list(sample.columns) == ["item", "answer", "decision", "score", "reason"]
    assert sample.equals(audit.sample(n=5, random_state=1))
    assert not sample.index.equals(audit.sample(n=5, random_state=2).index)
    assert len(audit.sample(0)) == 0
    everything = audit.sample(1000, random_state=None)
    assert everything.index.equals(frame.index)
    scored = sk.score_answers(frame, FORM)["score"]
    assert everything["score"].equals(scored)
    assert set(everything["reason"]) == {"exact", "unmatched: leading label", "invalid"}
    assert everything.loc[7, "reason"] == "invalid"
    kept = audited(frame, only_valid=False).sample(1000)
    assert kept.loc[7, "reason"] == "exact"
    assert list(audited(frame.drop(columns="answer")).sample(2).columns)[:2] == ["item", "decision"]
    assert "-1" in refused(ValueError, lambda: audit.sample(-1), "n must not be negative")


def test_the_frame_is_not_changed():
    frame = clean()
    frame.attrs["note"] = ["kept"]
    before = pickle.dumps(frame)
    audit = audited(frame)
    audit.sample()
    assert pickle.dumps(frame) == before


def test_replies_to_a_rubric_are_audited():
    rubric = sk.ScoringRubric.accuracy()
    replies = sk.score_replies(["Score: 4", "Score: 2", "no idea"], rubric)
    audit = sk.audit_answers(replies, sk.Questionnaire.from_rubrics([rubric]), by=[])
    assert audit.quality["without_score"] == 1 / 3
    assert len(audit.sample()) == 3


def test_bad_arguments_are_refused():
    frame = clean()
    refused(TypeError, lambda: audited(frame, only_valid="False"), "only_valid")
    refused(TypeError, lambda: audited(frame, text_column=["a"]), "text_column")
    refused(TypeError, lambda: audited([1]), "DataFrame")
    refused(ValueError, lambda: audited(frame, item_column="id"), "'id'")
    refused(ValueError, lambda: audited(frame, matching="fuzzy"), "fuzzy")
    refused(ValueError, lambda: audited(frame.assign(answered=1), by="answered"), "'answered'")
    refused(TypeError, lambda: audited(frame, 3), "experiment")


def test_names_at_the_top_are_found_late():
    assert sk.Audit.__name__ == "Audit"
    assert {"Audit", "Finding", "audit_answers"} <= set(dir(sk))
    with pytest.raises(AttributeError, match="audit_answer"):
        sk.audit_answer  # noqa: B018 (a name that is not there)
    audit = audited(clean())
    assert repr(audit) == "<Audit of 150 rows of 15 respondents: 0 findings>"


def test_keys_of_a_foreign_byte_order_are_told_apart():
    rows = 400
    frame = pd.DataFrame(
        {
            "wave": np.arange(rows, dtype="<i4") // 200,
            "instruction_item_id": np.arange(rows) % 6,
            "decision": [None if n < 150 and n % 2 else ONE for n in range(rows)],
        }
    )
    native = sk.audit_answers(frame, MINI, by="wave")
    foreign = sk.audit_answers(frame.astype({"wave": ">i4"}), MINI, by="wave")
    assert kinds(native) == kinds(foreign)
    assert foreign.to_json() == native.to_json()
