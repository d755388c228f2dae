"""The range of an item that says itself what its lowest and highest possible score are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np

from scorekey.messages import shown

_NUMBERS = (int, float, Decimal, np.integer, np.floating)


def read_range(value: Any) -> tuple[float, float]:
    """Return a range as two numbers.

    Raises
    ------
    ValueError
        If it is not a list or tuple of two finite numbers, the smaller one first.
    """
    bounds = list(value) if isinstance(value, (list, tuple)) else []
    try:
        numbers = [float(b) for b in bounds if isinstance(b, _NUMBERS) and not isinstance(b, bool)]
    except OverflowError:
        numbers = []
    if len(bounds) != 2 or len(numbers) != 2 or not all(map(math.isfinite, numbers)):
        raise ValueError("a range is two finite numbers such as [1, 6]")
    low, high = numbers
    if low > high:
        raise ValueError("a range begins with its lower end, such as [1, 6]")
    return low, high


def check_range(
    bounds: tuple[float, float], weights: Iterable[tuple[str, float]], number: int
) -> None:
    """Raise a ValueError if the weight of an option is outside the range of its item.

    Parameters
    ----------
    bounds : tuple of two numbers
        The range.
    weights : iterable of (str, number)
        The text and the weight of each option that is not ignored.
    number : int
        The item.
    """
    low, high = bounds
    for text, weight in weights:
        if not low <= weight <= high:
            raise ValueError(
                f"item {number}: the range [{low:g}, {high:g}] leaves out the weight {weight:g} of "
                f"{shown(text)}"
            )
