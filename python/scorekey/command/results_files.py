"""Results files, one row for each answer, as the commands read them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from scorekey.command.failures import say
from scorekey.errors import ItemMismatchError, MissingColumnError
from scorekey.files.csv_layout import CsvLayout
from scorekey.files.results import read_results
from scorekey.item_texts import check_items
from scorekey.questionnaire import Questionnaire

if TYPE_CHECKING:
    from pandas import DataFrame

_TEXT_COLUMN = "instruction_item"


def read_frame(
    files: list[Path],
    form: Questionnaire,
    layout: CsvLayout,
    decision_column: str | None,
    item_column: str | None,
    valid_column: str | None,
) -> DataFrame:
    """Return the rows of results files; wrong usage if an option names a column that is not there.

    Parameters
    ----------
    files : list of Path
        The files.
    form : Questionnaire
        The questionnaire that the results belong to.
    layout : CsvLayout
        How CSV files are written.
    decision_column, item_column, valid_column : str or None
        The values of the options of these names; None for the usual columns.

    Raises
    ------
    ValueError
        If one of the usual columns is missing.
    typer.BadParameter
        If one that an option names is.
    """
    try:
        return read_results(
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


def check_texts(
    frame: DataFrame, form: Questionnaire, item_column: str, allow_mismatch: bool
) -> None:
    """Raise a ValueError, or say a warning, if item texts are not those of the questionnaire."""
    if _TEXT_COLUMN not in frame.columns:
        return
    try:
        check_items(frame, form, item_column=item_column, text_column=_TEXT_COLUMN)
    except ItemMismatchError as error:
        if not allow_mismatch:
            raise ValueError(f"{error}. Use --allow-text-mismatch to score them anyway") from None
        say("warning", str(error))
