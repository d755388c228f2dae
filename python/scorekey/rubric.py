"""Rubrics: what a judge is asked to score, and which scores there are.

The interface is that of Raif's ``ScoringRubric`` (MIT), brought to Python.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

import numpy as np

from scorekey.frozen import freeze
from scorekey.messages import shown

if TYPE_CHECKING:
    from scorekey.replies import ReplyScore

__all__ = ["Scale", "ScoringLevel", "ScoringRubric"]

Number = int | float

_STRIPPED = "\0\t\n\v\f\r "
_NO_SCORE = "level must include score or score_range"


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
        """Return a level, or the level that a mapping describes."""
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
            raise ValueError(f"{_NO_SCORE}; {shown(self)} has neither")
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


@dataclass(frozen=True, repr=False)
class ScoringRubric:
    """What a judge is to score, and by which levels.

    Parameters
    ----------
    name : str
        What is scored, such as ``"accuracy"``.
    description : str
        What the rubric evaluates.
    levels : iterable of ScoringLevel or mapping
        The levels, in the order in which a prompt lists them. Nothing is refused here that a
        prompt could be made of; `validate` says what stands in the way of scores.

    Raises
    ------
    TypeError
        If a level is neither a ScoringLevel nor a mapping.

    Examples
    --------
    >>> import scorekey as sk
    >>> rubric = sk.ScoringRubric(
    ...     name="tone",
    ...     description="Evaluates the tone",
    ...     levels=[
    ...         {"score_range": (6, 10), "description": "Friendly"},
    ...         {"score_range": (0, 5), "description": "Rude"},
    ...     ],
    ... )
    >>> print(rubric.to_prompt())
    Evaluates the tone
    <BLANKLINE>
    Scoring levels:
    - 6-10: Friendly
    - 0-5: Rude
    >>> rubric.scale
    Scale(low=0, high=10)
    """

    name: Any
    description: Any
    levels: tuple[ScoringLevel, ...]

    def __init__(self, name: Any, description: Any, levels: Iterable[Any]) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "description", "" if description is None else description)
        object.__setattr__(self, "levels", tuple(ScoringLevel.of(level) for level in levels or ()))

    def __repr__(self) -> str:
        scores = (
            level.score_range if level.score is None else level.score for level in self.levels
        )
        labels = ", ".join(map(shown, islice(scores, 12)))
        more = ", ..." if len(self.levels) > 12 else ""
        return f"<ScoringRubric {shown(self.name)}: levels {labels or 'none'}{more}>"

    def to_prompt(self) -> str:
        """Return the rubric as a text for a judge's prompt.

        Returns
        -------
        str
            The description, a blank line, ``Scoring levels:`` and a line for each level. White
            space (of ASCII) and NUL are stripped from both ends.

        Raises
        ------
        ValueError
            If a level has neither a score nor a range; the message names it.
        """
        lines = [f"{self.description}\n\nScoring levels:"]
        for position, level in enumerate(self.levels):
            try:
                lines.append(f"- {level.label}: {level.description}")
            except ValueError:
                raise ValueError(
                    f"{_NO_SCORE}; level {position}, {shown(level)}, has neither"
                ) from None
        return "\n".join(lines).strip(_STRIPPED)

    @property
    def scale(self) -> Scale | None:
        """The lowest and the highest score that the levels describe; None without any.

        An open range contributes the end that it has; a level without a usable score is passed
        over.
        """
        bounds = [level.bounds for level in self.levels]
        ends = [end for pair in bounds if pair is not None for end in pair if end is not None]
        return Scale(min(ends), max(ends)) if ends else None

    def validate(self) -> None:
        """Check that every score has one level; everything that uses scores calls this.

        Raises
        ------
        ValueError
            With every problem at once: no levels, a level without a usable score or description,
            a range that begins after its end, overlapping levels, a score that two levels have,
            and, where all bounds are whole, whole scores between the levels that none has.
        """
        from scorekey.rubric_checks import problems

        found = problems(self)
        if found:
            raise ValueError(f"The rubric {shown(self.name)} cannot be used: {'; '.join(found)}")

    def passes(self, score: Any, min_passing_score: Number) -> bool:
        """Return whether a score is at least the passing score; None and NaN do not pass.

        Raises
        ------
        ValueError
            If either lies where no level can be, so that the comparison says nothing.
        """
        from scorekey.rubric_checks import checked_scores

        self.validate()
        threshold = checked_scores(self, min_passing_score, "min_passing_score")
        if np.ndim(threshold) or math.isnan(threshold):
            raise ValueError(
                f"min_passing_score must be one number, got {shown(min_passing_score)}"
            )
        points = checked_scores(self, score, "score")
        if np.ndim(points):
            raise TypeError(f"passes takes one score, got {type(score).__name__}")
        return bool(points >= threshold)

    def level_for(self, score: Any) -> Any:
        """Return the level that a score is on.

        Parameters
        ----------
        score : number, array-like of n numbers or Series
            The score or scores; None and NaN are on no level.

        Returns
        -------
        ScoringLevel or None, or an array or Series of n of them (object)
            None where no level has the score.
        """
        from scorekey.rubric_checks import levels_of

        self.validate()
        return levels_of(self, score)

    def normalize(self, score: Any) -> Any:
        """Return scores as parts of the scale: 0 for its low end, 1 for its high end.

        Parameters
        ----------
        score : number, array-like of n numbers or Series
            The score or scores.

        Returns
        -------
        float, or an ndarray or Series of n float64
            ``(score - low) / (high - low)``; NaN for None and NaN, and for every score if the
            scale is a single point.

        Raises
        ------
        ValueError
            If a score is outside the scale (nothing is clamped), or an end of the scale is open.
        """
        from scorekey.rubric_checks import parts_of_scale

        self.validate()
        return parts_of_scale(self, score)

    def answer_options(self) -> dict[str, dict[str, Any]]:
        """Return the whole scores as answer options of a questionnaire's item.

        Returns
        -------
        dict
            ``{"4": {"text": "4", "weight": 4}, ...}``, one for each whole score, ascending.

        Raises
        ------
        ValueError
            If the scale is open or has bounds that are not whole: use `score_replies` there.
        """
        from scorekey.rubric_forms import whole_scores

        scores = whole_scores(self)
        return {str(score): {"text": str(score), "weight": score} for score in scores}

    def parse_reply(
        self, text: Any, *, score_field: str = "score", markers: str | Iterable[str] = ()
    ) -> ReplyScore:
        """Read the score out of a judge's reply; see `score_replies` for the rules.

        Parameters
        ----------
        text : str, number or None
            The reply.
        score_field : str, default "score"
            The field of JSON replies that holds the score.
        markers : str or iterable of str, optional
            More words that announce a score, such as ``"Note"``.

        Returns
        -------
        ReplyScore
            The score, or None and the reason why there is none.

        Examples
        --------
        >>> import scorekey as sk
        >>> rubric = sk.ScoringRubric.accuracy()
        >>> rubric.parse_reply("Two facts are wrong.\\n\\n**Score:** 3/5")
        ReplyScore(score=3.0, reason=None)
        >>> rubric.parse_reply("Score: 8/10")
        ReplyScore(score=None, reason='other_scale')
        """
        from scorekey.replies import parse_reply

        return parse_reply(self, text, score_field=score_field, markers=markers)

    def to_dict(self) -> dict[str, Any]:
        """Return the rubric in its JSON form, which `from_dict` reads."""
        from scorekey.rubric_forms import to_dict

        return to_dict(self)

    def to_json(self) -> str:
        """Return the rubric as JSON text."""
        from scorekey.rubric_forms import to_json

        return to_json(self)

    def to_json_schema(self) -> dict[str, Any]:
        """Return a JSON schema for a judge's structured output: reasoning, score, confidence.

        The score has a minimum and a maximum where the scale is closed, and is one of the whole
        scores if all bounds are whole and closed.
        """
        from scorekey.rubric_forms import to_json_schema

        return to_json_schema(self)

    @classmethod
    def from_dict(cls, data: Any) -> ScoringRubric:
        """Read a rubric from its JSON form, or from deepeval's or Prometheus' form.

        Parameters
        ----------
        data : mapping, or sequence of mappings
            ``{"name", "description", "levels"}``; levels with ``expected_outcome`` (deepeval),
            alone or under ``"rubric"``; or ``{"criteria", "score1_description", ...}``
            (Prometheus). A rubric without a name is called ``"rubric"``.

        Raises
        ------
        TypeError
            If `data` is nothing of that kind.
        ValueError
            If it has no levels in any of the forms.
        """
        from scorekey.rubric_forms import from_dict

        return cls(*from_dict(data))

    @classmethod
    def from_json(cls, source: str | os.PathLike[str]) -> ScoringRubric:
        """Read a rubric from JSON text, or from the file that a path names.

        Raises
        ------
        OSError
            If the file cannot be opened.
        ValueError
            If it is not JSON, or not a rubric.
        """
        from scorekey.rubric_forms import from_json

        return cls(*from_json(source))

    @classmethod
    def accuracy(cls) -> ScoringRubric:
        """Return the rubric for factual accuracy, from 1 to 5, as Raif (MIT) defines it."""
        from scorekey.builtin_rubrics import ACCURACY

        return cls("accuracy", *ACCURACY)

    @classmethod
    def helpfulness(cls) -> ScoringRubric:
        """Return the rubric for helpfulness, from 1 to 5, as Raif (MIT) defines it."""
        from scorekey.builtin_rubrics import HELPFULNESS

        return cls("helpfulness", *HELPFULNESS)

    @classmethod
    def clarity(cls) -> ScoringRubric:
        """Return the rubric for clarity, from 1 to 5, as Raif (MIT) defines it."""
        from scorekey.builtin_rubrics import CLARITY

        return cls("clarity", *CLARITY)


def _plain(value: Any) -> Any:
    """Return a NumPy number as Python's own, whose text is the number."""
    return value.item() if isinstance(value, (np.number, np.bool_)) else value


def _as_range(value: Any) -> Any:
    if isinstance(value, range):
        if value.step != 1:
            raise ValueError(f"a score_range has step 1, got {value!r}; {_NO_SCORE}")
        return value.start, value.stop - 1
    if isinstance(value, (tuple, list)):
        return tuple(_plain(end) for end in value)
    return value
