"""Rows of item scores that the core has collected, each with its respondent and its item."""

from __future__ import annotations

from typing import Any, NamedTuple

from scorekey import _core
from scorekey.aggregation import Admission, Aggregation, CellTable


class ItemRows(NamedTuple):
    """Rows, and how they are aggregated.

    Attributes
    ----------
    responses : Responses
        The rows.
    n_scales : int
        The number of scales.
    total : bool
        Whether the last scale covers the rows of all scales.
    """

    responses: _core.Responses
    n_scales: int
    total: bool

    def aggregate(self, agg: Any, admits: Admission | None = None) -> CellTable:
        """Return a cell for each respondent and scale; see `Aggregation`."""
        aggregation = Aggregation(agg)
        return aggregation.over(self.responses, [], self.n_scales, total=self.total, admits=admits)

    def of(self, responses: _core.Responses) -> ItemRows:
        """Return other rows that are aggregated in the same way."""
        return self._replace(responses=responses)
