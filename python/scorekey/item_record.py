"""What a frame of item scores says of the items of its questionnaire, as plain JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scorekey.frozen import FrozenList, FrozenRecord

ITEMS_ATTR = "scorekey_items"
"""Where ``attrs`` of a frame of item scores holds the scales, range and direction of each item."""


def record_items(
    labels: Iterable[str | None],
    ranges: Iterable[tuple[float, float] | None],
    reverse: Iterable[bool],
) -> Mapping[str, Any]:
    """Return the scales, range and direction of each item by its id, in the questionnaire's order.

    pandas copies what a frame's ``attrs`` hold at every step, so this can be copied for nothing.

    Parameters
    ----------
    labels : iterable of str or None
        The scale of each item; None for an item without one.
    ranges : iterable of tuple of two numbers or None
        The lowest and highest possible score of each item; None for an item without options.
    reverse : iterable of bool
        Whether the item is reverse-keyed.

    Returns
    -------
    FrozenRecord
        ``{"0": {"scales": ["Extraversion"], "range": [1.0, 5.0], "reversed": False}, ...}``.
    """
    return FrozenRecord(
        {
            str(item): FrozenRecord(
                {
                    "scales": FrozenList([] if label is None else [label]),
                    "range": None if bounds is None else FrozenList(bounds),
                    "reversed": flipped,
                }
            )
            for item, (label, bounds, flipped) in enumerate(
                zip(labels, ranges, reverse, strict=True)
            )
        }
    )
