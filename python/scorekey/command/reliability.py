"""``scorekey reliability``: results files and a questionnaire to the reliability of its scales."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorekey.answers import FINGERPRINT_ATTR, score_answers
from scorekey.command.failures import reported
from scorekey.command.options import (
    AllowTextMismatchOption,
    ByOption,
    EncodingOption,
    MatchingOption,
    SeparatorOption,
    check_column,
    check_groups,
    check_layout,
    check_matching,
    read_questionnaire,
    split_names,
)
from scorekey.command.outputs import check_outputs, write_outputs
from scorekey.command.results_files import check_texts, read_frame
from scorekey.command.surveys import (
    AnswersOption,
    ColumnsOption,
    MissingOption,
    WideOption,
    read_survey,
)
from scorekey.command.tables import print_frame
from scorekey.files.paths import find_files
from scorekey.imputation import IMPUTATIONS
from scorekey.scale_reliability import reliability as find_reliability


def reliability(
    results: Annotated[
        list[str],
        typer.Argument(
            metavar="RESULTS",
            help="Results files (.csv or .parquet), or quoted patterns such as 'results/*.csv'.",
            show_default=False,
        ),
    ],
    questionnaire: Annotated[
        str,
        typer.Option(
            "--questionnaire",
            "-q",
            metavar="CONFIG",
            help="JSON file of the questionnaire, or of an experiment that has one.",
            show_default=False,
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the table of scales to this .csv or .parquet file.",
        ),
    ] = None,
    items: Annotated[
        str | None,
        typer.Option(
            "--items",
            metavar="FILE",
            help="Write the table of items to this .csv or .parquet file.",
        ),
    ] = None,
    by: ByOption = None,
    within: Annotated[
        list[str] | None,
        typer.Option(
            "--within",
            metavar="COLUMNS",
            help="Columns of groups to look at one by one, such as model_id.",
        ),
    ] = None,
    nan_policy: Annotated[
        str,
        typer.Option(
            "--nan-policy",
            metavar="NAME",
            help="pairwise: all who answered two items count; listwise: those who answered all.",
        ),
    ] = "pairwise",
    confidence: Annotated[
        float,
        typer.Option(
            "--confidence", metavar="SHARE", help="The confidence of alpha's interval; 0 for none."
        ),
    ] = 0.95,
    duplicates: Annotated[
        str,
        typer.Option(
            "--duplicates",
            metavar="NAME",
            help="What repeated answers of a respondent to an item count as: error, first, last, "
            "unique.",
        ),
    ] = "error",
    impute: Annotated[
        str | None,
        typer.Option(
            "--impute",
            metavar="NAME",
            help=f"What an item that was not answered counts as: {', '.join(IMPUTATIONS)}. "
            "Default: it does not count.",
        ),
    ] = None,
    wide: WideOption = False,
    columns: ColumnsOption = None,
    answers: AnswersOption = "text",
    missing: MissingOption = None,
    matching: MatchingOption = "strict",
    separator: SeparatorOption = ",",
    encoding: EncodingOption = "utf-8-sig",
    allow_text_mismatch: AllowTextMismatchOption = False,
) -> None:
    """Estimate the reliability of each scale: alpha with its interval, omega, and item statistics.

    Shows a table of the scales and one of their items, or writes them to files.

    \b
    Examples:
      scorekey reliability results.csv -q config.json --within model_id
      scorekey reliability survey.csv -q config.json --wide --columns q --by id -o scales.csv
    """  # noqa: D301 (the mark that keeps lines is an escape)
    with reported():
        layout = check_layout(separator, encoding)
        mode = check_matching(matching)
        files = find_files(results)
        config = Path(questionnaire)
        outputs = check_outputs({"--output": output, "--items": items}, [*files, config])
        form = read_questionnaire(config, "--questionnaire")
        if wide:
            survey = read_survey(files, form, layout, columns, answers, missing, by, mode)
            parts = _check_parts(within, list(survey.frame.columns))
            scored = survey.item_scores(parts)
            groups = tuple(survey.by or ("respondent",))
        else:
            frame = read_frame(files, form, layout, None, None, None)
            groups = check_groups(by, list(frame.columns))
            parts = _check_parts(within, list(frame.columns))
            check_texts(frame, form, "instruction_item_id", allow_text_mismatch)
            scored = score_answers(frame, form, matching=mode)
        found = find_reliability(
            scored,
            by=groups,
            within=parts,
            nan_policy=nan_policy,
            confidence=confidence or None,
            duplicates=duplicates,
            impute=impute,
        )
        tables = {"--output": found.scales, "--items": found.items}
        write_outputs(
            {path: tables[option] for option, path in outputs.items()},
            scored.attrs[FINGERPRINT_ATTR],
        )
        if "--output" not in outputs:
            print_frame(found.scales, f"Reliability of the scales ({nan_policy})")
        if "--items" not in outputs:
            print_frame(found.items, "Their items")


def _check_parts(values: list[str] | None, columns: list[str]) -> list[str]:
    """Return the columns that an option names; wrong usage if one is not there."""
    names = split_names(values, columns) or []
    for name in names:
        check_column(name, columns, "--within")
    return names
