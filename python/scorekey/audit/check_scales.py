"""Findings about the scales of the questionnaire, whatever the answers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scorekey.audit.finding import Finding, item_names, numbered, places
from scorekey.key import ScoringKey
from scorekey.messages import shown
from scorekey.specification import TOTAL_SCALE

_Ranges = dict[str, dict[tuple[float, float], list[int]]]


def scales(key: ScoringKey) -> Iterator[Finding]:
    """Find items without a scale, scales without items, and ranges that differ."""
    fillers = [
        item
        for item, label in enumerate(key.labels)
        if label in (None, TOTAL_SCALE) and key._core.range(item) is not None
    ]
    scaled = sum(label not in (None, TOTAL_SCALE) for label in key.labels)
    if fillers and scaled:
        yield Finding(
            "fillers_in_total",
            f"{numbered(len(fillers), 'item')} without a dimension "
            f"{'stands' if len(fillers) == 1 else 'stand'} next to {scaled} "
            f"with one: {'it counts' if len(fillers) == 1 else 'they count'} into the total and "
            "into no other scale.",
            item_names(fillers),
            len(fillers),
            "Give fillers no options that count (ignored_for_scale), or do not use the total.",
        )
    empty = [name for name in key.dimensions if name not in key.labels]
    if empty:
        yield Finding(
            "empty_scales",
            f"{numbered(len(empty), 'declared scale')} {'has' if len(empty) == 1 else 'have'} no "
            "items.",
            places(map(shown, empty)),
            len(empty),
            "Check the dimension ids of the items against those of the questionnaire.",
        )
    yield from _ranges(_ranges_of(key))


def _ranges_of(key: ScoringKey) -> _Ranges:
    ranges: _Ranges = {}
    for item, label in enumerate(key.labels):
        bounds = key._core.range(item)
        if bounds is not None:
            ranges.setdefault(label or TOTAL_SCALE, {}).setdefault(bounds, []).append(item)
    return ranges


def _ranges(ranges: _Ranges) -> Iterator[Finding]:
    mixed = {scale: items_of for scale, items_of in ranges.items() if len(items_of) > 1}
    if mixed:
        yield Finding(
            "item_ranges",
            f"In {numbered(len(mixed), 'scale')} the items have different ranges, so those with "
            "the widest count most.",
            places(
                f"{scale}: {low:g} to {high:g} ({', '.join(item_names(items[:8]))})"
                for scale, items_of in mixed.items()
                for (low, high), items in items_of.items()
            ),
            len(mixed),
            "Check the weights; where they are meant, compare by the percentage of each item's "
            "range (agg='pomp_items').",
        )
    bounds = {scale: _mean_range(items_of) for scale, items_of in ranges.items()}
    if len(set(bounds.values())) > 1:
        yield Finding(
            "scale_ranges",
            f"The {len(bounds)} scales have different ranges, so their means cannot be compared "
            "with each other.",
            places(f"{scale}: {low:g} to {high:g}" for scale, (low, high) in bounds.items()),
            len(bounds),
            "Compare them by the percentage of the maximum possible (agg='pomp').",
        )


def _mean_range(items_of: dict[tuple[float, float], list[int]]) -> tuple[float, float]:
    lows, highs = zip(*(range_ for range_, items in items_of.items() for _ in items), strict=True)
    return round(float(np.mean(lows)), 9), round(float(np.mean(highs)), 9)
