"""Scale scores: one score for each respondent and scale, from item scores or in one go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scorekey import _core
from scorekey.aggregation import Aggregation, CellTable
from scorekey.answers import DIMENSIONS_ATTR, read_answers
from scorekey.columns import frame_column
from scorekey.inputs import read_key, read_names, read_scores
from scorekey.key import key_of
from scorekey.messages import listed, shown, warn
from scorekey.names import infer, names_column, spread
from scorekey.specification import TOTAL_SCALE
from scorekey.values import identifier

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["DEFAULT_GROUPS", "TOTAL_SCALE", "scale_scores", "score_experiment"]

DEFAULT_GROUPS: tuple[str, ...] = ("model_id", "profile_id", "random_seed")
"""Columns that identify a simulated respondent: the model, the persona and the seed."""

_COUNTS = ("n_items", "n_missing")
_RAW_COLUMNS = {
    "Instruction ID": "instruction_item_id",
    "Instruction Question": "instruction_item",
    "Model ID": "model_id",
    "Persona ID": "profile_id",
    "Run Seed": "random_seed",
    "Answer": "answer",
}
"""The columns of an experiment's stored answers, and those of a results file."""


def scale_scores(
    scored: DataFrame,
    *,
    by: str | Sequence[str] = DEFAULT_GROUPS,
    dimension_column: str = "dimension",
    score_column: str = "score",
    agg: str | Callable[[pd.Series[float]], float] = "mean",
    include_total: bool = False,
    dimensions: Sequence[str] | None = None,
) -> DataFrame:
    """Aggregate item scores to one score for each respondent and scale.

    Parameters
    ----------
    scored : DataFrame
        Item scores, as `score_answers` returns them. It is not modified.
    by : str or sequence of str, default ("model_id", "profile_id", "random_seed")
        The columns that identify a respondent. Those that the frame does not have are skipped.
        Rows with a missing value are a respondent of their own, who comes last.
    dimension_column : str, default "dimension"
        Column with the scale of each row; a missing or blank one means "no dimension".
    score_column : str, default "score"
        Column with the item scores.
    agg : str or callable, default "mean"
        What the scores that exist are turned into: mean, sum, min, max, median, std, var, sem,
        prod, first, last, count, size, nunique, skew, quantile (the median), on pandas 3 kurt; or a
        function from a float64 Series to a number. Sums and means are exact for whole scores, else
        compensated (Neumaier 1974). std, var and sem divide by n - 1.
    include_total : bool, default False
        Whether to add the scale ``total`` over all item scores. Without any dimension there is no
        other scale anyway.
    dimensions : sequence of str, optional
        The order of the scales. Default: the questionnaire's, recorded in ``scored.attrs``; scales
        that are not listed follow in the order of their first rows, ``total`` comes last.

    Returns
    -------
    DataFrame
        One row for each respondent and scale that occur together, sorted by the `by` columns and
        then by scale: the `by` columns that exist, the scale's name, its score (float64, or int64
        for counts; NaN for a scale without any score), ``n_items`` (how many scores there are) and
        ``n_missing`` (how many rows have none).

    Raises
    ------
    TypeError
        If `scored` is not a data frame, `by` or `dimensions` is nothing that could be one, or a
        column holds collections.
    ValueError
        If a column is missing, occurs twice or clashes with another one of the result, the scores
        are no numbers, or `agg` does not give one number per scale.

    Warns
    -----
    UserWarning
        If `by` names an unknown column, or if answers of several respondents are merged because
        none of its columns is there.

    Examples
    --------
    >>> import pandas as pd, scorekey as sk
    >>> scored = pd.DataFrame({
    ...     "model_id": ["a", "a", "a", "b"],
    ...     "dimension": ["Extraversion", "Extraversion", "Neuroticism", "Neuroticism"],
    ...     "score": [5.0, 3.0, None, 1.0],
    ... })
    >>> print(sk.scale_scores(scored, by="model_id").to_string(index=False))
    model_id    dimension  score  n_items  n_missing
           a Extraversion    4.0        2          0
           a  Neuroticism    NaN        0          1
           b  Neuroticism    1.0        1          0
    """
    dimension = frame_column(scored, dimension_column, "dimension")
    scores = frame_column(scored, score_column, "score")
    points = read_scores(scores, score_column)
    wanted = _wanted(by, dimension_column, score_column)
    groups = _groups(scored, wanted, "instruction_item_id")
    order = _order(scored, dimensions)
    codes, names = read_names(dimension, dimension_column)
    rank = {name: position for position, name in enumerate(order)}
    named = [name if name != TOTAL_SCALE else "" for name in names]
    present = [named[code] for code, _ in codes.appearances(missing=False)]
    for name in filter(None, present):
        rank.setdefault(name, len(rank))
    scale_of = [rank.get(name, len(rank)) for name in named]
    source = (codes, scale_of, points)
    return _table(
        scored,
        source,
        groups,
        [*rank, TOTAL_SCALE],
        agg,
        total=bool(include_total) and any(present),
        columns=(dimension_column, score_column),
    )


