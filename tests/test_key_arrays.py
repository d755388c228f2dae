"""The compiled key takes and gives arrays of every kind."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import AGREEMENT, item, objects, options, plain, questionnaire

FOUR = AGREEMENT[3]
KEY = questionnaire(
    item("b"),
    item("a", reverse=True),
    item(own=options(("1", 0), ("2", 10))),
    dimensions={"a": "Alpha", "b": "Beta"},
)
IDS = [0, 1, 2, 2, 1]
DECISIONS = [FOUR, FOUR, "2", None, "raw"]
EXPECTED = [4, 2, 10, None, None]


@pytest.fixture
def key() -> sk.ScoringKey:
    return sk.ScoringKey(KEY)


# ---------------------------------------------------------------------- score

CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "object-array": lambda values: objects(values).to_numpy(),
    "series": objects,
    "series-with-labels": lambda values: objects(values).set_axis(range(50, 50 + len(values))),
    "index": lambda values: pd.Index(values, dtype=object),
    "string": lambda values: pd.Series(values, dtype="string"),
    "string-array": lambda values: pd.array(values, dtype="string"),
    "categorical": pd.Categorical,
    "categorical-series": lambda values: pd.Series(values, dtype="category"),
    "categorical-index": pd.CategoricalIndex,
    "str": lambda values: pd.Series(values, dtype="str" if pd.__version__ >= "3" else object),
}


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
def test_decisions_in_every_container(key, container):
    points = key.score(IDS, container(DECISIONS))
    assert isinstance(points, np.ndarray)
    assert points.dtype == np.float64
    assert plain(points) == EXPECTED


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view"])
def test_decisions_in_arrow_arrays(key, kind):
    pa = pytest.importorskip("pyarrow")
    array = pa.array(DECISIONS, type=getattr(pa, kind)())
    assert plain(key.score(IDS, array)) == EXPECTED
    assert plain(key.score(IDS[1:], array[1:])) == EXPECTED[1:]
    assert (
        plain(key.score(IDS * 2, pa.chunked_array([array[:2], array[2:], array]))) == EXPECTED * 2
    )
    dictionary = array.cast(pa.string()).dictionary_encode()
    assert plain(key.score(IDS, dictionary)) == EXPECTED
    assert plain(key.score(pa.array(IDS), array, pa.array([True] * 5))) == EXPECTED
    assert plain(key.score(pa.chunked_array([IDS[:1], IDS[1:]]), array)) == EXPECTED


@pytest.mark.parametrize(
    "ids",
    [
        IDS,
        tuple(IDS),
        [str(i) for i in IDS],
        [float(i) for i in IDS],
        np.array(IDS, dtype=np.uint8),
        np.array(IDS, dtype=">i4"),
        np.array(IDS, dtype=np.float32),
        pd.Series(IDS, index=list("vwxyz")),
        pd.Index(IDS),
        pd.array(IDS, dtype="Int64"),
        pd.Categorical(IDS),
        pd.Series(IDS, dtype="category"),
        objects(IDS),
    ],
    ids=lambda ids: f"{type(ids).__name__}-{getattr(ids, 'dtype', '')}",
)
def test_ids_in_every_container(key, ids):
    assert plain(key.score(ids, DECISIONS)) == EXPECTED


def test_a_range_of_ids(key):
    assert plain(key.score(range(3), [FOUR, FOUR, "1"])) == [4, 2, 0]


@pytest.mark.parametrize(
    "valid",
    [
        [True, False, "no", None, 1],
        (True, 0, False, True, True),
        np.array([1, 0, 0, 1, 1]),
        np.array([True, False, False, True, True]),
        pd.array([None, False, False, True, True], dtype="boolean"),
        pd.Categorical(["yes", "no", "No", "yes", None]),
        pd.Series(["True", "False", "f", "", "?"], dtype="string"),
    ],
    ids=lambda valid: type(valid).__name__,
)
def test_verdicts_exclude_answers(key, valid):
    assert plain(key.score(IDS, DECISIONS, valid)) == [4, None, None, None, None]


def test_integers_are_numbers_and_never_codes(key):
    assert plain(key.score([2, 2, 2], np.array([1, 2, 0], dtype=np.int8))) == [0, 10, None]
    assert plain(key.score([0, 0], [0, 1])) == [None, None]


def test_nothing_is_warned_of(key):
    clashing = sk.ScoringKey(questionnaire(default=options(("a", 1), ("a", 2))))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert plain(key.score([0], ["raw"])) == [None]
        assert plain(clashing.score([0], ["a"])) == [None]


def test_the_result_is_the_callers_own(key):
    first, second = key.score(IDS, DECISIONS), key.score(IDS, DECISIONS)
    first[:] = -1
    assert plain(second) == EXPECTED
    assert first.flags.writeable
    assert first.flags.owndata or first.base is not None


def test_no_answers_at_all(key):
    assert key.score([], []).shape == (0,)
    assert key.score(np.zeros(0, dtype=np.int64), pd.Series([], dtype="string")).shape == (0,)


@pytest.mark.parametrize(
    "lengths", [(2, 1, None), (1, 2, None), (1, 1, 2), (0, 1, None), (2, 2, 0)]
)
def test_arrays_of_different_lengths(key, lengths):
    ids, decisions, valid = lengths
    arguments = [0] * ids, [FOUR] * decisions, None if valid is None else [True] * valid
    with pytest.raises(ValueError, match="rows"):
        key.score(*arguments)


@pytest.mark.parametrize(
    ("ids", "decisions", "kind"),
    [
        ([3], [FOUR], ValueError),
        ([-1], [FOUR], ValueError),
        ([True], [FOUR], ValueError),
        ([0.5], [FOUR], ValueError),
        ([None], [FOUR], ValueError),
        (["x"], [FOUR], ValueError),
        ([0], [["a"]], TypeError),
        (0, [FOUR], TypeError),
        ([0], FOUR, TypeError),
        ([0], 5, TypeError),
        (None, None, TypeError),
        ([[0]], [FOUR], (TypeError, ValueError)),
        (np.zeros((1, 1), dtype=np.int64), [FOUR], (TypeError, ValueError)),
        ([0], np.array([[FOUR]], dtype=object), (TypeError, ValueError)),
        ({0}, [FOUR], TypeError),
        ({0: 1}, [FOUR], TypeError),
        (pd.DataFrame({"a": [0]}), [FOUR], TypeError),
    ],
    ids=repr,
)
def test_what_cannot_be_scored(key, ids, decisions, kind):
    with pytest.raises(kind) as caught:
        key.score(ids, decisions)
    assert len(str(caught.value)) < 1000


# ---------------------------------------------------------------------- aggregate


def test_aggregate(key):
    result = key.aggregate([4.0, 2.0, np.nan, 10.0, 1.0], [0, 1, 1, 2, 0], list("bbaab"))
    assert result.respondent.tolist() == ["a", "a", "b", "b"]
    assert result.scale.tolist() == ["Alpha", "total", "Alpha", "Beta"]
    assert plain(result.score) == [None, 10.0, 2.0, 2.5]
    assert result.n_items.tolist() == [0, 1, 1, 2]
    assert result.n_missing.tolist() == [1, 0, 0, 0]
    assert result.score.dtype == np.float64
    assert result.n_items.dtype == result.n_missing.dtype == np.int64
    assert result._fields == ("respondent", "scale", "score", "n_items", "n_missing")


@pytest.mark.parametrize(
    "groups",
    [
        ["b", "a", "b"],
        np.array(["b", "a", "b"], dtype=object),
        pd.Series(["b", "a", "b"]),
        pd.array(["b", "a", "b"], dtype="string"),
        pd.Categorical(["b", "a", "b"]),
        [2, 1, 2],
        np.array([2, 1, 2], dtype=np.int8),
        pd.array([2, 1, 2], dtype="Int64"),
        np.array([2.5, 1, 2.5]),
        np.array([2, 1, 2], dtype="datetime64[D]"),
        pd.Series([2, 1, 2], index=[7, 7, 7]),
        np.array(["b", "a", "b"]),
    ],
    ids=lambda groups: f"{type(groups).__name__}-{getattr(groups, 'dtype', '')}",
)
def test_respondents_of_every_type(key, groups):
    result = key.aggregate([4.0, 2.0, 3.0], [0, 0, 0], groups)
    assert plain(result.score) == [2.0, 3.5]
    assert (
        list(result.respondent) == [groups[1], groups[0]]
        if not isinstance(groups, pd.Series)
        else [groups.iloc[1], groups.iloc[0]]
    )


@pytest.mark.parametrize(
    "points",
    [
        [4, 2, None],
        (4.0, 2.0, np.nan),
        np.array([4, 2, np.nan], dtype=np.float32),
        pd.array([4, 2, None], dtype="Int64"),
        pd.Series(["4", "2", None], dtype=object),
    ],
    ids=lambda points: type(points).__name__,
)
def test_item_scores_of_every_type(key, points):
    assert plain(key.aggregate(points, [0, 0, 0], ["m"] * 3).score) == [3.0]


@pytest.mark.parametrize(("agg", "score"), [("sum", 6.0), ("count", 2), (len, 2), (np.max, 4.0)])
def test_aggregations(key, agg, score):
    assert key.aggregate([4.0, 2.0], [0, 0], ["m", "m"], agg=agg).score.tolist() == [score]


@pytest.mark.parametrize(
    "arguments",
    [
        ([1.0], [0, 0], ["a", "a"]),
        ([1.0, 2.0], [0], ["a", "a"]),
        ([1.0, 2.0], [0, 0], ["a"]),
        (["x"], [0], ["a"]),
        ([1.0], [3], ["a"]),
        ([1.0], [0], ["a"], "cumsum"),
        ([], [], ["a"]),
    ],
    ids=repr,
)
def test_what_cannot_be_aggregated(key, arguments):
    with pytest.raises(ValueError, match=r"."):
        key.aggregate(*arguments)


def test_aggregate_without_rows(key):
    result = key.aggregate([], [], [])
    assert [len(part) for part in result] == [0] * 5
