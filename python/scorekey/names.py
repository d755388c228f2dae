"""Text columns of a result, built from a few texts and the position of each row's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey import _core
from scorekey.columns import in_arrow

_FEW_ROWS = 2000
_INFERRED: Any = pd.Index(["text"]).dtype
_TEXT = _INFERRED if isinstance(_INFERRED, pd.StringDtype) else None


def text_array(texts: Sequence[str | None]) -> Any:
    """Return texts, and None, in the type in which pandas keeps them.

    On pandas 2 that is an object array; on pandas 3 it is of type ``str``, unless all are None or
    one cannot be stored there.
    """
    array = np.empty(len(texts), dtype=object)
    array[:] = texts
    if _TEXT is None or all(text is None for text in texts):
        return array
    try:
        return pd.array(array, dtype=_TEXT)
    except UnicodeEncodeError:  # a lone surrogate has no place in Arrow's text
        return array


def spread(values: Any, positions: npt.NDArray[Any]) -> Any:
    """Return the array whose row i holds ``values[positions[i]]``, in the type of the values."""
    if not in_arrow(values.dtype) or len(positions) < _FEW_ROWS:
        taken = values.take(positions.astype(np.intp))
        # As an index, objects stay objects: pandas 3 would try to make Arrow's text of an array.
        return pd.Index(taken, dtype=object) if taken.dtype == object and _TEXT else taken
    # Several times faster than Arrow's own way to take.
    missing = values.isna()
    texts = ["" if gap else value for value, gap in zip(values, missing, strict=True)]
    offsets, letters = _core.spread_texts(texts, positions.astype(np.uint32, copy=False))
    gaps = missing[positions] if missing.any() else missing[:0]
    return _arrow_text(values, offsets, letters, gaps)


def spread_codes(column: Any, codes: _core.Codes, rows: npt.NDArray[np.int64]) -> Any:
    """Return the texts of some rows of a column, in the column's type.

    Of Arrow's text none becomes a Python object, since there may be as many of them as rows.
    """
    if in_arrow(column.dtype):
        return _arrow_text(column.array, *codes.spread(rows))
    distinct = [None, *codes.values()]
    is_string = isinstance(column.dtype, pd.StringDtype)
    values = pd.array(distinct, dtype=column.dtype) if is_string else text_array(distinct)
    return spread(values, codes.take(rows))


def _arrow_text(
    like: Any,
    offsets: npt.NDArray[np.int64],
    letters: npt.NDArray[np.uint8],
    gaps: npt.NDArray[np.bool_],
) -> Any:
    """Return texts in Arrow's layout as an array like another one; `gaps` may be empty."""
    import pyarrow as pa

    n_missing = int(gaps.sum())
    validity = pa.py_buffer(np.packbits(~gaps, bitorder="little")) if n_missing else None
    array = pa.LargeStringArray.from_buffers(
        len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(letters), validity, n_missing
    )
    # pandas 2.1 has offsets of 32 bits.
    return like.dtype.__from_arrow__(array.cast(like.__arrow_array__().type))


def infer(values: npt.NDArray[np.object_]) -> Any:
    """Return the objects in the type that pandas infers, or as they are where it cannot."""
    try:
        array: Any = pd.Index(values).infer_objects().array
    # A lone surrogate has no place in Arrow's text, nor a huge integer in a column of numbers.
    except (UnicodeEncodeError, OverflowError):
        return values
    return array.to_numpy() if isinstance(array, pd.arrays.NumpyExtensionArray) else array
