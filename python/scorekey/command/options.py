"""Options that the commands share, and what their values mean."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from scorekey.aggregation import NAMES
from scorekey.arguments import Matching
from scorekey.command.failures import reason
from scorekey.files.csv_layout import CsvLayout
from scorekey.grouping import DEFAULT_GROUPS
from scorekey.messages import listed, shown
from scorekey.questionnaire import Questionnaire

_TABS = ("\\t", "tab")

OutputOption = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the scale scores to this .csv or .parquet file instead of showing them.",
    ),
]
ByOption = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="COLUMNS",
        help="Columns that identify a respondent, separated by commas (or repeat the option). "
        f"Default: those of {','.join(DEFAULT_GROUPS)} that exist.",
    ),
]
AggOption = Annotated[
    str,
    typer.Option(
        "--agg",
        metavar="NAME",
        help=f"How the item scores of a scale become one number: {', '.join(NAMES)}.",
    ),
]
TotalOption = Annotated[bool, typer.Option("--total", help="Add the scale 'total' over all items.")]
DimensionsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--dimensions",
        metavar="NAMES",
        help="Scales in the order in which to report them, separated by commas; others follow.",
    ),
]
DecisionColumnOption = Annotated[
    str | None,
    typer.Option(
        "--decision-column",
        metavar="NAME",
        help="Column with the chosen answer option. Default: decision.",
    ),
]
ItemColumnOption = Annotated[
    str | None,
    typer.Option(
        "--item-column",
        metavar="NAME",
        help="Column with the position of the item, from 0. Default: instruction_item_id.",
    ),
]
ValidColumnOption = Annotated[
    str | None,
    typer.Option(
        "--valid-column",
        metavar="NAME",
        help="Column with the verdict on the answer. Default: valid, if it exists.",
    ),
]
KeepInvalidOption = Annotated[
    bool, typer.Option("--keep-invalid", help="Score answers that are not valid too.")
]
ResultsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="RESULTS",
        help="Results files (.csv or .parquet), or quoted patterns such as 'results/*.csv'.",
        show_default=False,
    ),
]
AllowTextMismatchOption = Annotated[
    bool,
    typer.Option(
        "--allow-text-mismatch",
        help="Go on if the item texts in the results are not those of the questionnaire.",
    ),
]
QuestionnaireOption = Annotated[
    str,
    typer.Option(
        "--questionnaire",
        "-q",
        metavar="CONFIG",
        help="JSON file of the questionnaire, or of an experiment that has one.",
        show_default=False,
    ),
]
MatchingOption = Annotated[
    str,
    typer.Option(
        "--matching",
        metavar="|".join(get_args(Matching)),
        help="How alike an answer and its option have to be: but for case and white space, or also "
        "for punctuation at the end, kinds of apostrophes and dashes, and how numbers are written.",
    ),
]
SeparatorOption = Annotated[
    str,
    typer.Option(
        "--separator", metavar="CHAR", help="What separates the cells of a CSV file; \\t is a tab."
    ),
]
EncodingOption = Annotated[
    str, typer.Option("--encoding", metavar="NAME", help="The encoding of a CSV file.")
]


def check_layout(separator: str, encoding: str) -> CsvLayout:
    """Return how CSV files are written; wrong usage if there is no such separator or encoding."""
    separator = "\t" if separator in _TABS else separator
    try:
        return CsvLayout(separator, encoding).check()
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def read_questionnaire(config: Path, argument: str) -> Questionnaire:
    """Return the questionnaire of a file; wrong usage of the argument if there is no such file."""
    try:
        return Questionnaire.from_json(config)
    except (FileNotFoundError, IsADirectoryError) as error:
        raise typer.BadParameter(reason(error), param_hint=argument) from None


def check_agg(agg: str) -> str:
    """Return the name of an aggregation; wrong usage if it is none."""
    if agg not in NAMES:
        raise typer.BadParameter(
            f"{shown(agg)} is no aggregation; expected one of {', '.join(NAMES)}",
            param_hint="--agg",
        )
    return agg


def check_matching(matching: str) -> Matching:
    """Return a mode of matching; wrong usage if it is none."""
    modes = get_args(Matching)
    if matching not in modes:
        raise typer.BadParameter(
            f"{shown(matching)} is no matching; expected {' or '.join(modes)}",
            param_hint="--matching",
        )
    return cast("Matching", matching)


def split_names(values: list[str] | None, known: Collection[str]) -> list[str] | None:
    """Return the names in the values of an option, of which each may be several.

    A value with commas that is itself a known name stays whole.
    """
    if values is None:
        return None
    names: list[str] = []
    for value in values:
        parts = [value] if value in known else [part.strip() for part in value.split(",")]
        names.extend(part for part in parts if part)
    return names


def check_groups(values: list[str] | None, columns: Collection[str]) -> tuple[str, ...]:
    """Return the columns that identify a respondent; wrong usage if one is not there."""
    names = split_names(values, columns)
    if names is None:
        return DEFAULT_GROUPS
    for name in names:
        check_column(name, columns, "--by")
    return tuple(names)


def check_column(name: str | None, columns: Collection[str], option: str) -> None:
    """Raise wrong usage if an option names a column that is not there."""
    if name is not None and name not in columns:
        raise typer.BadParameter(
            f"there is no column {shown(name)}; the columns are {listed(columns, most=8)}",
            param_hint=option,
        )
