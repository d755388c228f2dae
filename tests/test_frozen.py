"""A questionnaire cannot be changed after it was read, and its copies are as good as it is."""

from __future__ import annotations

import copy
import pickle

import pytest
from pydantic import ValidationError

import scorekey as sk
from tests.material import AGREEMENT, answers, item, plain, questionnaire
from tests.test_questionnaire import FULL

FOUR = AGREEMENT[3]

# ---------------------------------------------------------------------- frozen


def test_it_is_frozen_at_all_depths():
    read = sk.Questionnaire.from_dict(FULL)
    for part, name in (
        (read, "name"),
        (read, "instruction_items"),
        (read, "version"),
        (read.instruction_items[0], "reversed"),
        (read.default_answer_options, "options"),
        (read.default_answer_options.options["a"], "weight"),
    ):
        with pytest.raises(ValidationError):
            setattr(part, name, None)
    for mapping in (
        read.attributes,
        read.attributes["dimension"],
        read.attributes["source"],
        read.instruction_items[0].attributes,
        read.default_answer_options.options,
        read.instruction_items[1].answer_options.options,
    ):
        for change in (
            lambda m: m.__setitem__("new", 1),
            lambda m: m.update(new=1),
            lambda m: m.setdefault("new", 1),
            lambda m: m.clear(),
            lambda m: m.popitem(),
            lambda m: m.pop(next(iter(m))),
            lambda m: m.__delitem__(next(iter(m))),
            lambda m: m.__ior__({"new": 1}),
        ):
            with pytest.raises(TypeError):
                change(mapping)
    assert isinstance(read.instruction_items, tuple)
    assert isinstance(read.attributes["source"]["authors"], tuple)
    assert read == sk.Questionnaire.from_dict(FULL)


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda q: pickle.loads(pickle.dumps(q))]
)
def test_copies_and_pickles(again):
    read = sk.Questionnaire.from_dict(questionnaire())
    sk.score_answers(answers([FOUR]), read)  # its key is compiled and kept
    other = again(read)
    assert other == read
    assert hash(other) == hash(read)
    assert other.to_dict() == read.to_dict()
    assert plain(sk.score_answers(answers([FOUR]), other)["score"]) == [4]


def test_a_changed_copy_does_not_keep_the_compiled_key():
    read = sk.Questionnaire.from_dict(questionnaire(item()))
    assert plain(sk.score_answers(answers([FOUR]), read)["score"]) == [4]
    reverse = tuple(i.model_copy(update={"reversed": True}) for i in read.instruction_items)
    changed = read.model_copy(update={"instruction_items": reverse})
    assert plain(sk.score_answers(answers([FOUR]), changed)["score"]) == [2]
    assert changed.to_dict()["instruction_items"][0]["reversed"] is True


def test_equal_questionnaires_are_equal():
    one, same = (sk.Questionnaire.from_dict(FULL) for _ in range(2))
    other = sk.Questionnaire.from_dict({**FULL, "name": "Other"})
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != FULL
