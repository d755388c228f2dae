"""The rules for single values: which text a decision is, which verdict, which scale, which item.

Columns are looked at one distinct value at a time, so these rules may take their time.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

_FALSE_WORDS = frozenset({"false", "f", "no", "n", "0"})


def is_missing(value: object) -> bool:
    """Return whether the value is None, NaN, NA or NaT."""
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    if isinstance(value, (float, np.floating, Decimal)):
        return math.isnan(value) if not (isinstance(value, Decimal) and value.is_snan()) else True
    return isinstance(value, (np.datetime64, np.timedelta64)) and bool(np.isnat(value))


def decision_text(value: object) -> str | None:
    """Return the text that a decision of an unusual type stands for, or None.

    A file that was saved and read again may hold 4.0 for the option "4", and True for "True"; so
    numbers and truth values are read as their text. Nothing else can name an option.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, np.timedelta64):
        return None
    if isinstance(value, (int, np.integer)):
        try:
            return str(int(value))
        except ValueError:  # more digits than the interpreter writes
            return None
    if isinstance(value, (float, np.floating)):
        number = float(value)
        if not math.isfinite(number):
            return None
        return str(int(number)) if number.is_integer() else repr(number)
    return None


def is_invalid(value: object) -> bool:
    """Return whether a verdict says "not valid": False, a zero, or a word such as "no"."""
    if isinstance(value, str):
        return value.strip().lower() in _FALSE_WORDS
    if isinstance(value, np.timedelta64):
        return False
    if isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)):
        return bool(value == 0)
    return False


def identifier(value: object) -> str:
    """Return the id or name of a scale as text: 1, 1.0 and " 1" are "1"; a missing one is ""."""
    if is_missing(value):
        return ""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    try:
        return str(value).strip()
    except ValueError:  # more digits than the interpreter writes
        raise ValueError("an integer of too many digits cannot name a scale") from None


def item_positions(values: Sequence[Any]) -> list[int | None]:
    """Return the item position that each value names; None where it names none.

    Texts are read as pandas reads numbers (``" 1"``, ``"1e0"`` and ``"+1"`` are 1). Truth values,
    bytes, complex numbers, dates and durations are no ids.
    """
    texts = [v for v in values if isinstance(v, str) and v.isascii()]
    column = pd.to_numeric(pd.Series(texts, dtype=object), errors="coerce")
    parsed = dict(zip(texts, column.to_numpy(dtype="float64", na_value=np.nan), strict=True))
    return [_position(parsed.get(v, math.nan) if isinstance(v, str) else v) for v in values]


def _position(value: object) -> int | None:
    if isinstance(value, (bool, np.bool_, np.timedelta64)) or is_missing(value):
        return None
    if not isinstance(value, (int, np.integer, float, np.floating, Decimal)):
        return None
    if not 0 <= value < 2**32 - 1 or value != int(value):
        return None
    return int(value)


def key_token(value: object) -> object:
    """Return what two keys have in common if they are one respondent; None for a missing one.

    Numbers are one if they are equal, whatever their type; a truth value is never a number.
    """
    if is_missing(value):
        return None
    if isinstance(value, (bool, np.bool_)):
        return bool, bool(value)
    if isinstance(value, (int, float, np.integer, np.floating)):
        return float, value
    return (str if isinstance(value, str) else type(value)), value


def key_kind(value: object) -> int:
    """Return 0 for numbers and truth values, 1 for texts, 2 for everything else."""
    if isinstance(value, (numbers.Real, Decimal, np.bool_)):
        return 0
    return 1 if isinstance(value, str) else 2
