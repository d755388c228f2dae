"""An item may declare its range, and a scored frame says what its items are."""

from __future__ import annotations

import copy
import json
import pickle
from decimal import Decimal
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from scorekey.frozen import FrozenDict, FrozenList, FrozenRecord
from scorekey.specification import specify
from tests.material import answers, item, option, options, questionnaire, refused, scores

FIVE = options("1", "2", "3", "4", "5")


def ranged(bounds, *, reverse=False, own=FIVE):
    return {**item(own=own, reverse=reverse), "range": bounds}


# ---------------------------------------------------------------------- the range of an item


@pytest.mark.parametrize("bounds", [[1, 6], (1.0, 6.0), [np.int64(1), np.float32(6)]])
def test_the_flip_is_within_the_declared_range(bounds):
    form = questionnaire(ranged(bounds, reverse=True), ranged(bounds), item(own=FIVE, reverse=True))
    frame = answers(["1", "5", "1", "5", "1", "5"], [0, 0, 1, 1, 2, 2])
    assert scores(frame, form) == [6, 2, 1, 5, 5, 1]
    assert sk.Questionnaire.from_dict(form).instruction_items[0].range == (1.0, 6.0)


def test_an_ignored_option_may_lie_outside():
    own = {**FIVE, "9": option("9", 99, ignored=True)}
    assert scores(answers(["5", "9"]), questionnaire(ranged([0, 5], reverse=True, own=own))) == [
        0,
        None,
    ]


@pytest.mark.parametrize(
    "bounds",
    [[6, 1], [1], [1, 2, 3], [], "16", 6, {"1": 6}, [1, None], [1, "6"], [False, 6],
     [1, float("nan")], [1, float("inf")], [1, 10**400]],
)  # fmt: skip
def test_what_is_no_range_is_refused_with_its_place(bounds):
    form = questionnaire(item(), item(), ranged(bounds))
    refused(
        sk.QuestionnaireError,
        lambda: sk.Questionnaire.from_dict(form),
        "instruction_items.2.range: a range",
    )
    plain = SimpleNamespace(
        instruction_items=[
            SimpleNamespace(reversed=False, answer_options=None, attributes={}, range=bounds)
        ],
        default_answer_options=None,
        attributes={},
    )
    refused(ValueError, lambda: sk.ScoringKey(plain), "item 0: a range", ", not ")


def test_a_range_that_leaves_out_a_weight_is_refused():
    own = options(("low", 0.5), ("high", 6))
    for form, facts in (
        (questionnaire(item(), ranged([1, 6], own=own)), ["[1, 6]", "item 1", "0.5", "'low'"]),
        (questionnaire(item(), {**item(), "range": [1, 4]}), ["item 1", "5", "'5. Agree"]),
    ):
        refused(sk.QuestionnaireError, lambda form=form: sk.Questionnaire.from_dict(form), *facts)
        refused(sk.QuestionnaireError, lambda form=form: sk.score_answers(answers([]), form))


def test_plain_objects_may_have_ranges_too():
    def one(**fields):
        found = SimpleNamespace(text="a", weight=2, ignored_for_scale=False)
        own = SimpleNamespace(options={"1": found})
        part = SimpleNamespace(reversed=True, answer_options=own, attributes=None, **fields)
        return SimpleNamespace(instruction_items=[part], default_answer_options=None, attributes={})

    assert specify(one()).ranges == (None,)
    assert sk.ScoringKey(one(range=[1, Decimal("2.5")])).score([0], ["a"]).tolist() == [1.5]
    refused(ValueError, lambda: sk.ScoringKey(one(range=[3, 4])), "item 0", "'a'")


def test_an_item_without_options_may_have_a_range():
    form = questionnaire(ranged([1, 6], own={}), default=None)
    assert sk.ScoringKey(form).item_record["0"]["range"] == [1, 6]


def test_the_fingerprint_changes_with_a_range_and_only_then():
    def of(*parts):
        return sk.ScoringKey(questionnaire(*parts)).fingerprint

    assert of(item(own=FIVE)) == of({**item(own=FIVE), "range": None}) == "fc9aa5e6ff4f5b40"
    assert len({of(item(own=FIVE)), of(ranged([1, 6])), of(ranged([0, 6]))}) == 3
    key = sk.ScoringKey(questionnaire(ranged([1, 6])))
    assert pickle.loads(pickle.dumps(key)) == key != sk.ScoringKey(questionnaire(ranged([1, 7])))


# ---------------------------------------------------------------------- what a frame says of items

FORM = questionnaire(
    ranged([1, 6], reverse=True),
    item("A"),
    item("total", own=options(("no", -1), ("yes", 2.5))),
    item("A", own=options(option("?", 1, ignored=True))),
)
RECORD = {
    "0": {"scales": [], "range": [1.0, 6.0], "reversed": True},
    "1": {"scales": ["A"], "range": [1.0, 5.0], "reversed": False},
    "2": {"scales": ["total"], "range": [-1.0, 2.5], "reversed": False},
    "3": {"scales": ["A"], "range": None, "reversed": False},
}


def test_a_scored_frame_says_what_its_items_are():
    scored = sk.score_answers(answers(["1"]), FORM)
    record = scored.attrs["scorekey_items"]
    assert record == RECORD
    assert list(record) == ["0", "1", "2", "3"]
    assert json.loads(json.dumps(record)) == RECORD
    assert "scorekey_items" not in sk.scale_scores(scored).attrs


def test_the_record_is_made_once_and_copied_for_nothing():
    key = sk.ScoringKey(FORM)
    record = sk.score_answers(answers(["1"]), key).attrs["scorekey_items"]
    assert record is key.item_record
    assert copy.copy(record) is copy.deepcopy(record) is record
    assert copy.copy(record["0"]["range"]) is copy.deepcopy(record["0"]["range"])
    scored = sk.score_answers(answers(["1"]), key)
    assert scored[["score"]].copy().attrs["scorekey_items"] is record
    assert pd.concat([scored, scored]).attrs["scorekey_items"] is record


def test_the_record_cannot_be_changed():
    record = sk.ScoringKey(FORM).item_record
    for change in (
        lambda: record.clear(),
        lambda: record["1"].update(scales=[]),
        lambda: record["1"]["scales"].append("B"),
        lambda: record["1"]["range"].__setitem__(0, 9),
        lambda: record["1"]["range"].sort(),
    ):
        with pytest.raises(TypeError, match="cannot be changed"):
            change()
    assert record == RECORD


def test_a_pickled_record_needs_nothing_of_the_package():
    record = pickle.loads(pickle.dumps(sk.ScoringKey(FORM).item_record))
    assert record == RECORD
    kinds = {type(record), type(record["1"]), type(record["1"]["range"])}
    assert kinds == {dict, list}
    assert isinstance(sk.ScoringKey(FORM).item_record, FrozenRecord)
    assert isinstance(FrozenList([1]), list)
    assert pickle.loads(pickle.dumps(FrozenDict(a=1))).__class__ is FrozenDict


def test_it_survives_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    sk.score_answers(answers(["1"]), FORM).to_parquet(tmp_path / "items.parquet")
    attrs = pd.read_parquet(tmp_path / "items.parquet").attrs
    assert attrs["scorekey_items"] == RECORD
    assert type(attrs["scorekey_items"]["1"]) is dict
