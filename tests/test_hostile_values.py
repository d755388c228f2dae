"""Values that a look-up or a group-by silently confuses: each is what it is, in any row order."""

from __future__ import annotations

import itertools
import sys
import threading
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import (
    AGREEMENT,
    MISSING,
    answers,
    item,
    objects,
    option,
    options,
    plain,
    questionnaire,
    scored_frame,
    scores,
    table,
)

THREE = AGREEMENT[2]


def in_any_order(values):
    return [list(order) for order in itertools.permutations(values)]


# ---------------------------------------------------------------------- NUL and surrogates


def texts_of(dtype, texts):
    """Return a column of texts; pandas 2 cuts them at NUL when it looks for categories."""
    if dtype != "category":
        return pd.Series(texts, dtype=dtype)
    distinct = sorted(set(texts))
    codes = [distinct.index(text) for text in texts]
    return pd.Series(pd.Categorical.from_codes(codes, pd.Index(distinct, dtype=object)))


@pytest.mark.parametrize("dtype", [object, "string", "category", "str"])
@pytest.mark.parametrize("tail", ["\0!", "\0", "\0a\0b"])
def test_decisions_are_compared_beyond_a_nul(tail, dtype):
    pairs = [(THREE, 3), (THREE + tail, None), (f"\0{THREE}", None)]
    for order in in_any_order(pairs):
        decisions = texts_of(dtype, [text for text, _ in order])
        assert scores(answers(decisions), questionnaire()) == [score for _, score in order]


def test_options_differ_after_a_nul():
    key = questionnaire(default=options("Yes\0a", "Yes\0b", "Yes"))
    assert scores(answers(["Yes\0b", "Yes", "Yes\0a", "YES\0A"]), key) == [2, 3, 1, 1]


@pytest.mark.parametrize("dtype", [object, "string", "category", "str"])
def test_keys_and_scales_differ_after_a_nul(dtype):
    texts = ["a\0y", "a\0x", "a", "a\0x"]
    keys = scored_frame(texts_of(dtype, texts))
    expected = [("a", 5.0), ("a\0x", 5.0), ("a\0y", 1.0)]
    assert [(row[0], row[2]) for row in table(sk.scale_scores(keys))] == expected
    scales = scored_frame(["m"] * 4, dimension=texts_of(dtype, texts))
    assert sorted((row[1], row[2]) for row in table(sk.scale_scores(scales))) == expected


@pytest.mark.parametrize(
    "surrogate",
    ["\ud800", "\udfff", "a\udc80b", "\udc00\ud800"],  # noqa: PT014
)
def test_a_lone_surrogate_equals_only_itself(surrogate):
    key = questionnaire(default=options((surrogate, 7), (repr(surrogate), 8), ("?", 9)))
    decisions = [surrogate, repr(surrogate), "?", "\ufffd", f" {surrogate} ", "\udabc"]
    assert scores(answers(decisions), key) == [7, 8, 9, None, 7, None]
    assert scores(answers(decisions[::-1]), key) == [None, 7, None, 9, 8, 7]


def test_a_lone_surrogate_as_key():
    keys = ["\ud800", "'\\ud800'", "b", "\ud800"]
    result = table(sk.scale_scores(scored_frame(keys)))
    assert [(row[0], row[2]) for row in result] == [("'\\ud800'", 3.0), ("b", 5.0), ("\ud800", 4.0)]


def test_a_lone_surrogate_as_name_of_a_scale():
    key = questionnaire(item("\ud800"), item("1"), dimensions={"1": "\udfff"})
    scored = sk.score_answers(answers([THREE] * 2, [0, 1]), key)
    assert plain(scored["dimension"]) == ["\ud800", "\udfff"]
    assert scored["dimension"].dtype == object
    assert sk.scale_scores(scored)["dimension"].tolist() == ["\udfff", "\ud800"]


# ---------------------------------------------------------------------- equal and yet different

ALIKE = [True, 1, 1.0, Decimal(1), Fraction(1), 1 + 0j, np.float32(1), np.bool_(True), np.int8(1)]


