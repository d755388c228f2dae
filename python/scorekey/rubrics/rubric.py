"""Rubrics: what a judge is asked to score, and which scores there are.

The interface is that of Raif's ``ScoringRubric`` (MIT), brought to Python.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from scorekey.messages import shown
from scorekey.rubrics.levels import NO_SCORE, Number, Scale, ScoringLevel

if TYPE_CHECKING:
    from scorekey.rubrics.replies import ReplyScore

__all__ = ["Scale", "ScoringLevel", "ScoringRubric"]

_STRIPPED = "\0\t\n\v\f\r "


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
        first = islice(self.levels, 12)
        labels = ", ".join(shown(x.score_range if x.score is None else x.score) for x in first)
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

        Examples
        --------
        >>> import scorekey as sk
        >>> print(sk.ScoringRubric.clarity().to_prompt().splitlines()[3])
        - 5: Crystal clear and easy to understand
        """
        lines = [f"{self.description}\n\nScoring levels:"]
        for position, level in enumerate(self.levels):
            try:
                lines.append(f"- {level.label}: {level.description}")
            except ValueError:
                raise ValueError(
                    f"{NO_SCORE}; level {position}, {shown(level)}, has neither"
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

        Examples
        --------
        >>> import scorekey as sk
        >>> levels = [
        ...     {"score_range": (1, 3), "description": "Low"},
        ...     {"score": 3, "description": "High"},
        ... ]
        >>> try:
        ...     sk.ScoringRubric("tone", "Evaluates the tone", levels).validate()
        ... except ValueError as error:
        ...     print("overlap" in str(error))
        True
        """
        from scorekey.rubrics.checks import problems

        found = problems(self)
        if found:
            raise ValueError(f"The rubric {shown(self.name)} cannot be used: {'; '.join(found)}")

    def passes(self, score: Any, min_passing_score: Number) -> bool:
        """Return whether a score is at least the passing score.

        Parameters
        ----------
        score : number or None
            The score; None and NaN do not pass.
        min_passing_score : int or float
            The lowest score that passes.

        Returns
        -------
        bool

        Raises
        ------
        TypeError
            If either is no number, or there are several scores.
        ValueError
            If either lies where no level can be, so that the comparison says nothing.

        Examples
        --------
        >>> import scorekey as sk
        >>> rubric = sk.ScoringRubric.accuracy()
        >>> rubric.passes(4, 3.5), rubric.passes(None, 3.5)
        (True, False)
        """
        from scorekey.rubrics.checks import checked_scores

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

        Examples
        --------
        >>> import scorekey as sk
        >>> sk.ScoringRubric.accuracy().level_for(5).label
        '5'
        >>> sk.ScoringRubric.accuracy().level_for(4.5) is None
        True
        """
        from scorekey.rubrics.checks import levels_of

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

        Examples
        --------
        >>> import scorekey as sk
        >>> sk.ScoringRubric.accuracy().normalize([1, 4, 5]).tolist()
        [0.0, 0.75, 1.0]
        """
        from scorekey.rubrics.checks import parts_of_scale

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

        Examples
        --------
        >>> import scorekey as sk
        >>> options = sk.ScoringRubric.accuracy().answer_options()
        >>> list(options), options["4"]
        (['1', '2', '3', '4', '5'], {'text': '4', 'weight': 4})
        """
        from scorekey.rubrics.forms import whole_scores

        scores = whole_scores(self)
        return {str(score): {"text": str(score), "weight": score} for score in scores}

    def parse_reply(
        self, text: Any, *, score_field: str = "score", markers: str | Iterable[str] = ()
    ) -> ReplyScore:
        r"""Read the score out of a judge's reply; see `score_replies` for the rules.

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
        >>> rubric.parse_reply("Two facts are wrong.\n\n**Score:** 3/5")
        ReplyScore(score=3.0, reason=None)
        >>> rubric.parse_reply("Score: 8/10")
        ReplyScore(score=None, reason='other_scale')
        """
        from scorekey.rubrics.replies import parse_reply

        return parse_reply(self, text, score_field=score_field, markers=markers)

    def to_dict(self) -> dict[str, Any]:
        """Return the rubric in its JSON form, which `from_dict` reads.

        Returns
        -------
        dict
            ``{"name": ..., "description": ..., "levels": [...]}``.

        Examples
        --------
        >>> import scorekey as sk
        >>> form = sk.ScoringRubric("tone", "Tone", [sk.ScoringLevel(1, None, "Fine")]).to_dict()
        >>> form["name"], form["levels"][0]["score"]
        ('tone', 1)
        """
        from scorekey.rubrics.forms import to_dict

        return to_dict(self)

    def to_json(self) -> str:
        """Return the rubric as JSON text, which `from_json` reads.

        Returns
        -------
        str

        Examples
        --------
        >>> import scorekey as sk
        >>> rubric = sk.ScoringRubric.accuracy()
        >>> sk.ScoringRubric.from_json(rubric.to_json()) == rubric
        True
        """
        from scorekey.rubrics.forms import to_json

        return to_json(self)

    def to_json_schema(self) -> dict[str, Any]:
        """Return a JSON schema for a judge's structured output: reasoning, score, confidence.

        Returns
        -------
        dict
            The score has a minimum and a maximum where the scale is closed, and is one of the whole
            scores if all bounds are whole and closed.

        Raises
        ------
        ValueError
            If the rubric is not valid (see `validate`).

        Examples
        --------
        >>> import scorekey as sk
        >>> schema = sk.ScoringRubric.accuracy().to_json_schema()
        >>> schema["properties"]["score"]["enum"]
        [1, 2, 3, 4, 5]
        """
        from scorekey.rubrics.forms import to_json_schema

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

        Returns
        -------
        ScoringRubric

        Raises
        ------
        TypeError
            If `data` is nothing of that kind.
        ValueError
            If it has no levels in any of the forms.

        Examples
        --------
        >>> import scorekey as sk
        >>> sk.ScoringRubric.from_dict({
        ...     "name": "tone",
        ...     "description": "Evaluates the tone",
        ...     "levels": [
        ...         {"score": 1, "description": "Warm"},
        ...         {"score": 0, "description": "Cold"},
        ...     ],
        ... })
        <ScoringRubric 'tone': levels 1, 0>
        >>> sk.ScoringRubric.from_dict({
        ...     "criteria": "Is it true?", "score1_description": "No", "score2_description": "Yes",
        ... }).scale
        Scale(low=1, high=2)
        """
        from scorekey.rubrics.forms import from_dict

        return cls(*from_dict(data))

    @classmethod
    def from_json(cls, source: str | os.PathLike[str]) -> ScoringRubric:
        """Read a rubric from JSON text, or from the file that a path names.

        Parameters
        ----------
        source : str or path-like
            Text that begins with a brace or a bracket is JSON, in a form that `from_dict` reads;
            any other is the path of a file in UTF-8.

        Returns
        -------
        ScoringRubric

        Raises
        ------
        OSError
            If the file cannot be opened.
        ValueError
            If it is not JSON, or not a rubric.

        Examples
        --------
        >>> import scorekey as sk
        >>> sk.ScoringRubric.from_json(
        ...     '{"name": "tone", "levels": [{"score": 1, "description": "Warm"}]}'
        ... )
        <ScoringRubric 'tone': levels 1>
        """
        from scorekey.rubrics.forms import from_json

        return cls(*from_json(source))

    @classmethod
    def accuracy(cls) -> ScoringRubric:
        """Return the rubric for factual accuracy, from 1 to 5, as Raif (MIT) defines it.

        Examples
        --------
        >>> import scorekey as sk
        >>> sk.ScoringRubric.accuracy()
        <ScoringRubric 'accuracy': levels 5, 4, 3, 2, 1>
        """
        from scorekey.rubrics.builtin import ACCURACY

        return cls("accuracy", *ACCURACY)

    @classmethod
    def helpfulness(cls) -> ScoringRubric:
        """Return the rubric for helpfulness, from 1 to 5, as Raif (MIT) defines it.

        Examples
        --------
        >>> import scorekey as sk
        >>> sk.ScoringRubric.helpfulness()
        <ScoringRubric 'helpfulness': levels 5, 4, 3, 2, 1>
        """
        from scorekey.rubrics.builtin import HELPFULNESS

        return cls("helpfulness", *HELPFULNESS)

    @classmethod
    def clarity(cls) -> ScoringRubric:
        """Return the rubric for clarity, from 1 to 5, as Raif (MIT) defines it.

        Examples
        --------
        >>> import scorekey as sk
        >>> sk.ScoringRubric.clarity()
        <ScoringRubric 'clarity': levels 5, 4, 3, 2, 1>
        """
        from scorekey.rubrics.builtin import CLARITY

        return cls("clarity", *CLARITY)
