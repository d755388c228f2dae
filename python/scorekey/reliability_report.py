"""The tables of a reliability analysis, and what has to be said about its scales."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey.consistency import (
    alpha_interval,
    alpha_of,
    alphas_if_dropped,
    find_moments,
    item_total_correlations,
    mean_correlation,
    omega_total,
)
from scorekey.messages import listed, shown, warn

_SCALE_COLUMNS = {
    "dimension": None,
    "k": "int64",
    "n": "int64",
    "alpha": "float64",
    "alpha_low": "float64",
    "alpha_high": "float64",
    "omega_total": "float64",
    "mean_inter_item_r": "float64",
}
_ITEM_COLUMNS = {
    "dimension": None,
    "item": None,
    "reversed": "bool",
    "n": "int64",
    "mean": "float64",
    "sd": "float64",
    "item_total_r": "float64",
    "alpha_if_dropped": "float64",
}
_FEWEST_FOR_OMEGA = 3
_MOST = 5


class Report:
    """The rows of both tables, and the scales to warn of.

    Parameters
    ----------
    listwise : bool
        Whether only respondents with all answers count.
    confidence : float or None
        The confidence of the intervals.
    """

    def __init__(self, listwise: bool, confidence: float | None) -> None:
        self._listwise = listwise
        self._confidence = confidence
        self._scales: list[tuple[Any, ...]] = []
        self._items: list[tuple[Any, ...]] = []
        self._unanswered: list[str] = []
        self._negative: list[str] = []
        self._without_omega: list[str] = []
        self._lacks_scipy = False

    def add(
        self,
        name: str,
        answers: npt.NDArray[np.float64],
        labels: list[Any],
        reverse: list[bool],
        group: list[Any],
    ) -> None:
        """Take a scale in.

        Parameters
        ----------
        name : str
            Its name.
        answers : ndarray of float64, shape (n, k)
            Respondents by items; NaN where there is no score.
        labels : list
            The ids of the items.
        reverse : list of bool
            Which of them are reverse-keyed.
        group : list
            The values that the respondents of the group have in common.
        """
        where = f"{shown(name)} ({listed(group)})" if group else shown(name)
        used = np.flatnonzero(~np.isnan(answers).all(axis=0))
        unused = [label for place, label in enumerate(labels) if place not in used]
        if unused:
            self._unanswered.append(f"{where}: {listed(unused)}")
        moments = find_moments(answers[:, used], listwise=self._listwise)
        alpha = alpha_of(moments.covariances)
        totals = item_total_correlations(moments.covariances)
        if alpha < 0:
            wrong = [labels[used[place]] for place in np.flatnonzero(totals < 0)]
            self._negative.append(f"{where} ({alpha:.3f}; items {listed(wrong)})")
        k = len(used)
        omega = omega_total(moments.correlations) if k >= _FEWEST_FOR_OMEGA else None
        if omega is None:
            self._without_omega.append(where)
        low, high = self._interval(alpha, moments.n, k)
        self._scales.append(
            (
                name,
                k,
                moments.n,
                alpha,
                low,
                high,
                math.nan if omega is None else omega,
                mean_correlation(moments.correlations),
            )
        )
        statistics = np.full((len(labels), 4), np.nan)
        counts = np.zeros(len(labels), dtype="int64")
        counts[used] = moments.counts
        statistics[used] = np.column_stack(
            [moments.means, moments.deviations, totals, alphas_if_dropped(moments.covariances)]
        )
        self._items.extend(
            (name, label, flipped, count, *row)
            for label, flipped, count, row in zip(
                labels, reverse, counts.tolist(), statistics.tolist(), strict=True
            )
        )

    def _interval(self, alpha: float, n: int, k: int) -> tuple[float, float]:
        if self._confidence is not None and not math.isnan(alpha):
            try:
                return alpha_interval(alpha, n, k, self._confidence)
            except ImportError:
                self._lacks_scipy = True
        return math.nan, math.nan

    def warn(self) -> None:
        """Warn of what was found, once for each kind."""
        if self._unanswered:
            warn(
                "these items have no score of any respondent and are left out of their scales: "
                f"{_few(self._unanswered)}"
            )
        if self._negative:
            warn(
                "alpha is negative, mostly because of a wrong key: look at the items that go "
                f"against the rest of {_few(self._negative)}"
            )
        if self._without_omega:
            warn(
                "omega_total is NaN for want of three items or of one factor that fits them: "
                f"{_few(self._without_omega)}"
            )
        if self._lacks_scipy:
            warn(
                "the intervals of alpha are NaN because scipy is not installed: "
                'pip install "scorekey[stats]", or ask for none with confidence=None'
            )

    def frames(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the tables of scales and of items."""
        return _table(self._scales, _SCALE_COLUMNS), _table(self._items, _ITEM_COLUMNS)


def _table(rows: list[tuple[Any, ...]], columns: dict[str, str | None]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=list(columns))
    return frame.astype({name: dtype for name, dtype in columns.items() if dtype is not None})


def _few(scales: list[str]) -> str:
    more = f", and {len(scales) - _MOST} more" if len(scales) > _MOST else ""
    return f"{'; '.join(scales[:_MOST])}{more}"
