"""Options of scale scores that are about items and not about rows, shared by two commands."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any

import typer

from scorekey.imputation import IMPUTATIONS
from scorekey.messages import shown
from scorekey.wishes import DUPLICATES, Wishes, read_wishes

MinItemsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--min-items",
        metavar="N",
        help="A scale needs N answered items to have a score. SCALE=N for one scale; may be "
        "repeated.",
    ),
]
MinFractionOption = Annotated[
    float | None,
    typer.Option(
        "--min-fraction",
        metavar="SHARE",
        help="A scale needs this share of its items answered, from 0 to 1: 0.5 is half of them.",
    ),
]
ExpectedOption = Annotated[
    bool,
    typer.Option("--expected", help="Add n_expected, how many items each scale has."),
]
DuplicatesOption = Annotated[
    str,
    typer.Option(
        "--duplicates",
        metavar="NAME",
        help=f"What repeated answers of a respondent to an item count as: {', '.join(DUPLICATES)}.",
    ),
]
ImputeOption = Annotated[
    str | None,
    typer.Option(
        "--impute",
        metavar="NAME",
        help=f"What an item that was not answered counts as: {', '.join(IMPUTATIONS)}. "
        "Default: it does not count.",
    ),
]


def read_asked(
    agg: str,
    min_items: list[str] | None,
    min_fraction: float | None,
    expected: bool,
    duplicates: str,
    impute: str | None,
) -> tuple[dict[str, Any], Wishes | None]:
    """Return the arguments of `scale_scores`, and what they ask for.

    Raises
    ------
    typer.BadParameter
        If an option is nothing that it can be, or two of them do not go together.
    """
    asked = {
        "min_items": _minima(min_items or []),
        "min_fraction": min_fraction,
        "expected": expected,
        "duplicates": duplicates,
        "impute": impute,
    }
    try:
        return asked, read_wishes(agg, **asked)
    except (TypeError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None


def _minima(values: Collection[str]) -> int | dict[str, int] | None:
    """Return one number for all scales, or one for each that is named."""
    of_scales: dict[str, int] = {}
    of_all = None
    for value in values:
        name, named, number = value.rpartition("=")
        try:
            minimum = int(number)
        except ValueError:
            raise typer.BadParameter(
                f"{shown(value)} is neither a number of items nor SCALE=N",
                param_hint="--min-items",
            ) from None
        if named:
            of_scales[name] = minimum
        else:
            of_all = minimum
    if of_scales and of_all is not None:
        raise typer.BadParameter(
            "give one number for all scales or one for each, not both", param_hint="--min-items"
        )
    return of_scales or of_all
