"""What can be wrong with a rubric, and where scores lie on it."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scorekey.messages import listed, shown
from scorekey.values import is_missing

if TYPE_CHECKING:
    from scorekey.rubrics.levels import Number, ScoringLevel
    from scorekey.rubrics.rubric import ScoringRubric

Bounds = tuple[float, float]


def problems(rubric: ScoringRubric) -> list[str]:
    """Return everything that keeps the rubric's scores from being read, in words."""
    found = []
    if not str(rubric.description).strip():
        found.append("its description is empty")
    if not rubric.levels:
        found.append("it has no levels")
    ranges: list[tuple[Bounds, int]] = []
    for position, level in enumerate(rubric.levels):
        if not str(level.description).strip():
            found.append(f"level {position} ({_label(level)}) has an empty description")
        if level.bounds is None:
            found.append(f"level {position} has no usable score or score_range")
            continue
        low, high = closed(level.bounds)
        if low > high:
            found.append(f"level {position} ({_label(level)}) begins after its end")
        else:
            ranges.append(((low, high), position))
    ranges.sort()
    whole = all(end.is_integer() for bounds, _ in ranges for end in bounds if math.isfinite(end))
    for (before, first), (after, second) in pairwise(ranges):
        pair = f"levels {first} ({_label(rubric.levels[first])}) and {second} " + (
            f"({_label(rubric.levels[second])})"
        )
        if before == after and before[0] == before[1]:
            found.append(f"{pair} have the same score")
        elif after[0] <= before[1]:
            found.append(f"{pair} overlap")
        elif whole and after[0] - before[1] > 1:
            found.append(f"there is a gap between {pair}")
    return found


def closed(bounds: tuple[Number | None, Number | None]) -> Bounds:
    """Return the bounds as floats, infinite where they are open."""
    low, high = bounds
    return (-math.inf if low is None else float(low), math.inf if high is None else float(high))


def reach(rubric: ScoringRubric) -> Bounds:
    """Return the lowest and highest score that a valid rubric allows, infinite if it is open."""
    ends = [closed(level.bounds) for level in rubric.levels if level.bounds is not None]
    return min(low for low, _ in ends), max(high for _, high in ends)


def checked_scores(rubric: ScoringRubric, scores: Any, name: str) -> Any:
    """Return one score as a float, several as an array; NaN where there is none.

    Raises
    ------
    TypeError
        If they are no numbers.
    ValueError
        If one of them lies outside the rubric's scale.
    """
    if np.ndim(scores) == 0:
        points = np.asarray(_point(scores, name))
    elif isinstance(scores, np.ndarray) and scores.dtype.kind in "iuf":
        points = scores.astype(np.float64)
    else:
        cells = list(scores.ravel() if isinstance(scores, np.ndarray) else scores)
        points = np.array([_point(cell, name) for cell in cells], dtype=np.float64)
        if isinstance(scores, np.ndarray):
            points = points.reshape(scores.shape)
    low, high = reach(rubric)
    outside = points[~np.isnan(points) & ~((low <= points) & (points <= high))]
    if outside.size:
        raise ValueError(
            f"{name} must lie on the scale of the rubric {shown(rubric.name)}, from "
            f"{low:g} to {high:g}; got {listed(outside.ravel().tolist())}"
        )
    return float(points) if points.ndim == 0 else points


def _point(score: Any, name: str) -> float:
    if is_missing(score):
        return math.nan
    if isinstance(score, (bool, np.bool_, np.timedelta64)) or not isinstance(
        score, (int, float, np.integer, np.floating)
    ):
        raise TypeError(f"{name} must be a number, got {shown(score)}")
    try:
        return float(score)
    except OverflowError:
        return math.inf if score > 0 else -math.inf


def levels_of(rubric: ScoringRubric, scores: Any) -> Any:
    """Return the level of a score, or those of many in their form."""
    if np.ndim(scores) == 0:
        point = _point(scores, "score")
        return next((level for level in rubric.levels if point in level), None)
    cells = np.asarray(scores, dtype=object).ravel()
    levels = np.empty(len(cells), dtype=object)
    known: dict[float, ScoringLevel | None] = {}
    for position, cell in enumerate(cells):
        point = _point(cell, "score")
        if point not in known:
            known[point] = levels_of(rubric, point)
        levels[position] = known[point]
    return _like(scores, levels)


def parts_of_scale(rubric: ScoringRubric, scores: Any) -> Any:
    """Return (score - low) / (high - low) of one score or many."""
    low, high = reach(rubric)
    if math.isinf(low) or math.isinf(high):
        raise ValueError(
            f"the scale of the rubric {shown(rubric.name)} is open at an end, so its scores are "
            "no parts of it"
        )
    points = checked_scores(rubric, scores, "score")
    parts = points * math.nan if low == high else (points - low) / (high - low)
    return parts if np.ndim(scores) == 0 else _like(scores, parts)


def _like(scores: Any, values: Any) -> Any:
    if isinstance(scores, pd.Series):
        return pd.Series(values, index=scores.index, name=scores.name, dtype=values.dtype)
    return values.reshape(np.shape(scores))


def _label(level: ScoringLevel) -> str:
    try:
        return level.label
    except ValueError:
        return "without score"
