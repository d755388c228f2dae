"""The columns that scoring reads, each by its own rules, ready for the core.

Every function takes a column and the name by which errors call it, and raises an error that names
the column, a row and what was expected.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey import _core
from scorekey.columns import as_numpy, cell, contiguous, encode
from scorekey.messages import listed, shown
from scorekey.threads import get_num_threads
from scorekey.values import (
    decision_text,
    identifier,
    is_invalid,
    is_missing,
    item_positions,
    key_kind,
    key_token,
)

Column = Any
KeyColumn = tuple[_core.Codes, "list[int] | None"]


def read_items(column: Column, n_items: int, name: Any) -> _core.ItemIds:
    """Return the item of every row; a ValueError if a row's id is not the position of one."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iuf":
        plain = contiguous(as_numpy(column))
        known = plain.dtype.itemsize in (1, 4, 8)
        ids = _core.item_ids(plain, n_items, get_num_threads()) if known else None
        if ids is not None:
            return ids
    codes = _encoded(column, "item id", name)
    positions = [None, *item_positions(codes.values())]
    ids = _core.ItemIds.from_codes(codes, positions, n_items)
    if ids is None:
        raise ValueError(_invalid_items(column, codes, positions, n_items, name))
    return ids


def _invalid_items(
    column: Column, codes: _core.Codes, positions: list[int | None], n_items: int, name: Any
) -> str:
    wrong = {
        code for code, position in enumerate(positions) if position is None or position >= n_items
    }
    rows = [row for code, row in codes.appearances(missing=True) if code in wrong]
    count = codes.count(sorted(wrong))
    if n_items == 0:
        reason = "there are no items in the questionnaire"
    elif n_items == 1:
        reason = "there is one item, whose id is 0"
    else:
        reason = f"there are {n_items} items, whose ids are their positions, 0 to {n_items - 1}"
    return (
        f"Column {shown(name)} has {count} invalid item id(s), e.g. "
        f"{listed(cell(column, row) for row in rows)} (first in row {rows[0]}); {reason}. "
        "Check that the results were made with this questionnaire."
    )


def read_decisions(column: Column, name: Any, role: str = "decision") -> _core.Codes:
    """Return the decisions; a TypeError if there are collections among them."""
    codes = _encoded(column, role, name)
    others = codes.others()
    if not others:
        return codes
    _refuse_collections(codes, role, name)
    return codes.replace_others([decision_text(value) for _, value in others])


def read_verdicts(column: Column, name: Any) -> tuple[_core.Codes, list[bool]]:
    """Return the verdicts and which of them say "not valid"; a missing one does not."""
    codes = _encoded(column, "valid", name)
    _refuse_collections(codes, "valid", name)
    return codes, [False, *(is_invalid(value) for value in codes.values())]


def read_scores(column: Column, name: Any) -> npt.NDArray[np.float64]:
    """Return the item scores as floats; a ValueError if they are no numbers."""
    dtype = column.dtype
    kind = getattr(getattr(dtype, "categories", column), "dtype", dtype).kind
    try:
        if kind in "mMc":
            raise TypeError(f"they are of type {dtype}")
        if isinstance(column, np.ndarray):
            column = pd.Series(column)
        points = column.to_numpy(dtype="float64", na_value=np.nan)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"The score column {shown(name)} has to hold numbers{_first_word(column)}"
        ) from error
    return contiguous(points)  # type: ignore[no-any-return]


def _first_word(column: Column) -> str:
    """Return where the first cell is that is no number."""
    for row, value in enumerate(column):
        try:
            if not is_missing(value):
                float(value)
        except (TypeError, ValueError, OverflowError):
            return f"; row {row} holds {shown(value)}"
    return f", not {column.dtype}"


def read_names(column: Column, name: Any) -> tuple[_core.Codes, list[str]]:
    """Return the scales of the rows and the name of each code, the missing one (no scale) first."""
    codes = _encoded(column, "dimension", name)
    _refuse_collections(codes, "dimension", name)
    try:
        return codes, ["", *(identifier(value) for value in codes.values())]
    except ValueError as error:
        raise ValueError(f"The dimension column {shown(name)} cannot be read: {error}") from error


