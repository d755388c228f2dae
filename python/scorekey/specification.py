"""What decides scores, taken out of a questionnaire: the input of the compiled key."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from scorekey.arguments import Matching
from scorekey.item_range import check_range, read_range
from scorekey.messages import shown
from scorekey.values import identifier

TOTAL_SCALE = "total"
"""Name of the scale of items without a dimension, and of the total over all items."""

Option = tuple[str, float, bool]


class Specification(NamedTuple):
    """Everything that decides scores.

    Attributes
    ----------
    option_sets : tuple of tuple of (str, float, bool)
        The different sets of answer options: text, weight, whether it is ignored.
    items : tuple of (int, bool)
        For each item its set of options and whether it is reverse-keyed.
    labels : tuple of (str or None)
        The name of each item's scale; None for an item without dimension.
    order : tuple of str
        The names of the scales in the order of the questionnaire.
    ranges : tuple of (tuple of (float, float) or None)
        For each item the range that it declares; None for an item that declares none.
    """

    option_sets: tuple[tuple[Option, ...], ...]
    items: tuple[tuple[int, bool], ...]
    labels: tuple[str | None, ...]
    order: tuple[str, ...]
    ranges: tuple[tuple[float, float] | None, ...]

    def scales(self) -> tuple[list[str], list[int]]:
        """Return the scales of a result, the total last, and the number of each item's scale."""
        names = [*(name for name in self.order if name != TOTAL_SCALE), TOTAL_SCALE]
        number = {name: position for position, name in enumerate(names)}
        return names, [number[label or TOTAL_SCALE] for label in self.labels]

    def fingerprint(self, matching: Matching) -> str:
        """Return 16 hexadecimal digits that change if anything changes that decides scores."""
        parts: list[Any] = [self.option_sets, self.items, self.labels, self.order]
        # Without ranges, in the default mode, the digits are those from before there were any.
        if any(self.ranges):
            parts.append(self.ranges)
        if matching != "strict":
            parts.append(matching)
        text = json.dumps(parts)
        return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def specify(questionnaire: Any) -> Specification:
    """Take out of a questionnaire what decides scores.

    Parameters
    ----------
    questionnaire : Questionnaire or object
        Anything with a questionnaire's ``instruction_items``, ``default_answer_options`` and
        ``attributes``.

    Raises
    ------
    ValueError
        If a weight is not a finite number, an item's dimension not a single value, or its range not
        one that covers its options; the message names the item.
    """
    sets: dict[tuple[Option, ...], int] = {}
    items = tuple(questionnaire.instruction_items or ())
    defaults: int | None = None
    keyed = []
    for number, item in enumerate(items):
        own = item.answer_options
        if own is not None and own.options:
            position = sets.setdefault(_options(own, f"item {number}"), len(sets))
        else:
            if defaults is None:
                options = _options(questionnaire.default_answer_options, "the default options")
                defaults = sets.setdefault(options, len(sets))
            position = defaults
        keyed.append((position, bool(item.reversed)))
    option_sets = tuple(sets)
    ranges = tuple(
        _range(item, option_sets[position], number)
        for number, (item, (position, _)) in enumerate(zip(items, keyed, strict=True))
    )
    labels, order = _scales(questionnaire, items)
    return Specification(option_sets, tuple(keyed), labels, order, ranges)


def _range(item: Any, options: tuple[Option, ...], number: int) -> tuple[float, float] | None:
    declared = getattr(item, "range", None)  # the reference's items have none
    if declared is None:
        return None
    try:
        bounds = read_range(declared)
    except ValueError as error:
        raise ValueError(f"item {number}: {error}, not {shown(declared)}") from None
    check_range(bounds, [(o[0], o[1]) for o in options if not o[2]], number)
    return bounds


def _options(options: Any, where: str) -> tuple[Option, ...]:
    if options is None:
        return ()
    return tuple(
        (str(option.text), _weight(option.weight, where, key), bool(option.ignored_for_scale))
        for key, option in options.options.items()
    )


def _weight(weight: Any, where: str, key: Any) -> float:
    try:
        number = float(weight)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(
            f"the weight of answer option {shown(key)} of {where} must be a finite number, "
            f"got {shown(weight)}"
        )
    return number


def _scales(
    questionnaire: Any, items: tuple[Any, ...]
) -> tuple[tuple[str | None, ...], tuple[str, ...]]:
    declared = (questionnaire.attributes or {}).get("dimension")
    names: dict[str, str] = {}
    if isinstance(declared, Mapping):
        for key, value in declared.items():
            if known := identifier(key):
                names[known] = identifier(value) or known
    labels: list[str | None] = []
    for number, item in enumerate(items):
        value = (item.attributes or {}).get("dimension")
        if isinstance(value, (Mapping, list, tuple, set, frozenset)):
            raise ValueError(
                f"the dimension of item {number} must be a single id, such as '1', not "
                f"{shown(value)}"
            )
        known = identifier(value)
        labels.append(names.get(known, known) if known else None)
    order = dict.fromkeys([*names.values(), *(label for label in labels if label)])
    return tuple(labels), tuple(order)
