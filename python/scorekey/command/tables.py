"""Tables on the terminal, or as plain text where the output goes elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from scorekey.command.failures import say

if TYPE_CHECKING:
    from pandas import DataFrame

_MOST_ROWS = 500
_WIDE = 10_000
"""Wide enough that no line of a file or a pipe is broken."""


def print_frame(frame: DataFrame, title: str) -> None:
    """Print a frame; of a long one the first rows, and how many there are."""
    numeric = [pd.api.types.is_numeric_dtype(dtype) for dtype in frame.dtypes]
    rows = [
        [printable(value) for value in row]
        for row in frame.head(_MOST_ROWS).itertuples(index=False, name=None)
    ]
    print_table(title, list(map(str, frame.columns)), rows, numeric)
    if len(frame) > _MOST_ROWS:
        say(
            "note",
            f"these are the first {_MOST_ROWS} of {len(frame)} rows; "
            "name a file with --output to have them all",
        )


def print_table(
    title: str, header: list[str], rows: list[list[str]], numeric: list[bool] | None = None
) -> None:
    """Print rows of text under a title; columns of numbers are aligned to the right."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=_WIDE)
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name, is_number in zip(header, numeric or [False] * len(header), strict=True):
        table.add_column(
            Text(printable(name)),
            justify="right" if is_number else "left",
            no_wrap=is_number,
            overflow="fold",
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)


def printable(value: Any) -> str:
    """Return a value as a cell: numbers short, letters that a terminal would obey escaped."""
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return "NaN"
    if isinstance(value, (float, np.floating)):
        return decimal(float(value))
    text = str(value)
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter == "\n" else repr(letter)[1:-1] for letter in text
    )


def decimal(number: float) -> str:
    """Return a number with at most six decimals, or as many as it needs if it is tiny or huge."""
    if number != 0 and not 1e-4 <= abs(number) < 1e15:
        return repr(number)
    text = f"{number:.6f}".rstrip("0")
    return f"{text}0" if text.endswith(".") else text


def points(number: float) -> str:
    """Return a weight or a score of one item, a whole number without decimals."""
    return decimal(number).removesuffix(".0")
