"""Scale scores by items once more, slowly: plain Python on lists, written from the rules."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple


class Item(NamedTuple):
    """An item: its scale, and its lowest and highest possible score."""

    scale: str | None
    low: float | None
    high: float | None


class Row(NamedTuple):
    """An answer: who gave it, to which item, and its score, if it has one."""

    respondent: Any
    item: int
    score: float | None


class Cell(NamedTuple):
    """One row of a result."""

    score: float | None
    n_items: int
    n_missing: int
    n_expected: int
    n_imputed: int
    n_conflicting: int


def chosen(rows: list[Row], duplicates: str) -> tuple[list[Row], list[Row]]:
    """Return the answers that count, and those of them that stand for different ones."""
    if duplicates == "keep":
        return rows, []
    of_pairs: dict[tuple[Any, int], list[Row]] = {}
    for row in rows:
        of_pairs.setdefault((row.respondent, row.item), []).append(row)
    if duplicates == "error":
        assert all(len(answers) == 1 for answers in of_pairs.values())
    kept, conflicting = [], []
    for answers in of_pairs.values():
        one = answers[-1] if duplicates == "last" else answers[0]
        if duplicates == "unique" and len({answer.score for answer in answers}) > 1:
            one = one._replace(score=None)
            conflicting.append(one)
        kept.append(one)
    return kept, conflicting


def exact_mean(points: list[float]) -> float | None:
    return float(sum(map(Fraction, points)) / len(points)) if points else None


def percent(points: list[float], bounds: list[Item]) -> float | None:
    if not points or any(item.low is None or item.high is None for item in bounds):
        return None
    low = sum(Fraction(item.low) for item in bounds)
    high = sum(Fraction(item.high) for item in bounds)
    return float(100 * (sum(map(Fraction, points)) - low) / (high - low)) if high > low else None


def of_scores(agg: str, answered: list[tuple[float, Item]], k: int) -> float | None:
    """Return the aggregate of scores and the items that they are of."""
    points = [score for score, _ in answered]
    if not points:
        return None
    if agg == "prorated_sum":
        return float(sum(map(Fraction, points)) * k / len(points))
    if agg == "pomp":
        return percent(points, [item for _, item in answered])
    if agg == "pomp_items":
        each = [percent([score], [item]) for score, item in answered]
        return None if None in each else exact_mean([p for p in each if p is not None])
    functions: dict[str, Callable[[list[float]], float | None]] = {
        "mean": exact_mean,
        "sum": lambda points: float(sum(map(Fraction, points))),
        "max": max,
        "median": statistics.median,
        "count": len,
    }
    return functions[agg](points)


def scale_scores(
    items: list[Item],
    rows: list[Row],
    *,
    agg: str = "mean",
    include_total: bool = False,
    min_items: int | dict[str, int] | None = None,
    min_fraction: float | None = None,
    duplicates: str = "keep",
    impute: str | None = None,
) -> dict[tuple[Any, str], Cell]:
    """Return the cells of a result by respondent and scale."""
    kept, conflicting = chosen(rows, duplicates)
    fills: dict[int, float | None] = {}
    for number, item in enumerate(items):
        points = [row.score for row in kept if row.item == number and row.score is not None]
        if impute == "midpoint":
            fills[number] = None if item.low is None else (item.low + item.high) / 2
        elif impute == "item_mean":
            fills[number] = exact_mean(points)
        elif impute == "item_median":
            fills[number] = statistics.median(points) if points else None

    def is_in(number: int, scale: str) -> bool:
        own = items[number].scale or "total"
        return own == scale or (include_total and scale == "total")

    result = {}
    scales = dict.fromkeys(["total", *(item.scale for item in items if item.scale)])
    for respondent in dict.fromkeys(row.respondent for row in rows):
        for scale in scales:
            members = [number for number in range(len(items)) if is_in(number, scale)]
            own = [r for r in kept if r.respondent == respondent and r.item in members]
            if not own:
                continue
            answered = [(row.score, items[row.item]) for row in own if row.score is not None]
            n_items, k = len(answered), len(members)
            distinct = {row.item for row in own if row.score is not None}
            least: float = 0
            if min_fraction is not None:
                least = min_fraction * k - 1e-9
            elif isinstance(min_items, dict):
                least = min_items.get(scale, 0)
            elif min_items is not None:
                least = min_items
            is_met = len(distinct) >= least
            n_imputed = 0
            for number in members if is_met else ():
                fill = fills.get(number)
                if number not in distinct and fill is not None:
                    answered.append((fill, items[number]))
                    n_imputed += 1
            result[respondent, scale] = Cell(
                of_scores(agg, answered, k) if is_met else None,
                n_items,
                len(own) - n_items,
                k,
                n_imputed,
                sum(row.respondent == respondent and row.item in members for row in conflicting),
            )
    return result
