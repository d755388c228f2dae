"""What became of the answers: one line that counts each row once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey.messages import shown
from scorekey.values import decision_text

# The core's numbers for what becomes of a row.
_SCORED, _IGNORED, _CLASHING, _UNMATCHED, _SENTINEL, _MISSING, _INVALID = range(7)
_MOST_TEXTS = 5


def describe_outcomes(outcomes: npt.NDArray[np.uint8], decisions: pd.Series[Any]) -> str:
    """Return how many rows are invalid, missing, unmatched, ignored and scored.

    Parameters
    ----------
    outcomes : ndarray of uint8, shape (n,)
        What the core says of each row.
    decisions : Series of n decisions
        The most frequent ones that match no option are named.

    Returns
    -------
    str
        One line. The counts add up to n.
    """
    counts = np.bincount(outcomes, minlength=_INVALID + 1).tolist()
    ignored = f"{counts[_IGNORED] + counts[_CLASHING]} ignored"
    if counts[_CLASHING]:
        ignored += f" (of which {counts[_CLASHING]} clashing)"
    parts = [
        f"{counts[_INVALID]} invalid",
        f"{counts[_MISSING] + counts[_SENTINEL]} missing",
        f"{counts[_UNMATCHED]} unmatched",
        ignored,
        f"{counts[_SCORED]} scored",
    ]
    line = f"{len(outcomes)} rows: {', '.join(parts)}"
    if not counts[_UNMATCHED]:
        return line
    unmatched = decisions[outcomes == _UNMATCHED]
    texts = Counter(decision_text(value) for value in unmatched)
    named = [f"{shown(text)} ({count})" for text, count in texts.most_common(_MOST_TEXTS)]
    more = len(texts) - len(named)
    return (
        f"{line}; unmatched: {', '.join(named)}"
        f"{f' and {more} more text' + ('s' if more > 1 else '') if more else ''}"
    )