def score_experiment(
    experiment: Any,
    processed: DataFrame | None = None,
    *,
    decision_column: str = "decision",
    item_column: str = "instruction_item_id",
    valid_column: str = "valid",
    only_valid: bool = True,
    by: str | Sequence[str] = DEFAULT_GROUPS,
    agg: str | Callable[[pd.Series[float]], float] = "mean",
    include_total: bool = False,
) -> DataFrame:
    """Score answers and aggregate them in one pass: `score_answers`, then `scale_scores`.

    Parameters
    ----------
    experiment : Questionnaire, ScoringKey, experiment, mapping or path
        See `score_answers`.
    processed : DataFrame, optional
        The answers. Default: those stored in the experiment, whose raw text is then taken as the
        decision; this needs a model that answers with exactly the text of an option. Calls that
        failed have no stored answer and so are not counted in ``n_missing``.
    decision_column, item_column, valid_column : str
        See `score_answers`; they refer to `processed`.
    only_valid : bool, default True
        See `score_answers`.
    by, agg, include_total
        See `scale_scores`.

    Returns
    -------
    DataFrame
        See `scale_scores`.

    Raises
    ------
    TypeError, ValueError
        Those of `score_answers`, then those of `scale_scores`; ValueError too if there are no
        answers.

    Warns
    -----
    UserWarning
        Those of both functions.

    Examples
    --------
    >>> import pandas as pd, scorekey as sk
    >>> questionnaire = {
    ...     "name": "One item",
    ...     "general_instruction": "Answer.",
    ...     "default_answer_options": {"n": {"text": "No"}, "y": {"text": "Yes", "weight": 1}},
    ...     "instruction_items": [{"question": "Sure?"}],
    ... }
    >>> processed = pd.DataFrame(
    ...     {"model_id": ["a", "b"], "instruction_item_id": [0, 0], "decision": ["Yes", "no"]}
    ... )
    >>> print(sk.score_experiment(questionnaire, processed).to_string(index=False))
    model_id dimension  score  n_items  n_missing
           a     total    1.0        1          0
           b     total    0.0        1          0
    """
    key = key_of(experiment)
    if processed is None:
        processed = _stored_answers(experiment)
        decision_column, item_column, valid_column = "decision", "instruction_item_id", "valid"
    ids, answers = read_answers(
        processed, key, decision_column, item_column, valid_column, only_valid
    )
    groups = _groups(processed, _wanted(by, "dimension", "score"), item_column)
    present = {key.labels[item] for item in ids.present(key.n_items)} - {None, TOTAL_SCALE}
    return _table(
        processed,
        answers,
        groups,
        list(key.scale_names),
        agg,
        total=bool(include_total) and bool(present),
        columns=("dimension", "score"),
    )


def _stored_answers(experiment: Any) -> DataFrame:
    get_answers = getattr(experiment, "get_answers_as_dataframe", None)
    if get_answers is None:
        raise ValueError(
            "A questionnaire holds no answers: pass the answers as `processed`, or an experiment "
            "that has been run"
        )
    answers = get_answers()
    if not isinstance(answers, pd.DataFrame):
        raise TypeError(
            f"get_answers_as_dataframe() must return a DataFrame, got {type(answers).__name__}"
        )
    answers = answers.rename(columns=_RAW_COLUMNS)
    raw = frame_column(answers, "answer", "stored answer")
    return answers.assign(decision=raw)


def _wanted(by: Any, dimension_column: Any, score_column: Any) -> list[Any]:
    """Return the names in `by`, each once."""
    if isinstance(by, (bytes, bytearray)) or not isinstance(by, (str, Iterable)):
        raise TypeError(f"by must be the name of a column or a sequence of names, not {shown(by)}")
    try:
        wanted = list(dict.fromkeys([by] if isinstance(by, str) else by))
    except TypeError:
        raise TypeError(
            f"by must hold the names of columns, not collections: {shown(by)}"
        ) from None
    clashes = {"score_column": score_column, "dimension_column": dimension_column}
    for argument, name in [*clashes.items(), *(("by", name) for name in wanted)]:
        if isinstance(name, str) and name in _COUNTS:
            raise ValueError(
                f"{argument} names the column {name!r}, which the result has for its own counts; "
                "rename the column"
            )
    if dimension_column == score_column:
        raise ValueError(
            f"dimension_column and score_column both name {shown(score_column)}; they must differ"
        )
    if dimension_column in wanted or score_column in wanted:
        raise ValueError("by must not contain the dimension column or the score column")
    return wanted


