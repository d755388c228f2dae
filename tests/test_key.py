"""The compiled key: arrays of every kind, fingerprints, pickles, threads, and that it never changes."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import threading
import warnings

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import AGREEMENT, answers, item, objects, option, options, plain, questionnaire

ONE, TWO, _, FOUR, FIVE = AGREEMENT
KEY = questionnaire(
    item("b"), item("a", reverse=True), item(own=options(("1", 0), ("2", 10))),
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
    assert plain(key.score(IDS * 2, pa.chunked_array([array[:2], array[2:], array]))) == EXPECTED * 2
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


@pytest.mark.parametrize("lengths", [(2, 1, None), (1, 2, None), (1, 1, 2), (0, 1, None), (2, 2, 0)])
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
        ["b", "a", "b"], np.array(["b", "a", "b"], dtype=object), pd.Series(["b", "a", "b"]),
        pd.array(["b", "a", "b"], dtype="string"), pd.Categorical(["b", "a", "b"]),
        [2, 1, 2], np.array([2, 1, 2], dtype=np.int8), pd.array([2, 1, 2], dtype="Int64"),
        np.array([2.5, 1, 2.5]), np.array([2, 1, 2], dtype="datetime64[D]"),
        pd.Series([2, 1, 2], index=[7, 7, 7]), np.array(["b", "a", "b"]),
    ],
    ids=lambda groups: f"{type(groups).__name__}-{getattr(groups, 'dtype', '')}",
)
def test_respondents_of_every_type(key, groups):
    result = key.aggregate([4.0, 2.0, 3.0], [0, 0, 0], groups)
    assert plain(result.score) == [2.0, 3.5]
    assert list(result.respondent) == [groups[1], groups[0]] if not isinstance(
        groups, pd.Series) else [groups.iloc[1], groups.iloc[0]]


@pytest.mark.parametrize(
    "points",
    [[4, 2, None], (4.0, 2.0, np.nan), np.array([4, 2, np.nan], dtype=np.float32),
     pd.array([4, 2, None], dtype="Int64"), pd.Series(["4", "2", None], dtype=object)],
    ids=lambda points: type(points).__name__,
)
def test_item_scores_of_every_type(key, points):
    assert plain(key.aggregate(points, [0, 0, 0], ["m"] * 3).score) == [3.0]


@pytest.mark.parametrize(("agg", "score"), [("sum", 6.0), ("count", 2), (len, 2), (np.max, 4.0)])
def test_aggregations(key, agg, score):
    assert key.aggregate([4.0, 2.0], [0, 0], ["m", "m"], agg=agg).score.tolist() == [score]


@pytest.mark.parametrize(
    "arguments",
    [([1.0], [0, 0], ["a", "a"]), ([1.0, 2.0], [0], ["a", "a"]), ([1.0, 2.0], [0, 0], ["a"]),
     (["x"], [0], ["a"]), ([1.0], [3], ["a"]), ([1.0], [0], ["a"], "cumsum"), ([], [], ["a"])],
    ids=repr,
)
def test_what_cannot_be_aggregated(key, arguments):
    with pytest.raises(ValueError, match="."):
        key.aggregate(*arguments)


def test_aggregate_without_rows(key):
    result = key.aggregate([], [], [])
    assert [len(part) for part in result] == [0] * 5


# ---------------------------------------------------------------------- fingerprint


def changed(**changes) -> dict:
    return {**copy.deepcopy(KEY), **changes}


def test_what_decides_scores_changes_the_fingerprint(key):
    first, *rest = KEY["instruction_items"]
    default = KEY["default_answer_options"]
    variants = [
        changed(instruction_items=[{**first, "reversed": True}, *rest]),
        changed(instruction_items=rest),
        changed(instruction_items=[*rest, first]),
        changed(instruction_items=[*KEY["instruction_items"], first]),
        changed(instruction_items=[item("a"), *rest]),
        changed(default_answer_options={**default, "1": option(ONE, 2)}),
        changed(default_answer_options={**default, "1": option(ONE.upper(), 1)}),
        changed(default_answer_options={**default, "1": option(ONE, 1, ignored=True)}),
        changed(default_answer_options={**default, "6": option("6. More", 6)}),
        changed(default_answer_options={}),
        changed(attributes={"dimension": {"b": "Beta", "a": "Alpha"}}),
        changed(attributes={"dimension": {"a": "Alpha", "b": "Gamma"}}),
        changed(attributes={}),
    ]
    keys = [key, *map(sk.ScoringKey, variants)]
    assert len({k.fingerprint for k in keys}) == len(keys)
    assert all(a != b for i, a in enumerate(keys) for b in keys[:i])


def test_what_does_not_decide_scores_leaves_the_fingerprint(key):
    variants = [
        changed(name="Another", general_instruction="Another", note={"unknown": 1}),
        {"questionnaire": KEY, "name": "An experiment"},
        changed(default_answer_options={"options": KEY["default_answer_options"], "delimiter": "/"}),
        changed(instruction_items=[{**i, "question": "Reworded."} for i in KEY["instruction_items"]]),
        changed(default_answer_options={
            f"id {n}": {**o, "weight": float(o["weight"])}
            for n, o in KEY["default_answer_options"].items()}),
    ]
    for variant in map(sk.ScoringKey, variants):
        assert variant.fingerprint == key.fingerprint
        assert variant == key
        assert hash(variant) == hash(key)


def test_the_fingerprint_is_short_and_stable(key):
    assert len(key.fingerprint) == 16
    assert int(key.fingerprint, 16) >= 0
    assert sk.ScoringKey(KEY).fingerprint == key.fingerprint
    assert sk.ScoringKey(key).fingerprint == key.fingerprint
    surrogate = sk.ScoringKey(questionnaire(default=options("\ud800")))
    assert surrogate.fingerprint != sk.ScoringKey(questionnaire(default=options("?"))).fingerprint


# ---------------------------------------------------------------------- pickles and processes


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(key, protocol):
    again = pickle.loads(pickle.dumps(key, protocol))
    assert again == key
    assert again.fingerprint == key.fingerprint
    assert plain(again.score(IDS, DECISIONS)) == EXPECTED


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copy(key, copied):
    assert copied(key) == key
    assert plain(copied(key).score(IDS, DECISIONS)) == EXPECTED


def score_elsewhere(key: sk.ScoringKey) -> list:
    return plain(key.score(IDS, DECISIONS))


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_a_key_works_in_another_process(key, method):
    context = multiprocessing.get_context(method)
    with context.Pool(1) as pool:
        assert pool.apply(score_elsewhere, (key,)) == EXPECTED


# ---------------------------------------------------------------------- threads and immutability


def test_threads_share_a_key(key):
    frame = answers(DECISIONS * 500, IDS * 500)
    text = pd.Series(DECISIONS * 500, dtype="string")
    wrong = []

    def work():
        for _ in range(30):
            for column in (frame["decision"], text):
                if plain(key.score(frame["instruction_item_id"], column)) != EXPECTED * 500:
                    wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_key_cannot_be_changed(key):
    for name in ("fingerprint", "scale_names", "anything", "_core", "_specification"):
        with pytest.raises(AttributeError):
            setattr(key, name, 1)
        with pytest.raises(AttributeError):
            delattr(key, name)
    assert plain(key.score(IDS, DECISIONS)) == EXPECTED


def test_changing_the_source_does_not_change_the_key():
    source = copy.deepcopy(KEY)
    compiled, read = sk.ScoringKey(source), sk.Questionnaire.from_dict(source)
    source["default_answer_options"]["4"]["weight"] = 99
    source["instruction_items"].clear()
    assert plain(compiled.score(IDS, DECISIONS)) == EXPECTED
    assert plain(sk.score_answers(answers(DECISIONS, IDS), read)["score"]) == EXPECTED


def test_a_mapping_is_read_at_each_call():
    source = questionnaire()
    assert plain(sk.score_answers(answers([FOUR]), source)["score"]) == [4]
    source["default_answer_options"]["4"]["weight"] = 99
    assert plain(sk.score_answers(answers([FOUR]), source)["score"]) == [99]


def test_a_key_is_taken_wherever_an_experiment_is(key):
    frame = answers(DECISIONS, IDS)
    assert plain(sk.score_answers(frame, key)["score"]) == EXPECTED
    assert sk.score_answers(frame, key).attrs["rupsycho_dimensions"] == ["Alpha", "Beta"]
    assert sk.score_experiment(key, frame, by=[])["dimension"].tolist() == ["Alpha", "Beta", "total"]


def test_what_a_key_shows(key):
    assert key.n_items == 3
    assert key.labels == ("Beta", "Alpha", None)
    assert key.dimensions == ("Alpha", "Beta")
    assert key.scale_names == ("Alpha", "Beta", "total")
    assert key.fingerprint in repr(key)
    assert key != KEY
