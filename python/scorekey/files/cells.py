"""What the cells of a file stand for: a file has no types, so every cell is a text at first."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from scorekey import _core
from scorekey.columns import as_column
from scorekey.files.csv_table import EMPTY, Cell
from scorekey.inputs import read_decisions, read_items
from scorekey.key import ScoringKey
from scorekey.values import decision_text, item_positions

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_ZERO = re.compile(r"[+-]?(0+\.?0*|\.0+)([eE][+-]?[0-9]+)?")
_PLAIN_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")
_INT64 = np.iinfo(np.int64)
_UNMATCHED = 3  # the core's number for a decision that is the text of no option


def respell_decisions(
    decisions: list[Cell], items: list[Cell], texts: dict[str, Cell], key: ScoringKey
) -> tuple[int, tuple[str, str] | None]:
    """Write numbers as options have them: "4.0" becomes "4" where only "4" is an option.

    Parameters
    ----------
    decisions : list of str or NaN
        The decisions, which are changed in place.
    items : list of str or NaN
        The item of each decision.
    texts : dict of str to str
        The different decisions, each with itself; those that are new are added.
    key : ScoringKey
        The options.

    Returns
    -------
    int, (str, str) or None
        How many rows were changed, and one of the changes.
    """
    options = {
        _core.fold(text) for options in key._specification.option_sets for text, *_ in options
    }
    numbers = ((text, _number(text)) for text in texts if _NUMBER.fullmatch(text))
    # Most numbers are no option of any item, or already in plain form.
    spellings = {text: number for text, number in numbers if number != text and number in options}
    if not spellings:
        return 0, None
    rows = [row for row, text in enumerate(decisions) if text in spellings]
    pairs = list(dict.fromkeys((items[row], decisions[row]) for row in rows))
    positions = item_positions([item for item, _ in pairs])
    known = [
        (position, item, text, spellings[text])
        for position, (item, text) in zip(positions, pairs, strict=True)
        if position is not None and position < key.n_items
    ]
    where = [position for position, *_ in known]
    before = _outcomes(key, where, [text for *_, text, _ in known])
    after = _outcomes(key, where, [number for *_, number in known])
    changes: dict[tuple[Cell, str], str] = {
        (item, text): number
        for (_, item, text, number), was, becomes in zip(known, before, after, strict=True)
        if was == _UNMATCHED and becomes < _UNMATCHED
    }
    if not changes:
        return 0, None
    n_changed = 0
    for row in rows:
        number = changes.get((items[row], decisions[row]))
        if number is not None:
            decisions[row] = texts.setdefault(number, number)
            n_changed += 1
    (_, text), number = next(iter(changes.items()))
    return n_changed, (text, number)


def _number(text: str) -> str | None:
    """Return the number as a decision that is this number is compared."""
    try:
        return decision_text(float(text) if "." in text else int(text))
    except ValueError:  # more digits than the interpreter reads
        return None


def _outcomes(key: ScoringKey, items: list[int], decisions: list[Any]) -> list[int]:
    ids = read_items(np.array(items, dtype=np.int64), key.n_items, "item")
    codes = read_decisions(as_column(decisions, "decisions"), "decision")
    return _core.Answers(key._core, ids, codes).outcomes().tolist()  # type: ignore[no-any-return]


def respell_verdicts(verdicts: list[Cell], texts: dict[str, Cell]) -> int:
    """Write every spelling of zero ("0.0") as "0", in place; return how many rows were changed."""
    zeros = {text for text in texts if _ZERO.fullmatch(text.strip()) and text.strip() != "0"}
    if not zeros:
        return 0
    rows = [row for row, text in enumerate(verdicts) if text in zeros]
    for row in rows:
        verdicts[row] = texts.setdefault("0", "0")
    return len(rows)


def is_integers(texts: Mapping[str, Cell]) -> bool:
    """Return whether all filled cells are integers as a program writes them.

    "007", "+7" and "7.0" are not: turned into numbers, they could not be told from "7".
    """
    filled = (text for text in texts if text)
    return len(texts) > 1 and all(
        _PLAIN_INTEGER.fullmatch(text) and _INT64.min <= int(text) <= _INT64.max for text in filled
    )


def integer_column(cells: list[Cell], texts: Mapping[str, Cell]) -> Any:
    """Return an int64 array, or an Int64 one if a cell is empty."""
    numbers = {cell: int(text) if text else 0 for text, cell in texts.items()}
    values = np.fromiter(map(numbers.__getitem__, cells), dtype=np.int64, count=len(cells))
    gaps = np.fromiter((cell is EMPTY for cell in cells), dtype=bool, count=len(cells))
    return pd.arrays.IntegerArray(values, gaps) if gaps.any() else values


def text_column(cells: list[Cell], texts: Mapping[str, Cell]) -> Any:
    """Return texts as the version of pandas stores them, missing where a cell is empty."""
    if int(pd.__version__.partition(".")[0]) < 3:
        return _objects(cells)
    distinct = list(texts.values())
    try:
        column = pd.array(_objects(distinct), dtype="str")
    except UnicodeEncodeError:  # a lone surrogate has no place in Arrow's text
        return pd.Series(_objects(cells), dtype=object)  # an array would be tried once more
    # Far cheaper than to convert each cell.
    position = {cell: number for number, cell in enumerate(distinct)}
    return column.take(np.fromiter(map(position.__getitem__, cells), np.intp, len(cells)))


def _objects(values: list[Cell]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