def _groups(frame: DataFrame, wanted: list[Any], item_column: Any) -> list[Any]:
    """Return the group columns that the frame has, and warn of what would merge respondents."""
    found = [name for name in wanted if name in frame.columns]
    unknown = [name for name in wanted if name not in frame.columns and name not in DEFAULT_GROUPS]
    if unknown:
        warn(f"scale_scores ignores the unknown group column(s) [{listed(unknown)}]")
    elif wanted and not found:
        levels = [name for name in wanted if name in frame.index.names]
        if levels:
            warn(
                f"by names {listed(levels)}, which is a level of the index and not a column, so "
                "the answers of all respondents are merged; use reset_index()"
            )
        elif _repeats(frame, item_column):
            warn(
                f"none of the columns {listed(wanted)} is in the frame, but items occur more than "
                "once, so the answers of several respondents are merged; name the columns that "
                "identify a respondent in by"
            )
    return found


def _repeats(frame: DataFrame, item_column: Any) -> bool:
    if item_column not in frame.columns:
        return False
    ids = frame_column(frame, item_column, "item id")
    try:
        return bool(ids.duplicated().any())
    except TypeError:  # collections, which scale_scores does not read
        return False


def _order(frame: DataFrame, dimensions: Any) -> list[str]:
    """Return the names of the scales that have a place, without the total."""
    if dimensions is None:
        recorded = frame.attrs.get(DIMENSIONS_ATTR, ())
        if not isinstance(recorded, (list, tuple)):
            raise TypeError(
                f"attrs[{DIMENSIONS_ATTR!r}] must be a list of the names of scales, not "
                f"{shown(recorded)}"
            )
        dimensions = recorded
    elif isinstance(dimensions, (str, bytes)) or not isinstance(dimensions, Iterable):
        raise TypeError(
            f"dimensions must be a sequence of the names of scales, not {shown(dimensions)}"
        )
    names = dict.fromkeys(identifier(name) for name in dimensions)
    return [name for name in names if name not in ("", TOTAL_SCALE)]


def _table(
    frame: DataFrame,
    source: Any,
    groups: list[Any],
    names: list[str],
    agg: Any,
    *,
    total: bool,
    columns: tuple[Any, Any],
) -> DataFrame:
    """Aggregate the rows of the source by the group columns of the frame."""
    keys = [frame_column(frame, name, "group") for name in groups]
    encoded = [read_key(key, name) for key, name in zip(keys, groups, strict=True)]
    cells = Aggregation(agg).over(source, encoded, len(names), total=total)
    dimension_column, score_column = columns
    data = [
        *(_respondents(key, codes, cells) for key, (codes, _) in zip(keys, encoded, strict=True)),
        names_column(names, cells.scales),
        cells.scores,
        cells.n_items,
        cells.n_missing,
    ]
    result = pd.DataFrame(dict(enumerate(data)), copy=False)
    result.columns = pd.Index(
        [*groups, dimension_column, score_column, *_COUNTS], tupleize_cols=False
    )
    return result


def _respondents(key: pd.Series[Any], codes: _core.Codes, cells: CellTable) -> Any:
    """Return the key's value of each cell, in the key's type; objects in the type pandas infers."""
    is_string = isinstance(key.dtype, pd.StringDtype)
    if (is_string or key.dtype == object) and codes.has_only_texts:
        distinct = np.array([None, *codes.values()], dtype=object)
        dtype: Any = key.dtype
        values = pd.array(distinct, dtype=dtype) if is_string else infer(distinct)
        return spread(values, codes.take(cells.first_rows))
    if key.dtype != object:
        return key.array.take(cells.first_rows)
    # A respondent's cells follow each other, so each respondent is looked at once.
    starts = np.flatnonzero(np.diff(cells.first_rows, prepend=-1))
    values = key.to_numpy()[cells.first_rows[starts]]
    values[pd.isna(values)] = np.nan
    return infer(values).repeat(np.diff(starts, append=len(cells.first_rows)))
