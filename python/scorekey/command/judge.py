"""``scorekey judge``: a file of judges' replies to mean scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorekey.replies import score_replies
from scorekey.reply_files import read_parts
from scorekey.reply_means import ReplyMeans
from scorekey.rubric import ScoringRubric

_BUILT_IN = {
    "accuracy": ScoringRubric.accuracy,
    "helpfulness": ScoringRubric.helpfulness,
    "clarity": ScoringRubric.clarity,
}


def judge(
    replies: Annotated[
        Path,
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
        typer.Option("--by", metavar="COLUMN", help="Group by this column; may be repeated."),
    ] = None,
    reply_column: Annotated[
        str, typer.Option("--reply-column", metavar="COLUMN", help="Column with the replies.")
    ] = "reply",
    score_field: Annotated[
        str, typer.Option("--score-field", metavar="FIELD", help="JSON field with the score.")
    ] = "score",
    marker: Annotated[
        list[str] | None,
        typer.Option("--marker", metavar="WORD", help="One more label of scores, such as Note."),
    ] = None,
) -> None:
    """Read the scores out of the judges' replies in REPLIES and print their means.

    A reply without a clear score has none; how many there are, and why, is printed below.
    """
    columns = list(dict.fromkeys([reply_column, *(by or ())]))
    try:
        asked = read_rubric(rubric)
        means = ReplyMeans(columns_of(by))
        for part in read_parts(replies, columns):
            scored = score_replies(
                part[reply_column], asked, score_field=score_field, markers=marker or ()
            )
            means.add(part, scored)
    except FileNotFoundError as error:
        raise typer.BadParameter(f"{error.filename} does not exist") from None
    except (OSError, ValueError, TypeError, ImportError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1) from None
    typer.echo(report(asked, means))


def read_rubric(name: str) -> ScoringRubric:
    """Return a built-in rubric by its name, or read the file of that name."""
    if name in _BUILT_IN:
        return _BUILT_IN[name]()
    asked = ScoringRubric.from_json(Path(name))
    asked.validate()
    return asked


def columns_of(by: list[str] | None) -> list[str]:
    """Return the names of the groups' columns, each once."""
    return list(dict.fromkeys(by or ()))


def report(rubric: ScoringRubric, means: ReplyMeans) -> str:
    """Return the scale, the table of means and the reasons as text."""
    low, high = rubric.scale or (None, None)
    table = means.table(rubric.name)
    lines = [f"{rubric.name}: mean scores on the scale from {low} to {high}", ""]
    lines.append(table.to_string(index=False) if len(table) else "no replies")
    reasons = [f"{reason} {times}" for reason, times in means.reasons.items() if times]
    if reasons:
        lines.extend(["", f"Replies without a score: {', '.join(reasons)}"])
    return "\n".join(lines)