def worth(value: object) -> int | None:
    """Return the score of a value where option "1" is worth 7 and option "True" 5."""
    if isinstance(value, (bool, np.bool_)):
        return 5
    return None if isinstance(value, (Decimal, Fraction, complex)) else 7


@pytest.mark.parametrize("pair", list(itertools.permutations(ALIKE, 2)), ids=repr)
def test_decisions_that_are_equal_do_not_decide_for_each_other(pair):
    key = questionnaire(default=options(("1", 7), ("True", 5)))
    assert scores(answers([*pair, "1"]), key) == [*map(worth, pair), 7]


def test_a_truth_value_is_no_number():
    assert scores(answers([True, 1]), questionnaire(default=options(("1", 7)))) == [None, 7]
    assert scores(answers([1, True]), questionnaire(default=options(("1", 7)))) == [7, None]


@pytest.mark.parametrize(
    "order", in_any_order([(False, None), (0, None), (Decimal(0), 3), (Fraction(0), 3)])
)
def test_verdicts_that_are_equal_do_not_decide_for_each_other(order):
    frame = answers([THREE] * 4, valid=objects(verdict for verdict, _ in order))
    assert scores(frame, questionnaire()) == [score for _, score in order]


@pytest.mark.parametrize("order", in_any_order([(True, "True"), (1, "1"), (1.0, "1"), ("1", "1")]))
def test_dimensions_that_are_equal_do_not_merge(order):
    frame = scored_frame(["m"] * 4, dimension=objects(value for value, _ in order))
    expected: dict[str, list[float]] = {}
    for position, (_, name) in enumerate(order):
        expected.setdefault(name, []).append(position * 2.0 + 1)
    assert table(sk.scale_scores(frame)) == [
        ("m", name, pytest.approx(sum(points) / len(points)), len(points), 0)
        for name, points in expected.items()
    ]


@pytest.mark.parametrize("order", in_any_order([True, 1, 1.0, Decimal(1)]))
def test_true_and_1_are_two_respondents_and_1_and_1_point_0_are_one(order):
    result = sk.scale_scores(scored_frame(order))
    assert sorted(result["n_items"]) == [1, 1, 2]
    assert sum(isinstance(value, (bool, np.bool_)) for value in result["model_id"]) == 1
    assert (
        result["n_items"][[isinstance(v, (bool, np.bool_)) for v in result["model_id"]]].item() == 1
    )


@pytest.mark.parametrize("order", in_any_order(MISSING))
def test_all_missing_keys_are_one_group(order):
    result = sk.scale_scores(scored_frame(["a", *order]))
    assert table(result) == [("a", "A", 1.0, 1, 0), (None, "A", 6.0, 4, 0)]


# ---------------------------------------------------------------------- dimensions


@pytest.mark.parametrize("value", MISSING)
def test_a_missing_dimension_is_no_scale(value):
    assert plain(sk.score_answers(answers([THREE]), questionnaire(item(value)))["dimension"]) == [
        None
    ]
    frame = scored_frame(["a"] * 2, dimension=objects([value, "A"]))
    assert table(sk.scale_scores(frame)) == [("a", "A", 3.0, 1, 0), ("a", "total", 1.0, 1, 0)]


# ---------------------------------------------------------------------- the id array


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="writes during the call")
def test_score_and_dimension_of_a_row_come_from_the_same_id():
    n = 200_000
    key = sk.ScoringKey(
        questionnaire(item("A", options("x", "y")), item("B", options(("x", 10), ("y", 20))))
    )
    ids = np.zeros(n, dtype=np.int64)
    frame = pd.DataFrame({"instruction_item_id": ids, "decision": "x"}, copy=False)
    stop = threading.Event()

    def write():
        while not stop.is_set():
            ids[:] = 1
            ids[:] = 0

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(20):
            scored = sk.score_answers(frame, key)
            fits = (scored["score"] == 1) == (scored["dimension"] == "A")
            assert fits.all()
    finally:
        stop.set()
        writer.join()


def test_an_ignored_option_called_like_a_truth_value():
    key = questionnaire(default=options(option("True", 1, ignored=True), ("False", 2)))
    assert scores(answers([True, False, "true", 0]), key) == [None, 2, None, None]
