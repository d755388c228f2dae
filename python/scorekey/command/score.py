"""``scorekey score``: results files and a questionnaire to scale scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scorekey.answers import FINGERPRINT_ATTR, read_answers, scored_frame
from scorekey.command.failures import reported, say
from scorekey.command.field_warnings import field_warnings
from scorekey.command.item_options import (
    DuplicatesOption,
    ExpectedOption,
    ImputeOption,
    MinFractionOption,
    MinItemsOption,
    read_asked,
)
from scorekey.command.key_warnings import missing_weights
from scorekey.command.options import (
    AggOption,
    AllowTextMismatchOption,
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
    check_column,
    check_groups,
    check_layout,
    check_matching,
    read_questionnaire,
    split_names,
)
from scorekey.command.outcomes import describe_outcomes
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
from scorekey.key import ScoringKey, key_of
from scorekey.messages import listed
from scorekey.scales import scale_scores

if TYPE_CHECKING:
    pass


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
    min_items: MinItemsOption = None,
    min_fraction: MinFractionOption = None,
    expected: ExpectedOption = False,
    duplicates: DuplicatesOption = "keep",
    impute: ImputeOption = None,
    decision_column: DecisionColumnOption = None,
    item_column: ItemColumnOption = None,
    valid_column: ValidColumnOption = None,
    keep_invalid: KeepInvalidOption = False,
    matching: MatchingOption = "strict",
    wide: WideOption = False,
    columns: ColumnsOption = None,
    answers: AnswersOption = "text",
    missing: MissingOption = None,
    separator: SeparatorOption = ",",
    encoding: EncodingOption = "utf-8-sig",
    allow_text_mismatch: AllowTextMismatchOption = False,
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
      scorekey score results.csv -q config.json --min-fraction 0.5 --agg prorated_sum
      scorekey score survey.csv -q config.json --wide --columns q -o survey-with-scales.csv
      scorekey score export.csv -q config.json --separator ';' --encoding cp1252
    """  # noqa: D301 (the mark that keeps lines is an escape)
    with reported():
        layout = check_layout(separator, encoding)
        check_agg(agg)
        mode = check_matching(matching)
        asked, _ = read_asked(agg, min_items, min_fraction, expected, duplicates, impute)
        files = find_files(results)
        config = Path(questionnaire)
        outputs = check_outputs({"--output": output, "--items": items}, [*files, config])
        form = read_questionnaire(config, "--questionnaire")
        if wide:
            _check_alone(
                "--wide",
                {
                    "--decision-column": decision_column,
                    "--item-column": item_column,
                    "--valid-column": valid_column,
                    "--keep-invalid": keep_invalid,
                    "--dimensions": dimensions,
                    "--expected": expected,
                    "--duplicates": None if duplicates == "keep" else duplicates,
                },
            )
            survey = read_survey(files, form, layout, columns, answers, missing, by, mode)
            del asked["expected"], asked["duplicates"]
            scored, scales = survey.score(agg=agg, include_total=total, **asked)
            tables = {"--output": scales, "--items": scored}
            fingerprint = scored.attrs[FINGERPRINT_ATTR]
            write_outputs({path: tables[name] for name, path in outputs.items()}, fingerprint)
            if "--output" not in outputs:
                print_frame(survey.without_answers(scales), f"Scale scores ({agg})")
            return
        _check_alone("--wide", {"--columns": columns, "--missing": missing}, needed=True)
        frame = read_frame(files, form, layout, decision_column, item_column, valid_column)
        check_column(valid_column, list(frame.columns), "--valid-column")
        groups = check_groups(by, list(frame.columns))
        check_texts(frame, form, item_column or "instruction_item_id", allow_text_mismatch)
        for warning in (*missing_weights(form), *field_warnings(form)):
            say("warning", warning)
        key = key_of(form, mode)
        ids, found = read_answers(
            frame,
            key,
            decision_column or "decision",
            item_column or "instruction_item_id",
            valid_column or "valid",
            not keep_invalid,
        )
        typer.echo(
            describe_outcomes(found.outcomes(), frame[decision_column or "decision"]), err=True
        )
        scored = scored_frame(frame, key, ids, found)
        scales = scale_scores(
            scored,
            by=groups,
            agg=agg,
            include_total=total,
            dimensions=_order(dimensions, key),
            item_column=item_column or "instruction_item_id",
            **asked,
        )
        tables = {"--output": scales, "--items": scored}
        write_outputs({path: tables[option] for option, path in outputs.items()}, key.fingerprint)
        if "--output" not in outputs:
            print_frame(scales, f"Scale scores ({agg})")


def _check_alone(option: str, values: dict[str, object], *, needed: bool = False) -> None:
    """Raise wrong usage for options that do not go with one, or need it."""
    given = [name for name, value in values.items() if value not in (None, False)]
    if given:
        verb = "needs" if needed else "does not go with"
        raise typer.BadParameter(f"it {verb} {option}", param_hint=given[0])


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
