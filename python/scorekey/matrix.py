"""The item matrix: respondents by items, as programs for psychometric analyses read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey import _core
from scorekey.answers import item_ids_column
from scorekey.arguments import check_column_names
from scorekey.columns import cell, checked_frame, frame_column
from scorekey.completion import refuse_repetitions
from scorekey.grouping import DEFAULT_GROUPS, find_groups, group_names
from scorekey.imputation import IMPUTATIONS
from scorekey.inputs import read_items, read_key, read_scores
from scorekey.item_record import ITEMS_ATTR
from scorekey.key import key_of
from scorekey.messages import listed, shown, warn
from scorekey.scale_items import ItemRecord, read_record
from scorekey.scale_table import respondents
from scorekey.threads import get_num_threads

__all__ = ["item_matrix"]

_VALUES = ("score", "raw")
_DUPLICATES = ("error", "first", "last", "unique")


def item_matrix(
    scored: pd.DataFrame,
    *,
    by: str | Sequence[str] = DEFAULT_GROUPS,
    values: str = "score",
    item_column: str = "instruction_item_id",
    score_column: str = "score",
    duplicates: str = "error",
    impute: str | None = None,
    questionnaire: Any = None,
) -> pd.DataFrame:
    """Put item scores into a table of respondents by items.

    Parameters
    ----------
    scored : DataFrame of item scores
        As `score_answers` returns it. It is not modified.
    by : str or sequence of str, default ("model_id", "profile_id", "random_seed")
        The columns that identify a respondent, as far as the frame has them; see `scale_scores`.
    values : {"score", "raw"}, default "score"
        The item scores, or what they were before reverse-keyed items were flipped: low + high -
        score, with the range of the item.
    item_column, score_column : str, default "instruction_item_id" and "score"
        Columns with the position of the item in the questionnaire, and with the item scores.
    duplicates : {"error", "first", "last", "unique"}, default "error"
        What to take if a respondent has several rows for an item, of which one without a score is
        an answer like any other: the first or the last one; or the score that all have in common,
        and none if they differ, which is warned of.
    impute : {None, "item_mean", "item_median", "midpoint"}, default None
        What to put in the place of scores that are missing: the mean or the median of the item over
        all respondents, or the middle of its range.
    questionnaire : Questionnaire, ScoringKey, experiment, mapping or path, optional
        The questionnaire; needed where `scored` has lost its ``attrs``.

    Returns
    -------
    DataFrame of float64, respondents by items
        A column for each item in the order of the questionnaire, also for those that nobody
        answered; its label is the item's position, as a number or as text, whichever the item
        column holds. The respondents are the index, sorted; with several `by` columns a MultiIndex,
        without any one row.

    Raises
    ------
    TypeError, ValueError
        See `scale_scores`. ValueError too if a respondent has several answers to an item, an item
        id is not the position of an item, an option is unknown, or it is not known which items
        there are.

    Warns
    -----
    UserWarning
        As `scale_scores` does; and if rows for one item differ with ``duplicates="unique"``.

    Notes
    -----
    All columns are items, as pingouin and factor_analyzer expect it. A Feather file has no index,
    and texts as names: ``matrix.rename(columns="q{}".format).reset_index()`` can be saved as one.

    Examples
    --------
    >>> import pandas as pd, scorekey as sk
    >>> options = {str(i): {"text": str(i), "weight": i} for i in range(1, 6)}
    >>> questionnaire = {
    ...     "name": "Two items",
    ...     "general_instruction": "From 1 to 5?",
    ...     "default_answer_options": options,
    ...     "instruction_items": [{"question": "I talk."}, {"question": "Shy?", "reversed": True}],
    ... }
    >>> answers = pd.DataFrame({
    ...     "person": ["Ben", "Ann", "Ann"],
    ...     "instruction_item_id": [1, 0, 1],
    ...     "decision": [2, 5, 1],
    ... })
    >>> scored = sk.score_answers(answers, questionnaire)
    >>> matrix = sk.item_matrix(scored, by="person")
    >>> print(matrix.reset_index().to_string(index=False))
    person   0   1
       Ann 5.0 5.0
       Ben NaN 4.0
    >>> sk.item_matrix(scored, by="person", values="raw")[1].tolist()
    [1.0, 2.0]
    """
    if values not in _VALUES:
        raise ValueError(f"values must be 'score' or 'raw', not {shown(values)}")
    wanted = group_names(by, "dimension", score_column)
    matrix = read_matrix(
        scored,
        wanted,
        item_column=item_column,
        score_column=score_column,
        duplicates=duplicates,
        impute=impute,
        questionnaire=questionnaire,
        function="item_matrix",
    )
    if values == "raw":
        record = matrix.record
        for column, bounds, flipped in zip(
            matrix.cells.T, record.ranges, record.reverse, strict=True
        ):
            if flipped:
                np.subtract(sum(bounds), column, out=column)
    return pd.DataFrame(matrix.cells, index=matrix.respondents, columns=matrix.labels, copy=False)


class Matrix(NamedTuple):
    """Item scores of respondents by items.

    Attributes
    ----------
    cells : ndarray of float64, shape (n, k)
        The scores, one column after the other in memory; NaN where there is none.
    respondents : Index
        The respondents.
    labels : Index
        The items' ids.
    record : ItemRecord
        What is known of the items.
    """

    cells: npt.NDArray[np.float64]
    respondents: pd.Index[Any]
    labels: pd.Index[Any]
    record: ItemRecord


def read_matrix(
    scored: Any,
    wanted: list[Any],
    *,
    item_column: Any,
    score_column: Any,
    duplicates: Any,
    impute: Any,
    questionnaire: Any,
    function: str,
) -> Matrix:
    """Read the item matrix out of a frame of item scores; see `item_matrix`."""
    frame = checked_frame(scored)
    check_column_names(item_column=item_column, score_column=score_column)
    for argument, choice, choices in (
        ("duplicates", duplicates, _DUPLICATES),
        ("impute", impute, (None, *IMPUTATIONS)),
    ):
        if choice not in choices:
            raise ValueError(f"{argument} must be one of {listed(choices)}, not {shown(choice)}")
    record = read_record(
        scored.attrs.get(ITEMS_ATTR) if questionnaire is None else key_of(questionnaire).item_record
    )
    n_items = len(record.labels)
    ids = item_ids_column(frame, record.labels, item_column, scored.attrs.get("rubric"))
    points = read_scores(frame_column(frame, score_column, "score"), score_column)
    groups = find_groups(frame, wanted, item_column, function)
    positions = read_items(ids, n_items, item_column)
    keys = [frame_column(frame, name, "group") for name in groups]
    encoded = [read_key(key, name) for key, name in zip(keys, groups, strict=True)]
    choice = "first" if duplicates == "error" else duplicates
    first_rows, flat, (repeats, differing) = _core.item_matrix(
        positions, points, encoded, n_items, choice, get_num_threads()
    )
    if repeats and duplicates == "error":
        source = positions.codes(), [0] * n_items, points
        responses = _core.Responses(source, encoded, positions.codes(), n_items)
        refuse_repetitions(responses, list(zip(groups, keys, encoded, strict=True)), ids)
    del positions  # as many bytes as there are rows, at the peak of what is in memory
    if differing:
        warn(
            f"{differing} item(s) of respondents have several answers with different scores, and "
            "so have none in the matrix"
        )
    cells = flat.reshape(n_items, len(first_rows)).T
    _fill_gaps(cells, record, impute)
    columns = [
        respondents(key, codes, first_rows) for key, (codes, _) in zip(keys, encoded, strict=True)
    ]
    numbered: Any = range(n_items)
    if len(ids) and isinstance(cell(ids, 0), str):
        numbered = [str(position) for position in numbered]
    return Matrix(cells, _index(columns, groups, len(first_rows)), pd.Index(numbered), record)


def _fill_gaps(cells: npt.NDArray[np.float64], record: ItemRecord, impute: str | None) -> None:
    """Put a score in the place of missing ones, where the item has an answer or a range."""
    if impute is None:
        return
    for column, bounds in zip(cells.T, record.ranges, strict=True):
        gaps = np.isnan(column)
        known = column[~gaps]
        if impute == "midpoint":
            column[gaps] = sum(bounds) / 2
        elif len(known):
            column[gaps] = known.mean() if impute == "item_mean" else np.median(known)


def _index(columns: list[Any], groups: list[Any], n_rows: int) -> pd.Index[Any]:
    if not groups:
        return pd.RangeIndex(n_rows)
    if len(groups) == 1:
        return pd.Index(columns[0], name=groups[0])  # type: ignore[no-any-return]
    return pd.MultiIndex.from_arrays(columns, names=groups)
