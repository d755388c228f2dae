"""The scores of a wide file in the three forms that they can be had in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey import _core
from scorekey.aggregation import CellTable
from scorekey.answers import note_key
from scorekey.arguments import read_column_names
from scorekey.columns import frame_column, index_levels
from scorekey.grouping import COUNTS
from scorekey.key import ScoringKey
from scorekey.messages import listed
from scorekey.names import spread
from scorekey.threads import get_num_threads

_RESPONDENT = "respondent"
_ITEM_ID = "instruction_item_id"


def scale_columns(frame: pd.DataFrame, names: list[str], cells: CellTable) -> pd.DataFrame:
    """Return the frame with a column for each scale; it is changed.

    Raises
    ------
    ValueError
        If the frame has a column of one of these names.
    """
    levels = frame.columns.nlevels
    labels = [name if levels == 1 else (name, *[""] * (levels - 1)) for name in names]
    there = [name for name, label in zip(names, labels, strict=True) if label in frame.columns]
    if there:
        raise ValueError(
            f"the frame has the column(s) {listed(there)} already: set the scales apart from them "
            "with result_prefix"
        )
    # The core sorts its cells by respondent and scale, and every respondent has every scale.
    scores = cells.scores.reshape(len(frame), len(names))
    for place, label in enumerate(labels):
        frame.insert(frame.shape[1], label, scores[:, place].copy())
    return frame


def scale_rows(
    rows: pd.DataFrame,
    by: Any,
    key: ScoringKey,
    cells: CellTable,
    counts: Mapping[str, npt.NDArray[np.int64]],
) -> pd.DataFrame:
    """Return a row for each respondent and scale, as `scale_scores` does."""
    values = {
        "dimension": spread(key._scale_texts, cells.scales),
        "score": cells.scores,
        **dict(zip(COUNTS, (cells.n_items, cells.n_missing), strict=True)),
        **counts,
    }
    times = len(cells.scores) // max(len(rows), 1)
    return _joined(_respondents(rows, by, times, values), values)


def item_rows(
    rows: pd.DataFrame, by: Any, places: Mapping[int, int], scored: _core.Answers, key: ScoringKey
) -> pd.DataFrame:
    """Return a row for each respondent and item, as `score_answers` does."""
    items = np.array(list(places), dtype="int64")
    positions = np.tile(items, len(rows))
    values = {
        _ITEM_ID: positions,
        "score": scored.scores(get_num_threads()),
        "dimension": spread(key._item_texts, positions.astype("uint32")),
    }
    result = _joined(_respondents(rows, by, len(items), values), values)
    note_key(result, key)
    return result


def _respondents(
    rows: pd.DataFrame, by: Any, times: int, values: Mapping[str, Any]
) -> list[tuple[Any, Any]]:
    """Return the columns that identify respondents, each of whom has a number of rows."""
    if by is None:
        levels = index_levels(rows.index)
        plain = [_RESPONDENT, *(f"{_RESPONDENT}_{number}" for number in range(2, len(levels) + 1))]
        named: list[tuple[Any, Any]] = [
            (name if level.name is None else level.name, level)
            for name, level in zip(plain, levels, strict=True)
        ]
    else:
        names = read_column_names(by, "by")
        named = [(name, frame_column(rows, name, "group")) for name in names]
    clashes = [name for name, _ in named if name in values]
    if clashes:
        raise ValueError(
            f"by names {listed(clashes)}, which the result has for its own columns; rename the "
            "column"
        )
    places = np.repeat(np.arange(len(rows)), times)
    return [(name, column.take(places)) for name, column in named]


def _joined(respondents: list[tuple[Any, Any]], values: Mapping[str, Any]) -> pd.DataFrame:
    names, columns = [name for name, _ in respondents], [column.array for _, column in respondents]
    result = pd.DataFrame(dict(enumerate([*columns, *values.values()])), copy=False)
    result.columns = pd.Index([*names, *values], tupleize_cols=False)
    return result