def read_distinct_items(column: Column, name: Any) -> tuple[_core.Codes, int]:
    """Return the items of the rows, whatever their ids are, and a number that is above all codes.

    Raises
    ------
    TypeError
        If the ids are collections.
    ValueError
        If a row has none.
    """
    codes = _encoded(column, "item id", name)
    _refuse_collections(codes, "item id", name)
    numbers: dict[str, int] = {"": 0}
    table = [0, *(numbers.setdefault(identifier(v), len(numbers)) for v in codes.values())]
    for code, row in codes.appearances(missing=True):
        if table[code] == 0:
            raise ValueError(f"Column {shown(name)} has no item id in row {row}")
    return codes.recode(table), len(numbers)


def read_key(column: Column, name: Any) -> KeyColumn:
    """Return a key column and, where the core cannot sort its values, the order of its codes.

    Raises
    ------
    TypeError
        If the values are collections, or of a type that respondents cannot have.
    ValueError
        If the values have no order.
    """
    if str(column.dtype).lower().startswith(("float16", "halffloat")):
        raise TypeError(f"The group column {shown(name)} is of type {column.dtype}: use float32")
    codes = _encoded(column, "group", name, dates_as_numbers=True)
    if isinstance(column.dtype, pd.CategoricalDtype):
        return _in_category_order(codes)
    if codes.others():
        _refuse_collections(codes, "group", name)
        return _sorted_by_value(codes, name)
    if column.dtype == object and not codes.has_texts:
        return _in_numpy_order(codes)
    return codes, None


def _in_category_order(codes: _core.Codes) -> KeyColumn:
    n_values = codes.n_values
    return codes, [n_values, *range(n_values)]


def _in_numpy_order(codes: _core.Codes) -> KeyColumn:
    """Sort numbers as NumPy sorts objects, which is what the reference does.

    It differs from an order by value where a missing key is among them: NaN compares with nothing,
    so it stays between the numbers wherever it first came.
    """
    values = [np.nan, *codes.values()]
    appearing = [code for code, _ in codes.appearances(missing=True)]
    found = np.empty(len(appearing), dtype=object)
    found[:] = [values[code] for code in appearing]
    ranks = [0] * len(values)
    for rank, position in enumerate(np.argsort(found)):
        ranks[appearing[position]] = rank
    return codes, ranks


def _sorted_by_value(codes: _core.Codes, name: Any) -> KeyColumn:
    """Merge values that are one respondent, and sort them."""
    found: dict[object, int] = {}
    distinct: list[Any] = []
    table = [0]
    for value in codes.values():
        token = key_token(value)
        if token is None:
            table.append(0)
            continue
        position = found.setdefault(token, len(distinct))
        if position == len(distinct):
            distinct.append(value)
        table.append(position + 1)
    kinds = {key_kind(value) for value in distinct}
    if 2 in kinds and len(kinds) > 1:
        raise ValueError(_no_order(name, distinct))
    try:
        order = sorted(range(len(distinct)), key=lambda position: _sort_key(distinct[position]))
    except TypeError:
        raise ValueError(_no_order(name, distinct)) from None
    ranks = [len(distinct)] * (len(distinct) + 1)
    for rank, position in enumerate(order):
        ranks[position + 1] = rank
    return codes.recode(table), ranks


def _sort_key(value: Any) -> tuple[int, Any]:
    return key_kind(value), value


def _no_order(name: Any, values: list[Any]) -> str:
    types = sorted({type(value).__name__ for value in values})
    return (
        f"The group column {shown(name)} holds values that cannot be ordered (types "
        f"{', '.join(types[:5])}), e.g. {listed(values)}; use numbers or texts"
    )


def _encoded(
    column: Column, role: str, name: Any, *, dates_as_numbers: bool = False
) -> _core.Codes:
    try:
        return encode(column, dates_as_numbers=dates_as_numbers)
    except TypeError as error:
        raise TypeError(f"The {role} column {shown(name)} cannot be read: {error}") from error


def _refuse_collections(codes: _core.Codes, role: str, name: Any) -> None:
    for code, value in codes.others():
        try:
            hash(value)
        except TypeError as error:
            row = dict(codes.appearances(missing=False)).get(code)
            if row is None:  # an unused category
                continue
            raise TypeError(
                f"The {role} column {shown(name)} must hold single values, but row {row} holds "
                f"{shown(value)} ({error})"
            ) from error
