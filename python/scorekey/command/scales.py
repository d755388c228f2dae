"""``scorekey scales``: a file of item scores to scale scores."""

from __future__ import annotations

from typing import Annotated

import typer

from scorekey.answers import FINGERPRINT_ATTR
from scorekey.command.failures import reported
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
    split_names,
)
from scorekey.command.outputs import check_outputs, write_outputs
from scorekey.command.tables import print_frame
from scorekey.errors import MissingColumnError
from scorekey.files.paths import find_files
from scorekey.files.results import read_table
from scorekey.inputs import read_names
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
    """  # noqa: D301 (the mark that keeps lines is an escape)
    with reported():
        layout = check_layout(separator, encoding)
        check_agg(agg)
        path, *others = find_files(items_file)
        if others:
            raise typer.BadParameter(f"{items_file} names several files; name one")
        outputs = check_outputs({"--output": output}, [path])
        wanted = {"dimension": dimension_column or "dimension", "score": score_column or "score"}
        try:
            frame = read_table(path, layout, wanted)
        except MissingColumnError as error:
            named = {"dimension": dimension_column, "score": score_column}[error.role]
            option = f"--{error.role}-column"
            if named is None:
                raise ValueError(f"{error}; or name another one with {option}") from None
            raise typer.BadParameter(str(error), param_hint=option) from None
        scale_names = read_names(frame[wanted["dimension"]], wanted["dimension"])[1]
        result = scale_scores(
            frame,
            by=check_groups(by, list(frame.columns)),
            dimension_column=wanted["dimension"],
            score_column=wanted["score"],
            agg=agg,
            include_total=total,
            dimensions=split_names(dimensions, scale_names),
        )
        write_outputs(dict.fromkeys(outputs.values(), result), frame.attrs.get(FINGERPRINT_ATTR))
        if not outputs:
            print_frame(result, f"Scale scores ({agg})")
