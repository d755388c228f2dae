"""Item scores for items that were not answered."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scorekey.aggregation import CellTable
from scorekey.item_rows import ItemRows
from scorekey.scale_items import ScaleItems
from scorekey.threads import get_num_threads

IMPUTATIONS = ("item_mean", "item_median", "midpoint")
"""What `impute` may be, beside None."""


def fill_gaps(
    impute: str,
    rows: ItemRows,
    cells: CellTable,
    admitted: npt.NDArray[np.bool_],
    scales: ScaleItems,
) -> ItemRows:
    """Return the rows with one more for each item of a scale that the respondent has no score for.

    Parameters
    ----------
    impute : {"item_mean", "item_median", "midpoint"}
        What an item that was not answered is worth: the mean or the median of its scores over all
        respondents, or the middle of its range. Where that is not known, the gap stays.
    rows : ItemRows
        The rows.
    cells : CellTable
        The cells of the rows.
    admitted : ndarray of bool
        The cells that are filled.
    scales : ScaleItems
        The items of each scale, and their ranges.

    Returns
    -------
    ItemRows
        Rows of which each belongs to one scale: those of a total are there once more.
    """
    if impute == "midpoint":
        fills = [(low + high) / 2 for low, high in scales.ranges]
    else:
        fills = rows.responses.item_scores(impute == "item_median", get_num_threads()).tolist()
    filled = rows.responses.impute(
        cells.first_rows[admitted],
        cells.scales[admitted],
        scales.members,
        fills,
        rows.n_scales - 1 if rows.total else None,
    )
    return rows.of(filled)._replace(total=False)
