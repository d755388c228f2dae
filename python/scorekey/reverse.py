"""Reverse coding of numbers: the score that an answer has on an item asked the other way round."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np
import pandas as pd

from scorekey.messages import shown
from scorekey.values import is_missing

__all__ = ["reverse_code"]

_CHOICES = ("error", "nan")


def reverse_code(x: Any, low: float, high: float, *, out_of_range: str = "error") -> Any:
    """Return ``low + high - x``: numbers coded the other way round.

    Both bounds are those of the item, such as 1 and 7, and never taken from the answers: where
    nobody chose 7, the highest answer is not the end of the scale.

    Parameters
    ----------
    x : number, array-like, Series, Index or DataFrame of numbers
        The answers; missing ones (NaN, None, NA) stay missing. It is not modified.
    low, high : int or float
        The lowest and the highest answer that the item allows.
    out_of_range : {"error", "nan"}, default "error"
        What to do with an answer that is not from `low` to `high`.

    Returns
    -------
    number, ndarray, Series, Index, DataFrame or ExtensionArray
        Of the kind and shape of `x`, with its labels; a list or a tuple gives an array. Whole
        numbers stay whole (int64, Int64, Arrow's int64) if the bounds are, but with
        ``out_of_range="nan"`` those of NumPy become float64. Objects become float64; other types of
        float keep their width.

    Raises
    ------
    TypeError
        If a bound is no number, or `x` holds something else than numbers (texts, truth values).
    ValueError
        If an answer is out of range (the message names it and its place), the bounds are not finite
        or not in order, or `out_of_range` is neither of the two.

    Examples
    --------
    >>> import pandas as pd, scorekey as sk
    >>> sk.reverse_code([5, 4, 7, 3], 1, 7).tolist()
    [3, 4, 1, 5]
    >>> sk.reverse_code(pd.Series([1.0, None, 4.0]), 0, 4).tolist()
    [3.0, nan, 0.0]
    """
    _check_bounds(low, high)
    if out_of_range not in _CHOICES:
        raise ValueError(f"out_of_range must be 'error' or 'nan', not {shown(out_of_range)}")
    to_nan = out_of_range == "nan"
    if isinstance(x, pd.DataFrame):
        columns = {
            place: _reversed(x.iloc[:, place], low, high, to_nan, f"column {shown(name)}, ")
            for place, name in enumerate(x.columns)
        }
        result = pd.DataFrame(columns, index=x.index)
        result.columns = x.columns
        return result
    if isinstance(x, pd.Series):
        return _reversed(x, low, high, to_nan)
    if isinstance(x, pd.Index):
        return pd.Index(_reversed(pd.Series(x), low, high, to_nan, shape=x.shape), name=x.name)
    if isinstance(x, pd.api.extensions.ExtensionArray):
        return _reversed(pd.Series(x), low, high, to_nan).array
    if isinstance(x, np.ndarray) and not x.ndim:
        x = x[()]
    if isinstance(x, (np.ndarray, list, tuple, range)):
        array = np.asarray(x)
        flat = pd.Series(array.reshape(-1))
        return _reversed(flat, low, high, to_nan, shape=array.shape).to_numpy().reshape(array.shape)
    if is_missing(x):
        return x
    return _reversed(pd.Series([x]), low, high, to_nan, shape=()).tolist()[0]


def _check_bounds(low: Any, high: Any) -> None:
    for name, bound in (("low", low), ("high", high)):
        if isinstance(bound, (bool, np.bool_)) or not isinstance(bound, numbers.Real):
            raise TypeError(f"{name} must be a number, not {shown(bound)}")
        if not math.isfinite(bound):
            raise ValueError(f"{name} must be a finite number, not {shown(bound)}")
    if low >= high:
        raise ValueError(f"low must be below high, not {shown(low)} and {shown(high)}")


def _reversed(
    column: Any, low: Any, high: Any, to_nan: bool, where: str = "", shape: Any = None
) -> Any:
    column = _as_numbers(column, where)
    outside = ((column < low) | (column > high)).fillna(False).to_numpy(dtype=bool)
    if outside.any() and not to_nan:
        place = int(outside.argmax())
        raise ValueError(
            f"{where}{_place(column, place, shape)}: {shown(column.tolist()[place])} is not from "
            f"{shown(low)} to {shown(high)}"
        )
    if column.dtype.kind in "iu":
        extended = pd.api.types.is_extension_array_dtype(column.dtype)
        whole = float(low).is_integer() and float(high).is_integer()
        if whole:
            low, high = int(low), int(high)
        if to_nan and not extended:
            column = column.astype("float64")
        elif whole:
            column = column.astype(_widest(column.dtype))
    result = low + high - column
    return result.mask(outside) if to_nan else result


def _as_numbers(column: Any, where: str) -> Any:
    """Return the column if it holds numbers; objects as float64."""
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        raise TypeError(f"{where}numbers were expected, not categories")
    if dtype.kind != "O" or isinstance(dtype, pd.StringDtype):
        if dtype.kind not in "iuf":
            raise TypeError(f"{where}numbers were expected, not values of type {dtype}")
        return column
    for place, value in enumerate(column):
        is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
        if not (is_number or is_missing(value)):
            raise TypeError(
                f"{where}numbers were expected, but row {shown(column.index[place])} holds "
                f"{shown(value)}"
            )
    values = column.to_numpy(dtype="float64", na_value=np.nan)
    return pd.Series(values, index=column.index, name=column.name)


def _place(column: Any, place: int, shape: Any) -> str:
    if shape is None:
        return f"row {shown(column.index[place])}"
    if shape == ():
        return "the value"
    position = tuple(int(step) for step in np.unravel_index(place, shape))
    return f"position {position[0] if len(position) == 1 else position}"


def _widest(dtype: Any) -> Any:
    """Return the family's type for whole numbers that has room for every sum of bounds."""
    if isinstance(dtype, pd.ArrowDtype):
        return "int64[pyarrow]"
    return "Int64" if pd.api.types.is_extension_array_dtype(dtype) else "int64"
