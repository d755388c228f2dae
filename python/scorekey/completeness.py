"""How many items of a scale have to be answered for the scale to have a score."""

from __future__ import annotations

import math
import operator
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from scorekey.messages import listed, shown, warn
from scorekey.values import identifier

_SLACK = 1e-9  # 0.07 * 100 is a little more than 7


class Minimum(NamedTuple):
    """The least that has to be answered: a number of items for all or some scales, or a share.

    Attributes
    ----------
    items : int, mapping of str to int, or None
        The number, of every scale or of those in the mapping.
    fraction : float or None
        The share, where no number is given.
    """

    items: int | Mapping[str, int] | None
    fraction: float | None

    def required(self, names: Sequence[str], sizes: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return how many answered items the scales of these names and sizes need."""
        if self.fraction is not None:
            return self.fraction * sizes - _SLACK
        if isinstance(self.items, Mapping):
            return np.array([self.items.get(name, 0) for name in names], dtype="float64")
        return np.full(len(names), self.items, dtype="float64")

    def check_names(self, known: Collection[str]) -> None:
        """Raise a ValueError if there is no scale of a name in the mapping."""
        given = self.items if isinstance(self.items, Mapping) else {}
        unknown = [name for name in given if name not in known]
        if unknown:
            raise ValueError(
                f"min_items names {listed(unknown)}, but the scales with items are {listed(known)}"
            )

    def warn_of_unreachable(
        self,
        names: Sequence[str],
        sizes: npt.NDArray[np.int64],
        present: npt.NDArray[np.bool_],
    ) -> None:
        """Warn of scales in the result that have fewer items than they need."""
        beyond = np.flatnonzero(present & (self.required(names, sizes) > sizes)).tolist()
        if beyond:
            some = listed(names[number] for number in beyond)
            warn(
                f"min_items asks for more items than there are, so these scales have no score: "
                f"{some} ({shown(names[beyond[0]])} has {sizes[beyond[0]]})"
            )


def read_minimum(min_items: Any, min_fraction: Any) -> Minimum | None:
    """Return what the two arguments ask for; None if they ask for nothing.

    Raises
    ------
    TypeError, ValueError
        If an argument is nothing that it can be, or if both are given.
    """
    if min_items is None and min_fraction is None:
        return None
    if min_items is not None and min_fraction is not None:
        raise ValueError("give min_items or min_fraction, not both: each says when a scale counts")
    if min_fraction is not None:
        return Minimum(None, _fraction(min_fraction))
    if isinstance(min_items, Mapping):
        return Minimum({identifier(name): _number(n) for name, n in min_items.items()}, None)
    return Minimum(_number(min_items), None)


def _number(value: Any) -> int:
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(
            f"min_items must be a whole number, or one for each scale, not {shown(value)}; a share "
            "of the items is min_fraction"
        ) from None
    if number < 0:
        raise ValueError(f"min_items must be 0 or more, not {shown(value)}")
    return number


def _fraction(value: Any) -> float:
    numeric = isinstance(value, (int, float, np.integer, np.floating))
    if isinstance(value, bool) or not numeric:
        raise TypeError(f"min_fraction must be a number from 0 to 1, not {shown(value)}")
    if math.isnan(value) or not 0 <= value <= 1:
        raise ValueError(
            f"min_fraction must be from 0 to 1 (0.5: half of the items), not {shown(value)}; a "
            "number of items is min_items"
        )
    return float(value)
