"""Answers that cannot be scored, or only in part: one short message says which and why."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import (
    AGREEMENT,
    answers,
    item,
    objects,
    options,
    questionnaire,
    refused,
    scored_frame,
    scores,
)

FOUR = AGREEMENT[3]
LONG = "x" * 100_000


# ---------------------------------------------------------------------- item ids

ITEM_IDS = {
    "too-large": [0, 2, 1],
    "negative": [0, -1, 1],
    "fraction": [0, 0.5, 1],
    "text": [0, "one", 1],
    "missing": [0, None, 1],
    "na": [0, pd.NA, 1],
    "truth-value": [0, True, 1],
    "bytes": [0, b"1", 1],
    "complex": [0, 1 + 0j, 1],
    "date": [0, pd.Timestamp(1), 1],
    "duration": [0, np.timedelta64(1, "ns"), 1],
    "list": [0, [1], 1],
    "hexadecimal": [0, "0x1", 1],
    "underscore": [0, "1_0", 1],
    "full-width": [0, "１", 1],
    "nbsp": [0, "\xa01", 1],
    "nul": [0, "1\0", 1],
    "huge": [0, 10**400, 1],
    "huge-text": [0, "9" * 5000, 1],
    "infinite": [0, float("inf"), 1],
    "empty": [0, "", 1],
    "long": [0, LONG, 1],
}


@pytest.mark.parametrize("ids", ITEM_IDS.values(), ids=ITEM_IDS)
def test_an_id_that_is_no_position(ids):
    frame = answers([FOUR] * 3, objects(ids))
    kind = TypeError if isinstance(ids[1], list) else ValueError
    refused(
        (kind, ValueError),
        lambda: sk.score_answers(frame, questionnaire(item(), item())),
        "'instruction_item_id'",
        "1 invalid item id(s)" if kind is ValueError else "",
        "row 1",
    )


@pytest.mark.parametrize(
    "ids",
    [
        pd.Series([0, 1], dtype="datetime64[ns]"),
        pd.Series([0, 1], dtype="timedelta64[ns]"),
        pd.Series([0, 1], dtype="complex128"),
        pd.Series([False, True]),
        pd.Series([False, True], dtype="boolean"),
        pd.Series([b"0", b"1"], dtype=object),
        pd.Series(pd.period_range("2020", periods=2, freq="D")),
        pd.Series(pd.interval_range(0, 2)),
        pd.Series(pd.date_range("2020", periods=2, tz="UTC")),
        pd.Series([False, True], dtype="category"),
        pd.Series([0, 1], dtype="datetime64[ns]").astype("category"),
    ],
    ids=lambda ids: str(ids.dtype),
)
def test_a_column_of_ids_that_are_no_numbers(ids):
    frame = answers([FOUR] * 2, ids)
    key = questionnaire(item(), item())
    refused(ValueError, lambda: sk.score_answers(frame, key), "'instruction_item_id'", "2 invalid")
    with pytest.raises(ValueError, match="item_ids"):
        sk.ScoringKey(key).score(ids, [FOUR] * 2)


@pytest.mark.parametrize("text", [" 1", "1e0", "01", "+1", "1.0", "1 "])
def test_ids_that_are_numbers_in_writing(text):
    key = questionnaire(item(), item(reverse=True))
    assert scores(answers([FOUR] * 2, objects([text, "0"])), key) == [2, 4]


def test_at_most_five_examples_each_cut_at_80_characters():
    ids = objects([f"{number}{LONG}" for number in range(100)])
    message = refused(
        ValueError,
        lambda: sk.score_answers(answers([FOUR] * 100, ids), questionnaire()),
        "100 invalid item id(s)",
    )
    assert message.count("xxx'") + message.count("xxx...") <= 5
    assert "x" * 80 not in message


def test_a_questionnaire_without_items():
    key = {**questionnaire(), "instruction_items": []}
    refused(ValueError, lambda: sk.score_answers(answers([FOUR]), key), "no items")
    assert scores(answers([], []), key) == []
    key["instruction_items"] = None
    assert scores(answers([], []), key) == []


# ---------------------------------------------------------------------- decisions


@pytest.mark.parametrize("huge", [10**4400, -(10**4400), 10**400], ids=["4400", "-4400", "400"])
def test_a_huge_decision_has_no_score_and_the_others_have(huge):
    key = questionnaire(default=options(("1", 1), ("-", 2)))
    assert scores(answers(["1", huge, 1, "-"]), key) == [1, None, 1, 2]


def test_a_huge_decision_alone():
    key = questionnaire(default=options(("1", 1), ("-", 2)))
    assert scores(answers([10**4400]), key) == [None]


@pytest.mark.parametrize("value", [["1"], {"a": 1}, {1}, np.array([1]), pd.Series([1])], ids=repr)
def test_collections_among_the_decisions(value):
    for column in ("decision", "valid"):
        frame = answers([FOUR, FOUR], valid=True).assign(**{column: objects(["a", value])})
        refused(
            TypeError, lambda f=frame: sk.score_answers(f, questionnaire()), repr(column), "row 1"
        )


def test_collections_among_verdicts_that_nobody_reads():
    frame = answers([FOUR], valid=objects([{}]))
    assert scores(frame, questionnaire(), only_valid=False) == [4]


@pytest.mark.parametrize("value", [(1,), frozenset({1}), b"1", Decimal(4), object()])
def test_other_objects_are_decisions_that_match_nothing(value):
    assert scores(answers([value, FOUR]), questionnaire()) == [None, 4]


def test_a_long_decision_is_cut_in_the_warning():
    with pytest.warns(UserWarning, match=r"^None of the 1 decisions") as caught:
        sk.score_answers(answers([LONG]), questionnaire())
    assert len(str(caught[0].message)) < 1000


def test_long_and_many_clashes_are_cut_in_the_warning():
    own = options(*((f"{n}{LONG}", w) for n in range(20) for w in (1, 2)))
    key = questionnaire(*[item(own=own)] * 30)
    with pytest.warns(UserWarning, match=r"^Answer options with the same text") as caught:
        sk.score_answers(answers([f"0{LONG}"] * 30, range(30)), key)
    assert len(caught) == 1
    assert len(str(caught[0].message)) < 1000


# ---------------------------------------------------------------------- columns


@pytest.mark.parametrize("column", ["decision", "instruction_item_id"])
def test_a_missing_column(column):
    frame = answers([FOUR], **{f"column_{n}_{LONG}": 1 for n in range(50)}).drop(columns=column)
    refused(ValueError, lambda: sk.score_answers(frame, questionnaire()), repr(column), "missing")


@pytest.mark.parametrize("column", ["dimension", "score"])
def test_a_missing_column_of_scores(column):
    frame = scored_frame(["a"]).drop(columns=column)
    refused(ValueError, lambda: sk.scale_scores(frame), repr(column), "missing")


@pytest.mark.parametrize("column", ["decision", "instruction_item_id", "valid"])
def test_a_column_that_occurs_twice(column):
    frame = answers([FOUR], valid=True)
    frame = pd.concat([frame, frame[[column]]], axis=1)
    refused(ValueError, lambda: sk.score_answers(frame, questionnaire()), repr(column), "once")


@pytest.mark.parametrize("column", ["dimension", "score", "model_id"])
def test_a_column_of_scores_that_occurs_twice(column):
    frame = scored_frame(["a"])
    frame = pd.concat([frame, frame[[column]]], axis=1)
    refused(ValueError, lambda: sk.scale_scores(frame), repr(column), "once")


def test_other_columns_may_occur_twice():
    frame = answers([FOUR], note="a")
    frame = pd.concat([frame, frame[["note"]]], axis=1)
    scored = sk.score_answers(frame, questionnaire())
    assert list(scored.columns).count("note") == 2
    assert sk.scale_scores(scored)["score"].tolist() == [4]


@pytest.mark.parametrize("first", ["instruction_item_id", "decision"])
def test_a_byte_order_mark_before_the_first_name(first):
    frame = answers([FOUR])
    frame = frame[[first, *frame.columns.drop(first)]].rename(columns={first: f"\ufeff{first}"})
    refused(
        ValueError, lambda: sk.score_answers(frame, questionnaire()), repr(first), "byte order mark"
    )


@pytest.mark.parametrize("value", [None, 5, "frame", [], {}, np.zeros(3), pd.Series([1])], ids=repr)
def test_what_is_no_frame(value):
    refused(TypeError, lambda: sk.score_answers(value, questionnaire()), "DataFrame")
    refused(TypeError, lambda: sk.scale_scores(value), "DataFrame")
    if value is not None:
        refused(TypeError, lambda: sk.score_experiment(questionnaire(), value), "DataFrame")
