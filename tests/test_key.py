"""The compiled key: its fingerprint, pickles, threads, and that it never changes."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import threading

import pandas as pd
import pytest

import scorekey as sk
from tests.material import AGREEMENT, answers, item, option, options, plain, questionnaire

ONE, _, _, FOUR, _ = AGREEMENT
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
        changed(
            default_answer_options={"options": KEY["default_answer_options"], "delimiter": "/"}
        ),
        changed(
            instruction_items=[{**i, "question": "Reworded."} for i in KEY["instruction_items"]]
        ),
        changed(
            default_answer_options={
                f"id {n}": {**o, "weight": float(o["weight"])}
                for n, o in KEY["default_answer_options"].items()
            }
        ),
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
    assert sk.score_experiment(key, frame, by=[])["dimension"].tolist() == [
        "Alpha",
        "Beta",
        "total",
    ]


def test_what_a_key_shows(key):
    assert key.n_items == 3
    assert key.labels == ("Beta", "Alpha", None)
    assert key.dimensions == ("Alpha", "Beta")
    assert list(key.scale_names) == ["Alpha", "Beta", "total"]
    assert key.fingerprint in repr(key)
    assert key != KEY
