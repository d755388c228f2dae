"""Columns on their way into the core: one encoder for every way in which pandas stores data.

Data that are not objects never become objects. What is left to a detour through
``astype(object)`` are the rare types (periods, intervals, decimals).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from scorekey import _core
from scorekey.messages import listed, shown
from scorekey.threads import get_num_threads

Column = Any  # a pandas Series or Index, or one of their arrays

_NO_TIME = np.iinfo(np.int64).min


def checked_frame(frame: object) -> pd.DataFrame:
    """Return the frame without its attrs, which pandas would copy for every column that is taken.

    Raises
    ------
    TypeError
        If it is not a data frame.
    """
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"expected a pandas DataFrame, got {type(frame).__name__}")
    return pd.DataFrame(frame) if frame.attrs else frame


def copied_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame that shares nothing with the input that either could write to.

    Raises
    ------
    TypeError
        If the frame's attrs cannot be copied.
    """
    try:
        return frame.copy(deep=not _copies_on_write())
    except Exception as error:  # pandas copies attrs, which may hold anything
        if not frame.attrs:
            raise
        raise TypeError(
            f"the frame's attrs cannot be copied ({type(error).__name__}: {error}); "
            "remove what holds them back from frame.attrs"
        ) from error


def frame_column(frame: pd.DataFrame, name: Any, role: str) -> pd.Series[Any]:
    """Return a column of the frame.

    Raises
    ------
    ValueError
        If the frame does not have the column, or has it more than once.
    """
    if name not in frame.columns:
        message = (
            f"The {role} column {shown(name)} is missing; the frame has the columns "
            f"{listed(frame.columns, most=8)}"
        )
        if any(str(column).startswith("\ufeff") for column in frame.columns[:1]):
            message += (
                ". The first name begins with a byte order mark: read the file with "
                "encoding='utf-8-sig'"
            )
        raise ValueError(message)
    column: Any = frame[name]
    if isinstance(column, pd.DataFrame):
        raise ValueError(f"The {role} column {shown(name)} occurs more than once")
    return column  # type: ignore[no-any-return]


def as_column(values: Any, name: str) -> Column:
    """Return an array, a list or an Arrow array as something that `encode` takes.

    Raises
    ------
    TypeError
        If it is neither, or not of one dimension.
    """
    if isinstance(values, (pd.Series, pd.Index, np.ndarray, pd.api.extensions.ExtensionArray)):
        if values.ndim != 1 or isinstance(values, pd.MultiIndex):
            raise TypeError(f"{name} must be an array of one dimension")
        return values
    if type(values).__module__.partition(".")[0] == "pyarrow":
        import pyarrow as pa

        if isinstance(values, (pa.Array, pa.ChunkedArray)):
            chunked = values if isinstance(values, pa.ChunkedArray) else pa.chunked_array([values])
            return pd.arrays.ArrowExtensionArray(chunked)
    if not isinstance(values, (list, tuple, range)):
        raise TypeError(
            f"{name} must be an array, a Series, an Arrow array or a list, not "
            f"{type(values).__name__}"
        )
    column = np.empty(len(values), dtype=object)
    for position, value in enumerate(values):
        column[position] = value
    return column


def cell(column: Column, row: int) -> Any:
    """Return the value of one row, a number as Python's own."""
    value = column.iloc[row] if isinstance(column, pd.Series) else column[row]
    return value.item() if isinstance(value, (np.number, np.bool_)) else value


def encode(column: Column, *, dates_as_numbers: bool = False) -> _core.Codes:
    """Return the column's codes and distinct values.

    Parameters
    ----------
    column : Series, Index, extension array or ndarray
        The column.
    dates_as_numbers : bool
        Whether dates and durations only have to be told apart and sorted, as in a key column;
        their values are then integers.

    Raises
    ------
    TypeError
        If the column holds lists or structs in Arrow's form.
    """
    dtype = column.dtype
    if isinstance(dtype, np.dtype):
        return _encode_numpy(as_numpy(column), dates_as_numbers)
    array: Any = column.array if isinstance(column, (pd.Series, pd.Index)) else column
    if isinstance(dtype, pd.CategoricalDtype):
        categories = encode(array.categories, dates_as_numbers=dates_as_numbers)
        return _core.encode_indices(contiguous(array.codes), categories)
    chunks = arrow_chunks(array)
    if chunks is not None:
        return _core.encode_texts(chunks, get_num_threads())
    if isinstance(dtype, pd.ArrowDtype):
        return _encode_arrow(array, dates_as_numbers)
    if hasattr(dtype, "numpy_dtype") and dtype.kind in "iufb":
        filled = array.to_numpy(dtype=dtype.numpy_dtype, na_value=0)
        return _core.encode_numbers(contiguous(filled), get_num_threads(), contiguous(array.isna()))
    if isinstance(dtype, pd.DatetimeTZDtype) and dates_as_numbers:
        return _core.encode_numbers(contiguous(array.asi8), get_num_threads(), None, _NO_TIME)
    return _encode_numpy(np.asarray(array), dates_as_numbers)


def index_levels(index: pd.Index[Any]) -> list[pd.Index[Any]]:
    """Return the levels of an index, each as long as it; a plain one is its only level.

    They are found by their places, since pandas takes a name that is a number for a place.
    """
    if not isinstance(index, pd.MultiIndex):
        return [index]
    numbered = index.set_names(range(index.nlevels))
    return [numbered.get_level_values(place).rename(name) for place, name in enumerate(index.names)]


