"""Answers without a score, and the warning for data in which nothing has one."""

from __future__ import annotations

import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import AGREEMENT, MISSING, answers, item, option, options, questionnaire, scores

FOUR = AGREEMENT[3]


def test_an_ignored_option_has_no_score_and_does_not_warn():
    key = questionnaire(default=options(("Yes", 1), option("Do not know", 9, ignored=True)))
    assert sk.score_answers(answers(["Do not know"]), key)["score"].isna().all()


def test_an_item_without_options_has_no_score():
    key = questionnaire(item(), item(own={}), default=None)
    with pytest.warns(UserWarning, match=r"^None of the 2 decisions"):
        scored = sk.score_answers(answers(["Yes", "No"], [0, 1]), key)
    assert scored["score"].isna().all()


# ---------------------------------------------------------------------- validity


@pytest.mark.parametrize(
    "verdict",
    [
        False,
        0,
        0.0,
        -0.0,
        "False",
        "false",
        "FALSE",
        "f",
        "F",
        "no",
        "No",
        "N",
        "n",
        "0",
        " no ",
        "no\n",
        np.False_,
        np.int8(0),
        np.float32(0),
    ],
)
def test_verdicts_that_exclude_an_answer(verdict):
    frame = answers([FOUR, FOUR], valid=pd.Series([verdict, "yes"], dtype=object))
    assert scores(frame, questionnaire()) == [None, 4]


@pytest.mark.parametrize(
    "verdict",
    [
        True,
        1,
        -1,
        0.5,
        float("inf"),
        "True",
        "yes",
        "1",
        "0.0",
        "off",
        "",
        " ",
        "invalid",
        "nope",
        "00",
        "falſe",
        *MISSING,
        Decimal(0),
        b"no",
        (0,),
        pd.Timestamp(0),
        np.timedelta64(0, "s"),
    ],
)
def test_verdicts_that_exclude_nothing(verdict):
    frame = answers([FOUR, FOUR], valid=pd.Series([verdict, False], dtype=object))
    assert scores(frame, questionnaire()) == [4, None]


@pytest.mark.parametrize("dtype", ["bool", "boolean", "int64", "Int64", "float64", "category"])
def test_verdicts_of_every_type(dtype):
    frame = answers([FOUR, FOUR], valid=pd.Series([True, False]).astype(dtype))
    assert scores(frame, questionnaire()) == [4, None]


@pytest.mark.parametrize("dtype", ["boolean", "Int64", "Float64", "category", "object"])
def test_a_missing_verdict_excludes_nothing(dtype):
    verdicts = pd.Series([None, False] if dtype in ("boolean", "category", "object") else [None, 0])
    frame = answers([FOUR, FOUR], valid=verdicts.astype(dtype))
    assert scores(frame, questionnaire()) == [4, None]


def test_only_valid_false_scores_what_the_validator_rejected():
    frame = answers([FOUR, "not present"], valid=[False, False])
    assert scores(frame, questionnaire()) == [None, None]
    assert scores(frame, questionnaire(), only_valid=False) == [4, None]


def test_a_frame_without_verdicts_is_scored_as_it_is():
    assert scores(answers([FOUR]), questionnaire()) == [4]


def test_a_column_of_verdicts_that_is_not_there_is_passed_over():
    frame = answers([FOUR], valid=[False])
    assert scores(frame, questionnaire(), valid_column="verdict") == [4]


def test_verdicts_may_be_in_another_column():
    frame = answers([FOUR, FOUR], valid=[False, True], verdict=[True, False])
    assert scores(frame, questionnaire(), valid_column="verdict") == [4, None]


# ------------------------------------------------------- the warning that nothing matches


def test_raw_answers_warn_with_their_number_and_an_example():
    frame = answers(["I'd say 4", "Answer: 5", None, "not present"], [1, 0, 0, 0])
    key = questionnaire(item(), item())
    with pytest.warns(
        UserWarning, match=r"^None of the 2 decisions in column 'decision'.*'Answer: 5'"
    ) as caught:
        assert sk.score_answers(frame, key)["score"].isna().all()
    assert len(caught) == 1


def test_numbers_count_as_text_in_the_warning():
    with pytest.warns(UserWarning, match=r"^None of the 3 decisions .* answer option"):
        sk.score_answers(answers([4, 5.0, True]), questionnaire())


def test_answers_that_are_not_valid_count_in_the_warning():
    with pytest.warns(UserWarning, match=r"^None of the 1 decisions"):
        sk.score_answers(answers(["raw"], valid=[False]), questionnaire())


@pytest.mark.parametrize(
    "decisions",
    [
        ["raw", FOUR],
        ["raw", " 4. AGREE a little"],
        [],
        [None, float("nan")],
        ["", " "],
        ["not present", "inconclusive"],
        [Decimal(4), b"raw", (1,)],
    ],
)
def test_no_warning_if_one_decision_is_an_option_or_none_is_a_text(decisions):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sk.score_answers(answers(decisions), questionnaire())


@pytest.mark.parametrize(
    "default",
    [
        options(("raw", 1), ("raw", 2)),
        options(option("raw", 1, ignored=True)),
        options(("raw", 1), ("RAW", 2)),
    ],
    ids=["clash", "ignored", "equal-after-folding"],
)
def test_an_option_without_a_score_is_an_option(default):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sk.score_answers(answers(["raw "]), questionnaire(default=default))
    assert not [w for w in caught if str(w.message).startswith("None of the")]


def test_a_decision_is_looked_up_among_the_options_of_its_own_item():
    key = questionnaire(item(own=options("A", "B")), item(own=options("C", "D")))
    with pytest.warns(UserWarning, match=r"^None of the 2 decisions"):
        sk.score_answers(answers(["C", "A"], [0, 1]), key)


def test_the_warning_names_the_column_that_was_asked_for():
    frame = answers(["x"]).rename(columns={"decision": "choice"})
    with pytest.warns(UserWarning, match="in column 'choice'"):
        sk.score_answers(frame, questionnaire(), decision_column="choice")


def test_warnings_point_at_the_caller_of_every_function():
    key = questionnaire()
    for call in (
        lambda: sk.score_answers(answers(["raw"]), key),
        lambda: sk.score_experiment(key, answers(["raw"])),
        lambda: sk.score_experiment(key, answers([FOUR]), by="nothing"),
        lambda: sk.scale_scores(pd.DataFrame({"dimension": ["A"], "score": [1.0]}), by="nothing"),
    ):
        with pytest.warns(UserWarning) as caught:  # noqa: PT030
            call()
        assert [w.filename for w in caught] == [__file__]
