"""What may be passed as the experiment, and what is said of anything else."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import pandas as pd
import pytest

import scorekey as sk
from tests.material import AGREEMENT, answers, questionnaire, refused, scored_frame

FOUR = AGREEMENT[3]
LONG = "x" * 100_000

# ---------------------------------------------------------------------- experiment


class Holder:
    def __init__(self, questionnaire):
        self.questionnaire = questionnaire


@pytest.mark.parametrize(
    ("experiment", "kind"),
    [
        (Holder(None), ValueError),
        ({"questionnaire": None}, ValueError),
        ({}, ValueError),
        ({"name": "Q", "instruction_items": []}, ValueError),
        ({"general_instruction": "G"}, ValueError),
        ({"items": []}, ValueError),
        ({"questionnaire": []}, ValueError),
        ({"questionnaire": {"name": 5}}, ValueError),
        (Holder(Holder(None)), TypeError),
        (Holder(5), TypeError),
        (None, TypeError),
        (5, TypeError),
        ([], TypeError),
        (questionnaire, TypeError),
        (sk.Questionnaire, TypeError),
        (pd.DataFrame(), TypeError),
        ("no such file.json", TypeError),
        ("", TypeError),
        (LONG, TypeError),
        ("a\0b", TypeError),
        (Path("no such file.json"), FileNotFoundError),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_no_experiment(experiment, kind):
    message = refused(kind, lambda: sk.score_answers(answers([FOUR]), experiment))
    assert message
    refused(kind, lambda: sk.score_experiment(experiment, answers([FOUR])))
    refused(kind, lambda: sk.ScoringKey(experiment))


def test_a_weight_that_is_too_large_names_its_place():
    class Option:
        text, ignored_for_scale, weight = "a", False, 10**400

    class Item:
        answer_options, reversed, attributes = None, False, None

    class Options:
        options = MappingProxyType({"1": Option})

    class Duck:
        attributes, default_answer_options, instruction_items = None, Options, (Item,)

    refused(
        ValueError, lambda: sk.score_answers(answers(["a"]), Duck()), "weight", "'1'", "default"
    )


@pytest.mark.parametrize("names", [["Answer"], ["Instruction ID"], []])
def test_stored_answers_without_their_columns(names):
    class Experiment(Holder):
        def get_answers_as_dataframe(self):
            return pd.DataFrame({name: [0] for name in names})

    experiment = Experiment(sk.Questionnaire.from_dict(questionnaire()))
    refused(ValueError, lambda: sk.score_experiment(experiment), "missing")


@pytest.mark.parametrize("stored", [None, [], {"Answer": [1]}])
def test_stored_answers_that_are_no_frame(stored):
    class Experiment(Holder):
        def get_answers_as_dataframe(self):
            return stored

    experiment = Experiment(sk.Questionnaire.from_dict(questionnaire()))
    refused(TypeError, lambda: sk.score_experiment(experiment), "DataFrame")


def test_a_long_name_of_a_column_is_cut():
    refused(
        ValueError,
        lambda: sk.score_answers(answers([FOUR]), questionnaire(), decision_column=LONG),
    )
    with pytest.warns(UserWarning, match="unknown") as caught:
        sk.scale_scores(scored_frame(["a"]), by=[f"{n}{LONG}" for n in range(20)])
    assert len(str(caught[0].message)) < 1000
