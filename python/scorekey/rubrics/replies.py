"""Judges' replies turned into scores: one reply, or a column of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from scorekey import _core
from scorekey.columns import arrow_chunks, as_column
from scorekey.messages import shown
from scorekey.rubrics.checks import closed
from scorekey.rubrics.reply_table import REASONS, Rows, reply_frame
from scorekey.rubrics.rubric import ScoringRubric
from scorekey.threads import get_num_threads
from scorekey.values import decision_text, is_missing

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["REASONS", "ReplyScore", "score_replies"]


class ReplyScore(NamedTuple):
    """What a reply says.

    Attributes
    ----------
    score : float or None
        The score; None if there is none.
    reason : str or None
        Why there is none, one of `REASONS`; None if there is one.

    Examples
    --------
    >>> import scorekey as sk
    >>> score, reason = sk.ScoringRubric.accuracy().parse_reply("Score: 3 or 4")
    >>> score, reason
    (None, 'several')
    """

    score: float | None
    reason: str | None


def score_replies(
    replies: Any,
    rubric: ScoringRubric | Mapping[str, ScoringRubric],
    *,
    score_field: str = "score",
    markers: str | Iterable[str] = (),
) -> DataFrame:
    """Read the scores out of judges' replies.

    A score is read where the reply marks it as such; no score is given where it does not, or where
    it can be read in two ways. In this order: JSON objects with the field, ``[RESULT] n``,
    ``[[n]]`` and labels that begin a line (score, rating, grade, also after "final" or "overall" or
    the rubric's name), of which the last one decides; the same labels inside a line; a line that
    is a level's prompt line or description; ``n/top``; a reply that is a number alone. Closed
    blocks of thinking are dropped. Nothing is clamped.

    Parameters
    ----------
    replies : Series, Index, array-like or Arrow array of n replies
        The replies. A number stands for itself; None, NaN and blank texts are missing.
    rubric : ScoringRubric or mapping of str to ScoringRubric
        What was scored. A mapping is for replies that hold several scores, each with the name that
        is its key.
    score_field : str, default "score"
        The field of JSON replies that holds the score; it is a label, too.
    markers : str or iterable of str, optional
        More labels, such as ``"Note"`` or ``"评分"``.

    Returns
    -------
    DataFrame of n rows
        With the index of `replies` and the columns ``score`` (float64), ``normalized`` (float64,
        0 to 1; NaN where the scale is open), ``level`` (an ordered category, the level's score or
        range as in the prompt), ``reason`` (a category: why there is no score) and ``decision``
        (the answer option: the score's text, ``"inconclusive"`` for several scores, else ``"not
        present"``), which `score_answers` takes. ``attrs`` has ``rubric`` (its name),
        ``scale_low`` and ``scale_high``. Given a mapping, the columns have two levels, the key of
        the rubric and these, and each value in ``attrs`` is a mapping.

    Raises
    ------
    TypeError
        If `replies` is a single text or no column, a cell is a collection, or `rubric` is none.
    ValueError
        If a rubric is not valid (see `ScoringRubric.validate`), or a label has no letters.

    Examples
    --------
    >>> import scorekey as sk
    >>> scored = sk.score_replies(
    ...     ["Score: 4", '{"score": 2, "reasoning": "..."}', "Score: 3 or 4", "I cannot say."],
    ...     sk.ScoringRubric.accuracy(),
    ... )
    >>> print(scored.to_string())
       score  normalized level   reason      decision
    0    4.0        0.75     4      NaN             4
    1    2.0        0.25     2      NaN             2
    2    NaN         NaN   NaN  several  inconclusive
    3    NaN         NaN   NaN     none   not present
    """
    column = _reply_column(replies)
    index = replies.index if isinstance(replies, pd.Series) else None
    if isinstance(rubric, ScoringRubric):
        reader = _reader(rubric, _names(rubric.name), None, score_field, _labels(markers))
        frame = reply_frame(rubric, _read(column, reader, _name_of(replies)), index)
        low, high = rubric.scale or (None, None)
        frame.attrs.update(rubric=rubric.name, scale_low=low, scale_high=high)
        return frame
    rubrics = _checked_rubrics(rubric)
    frames = {}
    for name, one in rubrics.items():
        others = tuple(other for other in rubrics if other != name)
        names = [name, *(own for own in _names(one.name) if own not in others)]
        reader = _reader(one, tuple(names), others, score_field, _labels(markers))
        frames[name] = reply_frame(one, _read(column, reader, _name_of(replies)), index)
    frame = pd.concat(frames, axis=1)
    scales = {name: one.scale or (None, None) for name, one in rubrics.items()}
    frame.attrs.update(
        rubric={name: one.name for name, one in rubrics.items()},
        scale_low={name: low for name, (low, _) in scales.items()},
        scale_high={name: high for name, (_, high) in scales.items()},
    )
    return frame


def parse_reply(
    rubric: ScoringRubric, text: Any, *, score_field: str, markers: str | Iterable[str]
) -> ReplyScore:
    """Read the score out of one reply."""
    reader = _reader(rubric, _names(rubric.name), None, score_field, _labels(markers))
    scores, reasons, _ = _read_list([text], reader, "reply")
    if reasons[0]:
        return ReplyScore(None, REASONS[reasons[0] - 1])
    return ReplyScore(float(scores[0]), None)


def _checked_rubrics(rubric: Any) -> dict[str, ScoringRubric]:
    if not isinstance(rubric, Mapping) or not rubric:
        raise TypeError(f"rubric must be a ScoringRubric or a mapping of them, got {shown(rubric)}")
    for name, one in rubric.items():
        if not isinstance(name, str) or not isinstance(one, ScoringRubric):
            raise TypeError(
                "several rubrics are a mapping of their names to ScoringRubrics, got "
                f"{shown(name)}: {shown(one)}"
            )
    return dict(rubric)


def _names(name: Any) -> tuple[str, ...]:
    return () if name is None else (str(name),)


def _labels(markers: str | Iterable[str]) -> tuple[str, ...]:
    """Return the markers in the cases in which a reply may write them."""
    given = (markers,) if isinstance(markers, str) else tuple(markers)
    for marker in given:
        if not isinstance(marker, str):
            raise TypeError(f"a marker is a text, got {shown(marker)}")
        if not any(character.isalnum() for character in marker):
            raise ValueError(f"a marker has letters, got {shown(marker)}")
    cases = ((m, m.lower(), m.upper(), m.capitalize(), m.title()) for m in given)
    return tuple(dict.fromkeys(case for forms in cases for case in forms))


@lru_cache(maxsize=64)
def _reader(
    rubric: ScoringRubric,
    names: tuple[str, ...],
    others: tuple[str, ...] | None,
    score_field: str,
    markers: tuple[str, ...],
) -> _core.ReplyReader:
    rubric.validate()
    if not isinstance(score_field, str):
        raise TypeError(f"score_field is the name of a field, got {shown(score_field)}")
    if not any(character.isalnum() for character in score_field):
        raise ValueError(f"score_field has letters, got {shown(score_field)}")
    levels = [
        (*closed(level.bounds), f"{level.label}: {level.description}", str(level.description))
        for level in rubric.levels
        if level.bounds is not None
    ]
    return _core.ReplyReader(levels, names, others, score_field, markers)


def _reply_column(replies: Any) -> Any:
    if isinstance(replies, (str, bytes, Mapping, pd.DataFrame)) or np.ndim(replies) != 1:
        raise TypeError(
            f"replies must be a column, such as a Series or a list, got {type(replies).__name__}; "
            "use ScoringRubric.parse_reply for a single reply"
        )
    return as_column(replies, "replies")


def _name_of(replies: Any) -> str:
    name = getattr(replies, "name", None)
    return "the replies" if name is None else f"column {shown(name)}"


def _read(column: Any, reader: _core.ReplyReader, name: str) -> Rows:
    """Return scores, the numbers of the reasons and the positions of the levels."""
    array: Any = column.array if isinstance(column, (pd.Series, pd.Index)) else column
    if isinstance(array.dtype, pd.CategoricalDtype):
        values = _read(array.categories, reader, name)
        codes = np.asarray(array.codes)
        # A missing cell has the code -1, which takes what is put behind the categories.
        scores, reasons, levels = values
        return (
            np.append(scores, np.nan)[codes],
            np.append(reasons, np.uint8(1))[codes],
            np.append(levels, np.int32(-1))[codes],
        )
    chunks = arrow_chunks(array)
    if chunks is not None:
        return reader.read_texts(chunks, get_num_threads())
    return _read_list(list(array.astype(object)), reader, name)


def _read_list(cells: list[Any], reader: _core.ReplyReader, name: str) -> Rows:
    rows, others = reader.read_cells(cells, get_num_threads())
    scores, reasons, levels = rows
    for row in others:
        cell = cells[row]
        if is_missing(cell):
            reasons[row] = 1
            continue
        try:
            hash(cell)
        except TypeError:
            raise TypeError(
                f"{name} must hold single values, texts or numbers, not collections; row {row} "
                f"holds {shown(cell)}"
            ) from None
        number = _number(cell)
        text = decision_text(cell) if number is None else number
        replaced, _ = reader.read_cells(["?" if text is None else text], 1)
        scores[row], reasons[row], levels[row] = (part[0] for part in replaced)
        if text is None:
            reasons[row] = REASONS.index("not_a_number") + 1
    return scores, reasons, levels


def _number(cell: Any) -> float | None:
    """Return an unusual number, such as NumPy's or a very large one, as a float."""
    if isinstance(cell, (bool, np.bool_, np.timedelta64)):
        return None
    if not isinstance(cell, (int, float, np.integer, np.floating)):
        return None
    try:
        return float(cell)
    except OverflowError:
        return float("inf")
