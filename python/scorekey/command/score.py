"""``scorekey score``: results files and a questionnaire to scale scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scorekey.answers import read_answers, scored_frame
from scorekey.command.failures import reported, say
from scorekey.command.field_warnings import field_warnings
from scorekey.command.key_warnings import missing_weights
from scorekey.command.options import (
    AggOption,
    ByOption,
    DecisionColumnOption,
    DimensionsOption,
    EncodingOption,
    ItemColumnOption,
    KeepInvalidOption,
    MatchingOption,
    OutputOption,
    QuestionnaireOption,
    ResultsArgument,
    SeparatorOption,
    TotalOption,
    ValidColumnOption,
    check_agg,
    check_groups,
    check_layout,
    check_matching,
    read_questionnaire,
    split_names,
)
from scorekey.command.outcomes import describe_outcomes
from scorekey.command.outputs import check_outputs, write_outputs
from scorekey.command.results import read_frame
from scorekey.command.tables import print_frame
from scorekey.errors import ItemMismatchError
from scorekey.files.paths import find_files
from scorekey.item_texts import check_items
from scorekey.key import ScoringKey, key_of
from scorekey.messages import listed
from scorekey.questionnaire import Questionnaire
from scorekey.scales import scale_scores

if TYPE_CHECKING:
    from pandas import DataFrame

_TEXT_COLUMN = "instruction_item"


def score(
    results: ResultsArgument,
    questionnaire: QuestionnaireOption,
    output: OutputOption = None,
    items: Annotated[
        str | None,
        typer.Option(
            "--items",
            metavar="FILE",
            help="Write the results with the item scores to this .csv or .parquet file.",
        ),
    ] = None,
    by: ByOption = None,
    agg: AggOption = "mean",
    total: TotalOption = False,
    dimensions: DimensionsOption = None,
    decision_column: DecisionColumnOption = None,
    item_column: ItemColumnOption = None,
    valid_column: ValidColumnOption = None,
    keep_invalid: KeepInvalidOption = False,
    matching: MatchingOption = "strict",
    separator: SeparatorOption = ",",
    encoding: EncodingOption = "utf-8-sig",
    allow_text_mismatch: Annotated[
        bool,
        typer.Option(
            "--allow-text-mismatch",
            help="Go on if the item texts in the results are not those of the questionnaire.",
        ),
    ] = False,
) -> None:
    """Score the answers in RESULTS with the key of a questionnaire.

    Shows the scale scores of every respondent, or writes them to a file. A line on standard error
    counts what became of the rows: invalid (the verdict says so), missing (no decision, or the
    judge's "not present" and "inconclusive"), unmatched (the text of no answer option), ignored
    (an option that is no point on the scale) and scored.

    \b
    Examples:
      scorekey score results.csv --questionnaire config.json
      scorekey score 'runs/*.csv' -q config.json --by model_id --total -o scales.csv
      scorekey score export.csv -q config.json --separator ';' --encoding cp1252
    """  # noqa: D301 (the mark that keeps lines is an escape)
    with reported():
        layout = check_layout(separator, encoding)
        check_agg(agg)
        mode = check_matching(matching)
        files = find_files(results)
        config = Path(questionnaire)
        outputs = check_outputs({"--output": output, "--items": items}, [*files, config])
        form = read_questionnaire(config, "--questionnaire")
        frame = read_frame(files, form, layout, decision_column, item_column, valid_column)
        groups = check_groups(by, list(frame.columns))
        _check_texts(frame, form, item_column or "instruction_item_id", allow_text_mismatch)
        for warning in (*missing_weights(form), *field_warnings(form)):
            say("warning", warning)
        key = key_of(form, mode)
        ids, answers = read_answers(
            frame,
            key,
            decision_column or "decision",
            item_column or "instruction_item_id",
            valid_column or "valid",
            not keep_invalid,
        )
        typer.echo(
            describe_outcomes(answers.outcomes(), frame[decision_column or "decision"]), err=True
        )
        scored = scored_frame(frame, key, ids, answers)
        scales = scale_scores(
            scored,
            by=groups,
            agg=agg,
            include_total=total,
            dimensions=_order(dimensions, key),
        )
        tables = {"--output": scales, "--items": scored}
        write_outputs({path: tables[option] for option, path in outputs.items()}, key.fingerprint)
        if "--output" not in outputs:
            print_frame(scales, f"Scale scores ({agg})")


def _check_texts(
    frame: DataFrame, form: Questionnaire, item_column: str, allow_mismatch: bool
) -> None:
    if _TEXT_COLUMN not in frame.columns:
        return
    try:
        check_items(frame, form, item_column=item_column, text_column=_TEXT_COLUMN)
    except ItemMismatchError as error:
        if not allow_mismatch:
            raise ValueError(f"{error}. Use --allow-text-mismatch to score them anyway") from None
        say("warning", str(error))


def _order(values: list[str] | None, key: ScoringKey) -> list[str] | None:
    """Return the scales that an option names."""
    names = split_names(values, key.scale_names)
    unknown = [name for name in names or () if name not in key.scale_names]
    if unknown:
        say(
            "warning",
            f"--dimensions names {listed(unknown)}, but the scales are {listed(key.scale_names)}",
        )
    return names
