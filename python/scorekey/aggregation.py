"""How the item scores of a scale become one number: the names and functions that `agg` may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey import _core
from scorekey.messages import shown
from scorekey.threads import get_num_threads

_IN_CORE = {
    name: name
    for name in ("mean", "sum", "min", "max", "median", "std", "var", "sem", "prod", "first")
} | {"last": "last", "count": "count", "size": "count", "nunique": "nunique", "quantile": "median"}
_BY_PANDAS = ("skew", "kurt") if hasattr(pd.api.typing.SeriesGroupBy, "kurt") else ("skew",)
_COUNTS = ("count", "size", "nunique")

SCALED = ("prorated_sum", "pomp", "pomp_items")
"""The names that depend on the items of the scale, which `scaled_scores` turns into others."""

NAMES = (*_IN_CORE, *_BY_PANDAS, *SCALED)
"""The names that `agg` may be."""


class CellTable(NamedTuple):
    """One entry for each respondent and scale that occur together."""

    first_rows: npt.NDArray[np.int64]
    scales: npt.NDArray[np.uint32]
    scores: npt.NDArray[Any]
    n_items: npt.NDArray[np.int64]
    n_missing: npt.NDArray[np.int64]


Admission = Callable[[CellTable], "npt.NDArray[np.bool_]"]
"""Which cells may have a score; it reads their numbers of items, not their scores."""


class Aggregation:
    """A checked `agg`.

    Parameters
    ----------
    agg : str or callable
        A name out of `NAMES`, or a function from a Series of float64 to a number.

    Raises
    ------
    ValueError
        If it is neither.
    """

    def __init__(self, agg: Any) -> None:
        if not (callable(agg) or (isinstance(agg, str) and agg in NAMES)):
            raise ValueError(
                f"Cannot aggregate the scores with agg={shown(agg)}: an aggregation gives one "
                f"number per scale; expected a function or one of {', '.join(NAMES)}"
            )
        self.agg = agg

    def over(
        self,
        source: Any,
        keys: list[Any],
        n_scales: int,
        *,
        total: bool,
        admits: Admission | None = None,
    ) -> CellTable:
        """Aggregate the rows of the source, grouped by the keys and their scale."""
        threads = get_num_threads()
        if isinstance(self.agg, str) and self.agg in _IN_CORE:
            name = _IN_CORE[self.agg]
            table = CellTable(*_core.aggregate(source, keys, n_scales, total, name, threads))
            if admits is not None:
                table.scores[~admits(table)] = np.nan
            return _with_counts(table) if self.agg in _COUNTS else table
        columns, scores, bounds = _core.gather(source, keys, n_scales, total, threads)
        table = CellTable(*columns)
        cells = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
        full = table.n_items > 0
        if admits is not None:
            full &= admits(table)
            scores, cells = scores[full[cells]], cells[full[cells]]
        grouped = pd.Series(scores, name="score").groupby(cells, sort=False)
        if isinstance(self.agg, str):
            table.scores[full] = getattr(grouped, self.agg)()
            return table
        return self._call(self.agg, grouped, table, full)

    def _call(
        self,
        function: Callable[[Any], Any],
        grouped: Any,
        table: CellTable,
        full: npt.NDArray[np.bool_],
    ) -> CellTable:
        results: list[Any] = []

        def collect(series: pd.Series[float]) -> float:
            results.append(function(series))
            return 0.0

        try:
            if full.any():
                grouped.agg(collect)
        except (AttributeError, TypeError, ValueError) as error:
            raise ValueError(
                f"Cannot aggregate the scores with agg={shown(function)}: {error}"
            ) from error
        for result in results:
            self._check(result)
        if results and full.all() and all(isinstance(r, (int, np.integer)) for r in results):
            try:
                return table._replace(scores=np.array(results, dtype=np.int64))
            except OverflowError:
                pass  # too large for int64, so a float like any other
        table.scores[full] = [float(result) for result in results]
        return table

    def _check(self, result: Any) -> None:
        numeric = isinstance(result, (int, float, np.integer, np.floating))
        if not numeric or isinstance(result, (bool, np.timedelta64)):
            raise ValueError(
                f"Cannot aggregate the scores with agg={shown(self.agg)}: an aggregation gives "
                f"one number per scale, but the function returned {shown(result)}"
            )


def _with_counts(table: CellTable) -> CellTable:
    """Return counts as integers, unless a scale without a score needs a NaN."""
    if not np.isnan(table.scores).any():
        return table._replace(scores=table.scores.astype(np.int64))
    return table
