"""Scores of replies as a frame: parts of the scale, levels, reasons, decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scorekey.names import spread, text_array
from scorekey.rubrics.checks import closed, parts_of_scale, reach
from scorekey.rubrics.forms import whole_scores
from scorekey.values import decision_text

if TYPE_CHECKING:
    from pandas import DataFrame

    from scorekey.rubrics.rubric import ScoringRubric

REASONS: tuple[str, ...] = (
    "missing",
    "none",
    "several",
    "out_of_range",
    "between_levels",
    "other_scale",
    "percent",
    "not_a_number",
    "cut_off",
)
"""Why a reply has no score, in the order of the core's numbers, which begin at 1."""

Rows = tuple[Any, Any, Any]
"""Scores, the numbers of the reasons and the positions of the levels, as arrays."""

_SEVERAL = "inconclusive"
_NOTHING = "not present"


def reply_frame(rubric: ScoringRubric, rows: Rows, index: Any) -> DataFrame:
    """Return the columns that `score_replies` promises."""
    scores, reasons, levels = rows
    normalized = np.full(len(scores), np.nan)
    if np.isfinite(reach(rubric)).all():
        normalized = parts_of_scale(rubric, scores)
    # Categories in ascending order, whatever the order of the rubric's levels.
    usable = [level for level in rubric.levels if level.bounds is not None]
    order = sorted(range(len(usable)), key=lambda at: closed(usable[at].bounds or (0, 0)))
    ranks = np.full(len(usable) + 1, -1)
    ranks[order] = np.arange(len(usable))
    labels = [usable[at].label for at in order]
    return pd.DataFrame(
        {
            "score": scores,
            "normalized": normalized,
            "level": pd.Categorical.from_codes(
                ranks[levels], dtype=pd.CategoricalDtype(labels, ordered=True)
            ),
            "reason": pd.Categorical.from_codes(
                reasons.astype(np.int8) - 1, dtype=pd.CategoricalDtype(list(REASONS))
            ),
            "decision": _decisions(rubric, scores, reasons),
        },
        index=index,
        copy=False,
    )


def _decisions(rubric: ScoringRubric, scores: Any, reasons: Any) -> Any:
    """Return the answer option of every row, or the word for none."""
    distinct, positions = np.unique(scores, return_inverse=True)
    try:
        options = {float(score) for score in whole_scores(rubric)}
    except ValueError:
        options = None
    texts = [
        decision_text(score) if options is None or score in options else None
        for score in distinct.tolist()
    ]
    names = [_NOTHING if text is None else text for text in texts]
    several = reasons == REASONS.index("several") + 1
    return spread(text_array([*names, _SEVERAL]), np.where(several, len(names), positions))