def in_arrow(dtype: Any) -> bool:
    """Return whether a column of this type holds text in Arrow's layout."""
    return isinstance(dtype, pd.StringDtype) and dtype.storage != "python"


def arrow_chunks(array: Any) -> list[tuple[Any, Any, Any, int]] | None:
    """Return the buffers of Arrow text as the core takes them, or None for another column."""
    if not (in_arrow(array.dtype) or isinstance(array.dtype, pd.ArrowDtype)):
        return None
    import pyarrow as pa
    import pyarrow.types as kinds

    data = array.__arrow_array__()
    chunks = data.chunks if isinstance(data, pa.ChunkedArray) else [data]
    if str(data.type) == "string_view":
        chunks = [chunk.cast(pa.large_string()) for chunk in chunks]
    elif not (kinds.is_string(data.type) or kinds.is_large_string(data.type)):
        return None
    return [_text_buffers(chunk) for chunk in chunks]


def as_numpy(column: Column) -> Any:
    """Return the cells of a column of one of NumPy's types.

    `np.asarray` asks a Series for protocols that it lacks. pandas takes its time to say so, and
    NumPy loses what the handler of a signal raises meanwhile: Ctrl-C would be without effect.
    """
    return column.to_numpy() if isinstance(column, pd.Series) else np.asarray(column)


def contiguous(array: Any) -> Any:
    """Return an array without gaps, in the machine's byte order."""
    array = np.ascontiguousarray(array)
    if not array.dtype.isnative or not array.flags.aligned:
        array = array.astype(array.dtype.newbyteorder("="))
    return array


def _encode_numpy(array: Any, dates_as_numbers: bool) -> _core.Codes:
    kind = array.dtype.kind
    if kind == "O":
        return _core.encode_objects(array)
    if kind in "mM" and dates_as_numbers:
        return _core.encode_numbers(
            contiguous(array).view(np.int64), get_num_threads(), None, _NO_TIME
        )
    if kind in "iufb" and array.dtype.itemsize <= 8:
        if array.dtype.itemsize == 2 and kind == "f":
            array = array.astype(np.float32)
        return _core.encode_numbers(contiguous(array), get_num_threads())
    return _core.encode_objects(pd.Series(array).astype(object).to_numpy())


def _encode_arrow(array: Any, dates_as_numbers: bool) -> _core.Codes:
    import pyarrow as pa
    import pyarrow.types as kinds

    data = array.__arrow_array__()
    chunks = data.chunks if isinstance(data, pa.ChunkedArray) else [data]
    kind = data.type
    if kinds.is_dictionary(kind):
        data = pa.chunked_array(chunks, type=kind).unify_dictionaries()
        merged = data.combine_chunks()
        merged = merged.chunk(0) if isinstance(merged, pa.ChunkedArray) else merged
        values = pd.arrays.ArrowExtensionArray(pa.chunked_array([merged.dictionary]))
        return _core.encode_indices(
            _filled(merged.indices),
            encode(values, dates_as_numbers=dates_as_numbers),
            _mask(merged.indices),
        )
    if kinds.is_nested(kind):
        raise TypeError(f"single values were expected, not Arrow's {kind}")
    if kinds.is_temporal(kind) and dates_as_numbers:
        width = pa.int32() if kind.bit_width == 32 else pa.int64()
        data = pa.chunked_array([chunk.view(width) for chunk in chunks], type=width)
    elif not (kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_boolean(kind)):
        return _core.encode_objects(pd.Series(array).astype(object).to_numpy())
    merged = pa.concat_arrays(data.chunks) if data.num_chunks else pa.array([], type=data.type)
    if kinds.is_float16(merged.type):
        merged = merged.cast(pa.float32())
    return _core.encode_numbers(_filled(merged), get_num_threads(), _mask(merged))


def _filled(array: Any) -> Any:
    filled = array.fill_null(False if array.type == "bool" else 0) if array.null_count else array
    return contiguous(filled.to_numpy(zero_copy_only=False))


def _mask(array: Any) -> Any:
    return contiguous(array.is_null().to_numpy(zero_copy_only=False)) if array.null_count else None


def _text_buffers(chunk: Any) -> tuple[Any, Any, Any, int]:
    """Return offsets, letters, validity bits and the bits to skip, all without a copy."""
    validity, offsets, letters = chunk.buffers()
    width = np.int64 if str(chunk.type).startswith("large") else np.int32
    if len(chunk) == 0 or offsets is None:
        return np.zeros(1, dtype=width), np.zeros(0, dtype=np.uint8), None, 0
    bounds = np.frombuffer(offsets, dtype=width)[chunk.offset : chunk.offset + len(chunk) + 1]
    text = np.frombuffer(letters, dtype=np.uint8) if letters else np.zeros(0, dtype=np.uint8)
    bits = np.frombuffer(validity, dtype=np.uint8) if chunk.null_count and validity else None
    return bounds, text, bits, chunk.offset


def _copies_on_write() -> bool:
    if int(pd.__version__.partition(".")[0]) >= 3:
        return True
    return pd.get_option("mode.copy_on_write") is True
