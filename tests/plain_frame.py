"""A small frame of answers with everything in it, and its scores: what every layout has to give."""

from __future__ import annotations

import pandas as pd
import scorekey as sk

from tests.material import AGREEMENT, item, objects, options, plain, questionnaire, table

KEY = questionnaire(
    item("1"),
    item("1", reverse=True),
    item("2", options(("1", 1), ("2", 2), ("3", 4))),
    item("2", options(("True", 0), ("False", 1))),
    dimensions={"2": "Second", "1": "First"},
)
_, TWO, _, FOUR, _ = AGREEMENT
DECISIONS = [FOUR, TWO, "1", "True", "not present", None, "3", "False", f" {FOUR.upper()}"]
IDS = [0, 1, 2, 3, 0, 1, 2, 3, 1]
MODELS = ["b", "b", "a", "a", None, "b", "a", "b", "a"]
WAVES = [2, 2, 1, 1, 1, 2, 1, 2, 2]
VALID = [True, True, True, None, True, True, False, True, True]
ITEM_SCORES = [4, 4, 1, 0, None, None, None, 1, 2]
SCALES = ["First", "First", "Second", "Second", "First", "First", "Second", "Second", "First"]
SCALE_SCORES = [
    # a, wave 1: items 2 (1), 3 (0), 2 (invalid); a, wave 2: item 1 (2)
    ("a", 1, "Second", 0.5, 2, 1),
    ("a", 2, "First", 2.0, 1, 0),
    ("b", 2, "Second", 1.0, 1, 0),
    ("b", 2, "First", 4.0, 2, 1),
    (None, 1, "First", None, 0, 1),
]


def make(**changed) -> pd.DataFrame:
    columns = {
        "instruction_item_id": pd.Series(IDS),
        "decision": objects(DECISIONS),
        "model_id": objects(MODELS),
        "wave": pd.Series(WAVES),
        "valid": objects(VALID),
    }
    return pd.DataFrame({**columns, **changed})


def check(frame: pd.DataFrame) -> None:
    scored = sk.score_answers(frame, KEY)
    assert plain(scored["score"]) == ITEM_SCORES
    assert plain(scored["dimension"]) == SCALES
    assert scored.index.equals(frame.index)
    by = ["model_id", "wave"]
    assert table(sk.scale_scores(scored, by=by)) == SCALE_SCORES
    assert table(sk.score_experiment(KEY, frame, by=by)) == SCALE_SCORES
