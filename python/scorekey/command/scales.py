"""``scorekey scales``: a file of item scores to scale scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorekey.answers import FINGERPRINT_ATTR
from scorekey.command.failures import reported
from scorekey.command.item_options import (
    DuplicatesOption,
    ExpectedOption,
    ImputeOption,
    MinFractionOption,
    MinItemsOption,
    read_asked,
)
from scorekey.command.options import (
    AggOption,
    ByOption,
    DimensionsOption,
    EncodingOption,
    OutputOption,
    SeparatorOption,
    TotalOption,
    check_agg,
    check_groups,
    check_layout,
    read_questionnaire,
    split_names,
)
from scorekey.command.outputs import check_outputs, write_outputs
from scorekey.command.tables import print_frame
from scorekey.errors import MissingColumnError
from scorekey.files.paths import find_files
from scorekey.files.results import read_table
from scorekey.inputs import read_names
from scorekey.item_record import ITEMS_ATTR
from scorekey.scales import scale_scores


def scales(
    items_file: Annotated[
        str,
        typer.Argument(
            metavar="ITEMS_FILE",
            help="File of item scores (.csv or .parquet), as 'scorekey score --items' writes it.",
            show_default=False,
        ),
    ],
    output: OutputOption = None,
    by: ByOption = None,
    agg: AggOption = "mean",
    total: TotalOption = False,
    dimensions: DimensionsOption = None,
    min_items: MinItemsOption = None,
    min_fraction: MinFractionOption = None,
    expected: ExpectedOption = False,
    duplicates: DuplicatesOption = "keep",
    impute: ImputeOption = None,
    dimension_column: Annotated[
        str | None,
        typer.Option(
            "--dimension-column",
            metavar="NAME",
            help="Column with the scale of each row. Default: dimension.",
        ),
    ] = None,
    score_column: Annotated[
        str | None,
        typer.Option(
            "--score-column", metavar="NAME", help="Column with the item scores. Default: score."
        ),
    ] = None,
    item_column: Annotated[
        str | None,
        typer.Option(
            "--item-column",
            metavar="NAME",
            help="Column with the position of the item, which only the options that are about "
            "items need. Default: instruction_item_id.",
        ),
    ] = None,
    questionnaire: Annotated[
        str | None,
        typer.Option(
            "--questionnaire",
            "-q",
            metavar="CONFIG",
            help="JSON file of the questionnaire. A Parquet file of item scores remembers which "
            "items a scale has, a CSV file does not.",
            show_default=False,
        ),
    ] = None,
    separator: SeparatorOption = ",",
    encoding: EncodingOption = "utf-8-sig",
) -> None:
    """Aggregate the item scores in ITEMS_FILE to scale scores.

    Scales come in the order that a Parquet file remembers, or in which they first occur in a CSV
    file; --dimensions sets another one.

    \b
    Examples:
      scorekey scales items.csv
      scorekey scales items.parquet --by profile_id --agg sum --total -o scales.csv
      scorekey scales items.csv -q config.json --min-items 3 --expected
    """  # noqa: D301 (the mark that keeps lines is an escape)
    with reported():
        layout = check_layout(separator, encoding)
        check_agg(agg)
        asked, wishes = read_asked(agg, min_items, min_fraction, expected, duplicates, impute)
        path, *others = find_files(items_file)
        if others:
            raise typer.BadParameter(f"{items_file} names several files; name one")
        config = None if questionnaire is None else Path(questionnaire)
        outputs = check_outputs({"--output": output}, [path, *filter(None, [config])])
        form = None if config is None else read_questionnaire(config, "--questionnaire")
        wanted = {"dimension": dimension_column or "dimension", "score": score_column or "score"}
        named = {"dimension": dimension_column, "score": score_column, "item id": item_column}
        options = {"item id": "--item-column"}
        if wishes is not None:
            wanted["item id"] = item_column or "instruction_item_id"
        try:
            frame = read_table(path, layout, wanted)
        except MissingColumnError as error:
            option = options.get(error.role, f"--{error.role}-column")
            if named[error.role] is None:
                raise ValueError(f"{error}; or name another one with {option}") from None
            raise typer.BadParameter(str(error), param_hint=option) from None
        if wishes and wishes.needs_questionnaire and form is None and ITEMS_ATTR not in frame.attrs:
            raise ValueError(
                f"{path} does not say which items a scale has; name the questionnaire with "
                "--questionnaire"
            )
        scale_names = read_names(frame[wanted["dimension"]], wanted["dimension"])[1]
        result = scale_scores(
            frame,
            by=check_groups(by, list(frame.columns)),
            dimension_column=wanted["dimension"],
            score_column=wanted["score"],
            agg=agg,
            include_total=total,
            dimensions=split_names(dimensions, scale_names),
            questionnaire=form,
            item_column=item_column or "instruction_item_id",
            **asked,
        )
        write_outputs(dict.fromkeys(outputs.values(), result), frame.attrs.get(FINGERPRINT_ATTR))
        if not outputs:
            print_frame(result, f"Scale scores ({agg})")
