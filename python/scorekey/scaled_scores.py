"""Aggregates that depend on how many items a scale has, and on what these can be worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from scorekey.aggregation import CellTable
from scorekey.item_rows import ItemRows
from scorekey.scale_items import ScaleItems


def scaled_scores(agg: str, rows: ItemRows, scales: ScaleItems) -> CellTable:
    """Return the cells of rows with a prorated sum or a percent of maximum possible.

    Parameters
    ----------
    agg : {"prorated_sum", "pomp", "pomp_items"}
        Which of them.
    rows : ItemRows
        The rows.
    scales : ScaleItems
        The items of each scale, and their ranges.

    Notes
    -----
    With n scores s that exist, of items that can be worth low to high:

    * prorated_sum: sum(s) * k / n, k being the number of items of the scale;
    * pomp: 100 * sum(s - low) / sum(high - low), the means of both without their common divisor;
    * pomp_items: mean(100 * (s - low) / (high - low)).

    The latter two (Cohen, Cohen, Aiken and West 1999) are NaN where a denominator is 0.
    """
    cells = rows.aggregate("sum")
    if agg == "prorated_sum":
        k = scales.sizes[cells.scales]
        return cells._replace(scores=cells.scores * k / np.maximum(cells.n_items, 1))
    if agg == "pomp_items":
        percent = _measured("percent", rows, scales).aggregate("mean")
        scores, known = percent.scores, percent.n_items
    else:
        width = _measured("width", rows, scales).aggregate("sum")
        above = _measured("above", rows, scales).aggregate("sum").scores
        with np.errstate(divide="ignore", invalid="ignore"):
            scores, known = 100 * above / width.scores, width.n_items
        scores[width.scores == 0] = np.nan
    # An item whose percentage is not known leaves that of the scale unknown.
    scores[known < cells.n_items] = np.nan
    return cells._replace(scores=scores)


def _measured(measure: Any, rows: ItemRows, scales: ScaleItems) -> ItemRows:
    return rows.of(rows.responses.measured(measure, scales.ranges))
