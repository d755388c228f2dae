"""Typed use of everything public: what a user's type checker has to accept and to infer.

Read by mypy and pyright (``make lint``) and run by ``test_typing.py``, so that the types that are
claimed are also those that come out.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
from typing_extensions import assert_type

import scorekey as sk

FORM = {
    "name": "Two items",
    "general_instruction": "Answer.",
    "attributes": {"dimension": {"c": "Certainty"}},
    "default_answer_options": {
        "n": {"text": "No", "weight": 0},
        "y": {"text": "Yes", "weight": 1},
    },
    "instruction_items": [
        {"question": "Sure?", "attributes": {"dimension": "c"}},
        {"question": "Unsure?", "reversed": True, "attributes": {"dimension": "c"}},
    ],
}


def score_people() -> pd.DataFrame:
    """Score a frame, in two steps and in one."""
    questionnaire = sk.Questionnaire.from_dict(FORM)
    assert_type(questionnaire, sk.Questionnaire)
    answers = pd.DataFrame(
        {"person": ["Ann", "Ann"], "instruction_item_id": [0, 1], "decision": ["Yes", "no"]}
    )
    scored = sk.score_answers(answers, questionnaire, only_valid=False)
    assert_type(scored, pd.DataFrame)
    scales = sk.scale_scores(
        scored, by=["person"], agg=spread, include_total=True, dimensions=("Certainty",)
    )
    assert_type(scales, pd.DataFrame)
    return sk.score_experiment(questionnaire, answers, by="person", agg="mean")


def spread(scores: pd.Series[float]) -> float:
    """Aggregate, as a function of a user does."""
    return float(scores.max() - scores.min())


def score_arrays() -> npt.NDArray[np.float64]:
    """Score arrays with a key."""
    key = sk.ScoringKey(FORM)
    points = key.score(np.array([0, 1]), ["Yes", "Yes"])
    assert_type(points, npt.NDArray[np.float64])
    groups = key.aggregate(points, [0, 1], ["Ann", "Ann"], agg="sum")
    assert_type(groups, sk.ScaleArrays)
    assert_type(groups.n_items, npt.NDArray[np.int64])
    assert_type(key.fingerprint, str)
    assert_type(key.scale_names, tuple[str, ...])
    assert_type(key.n_items, int)
    return points


def score_judges() -> sk.ReplyScore:
    """Score replies of judges by a rubric."""
    rubric = sk.ScoringRubric(
        name="tone",
        description="Evaluates the tone",
        levels=[
            sk.ScoringLevel(score=1, description="Friendly"),
            {"score": 0, "description": "Rude"},
        ],
    )
    assert_type(rubric.scale, sk.Scale | None)
    assert_type(rubric.to_prompt(), str)
    table = sk.score_replies(["Score: 1"], {"tone": rubric}, markers=("Note",))
    assert_type(table, pd.DataFrame)
    reply = rubric.parse_reply("Score: 1")
    assert_type(reply.score, float | None)
    assert_type(reply.reason, str | None)
    assert_type(rubric.passes(reply.score, 1), bool)
    return reply


def score_survey(folder: Path) -> sk.Reliability:
    """Score a file with one row for each person, and look at its scales."""
    questionnaire = sk.Questionnaire.from_json(folder / "questionnaire.json")
    survey = pd.read_csv(folder / "people" / "survey.csv")
    survey["years_left"] = sk.reverse_code(survey["age"], 0, 120)
    scored = sk.score_wide(
        survey, questionnaire, columns="ipip_", answers="weight", form="items", by="person"
    )
    assert_type(scored, pd.DataFrame)
    assert_type(sk.item_matrix(scored, by="person"), pd.DataFrame)
    found = sk.reliability(scored, by="person", confidence=None)
    assert_type(found, sk.Reliability)
    assert_type(found.scales, pd.DataFrame)
    return found


def audit(folder: Path) -> sk.Audit:
    """Look for what a person should look at before the scores."""
    questionnaire = sk.Questionnaire.from_json(folder / "questionnaire.json")
    results = sk.read_results(folder / "results.csv", questionnaire)
    found = sk.audit_answers(results, questionnaire, by="model_id", matching="lenient")
    assert_type(found, sk.Audit)
    assert_type(found.findings, list[sk.Finding])
    return found


def read_files(folder: Path) -> pd.DataFrame:
    """Read a questionnaire and results."""
    questionnaire = sk.Questionnaire.from_json(folder / "questionnaire.json")
    results = sk.read_results(folder / "results.csv", questionnaire)
    assert_type(results, pd.DataFrame)
    sk.check_items(results, questionnaire)
    assert_type(sk.get_num_threads(), int)
    assert_type(sk.__version__, str)
    return results
