"""What arguments can be, checked before they are used; errors name the argument."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, get_args

from scorekey.messages import shown

Matching: TypeAlias = Literal["strict", "lenient"]
"""How alike a decision and its option have to be."""


def check_column_names(**names: object) -> None:
    """Raise a TypeError if one of the named arguments cannot be the name of a column."""
    for argument, name in names.items():
        try:
            hash(name)
        except TypeError:
            raise TypeError(f"{argument} must be the name of a column, not {shown(name)}") from None


def read_column_names(value: Any, argument: str) -> list[Any]:
    """Return the names of columns that an argument gives, one or several, each once.

    Raises
    ------
    TypeError
        If it is neither a text nor a sequence, or one of the names is a collection.
    """
    if isinstance(value, (bytes, bytearray)) or not isinstance(value, (str, Iterable)):
        raise TypeError(
            f"{argument} must be the name of a column or a sequence of names, not {shown(value)}"
        )
    try:
        return list(dict.fromkeys([value] if isinstance(value, str) else value))
    except TypeError:
        raise TypeError(
            f"{argument} must hold the names of columns, not collections: {shown(value)}"
        ) from None


def is_true(value: Any, argument: str) -> bool:
    """Return an argument that is true or false.

    Raises
    ------
    TypeError
        If it is a text, of which "False" would be true, or neither true nor false, such as NA.
    """
    if isinstance(value, (str, bytes, bytearray)):
        raise TypeError(f"{argument} must be True or False, not the text {shown(value)}")
    try:
        return bool(value)
    except (TypeError, ValueError):
        raise TypeError(f"{argument} must be True or False, not {shown(value)}") from None


def check_matching(matching: object) -> None:
    """Raise an error unless `matching` is a mode of matching.

    Raises
    ------
    TypeError
        If it is no text.
    ValueError
        If it is another text.
    """
    if not isinstance(matching, str):
        raise TypeError(f"matching must be 'strict' or 'lenient', not {shown(matching)}")
    if matching not in get_args(Matching):
        raise ValueError(f"matching must be 'strict' or 'lenient', not {shown(matching)}")
