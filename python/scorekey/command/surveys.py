"""Wide files, one row for each respondent, as the commands read and score them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from scorekey.arguments import Matching
from scorekey.columns import frame_column
from scorekey.command.options import check_column, split_names
from scorekey.files.cells import respell_decisions
from scorekey.files.csv_layout import CsvLayout
from scorekey.files.results import read_table
from scorekey.key import key_of
from scorekey.messages import listed, shown
from scorekey.questionnaire import Questionnaire
from scorekey.wide import score_wide
from scorekey.wide_columns import ANSWERS, find_columns, find_headers, key_by

if TYPE_CHECKING:
    from pandas import DataFrame

WideOption = Annotated[
    bool,
    typer.Option("--wide", help="RESULTS has a row for each respondent, a column for each item."),
]
ColumnsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="NAMES",
        help="With --wide: what the names of the columns begin with before a number, such as "
        "q, or all names in the order of the items, separated by commas. Default: 0,1,2 and so on.",
    ),
]
AnswersOption = Annotated[
    str,
    typer.Option(
        "--answers",
        metavar="KIND",
        help=f"With --wide: what the cells hold of the chosen option: {', '.join(ANSWERS)}.",
    ),
]
MissingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        metavar="VALUES",
        help="With --wide: cells that stand for no answer, such as 0 or -99, separated by commas.",
    ),
]


class Survey(NamedTuple):
    """A wide file that has been read.

    Attributes
    ----------
    frame : DataFrame
        Its rows, those of the header among them.
    form : Questionnaire
        The questionnaire.
    arguments : dict
        What `score_wide` has to know of the file.
    by : list of str or None
        The columns that identify a respondent.
    places : set of int
        Where the answers stand.
    """

    frame: DataFrame
    form: Questionnaire
    arguments: dict[str, Any]
    by: list[str] | None
    places: set[int]

    def score(self, **asked: Any) -> tuple[DataFrame, DataFrame]:
        """Return the item scores, one a row, and the file with its scale scores.

        What became of the answers is said on standard error.
        """
        scored = self.item_scores()
        return scored, score_wide(self.frame, self.form, **self.arguments, **asked)

    def item_scores(self, more: Sequence[str] = ()) -> DataFrame:
        """Return the item scores, one a row; their number is said on standard error.

        Parameters
        ----------
        more : sequence of str
            Columns of the file to keep beside those that identify a respondent.
        """
        scored = score_wide(self.frame, self.form, form="items", by=self.by, **self.arguments)
        rows = self.frame.iloc[find_headers(self.frame) :]
        for name in more:
            if name not in scored.columns:
                column = frame_column(rows, name, "group")
                scored[name] = column.repeat(len(self.places)).array
        n_scored = int(scored["score"].count())
        typer.echo(
            f"{len(scored)} answers: {n_scored} scored, {len(scored) - n_scored} without a score",
            err=True,
        )
        return scored

    def without_answers(self, scales: DataFrame) -> DataFrame:
        """Return the columns that identify a respondent, or else all others, and the scales."""
        width = self.frame.shape[1]
        names = list(self.frame.columns)
        shown_places = [
            place
            for place in range(width)
            if place not in self.places and (self.by is None or names[place] in self.by)
        ]
        return scales.iloc[:, [*shown_places, *range(width, scales.shape[1])]]


def read_survey(
    files: list[Path],
    form: Questionnaire,
    layout: CsvLayout,
    columns: list[str] | None,
    answers: str,
    missing: list[str] | None,
    by: list[str] | None,
    matching: Matching,
) -> Survey:
    """Read a wide file.

    Raises
    ------
    typer.BadParameter
        If there are several files, or an option names something that is not there.
    """
    if len(files) > 1:
        raise typer.BadParameter(f"--wide reads one file, but {len(files)} are named")
    if answers not in ANSWERS:
        raise typer.BadParameter(
            f"{shown(answers)} is none of {listed(ANSWERS)}", param_hint="--answers"
        )
    frame = read_table(files[0], layout, {})
    known = list(map(str, frame.columns))
    names = split_names(by, known)
    for name in names or ():
        check_column(name, known, "--by")
    named: Any = split_names(columns, known)
    key = key_of(form, matching)
    if named is not None and len(named) == 1 and key.n_items != 1:
        (named,) = named
    rows = frame.iloc[find_headers(frame) :]
    try:
        places = find_columns(rows, named, key.n_items)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--columns") from None
    matcher = key_by(answers, form, key)
    for item, place in places.items():
        cells = frame.iloc[:, place]
        if cells.dtype.kind not in "iuf":
            texts = [cell if isinstance(cell, str) else "" for cell in cells]
            changed, _ = respell_decisions(
                texts, [item] * len(texts), {text: text for text in texts}, matcher
            )
            if changed:
                frame.isetitem(place, texts)
    arguments = {
        "columns": named,
        "answers": answers,
        "missing": split_names(missing, ()) or [],
        "matching": matching,
    }
    return Survey(frame, form, arguments, names, set(places.values()))
