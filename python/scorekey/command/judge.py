"""``scorekey judge``: a file of judges' replies to mean scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pandas as pd
import typer

from scorekey.command.failures import reported
from scorekey.command.options import EncodingOption, check_layout, split_names
from scorekey.command.tables import printable
from scorekey.errors import MissingColumnError
from scorekey.files.paths import find_files
from scorekey.messages import shown
from scorekey.rubrics.replies import score_replies
from scorekey.rubrics.reply_files import SUFFIXES, read_names, read_parts
from scorekey.rubrics.reply_means import ReplyMeans
from scorekey.rubrics.rubric import ScoringRubric

_BUILT_IN = {
    "accuracy": ScoringRubric.accuracy,
    "helpfulness": ScoringRubric.helpfulness,
    "clarity": ScoringRubric.clarity,
}


def judge(
    replies: Annotated[
        str,
        typer.Argument(
            metavar="REPLIES",
            help="File of replies (.csv, .tsv, .jsonl or .parquet), one a row.",
            show_default=False,
        ),
    ],
    rubric: Annotated[
        str,
        typer.Option(
            "--rubric",
            metavar="NAME|FILE",
            help="What was scored: accuracy, helpfulness, clarity, or a rubric's JSON file.",
            show_default=False,
        ),
    ],
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="COLUMNS",
            help="Columns to group by, separated by commas (or repeat the option).",
        ),
    ] = None,
    reply_column: Annotated[
        str | None,
        typer.Option(
            "--reply-column", metavar="COLUMN", help="Column with the replies. Default: reply."
        ),
    ] = None,
    score_field: Annotated[
        str, typer.Option("--score-field", metavar="FIELD", help="JSON field with the score.")
    ] = "score",
    marker: Annotated[
        list[str] | None,
        typer.Option("--marker", metavar="WORD", help="One more label of scores, such as Note."),
    ] = None,
    separator: Annotated[
        str | None,
        typer.Option(
            "--separator",
            metavar="CHAR",
            help="What separates the cells of a CSV file. Default: a comma, in .tsv files a tab.",
        ),
    ] = None,
    encoding: EncodingOption = "utf-8-sig",
) -> None:
    """Read the scores out of the judges' replies in REPLIES and print their means.

    A reply without a clear score has none; how many there are, and why, is printed below.
    """
    with reported():
        path = check_file(replies)
        tabs = path.suffix.lower() == ".tsv"
        layout = check_layout(separator or ("\t" if tabs else ","), encoding)
        asked = read_rubric(rubric)
        known = read_names(path, layout) if by else ()
        groups = list(dict.fromkeys(split_names(by, known) or ()))
        column = reply_column or "reply"
        means = ReplyMeans(groups)
        try:
            for part in read_parts(path, list(dict.fromkeys([column, *groups])), layout):
                scored = score_replies(
                    part[column], asked, score_field=score_field, markers=marker or ()
                )
                means.add(part, scored)
        except MissingColumnError as error:
            if error.role != "reply":
                raise typer.BadParameter(str(error), param_hint="--by") from None
            if reply_column is None:
                raise ValueError(f"{error}; or name another one with --reply-column") from None
            raise typer.BadParameter(str(error), param_hint="--reply-column") from None
        typer.echo(report(asked, means))


def check_file(name: str) -> Path:
    """Return the path of a file of replies; wrong usage if it is none that can be read."""
    path, *others = find_files(name)
    if others:
        raise typer.BadParameter(f"{name} names several files; name one")
    if path.suffix.lower() not in SUFFIXES:
        raise typer.BadParameter(f"{path}: expected a file that ends in {', '.join(SUFFIXES)}")
    return path


def read_rubric(name: str) -> ScoringRubric:
    """Return a built-in rubric by its name, or read the file of that name."""
    if name in _BUILT_IN:
        return _BUILT_IN[name]()
    path = Path(name)
    if path.is_dir():
        raise typer.BadParameter(f"{name} is a folder; name its file", param_hint="--rubric")
    try:
        asked = ScoringRubric.from_json(path)
    except FileNotFoundError:
        raise typer.BadParameter(
            f"{shown(name)} is no rubric that is built in ({', '.join(_BUILT_IN)}), and there is "
            "no file of that name",
            param_hint="--rubric",
        ) from None
    asked.validate()
    return asked


def report(rubric: ScoringRubric, means: ReplyMeans) -> str:
    """Return the scale, the table of means and the reasons as text."""
    low, high = rubric.scale or (None, None)
    table = means.table(rubric.name).rename(columns=printable)
    for name in ("dimension", *table.columns[: len(means.by)]):
        cells = [printable(cell) if isinstance(cell, str) else cell for cell in table[name]]
        table[name] = pd.Series(cells, dtype=object)
    lines = [f"{printable(rubric.name)}: mean scores on the scale from {low} to {high}", ""]
    lines.append(table.to_string(index=False) if len(table) else "no replies")
    reasons = [f"{reason} {times}" for reason, times in means.reasons.items() if times]
    if reasons:
        lines.extend(["", f"Replies without a score: {', '.join(reasons)}"])
    return "\n".join(lines)
