"""The levels of a rubric, and the scale that they span."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from scorekey.frozen import freeze
from scorekey.messages import shown

__all__ = ["Scale", "ScoringLevel"]

Number = int | float

NO_SCORE = "level must include score or score_range"
"""What a level without a usable score is told, in Raif's words."""


def is_number(value: object) -> TypeGuard[Number]:
    """Return whether a value can be a score: a finite number that is no truth value."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond float64
        return False


class Scale(NamedTuple):
    """The lowest and the highest score that a rubric's levels describe.

    Attributes
    ----------
    low, high : int or float
        The two ends. A scale equals the pair of them, and ``x in scale`` is ``low <= x <= high``.

    Examples
    --------
    >>> import scorekey as sk
    >>> low, high = sk.ScoringRubric.accuracy().scale
    >>> low, high
    (1, 5)
    >>> 4.5 in sk.Scale(1, 5), 0 in sk.Scale(1, 5)
    (True, False)
    """

    low: Number
    high: Number

    def __contains__(self, value: object) -> bool:
        try:
            return bool(self.low <= value <= self.high)  # type: ignore[operator]
        except (TypeError, ValueError):  # no number, or more than one
            return False


@dataclass(frozen=True)
class ScoringLevel:
    """One level of a rubric: a score, or a range of scores, and what earns it.

    Parameters
    ----------
    score : int or float, optional
        The level's score. If it is given, a range is not looked at.
    score_range : pair, list of two or range, optional
        The scores from the first to the last, both included; None leaves an end open. A `range`
        excludes its end, as always: ``range(9, 11)`` is kept as ``(9, 10)``.
    description : str, default ""
        What a reply has to be like to be on this level.

    Raises
    ------
    ValueError
        If `score_range` is a `range` whose step is not 1.

    Examples
    --------
    >>> import scorekey as sk
    >>> sk.ScoringLevel(score_range=range(9, 11), description="Perfect").score_range
    (9, 10)
    """

    score: Any = None
    score_range: Any = None
    description: Any = ""

    def __post_init__(self) -> None:
        for name, value in (
            ("score", _plain(self.score)),
            ("score_range", _as_range(self.score_range)),
            ("description", "" if self.description is None else self.description),
        ):
            object.__setattr__(self, name, freeze(value))

    @classmethod
    def of(cls, value: Any) -> ScoringLevel:
        """Return a level, or the level that a mapping describes.

        Parameters
        ----------
        value : ScoringLevel or mapping
            A mapping has ``score`` or ``score_range``, and ``description``.

        Returns
        -------
        ScoringLevel

        Raises
        ------
        TypeError
            If it is neither.

        Examples
        --------
        >>> import scorekey as sk
        >>> sk.ScoringLevel.of({"score": 5, "description": "Perfect"})
        ScoringLevel(score=5, score_range=None, description='Perfect')
        """
        if isinstance(value, ScoringLevel):
            return value
        if isinstance(value, Mapping):
            return cls(value.get("score"), value.get("score_range"), value.get("description"))
        raise TypeError(
            f"a level is a ScoringLevel or a mapping with score or score_range, got {shown(value)}"
        )

    @property
    def label(self) -> str:
        """The level's score or range as a prompt shows it: ``5``, ``9-10``, ``9 or more``.

        Raises
        ------
        ValueError
            If the level has neither.
        """
        if self.score is not None:
            return str(self.score)
        if not self._has_range():
            raise ValueError(f"{NO_SCORE}; {shown(self)} has neither")
        low, high = self.score_range
        if high is None:
            return f"{low} or more"
        return f"{high} or less" if low is None else f"{low}-{high}"

    @property
    def bounds(self) -> tuple[Number | None, Number | None] | None:
        """The lowest and highest score, None for an open end; None without a usable score."""
        if self.score is not None:
            return (self.score, self.score) if is_number(self.score) else None
        if not self._has_range():
            return None
        low, high = self.score_range
        usable = all(end is None or is_number(end) for end in (low, high))
        return (low, high) if usable else None

    def _has_range(self) -> bool:
        ends = self.score_range
        return isinstance(ends, tuple) and len(ends) == 2 and ends != (None, None)

    def __contains__(self, score: object) -> bool:
        if self.bounds is None or score is None:
            return False
        low, high = self.bounds
        try:
            above = low is None or low <= score  # type: ignore[operator]
            return bool(above and (high is None or score <= high))  # type: ignore[operator]
        except (TypeError, ValueError):
            return False


def _plain(value: Any) -> Any:
    """Return a NumPy number as Python's own, whose text is the number."""
    return value.item() if isinstance(value, (np.number, np.bool_)) else value


def _as_range(value: Any) -> Any:
    if isinstance(value, range):
        if value.step != 1:
            raise ValueError(f"a score_range has step 1, got {value!r}; {NO_SCORE}")
        return value.start, value.stop - 1
    if isinstance(value, (tuple, list)):
        return tuple(_plain(end) for end in value)
    return value
