"""Arrow columns in every layout give the answer of a plain copy."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import (
    AGREEMENT,
    answers,
    options,
    plain,
    questionnaire,
    scored_frame,
    scores,
    table,
)

pa = pytest.importorskip("pyarrow")

_, TWO, _, FOUR, _ = AGREEMENT
DECISIONS = [FOUR, None, "", TWO, FOUR.upper(), "ß" * 40, "not present", FOUR]
EXPECTED = [4, None, None, 2, 4, None, None, 4]


def series(array) -> pd.Series:
    chunked = array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array])
    return pd.Series(pd.arrays.ArrowExtensionArray(chunked))


def chunked(values, kind, size=3):
    chunks = [values[i : i + size] for i in range(0, len(values), size)]
    return pa.chunked_array([[], *chunks, []], type=kind)


def sliced(values, kind):
    return pa.array(["before", None, *values, "after"], type=kind)[2:-1]


TEXT = [pa.string(), pa.large_string(), pa.string_view()]
LAYOUTS = {
    "plain": lambda values, kind: pa.array(values, type=kind),
    "chunked": chunked,
    "one-cell-chunks": lambda values, kind: chunked(values, kind, 1),
    "sliced": sliced,
    "sliced-twice": lambda values, kind: sliced([None, *values, None], kind)[1:-1],
    "sliced-chunks": lambda values, kind: chunked(["x", None, *values, "y"], kind)[2:-1],
    "chunks-of-slices": lambda values, kind: pa.chunked_array(
        [sliced(values[:5], kind), sliced([], kind), sliced(values[5:], kind)]
    ),
}


@pytest.mark.parametrize("kind", TEXT, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_decisions_keys_and_scales_as_text(kind, layout):
    array = layout(DECISIONS, kind)
    column = series(array)
    assert scores(answers(column), questionnaire()) == EXPECTED
    assert plain(sk.ScoringKey(questionnaire()).score([0] * 8, array)) == EXPECTED
    keys = table(sk.scale_scores(scored_frame(column)))
    assert [(row[0], row[3]) for row in keys] == [
        ("", 1),
        (TWO, 1),
        (FOUR.upper(), 1),
        (FOUR, 2),
        ("not present", 1),
        ("ß" * 40, 1),
        (None, 1),
    ]
    scales = table(sk.scale_scores(scored_frame(["m"] * 8, dimension=column)))
    assert [row[1] for row in scales] == [FOUR, TWO, FOUR.upper(), "ß" * 40, "not present", "total"]
    assert scales[-1] == ("m", "total", 4.0, 2, 0)


@pytest.mark.parametrize("storage", ["pyarrow", "python"])
@pytest.mark.parametrize("cut", [slice(None), slice(1, None), slice(2, -1), slice(None, None, -1)])
def test_slices_of_pandas_own_texts(storage, cut):
    frame = answers(pd.Series(DECISIONS, dtype=pd.StringDtype(storage)))
    assert scores(frame[cut], questionnaire()) == EXPECTED[cut]


def test_pandas_joins_chunks_and_slices():
    frame = answers(pd.Series(DECISIONS, dtype="string[pyarrow]"))
    joined = pd.concat([frame[2:5], frame[:0], frame[5:], frame[::2]])
    assert scores(joined, questionnaire()) == EXPECTED[2:] + EXPECTED[::2]


@pytest.mark.parametrize(
    "kind", [pa.int8(), pa.int64(), pa.uint16(), pa.float32(), pa.float64()], ids=str
)
@pytest.mark.parametrize("size", [1, 3, 100])
def test_numbers(kind, size):
    key = questionnaire(default=options("1", "2", "3", "4"))
    column = series(chunked([4, None, 2, 1, 4], kind, size))
    assert scores(answers(column), key) == [4, None, 2, 1, 4]
    assert table(sk.scale_scores(scored_frame(column))) == [
        (1, "A", 7.0, 1, 0),
        (2, "A", 5.0, 1, 0),
        (4, "A", 5.0, 2, 0),
        (None, "A", 3.0, 1, 0),
    ]
    points = scored_frame(["m"] * 5, column)
    assert table(sk.scale_scores(points)) == [("m", "A", 2.75, 4, 1)]


@pytest.mark.parametrize("size", [1, 2, 100])
def test_truth_values(size):
    column = series(chunked([True, None, False, True], pa.bool_(), size))
    key = questionnaire(default=options("True", "False"))
    assert scores(answers(column), key) == [1, None, 2, 1]
    frame = answers([FOUR] * 4, valid=column)
    assert scores(frame, questionnaire()) == [4, 4, None, 4]
    result = sk.scale_scores(scored_frame(column))
    assert plain(result["model_id"]) == [False, True, None]
    assert plain(result["score"]) == [5.0, 4.0, 3.0]


# ---------------------------------------------------------------------- dictionaries


def dictionary(indices, values, ordered=False):
    return pa.DictionaryArray.from_arrays(
        pa.array(indices, type=pa.int32()), pa.array(values), ordered=ordered
    )


def test_a_null_inside_the_values_is_a_missing_key():
    for indices, values in (
        ([0, 1, 0, 1], ["a", None]),
        ([0, None, 0, None], ["a"]),
        ([1, 0, 1, None], [None, "a"]),
    ):
        result = sk.scale_scores(scored_frame(series(dictionary(indices, values))))
        assert table(result) == [("a", "A", 3.0, 2, 0), (None, "A", 5.0, 2, 0)]


def test_the_same_value_twice_is_one_key():
    result = sk.scale_scores(scored_frame(series(dictionary([0, 1, 2, 1], ["a", "a", "b"]))))
    assert table(result) == [("a", "A", pytest.approx(11 / 3), 3, 0), ("b", "A", 5.0, 1, 0)]


def test_dictionaries_as_decisions_verdicts_scales_and_ids():
    decisions = series(dictionary([0, 1, 0, None, 2], [FOUR, TWO, None, FOUR]))
    assert scores(answers(decisions), questionnaire()) == [4, 2, 4, None, None]
    verdicts = series(dictionary([0, 1, None, 2, 3], ["no", "yes", None, "no"]))
    assert scores(answers([FOUR] * 5, valid=verdicts), questionnaire()) == [None, 4, 4, 4, None]
    scales = series(dictionary([0, 1, 2, None], ["B", "A", None]))
    assert [
        row[1] for row in table(sk.scale_scores(scored_frame(["m"] * 4, dimension=scales)))
    ] == ["B", "A", "total"]
    ids = series(dictionary([1, 0, 0], [0, 0]))
    assert scores(answers([FOUR] * 3, ids), questionnaire()) == [4, 4, 4]


def test_dictionaries_of_several_chunks():
    array = pa.chunked_array([dictionary([0, 1], ["a", "b"]), dictionary([0, 1], ["b", "a"])])
    result = sk.scale_scores(scored_frame(series(array)))
    assert table(result) == [("a", "A", 4.0, 2, 0), ("b", "A", 4.0, 2, 0)]


# ---------------------------------------------------------------------- other types


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([Decimal("4"), Decimal("5")], pa.decimal128(5, 0)),
        ([dt.date(2020, 1, 1), dt.date(2020, 1, 2)], pa.date32()),
        ([dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 2)], pa.timestamp("us")),
        ([dt.timedelta(1), dt.timedelta(2)], pa.duration("us")),
        ([dt.time(1), dt.time(2)], pa.time64("us")),
        ([b"4", b"5"], pa.binary()),
        ([None, None], pa.null()),
    ],
    ids=str,
)
def test_types_that_match_nothing_but_can_be_keys(values, kind):
    key = questionnaire(default=options("4", "5", "2020-01-01"))
    column = series(pa.array(values, type=kind))
    assert scores(answers(column), key) == [None, None]
    result = sk.scale_scores(scored_frame(column))
    if values == [None, None]:
        assert table(result) == [(None, "A", 2.0, 2, 0)]
    else:
        assert result["score"].tolist() == [1.0, 3.0]


def test_an_empty_array_of_every_type():
    for kind in (*TEXT, pa.int64(), pa.bool_(), pa.null(), pa.dictionary(pa.int32(), pa.string())):
        column = series(pa.array([], type=kind))
        assert scores(answers(column, []), questionnaire()) == []
        assert len(sk.scale_scores(scored_frame(column, np.zeros(0)))) == 0
