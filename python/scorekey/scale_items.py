"""The items of each scale, and their ranges: by the questionnaire, not by the rows there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scorekey.item_record import ITEMS_ATTR
from scorekey.messages import shown
from scorekey.specification import TOTAL_SCALE
from scorekey.values import identifier

_NOWHERE = 2**32 - 1
"""The number of a scale that no row can have."""

_UNKNOWN = (float("nan"), float("nan"))


class ItemRecord(NamedTuple):
    """What is known of the items of a questionnaire.

    Attributes
    ----------
    labels : tuple of (str or None)
        The scale of each item; None for an item without one.
    ranges : list of tuple of (float, float)
        The lowest and highest possible score of each item; NaN for an item without options.
    reverse : list of bool
        Which items are reverse-keyed.
    """

    labels: tuple[str | None, ...]
    ranges: list[tuple[float, float]]
    reverse: list[bool]


class ScaleItems(NamedTuple):
    """The scales of a result, and the items of each.

    Attributes
    ----------
    names : list of str
        The names of the scales, the total last.
    scale_of : list of int
        The scale that a row of each item has.
    members : list of list of int
        The items of each scale; of the total all, if it covers all rows.
    ranges : list of tuple of (float, float)
        See `ItemRecord`.
    """

    names: list[str]
    scale_of: list[int]
    members: list[list[int]]
    ranges: list[tuple[float, float]]

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """The number of items of each scale."""
        return np.array([len(items) for items in self.members], dtype=np.int64)


def read_record(record: Any) -> ItemRecord:
    """Return the record of the items that ``attrs`` of a scored frame holds.

    Raises
    ------
    ValueError
        If there is none, or one that cannot be read.
    """
    if record is None:
        raise ValueError(
            f"which items a scale has is not known: attrs[{ITEMS_ATTR!r}] of the scored frame is "
            "lost (frames that are merged or read from a CSV file lose it); pass questionnaire="
        )
    try:
        if list(record) != [str(item) for item in range(len(record))]:
            raise ValueError("its keys are not the ids of items, in order")
        return ItemRecord(
            tuple(_label(item["scales"]) for item in record.values()),
            [_range(item["range"]) for item in record.values()],
            [bool(item["reversed"]) for item in record.values()],
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"attrs[{ITEMS_ATTR!r}] cannot be read ({type(error).__name__}: {shown(str(error))}); "
            "pass questionnaire="
        ) from None


def _label(scales: Any) -> str | None:
    if len(scales) > 1:
        raise ValueError(f"an item has one scale, not {shown(scales)}")
    return identifier(scales[0]) if scales else None


def _range(bounds: Any) -> tuple[float, float]:
    if bounds is None:
        return _UNKNOWN
    low, high = bounds
    return float(low), float(high)


def assign(record: ItemRecord, names: Sequence[str], *, all_in_total: bool) -> ScaleItems:
    """Return the items of the scales of a result.

    Parameters
    ----------
    record : ItemRecord
        What is known of the items.
    names : sequence of str
        The names of the scales, the total last.
    all_in_total : bool
        Whether the total is one over all items, not only over those without a scale.
    """
    numbers: Mapping[str, int] = {name: number for number, name in enumerate(names)}
    scale_of = [numbers.get(label or TOTAL_SCALE, _NOWHERE) for label in record.labels]
    members: list[list[int]] = [[] for _ in names]
    for item, scale in enumerate(scale_of):
        if scale != _NOWHERE:
            members[scale].append(item)
    if all_in_total:
        members[-1] = list(range(len(scale_of)))
    return ScaleItems(list(names), scale_of, members, record.ranges)
