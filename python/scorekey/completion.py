"""Scale scores of incomplete answers: minima, prorated sums, filled gaps, repeated answers.

Rows are first collected in the core, since all of this is about items and not about rows. Nothing
here is reached unless it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scorekey import _core
from scorekey.aggregation import CellTable
from scorekey.columns import cell
from scorekey.imputation import fill_gaps
from scorekey.inputs import read_distinct_items
from scorekey.item_rows import ItemRows
from scorekey.messages import shown
from scorekey.scale_items import ItemRecord, ScaleItems, assign
from scorekey.scaled_scores import scaled_scores
from scorekey.specification import TOTAL_SCALE
from scorekey.wishes import Wishes

__all__ = ["Completion", "complete", "complete_rows"]

Counts = npt.NDArray[np.int64]
KeyColumn = tuple[Any, Any, Any]


def complete(
    wishes: Wishes,
    column: Any,
    ids: _core.ItemIds,
    record: ItemRecord,
    names: Sequence[str],
    *,
    all_in_total: bool,
    dimension: Any = None,
) -> Completion:
    """Return wishes about the items of a questionnaire.

    Parameters
    ----------
    wishes : Wishes
        What is asked for.
    column : Series
        The item of every row, as messages show it.
    ids : ItemIds
        The same as the core has read it.
    record : ItemRecord
        What is known of the items.
    names, all_in_total
        See `assign`.
    dimension : Series, optional
        The scale of every row, if it may be another one than that of its item.

    Raises
    ------
    ValueError
        If a minimum is that of a scale that is not there.
    """
    if wishes.minimum is not None:
        wishes.minimum.check_names(dict.fromkeys([*filter(None, record.labels), TOTAL_SCALE]))
    scales = assign(record, names, all_in_total=all_in_total)
    return Completion(wishes, column, ids.codes(), len(record.labels), scales, dimension)


def complete_rows(wishes: Wishes, column: Any, name: Any) -> Completion:
    """Return wishes that no questionnaire is needed for, with items of whatever ids there are."""
    return Completion(wishes, column, *read_distinct_items(column, name), None)


class Completion(NamedTuple):
    """The wishes of a call, and the items that they are about.

    Attributes
    ----------
    wishes : Wishes
        What is asked for.
    column : Series
        The item of every row, as messages show it.
    codes : Codes
        The same as numbers.
    n_items : int
        The codes are below this.
    scales : ScaleItems or None
        The items of each scale, if the wishes need them.
    dimension : Series or None
        The scale of every row, if it may be another one than that of its item.
    """

    wishes: Wishes
    column: Any
    codes: _core.Codes
    n_items: int
    scales: ScaleItems | None
    dimension: Any = None

    def over(
        self, source: Any, keys: list[KeyColumn], agg: Any, n_scales: int, *, total: bool
    ) -> tuple[CellTable, list[Counts]]:
        """Aggregate the rows of the source, grouped by the keys and their scale.

        Parameters
        ----------
        source, agg, n_scales, total
            See `Aggregation`.
        keys : list of (name, Series, encoded column)
            The key columns.

        Returns
        -------
        cells : CellTable
            The scores, and the numbers of answers with and without one.
        counts : list of ndarray
            The columns that `Wishes.columns` names.

        Raises
        ------
        ValueError
            If a row's scale is not that of its item, or answers are repeated and must not be.
        """
        encoded = [codes for _, _, codes in keys]
        rows = ItemRows(_core.Responses(source, encoded, self.codes, self.n_items), n_scales, total)
        self._check_scales(rows.responses)
        counts: dict[str, Counts] = {}
        if self.wishes.duplicates == "error":
            refuse_repetitions(rows.responses, keys, self.column)
        elif self.wishes.duplicates != "keep":
            resolved, conflicts = rows.responses.resolve(self.wishes.duplicates)
            counts["n_conflicting"] = rows.of(conflicts).aggregate("count").n_items
            rows = rows.of(resolved)
        if self.scales is None:
            cells = rows.aggregate(agg)
            cells = cells._replace(first_rows=rows.responses.first_rows(cells.first_rows))
        else:
            cells = self._complete(rows, agg, self.scales, counts)
        return cells, [counts[name] for name in self.wishes.columns]

    def _complete(
        self, rows: ItemRows, agg: Any, scales: ScaleItems, counts: dict[str, Counts]
    ) -> CellTable:
        """Return the cells of a questionnaire's scales, and add to the counts."""
        wishes = self.wishes

        def admits(cells: CellTable) -> npt.NDArray[np.bool_]:
            if wishes.minimum is None:
                return np.ones(len(cells.scales), dtype=bool)
            n_items = cells.n_items
            # What counts is how many items are answered, not how often.
            distinct = rows.responses.distinct() if wishes.duplicates == "keep" else None
            if distinct is not None:
                n_items = rows.of(distinct).aggregate("count").n_items
            return wishes.minimum.required(scales.names, scales.sizes)[cells.scales] <= n_items

        filled = rows
        if wishes.impute is None and not wishes.is_scaled:
            cells = answered = rows.aggregate(agg, admits)
        else:
            answered = rows.aggregate("sum")
            admitted = admits(answered)
            if wishes.impute is not None:
                filled = fill_gaps(wishes.impute, rows, answered, admitted, scales)
            if wishes.is_scaled:
                cells = scaled_scores(agg, filled, scales)
                cells.scores[~admitted] = np.nan
            else:
                cells = filled.aggregate(agg, lambda _: admitted)
        counts["n_expected"] = scales.sizes[cells.scales]
        counts["n_imputed"] = cells.n_items - answered.n_items
        if wishes.minimum is not None:
            present = np.bincount(cells.scales, minlength=rows.n_scales) > 0
            wishes.minimum.warn_of_unreachable(scales.names, scales.sizes, present)
        return cells._replace(
            first_rows=filled.responses.first_rows(cells.first_rows),
            n_items=answered.n_items,
            n_missing=answered.n_missing,
        )

    def _check_scales(self, responses: _core.Responses) -> None:
        if self.scales is None or self.dimension is None:
            return
        row = responses.first_misplaced(self.scales.scale_of)
        if row is not None:
            raise ValueError(
                f"Row {row} has item {shown(cell(self.column, row))} in the scale "
                f"{shown(cell(self.dimension, row))}, where the questionnaire does not have it. "
                "Is it the questionnaire of these answers?"
            )


def refuse_repetitions(responses: _core.Responses, keys: list[KeyColumn], column: Any) -> None:
    """Raise a ValueError if a respondent has several rows for an item."""
    rows = responses.first_repetition()
    if rows is not None:
        who = ", ".join(f"{shown(name)}: {shown(cell(key, rows[0]))}" for name, key, _ in keys)
        raise ValueError(
            f"Rows {rows[0]} and {rows[1]} answer the same item, "
            f"{shown(cell(column, rows[0]))}, for one respondent"
            f"{f' ({who})' if who else ''}. Name all columns that identify a respondent in by, "
            "or say with duplicates which answer counts"
        )
