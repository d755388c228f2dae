"""``scorekey key``: a questionnaire as it was understood."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorekey.command.failures import reported, say
from scorekey.command.key_warnings import key_warnings
from scorekey.command.options import MatchingOption, check_matching, read_questionnaire
from scorekey.command.tables import points, print_table, printable
from scorekey.key import ScoringKey, key_of
from scorekey.questionnaire import AnswerOptions, Questionnaire
from scorekey.specification import TOTAL_SCALE


def key(
    config: Annotated[
        str,
        typer.Argument(
            metavar="CONFIG",
            help="JSON file of a questionnaire, or of an experiment that has one.",
            show_default=False,
        ),
    ],
    matching: MatchingOption = "strict",
) -> None:
    """Show the scoring key of a questionnaire.

    Shows each item's scale, direction, range and what its options are worth: the weight, or min +
    max - weight on a reverse-keyed item, min and max being the range of the options that are not
    ignored. What is probably a mistake is named on standard error.

    \b
    Example:
      scorekey key config.json
    """  # noqa: D301 (the mark that keeps lines is an escape)
    with reported():
        mode = check_matching(matching)
        questionnaire = read_questionnaire(Path(config), "CONFIG")
        compiled = key_of(questionnaire, mode)
        scales = ", ".join(map(printable, compiled.dimensions)) or "none"
        typer.echo(f"Questionnaire: {printable(questionnaire.name)}")
        typer.echo(f"Items: {compiled.n_items}, scales: {scales}")
        typer.echo(f"Fingerprint: {compiled.fingerprint}")
        print_table(
            "",
            ["item", "text", "scale", "direction", "range", "options"],
            _rows(questionnaire, compiled),
        )
        for warning in key_warnings(questionnaire, compiled):
            say("warning", warning)


def _rows(questionnaire: Questionnaire, compiled: ScoringKey) -> list[list[str]]:
    """Return the cells of each item; options that an earlier item has are not listed again."""
    rows = []
    first_with: dict[object, int] = {}
    for number, item in enumerate(questionnaire.instruction_items or ()):
        own = item.answer_options
        options = own if own is not None and own.options else questionnaire.default_answer_options
        scored_as = compiled._specification.items[number], compiled._core.range(number)
        first = first_with.setdefault(scored_as, number)
        if first == number:
            worth = "\n".join(_worth(compiled, number, options)) or "none: no answer has a score"
        else:
            worth = f"as item {first}"
        rows.append(
            [
                str(number),
                " ".join(printable(item.question).split()),
                printable(compiled.labels[number] or f"({TOTAL_SCALE} only)"),
                "reversed" if item.reversed else "normal",
                _range(compiled._core.range(number)),
                worth,
            ]
        )
    return rows


def _worth(compiled: ScoringKey, item: int, options: AnswerOptions | None) -> list[str]:
    """Return each option of an item with its score."""
    listed = list(options.options.values()) if options is not None else []
    scores = compiled.score([item] * len(listed), [option.text for option in listed]).tolist()
    clashing = set(compiled._core.clashes(item))
    lines = []
    for option, score in zip(listed, scores, strict=True):
        if not option.text.strip():
            worth = "blank, never matched"
        elif option.text in clashing:
            worth = "no score, it clashes"
        elif option.ignored_for_scale:
            worth = "ignored"
        else:
            worth = points(score)
        lines.append(f"{printable(option.text)} = {worth}")
    return lines


def _range(bounds: tuple[float, float] | None) -> str:
    return "none" if bounds is None else " to ".join(map(points, bounds))
