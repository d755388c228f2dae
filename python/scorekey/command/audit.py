"""``scorekey audit``: how far the scores of results files can be trusted."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from scorekey.audit import KINDS, audit_answers
from scorekey.audit.text import WIDTH, text
from scorekey.command.failures import reported
from scorekey.command.options import (
    ByOption,
    DecisionColumnOption,
    EncodingOption,
    ItemColumnOption,
    KeepInvalidOption,
    MatchingOption,
    QuestionnaireOption,
    ResultsArgument,
    SeparatorOption,
    ValidColumnOption,
    check_column,
    check_groups,
    check_layout,
    check_matching,
    read_questionnaire,
    split_names,
)
from scorekey.command.outputs import check_outputs, write_outputs
from scorekey.command.results_files import read_frame
from scorekey.command.tables import printable
from scorekey.files.paths import find_files
from scorekey.messages import listed

FOUND = 3
"""The exit code if there is a finding of a kind that --fail-on names."""

_ANY = "any"
_SUFFIXES = {"--html": (".html", ".htm"), "--json": (".json",)}


def audit(
    results: ResultsArgument,
    questionnaire: QuestionnaireOption,
    html: Annotated[
        str | None,
        typer.Option("--html", metavar="FILE", help="Write the audit as a page to this file."),
    ] = None,
    json: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write the audit as JSON to this file."),
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar="KINDS",
            help="End with exit code 3 if there is a finding of one of these kinds, separated by "
            f"commas (or repeat the option): {_ANY}, {', '.join(KINDS)}.",
        ),
    ] = None,
    by: ByOption = None,
    decision_column: DecisionColumnOption = None,
    item_column: ItemColumnOption = None,
    valid_column: ValidColumnOption = None,
    keep_invalid: KeepInvalidOption = False,
    matching: MatchingOption = "strict",
    separator: SeparatorOption = ",",
    encoding: EncodingOption = "utf-8-sig",
) -> None:
    """Look for what a person should know before trusting the scores of RESULTS.

    Shows the findings, the most important first, each with what to do about it. The page of --html
    has the counts by scale, item, text and respondent too, and a sample of answers to read.

    \b
    Examples:
      scorekey audit results.csv --questionnaire config.json --html audit.html
      scorekey audit 'runs/*.csv' -q config.json --fail-on item_order,merged_respondents
    """  # noqa: D301 (the mark that keeps lines is an escape)
    with reported():
        kinds = _check_kinds(fail_on)
        layout = check_layout(separator, encoding)
        mode = check_matching(matching)
        files = find_files(results)
        config = Path(questionnaire)
        outputs = check_outputs({"--html": html, "--json": json}, [*files, config], _SUFFIXES)
        form = read_questionnaire(config, "--questionnaire")
        frame = read_frame(files, form, layout, decision_column, item_column, valid_column)
        check_column(valid_column, list(frame.columns), "--valid-column")
        report = audit_answers(
            frame,
            form,
            decision_column=decision_column or "decision",
            item_column=item_column or "instruction_item_id",
            valid_column=valid_column or "valid",
            only_valid=not keep_invalid,
            matching=mode,
            by=check_groups(by, list(frame.columns)),
        )
        makers = {"--html": report.to_html, "--json": report.to_json}
        write_outputs({path: makers[option]() for option, path in outputs.items()}, None)
        # No table: of sentences it would be hundreds of letters wide in a file or a log.
        width = min(WIDTH, shutil.get_terminal_size().columns)
        typer.echo(printable(text(report, width)))
        failed = any(_ANY in kinds or finding.kind in kinds for finding in report.findings)
    if failed:
        raise typer.Exit(FOUND)


def _check_kinds(values: list[str] | None) -> list[str]:
    """Return the kinds that an option names; wrong usage if one is unknown."""
    kinds = split_names(values, ()) or []
    unknown = [kind for kind in kinds if kind != _ANY and kind not in KINDS]
    if unknown:
        raise typer.BadParameter(
            f"there is no kind {listed(unknown)}; the kinds are {_ANY}, {', '.join(KINDS)}",
            param_hint="--fail-on",
        )
    return kinds
