"""Results files as the options of a command describe them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from scorekey.command.options import check_column
from scorekey.errors import MissingColumnError
from scorekey.files.csv_layout import CsvLayout
from scorekey.files.results import read_results
from scorekey.questionnaire import Questionnaire

if TYPE_CHECKING:
    from pandas import DataFrame


def read_frame(
    files: list[Path],
    form: Questionnaire,
    layout: CsvLayout,
    decision_column: str | None,
    item_column: str | None,
    valid_column: str | None,
) -> DataFrame:
    """Read results files; wrong usage if an option names a column that they do not have.

    Raises
    ------
    typer.BadParameter
        For such an option.
    ValueError
        If a file cannot be read, or lacks a column for which there is a default name.
    """
    try:
        frame = read_results(
            files,
            form,
            separator=layout.separator,
            encoding=layout.encoding,
            decision_column=decision_column or "decision",
            item_column=item_column or "instruction_item_id",
            valid_column=valid_column or "valid",
        )
    except MissingColumnError as error:
        options = {
            "decision": ("--decision-column", decision_column),
            "item id": ("--item-column", item_column),
        }
        option, value = options[error.role]
        if value is None:
            raise ValueError(f"{error}; or name another one with {option}") from None
        raise typer.BadParameter(str(error), param_hint=option) from None
    check_column(valid_column, list(frame.columns), "--valid-column")
    return frame
