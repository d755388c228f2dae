"""Results files: from CSV or Parquet to the frame that `score_answers` scores."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from scorekey.files import csv_faults as faults
from scorekey.files.cells import (
    integer_column,
    is_integers,
    respell_decisions,
    respell_verdicts,
    text_column,
)
from scorekey.files.csv_layout import CsvLayout, ResultsFile
from scorekey.files.csv_table import EMPTY, CsvTable, Heading
from scorekey.files.parquet import is_parquet, read_parquet
from scorekey.files.paths import Paths, find_files
from scorekey.key import ScoringKey, key_of
from scorekey.messages import shown, warn

__all__ = ["read_results"]

_LOG = logging.getLogger("scorekey")


def read_results(
    paths: Paths,
    questionnaire: Any,
    *,
    separator: str = ",",
    encoding: str = "utf-8-sig",
    decision_column: str = "decision",
    item_column: str = "instruction_item_id",
    valid_column: str | None = "valid",
) -> pd.DataFrame:
    r"""Read results files as a person reads them.

    A CSV file has no types. So columns stay text here, and only an empty cell is missing: "None",
    "N/A", "True" and "01" may be answer options. What is changed:

    * A decision that is the text of no option of its item, but a number such as "4.0" or "+4" whose
      plain form "4" is one, becomes that text.
    * A verdict that spells zero ("0.0") becomes "0", which means not valid.
    * Any other column in which every filled cell is an integer in plain spelling becomes int64
      (Int64 if cells are empty). "007" and "1.0" are no plain spellings.

    Parquet files have types, which are kept; the first two rules hold for their text columns.

    Parameters
    ----------
    paths : path, pattern, or sequence of them
        The files, which are put one below the other; patterns are like ``"results/*.csv"``. A file
        that exists is taken literally, and one that is named twice is read once.
    questionnaire : Questionnaire, ScoringKey, experiment, mapping or path
        The questionnaire that the results belong to, in any form that `score_answers` takes.
    separator : str, default ","
        The character between two cells of a CSV file.
    encoding : str, default "utf-8-sig"
        The encoding of CSV files; the default is UTF-8 with or without a byte order mark.
    decision_column, item_column : str, default "decision" and "instruction_item_id"
        Columns that each file must have.
    valid_column : str or None, default "valid"
        Column with the verdicts, which may be missing; None if there are none.

    Returns
    -------
    DataFrame
        The rows of all files with all their columns, numbered from 0. A name that several columns
        have is kept, unless it is that of a column above. What was changed is counted
        in messages of level INFO of the logger ``"scorekey"``.

    Raises
    ------
    FileNotFoundError
        If a file is not there, or no file matches a pattern.
    OSError
        If a file cannot be opened.
    ValueError
        If a file cannot be read; the message names the file, the line and what to try: another
        encoding or separator, the columns that it has, the line with too many or too few cells.
    TypeError
        If an argument is of a type that it cannot have.
    ImportError
        If a Parquet file is named, but pyarrow is not installed.

    Warns
    -----
    UserWarning
        If a file has no rows, or files differ in their columns. Columns that a file does not have
        are missing in its rows.

    Examples
    --------
    >>> import tempfile, pathlib, scorekey as sk
    >>> options = {str(i): {"text": str(i), "weight": i} for i in range(1, 6)}
    >>> questionnaire = {
    ...     "name": "One item",
    ...     "general_instruction": "From 1 to 5?",
    ...     "default_answer_options": options,
    ...     "instruction_items": [{"question": "I am talkative."}],
    ... }
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "results.csv")
    >>> lines = ["person,instruction_item_id,decision", "001,0,4.0", "002,0,None", "003,0,"]
    >>> _ = path.write_text("\n".join(lines))
    >>> results = sk.read_results(path, questionnaire)
    >>> print(results.to_string(index=False))
    person  instruction_item_id decision
       001                    0        4
       002                    0     None
       003                    0      NaN
    >>> sk.score_answers(results, questionnaire)["score"].tolist()
    [4.0, nan, nan]
    >>> folder.cleanup()
    """
    layout = CsvLayout(separator, encoding).check()
    _check_names(decision_column=decision_column, item_column=item_column)
    if valid_column is not None:
        _check_names(valid_column=valid_column)
    # How the file spells numbers does not depend on how its texts will be matched.
    key = key_of(questionnaire, "strict")
    wanted = {"item id": item_column, "decision": decision_column}
    files = find_files(paths)
    if any(map(is_parquet, files)):
        return _from_parquet(files, key, wanted, valid_column)
    used = [*wanted.values(), *([] if valid_column is None else [valid_column])]
    table = _csv_table(files, layout, wanted, used)
    there = [name for name in used if Heading(name) in table.columns]
    columns = {name: table.columns[Heading(name)] for name in there}
    texts = {name: table.texts[Heading(name)] for name in there}
    changed = _respell(columns, texts, key, wanted, valid_column)
    del columns, texts  # each is let go as soon as it is read
    return _frame(table, keep=(decision_column, valid_column), changed=changed)


def _check_names(**names: object) -> None:
    for argument, name in names.items():
        if not isinstance(name, str):
            raise TypeError(f"{argument} must be a text, the name of a column, not {shown(name)}")


def read_table(path: Path, layout: CsvLayout, wanted: Mapping[str, str]) -> pd.DataFrame:
    """Read a file that is no results file, such as one of item scores.

    Parameters
    ----------
    path : Path
        A CSV or Parquet file.
    layout : CsvLayout
        How a CSV file is written.
    wanted : mapping of str to str
        The columns that it must have: what each is needed for, and its name.

    Returns
    -------
    DataFrame
        Texts and whole numbers as `read_results` has them, or the types of the Parquet file.
    """
    if is_parquet(path):
        frame = read_parquet(path)
        _check_columns(path, frame, wanted)
        return frame
    return _frame(_csv_table([path], layout, wanted), keep=(), changed=0)


def _csv_table(
    files: list[Path], layout: CsvLayout, wanted: Mapping[str, str], used: Collection[str] = ()
) -> CsvTable:
    table = CsvTable(layout, wanted, used)
    for path in files:
        table.add(ResultsFile(path))
    table.warn_of_gaps()
    return table


def _frame(table: CsvTable, keep: Collection[str | None], changed: int) -> pd.DataFrame:
    """Return the columns in their types; each list of cells is let go as soon as it is read."""
    names = [heading.name for heading in table.columns]
    data: dict[int, Any] = {}
    numbers = []
    for heading in list(table.columns):
        cells, texts = table.columns.pop(heading), table.texts.pop(heading)
        if heading.name not in keep and is_integers(texts):
            data[len(data)] = integer_column(cells, texts)
            numbers.append(heading.name)
        else:
            data[len(data)] = text_column(cells, texts)
    if numbers:
        _LOG.info("columns of whole numbers: %s", ", ".join(map(shown, numbers)))
    if not changed:
        _LOG.info("no decision or verdict was changed")
    # The copy puts the columns of a type together. Otherwise pandas warns of many columns as soon
    # as one is added.
    frame = pd.DataFrame(data, copy=True)
    frame.columns = pd.Index(names)
    return frame


def _respell(
    columns: dict[str, list[Any]],
    texts: dict[str, dict[str, Any]],
    key: ScoringKey,
    wanted: Mapping[str, str],
    valid_column: str | None,
) -> int:
    """Change decisions and verdicts in place, and return in how many rows."""
    decision_column, item_column = wanted["decision"], wanted["item id"]
    n_decisions, example = respell_decisions(
        columns[decision_column], columns[item_column], texts[decision_column], key
    )
    if example is not None:
        text, number = map(shown, example)
        _LOG.info(
            "%d decisions in column %s are numbers in another spelling than the option's "
            "(for instance %s is now %s)",
            n_decisions,
            shown(decision_column),
            text,
            number,
        )
    n_verdicts = 0
    if valid_column is not None and valid_column in columns:
        n_verdicts = respell_verdicts(columns[valid_column], texts[valid_column])
    if n_verdicts:
        _LOG.info(
            "%d cells in column %s spell zero and are now '0', not valid",
            n_verdicts,
            shown(valid_column),
        )
    return n_decisions + n_verdicts


def _check_columns(path: Path, frame: pd.DataFrame, wanted: Mapping[str, str]) -> None:
    for role, name in wanted.items():
        if name not in frame.columns:
            raise faults.missing_column(
                path, [str(column) for column in frame.columns], wanted, role
            )


def _from_parquet(
    files: list[Path], key: ScoringKey, wanted: Mapping[str, str], valid_column: str | None
) -> pd.DataFrame:
    if not all(map(is_parquet, files)):
        raise ValueError(
            f"{files[0]} and the other files are not all CSV or all Parquet; read each kind by "
            "itself"
        )
    frames = [read_parquet(path) for path in files]
    for path, frame in zip(files, frames, strict=True):
        _check_columns(path, frame, wanted)
    frame = _joined(files, frames)
    texts: dict[str, dict[Any, Any]] = {}
    columns: dict[str, list[Any]] = {}
    for name in filter(None, (*wanted.values(), valid_column)):
        if name in frame.columns and pd.api.types.infer_dtype(frame[name], skipna=True) == "string":
            cells = [EMPTY if pd.isna(cell) else cell for cell in frame[name]]
            columns[name] = cells
            texts[name] = {"": EMPTY} | {cell: cell for cell in cells if cell is not EMPTY}
    respelled = [name for name in (wanted["decision"], valid_column) if name in columns]
    if wanted["decision"] not in columns:
        columns[wanted["decision"]], texts[wanted["decision"]] = [], {}
    columns.setdefault(wanted["item id"], list(frame[wanted["item id"]]))
    if _respell(columns, texts, key, wanted, valid_column):
        frame = frame.assign(
            **{name: text_column(columns[name], texts[name]) for name in respelled}
        )
    return frame


def _joined(files: list[Path], frames: list[pd.DataFrame]) -> pd.DataFrame:
    names = list(dict.fromkeys(name for frame in frames for name in frame.columns))
    gaps = [
        (path, missing)
        for path, frame in zip(files, frames, strict=True)
        if (missing := [name for name in names if name not in frame.columns])
    ]
    if gaps:
        warn(f"the files differ in their columns: {faults.listed_gaps(gaps)}")
    if len(frames) == 1:
        return frames[0]
    # A column without any value would take part in the type of the whole one.
    filled = [frame.dropna(axis="columns", how="all") for frame in frames]
    return pd.concat(filled, ignore_index=True).reindex(columns=names)
