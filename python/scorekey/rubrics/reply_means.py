"""The mean score of each group of replies, taken part by part in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scorekey.rubrics.replies import REASONS
from scorekey.values import is_missing, key_kind, key_token

if TYPE_CHECKING:
    from pandas import DataFrame

Key = tuple[Hashable, ...]


@dataclass
class _Group:
    """Count, missing and a compensated sum (Neumaier 1974) of a group's scores."""

    count: int = 0
    missing: int = 0
    total: float = 0.0
    error: float = 0.0

    def add(self, score: float, times: int) -> None:
        """Take in a score that was given some times."""
        value = score * times
        total = self.total + value
        large, small = sorted((self.total, value), key=abs, reverse=True)
        self.error += (large - total) + small
        self.total = total
        self.count += times

    @property
    def mean(self) -> float:
        return (self.total + self.error) / self.count if self.count else math.nan


@dataclass
class ReplyMeans:
    """What is known of the groups so far; memory grows with their number, not with the replies.

    Parameters
    ----------
    by : sequence of str
        The columns whose values make a group.
    """

    by: Sequence[str]
    groups: dict[Key, _Group] = field(default_factory=dict)
    names: dict[Key, tuple[Any, ...]] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=lambda: dict.fromkeys(REASONS, 0))

    def add(self, keys: DataFrame, scored: DataFrame) -> None:
        """Take in replies: their columns and what `score_replies` made of them."""
        for reason, times in scored["reason"].value_counts().items():
            self.reasons[str(reason)] += int(times)
        cells = zip(*(keys[name] for name in self.by), strict=True)
        rows = cells if self.by else [()] * len(scored)
        counts: dict[tuple[Key, float | None], int] = {}
        for row, score in zip(rows, scored["score"].tolist(), strict=True):
            key = tuple(map(key_token, row))
            if key not in self.names:
                self.names[key] = tuple(None if is_missing(cell) else cell for cell in row)
            place = key, None if math.isnan(score) else score
            counts[place] = counts.get(place, 0) + 1
        for (key, score), times in counts.items():
            group = self.groups.setdefault(key, _Group())
            if score is None:
                group.missing += times
            else:
                group.add(score, times)

    def table(self, dimension: Any) -> DataFrame:
        """Return one row a group, sorted, as `scale_scores` would."""
        ordered = sorted(
            ((self.names[key], group) for key, group in self.groups.items()),
            key=lambda item: _sort_key(item[0]),
        )
        # Without a type of their own, 1 beside a missing value would become 1.0.
        columns: dict[str, Iterable[Any]] = {
            name: pd.Series([_cell(row[place]) for row, _ in ordered], dtype=object)
            for place, name in enumerate(self.by)
        }
        groups = [group for _, group in ordered]
        return pd.DataFrame(
            {
                **columns,
                "dimension": [dimension] * len(groups),
                "score": pd.Series([group.mean for group in groups], dtype="float64"),
                "n_items": pd.Series([group.count for group in groups], dtype="int64"),
                "n_missing": pd.Series([group.missing for group in groups], dtype="int64"),
            }
        )


def _cell(value: Any) -> Any:
    return math.nan if value is None else value


def _sort_key(row: tuple[Any, ...]) -> list[tuple[bool, int, Any, bool]]:
    """Return what orders groups: numbers before texts, 1 before True, missing values last."""
    return [
        (True, 0, "", False)
        if cell is None
        else (False, key_kind(cell), cell, isinstance(cell, (bool, np.bool_)))
        for cell in row
    ]
