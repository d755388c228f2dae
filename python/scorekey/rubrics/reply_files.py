"""Files of judges' replies, read a part at a time: CSV, JSON lines, Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from scorekey.errors import MissingColumnError
from scorekey.files import csv_faults as faults
from scorekey.files.csv_layout import CsvLayout, ResultsFile
from scorekey.files.csv_table import any_length, column_names
from scorekey.files.parquet import pyarrow
from scorekey.messages import listed, shown

if TYPE_CHECKING:
    from pandas import DataFrame

ROWS = 4096
"""How many replies are in memory at a time."""

CSV = (".csv", ".tsv")
JSON_LINES = (".jsonl", ".ndjson")
PARQUET = (".parquet", ".pq")
SUFFIXES = (*CSV, *JSON_LINES, *PARQUET)


def read_names(path: Path, layout: CsvLayout) -> list[str]:
    """Return the columns of a file, as `read_parts` reads it; of JSON those of the first lines."""
    kind = path.suffix.lower()
    if kind in CSV:
        return next(_read_rows(ResultsFile(path), layout))[0]
    if kind in PARQUET:
        return _read_schema(path)
    with path.open("rb") as file:
        part = islice(_numbered(file), ROWS)
        return list(dict.fromkeys(name for at in part for name in _record(path, *at)))


def read_parts(path: Path, columns: Sequence[str], layout: CsvLayout) -> Iterator[DataFrame]:
    """Read some columns of a file, a few thousand rows at a time.

    Parameters
    ----------
    path : Path
        A file whose name ends in one of `SUFFIXES`. Cells of CSV stay text; only an empty one is
        missing.
    columns : sequence of str
        The columns to read, the replies first. A line of JSON may lack some of them.
    layout : CsvLayout
        How a CSV file is written.

    Yields
    ------
    DataFrame
        The next rows, numbered from the file's first.

    Raises
    ------
    OSError
        If the file cannot be opened.
    MissingColumnError
        If it lacks a column; the role is "reply" or "group".
    ValueError
        If it cannot be read, or holds lists or objects where single values belong.
    """
    kind = path.suffix.lower()
    if kind in CSV:
        return _read_csv(path, columns, layout)
    return _read_parquet(path, columns) if kind in PARQUET else _read_lines(path, columns)


def _check(path: Path, found: Sequence[str], wanted: Sequence[str]) -> None:
    for name in wanted:
        if name not in found:
            raise MissingColumnError(
                f"{path}: the column {shown(name)} is missing; the file has the columns "
                f"{listed(found, most=8)}",
                "group" if name != wanted[0] else "reply",
            )


def _read_csv(path: Path, columns: Sequence[str], layout: CsvLayout) -> Iterator[DataFrame]:
    file = ResultsFile(path)
    blocks = _read_rows(file, layout)
    (header,) = next(blocks)
    if columns[0] not in header:
        raise faults.missing_column(file, header, {"reply": columns[0]}, "reply", layout)
    _check(path, header, columns)
    places = [(name, header.index(name)) for name in columns]
    start = 0
    for rows in blocks:
        cells = {name: [row[place] or None for row in rows] for name, place in places}
        yield pd.DataFrame(cells, dtype=object, index=pd.RangeIndex(start, start + len(rows)))
        start += len(rows)


def _read_rows(file: ResultsFile, layout: CsvLayout) -> Iterator[list[list[str]]]:
    """Yield the header alone, then blocks of rows."""
    faults.check_start(file, layout)
    try:
        with io.TextIOWrapper(file.open(), encoding=layout.encoding, newline="") as text:
            reader = csv.reader(text, delimiter=layout.separator, strict=True)
            with any_length():
                header = next((row for row in reader if not faults.is_only_space(row)), None)
            if header is None:
                raise faults.empty(file)
            names = column_names(header)
            if len(set(names)) < len(names):
                raise faults.repeated_name(file, header)
            yield [names]
            while True:
                with any_length():
                    block = list(islice(reader, ROWS))
                if not block:
                    return
                width = len(header)
                # In a file of one column a blank reply is a row, if it is quoted.
                rows = [
                    row for row in block if row and (len(row) == width or any(map(str.strip, row)))
                ]
                if any(len(row) != width for row in rows) or (width > 1 and header in rows):
                    raise csv.Error
                yield rows
    except csv.Error:
        with any_length():
            raise faults.bad_row(file, layout) from None
    except UnicodeError:
        raise faults.undecodable(file, layout) from None


def _numbered(file: io.BufferedReader) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(file, 1) if line.strip())


def _read_lines(path: Path, columns: Sequence[str]) -> Iterator[DataFrame]:
    names: dict[str, None] = {}
    with path.open("rb") as file:
        numbered = _numbered(file)
        start = 0
        while part := list(islice(numbered, ROWS)):
            records = [_record(path, *at) for at in part]
            for record in records:
                names.update(dict.fromkeys(record))
            cells = {name: [record.get(name) for record in records] for name in columns}
            for name, values in cells.items():
                for (number, _), value in zip(part, values, strict=True):
                    if isinstance(value, (dict, list)):
                        raise ValueError(
                            f"{path}, line {number}: {shown(name)} must be a text or a number, "
                            f"got {shown(value)}"
                        )
            index = pd.RangeIndex(start, start + len(part))
            yield pd.DataFrame(cells, dtype=object, index=index)
            start += len(part)
    if not start:
        raise ValueError(f"{path} is empty; expected one object of JSON a line")
    _check(path, list(names), columns)


def _record(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}, line {number}: the byte 0x{line[error.start]:02x} is not utf-8; JSON lines "
            "are read in no other encoding, so save the file in it"
        ) from None
    except (RecursionError, ValueError) as error:
        raise ValueError(f"{path}, line {number} is not JSON: {error}") from None
    if not isinstance(record, dict):
        raise ValueError(f"{path}, line {number}: expected an object, got {shown(record)}")
    return record


def _read_schema(path: Path) -> list[str]:
    with _opened(path) as file:
        return list(file.schema_arrow.names)


def _opened(path: Path) -> Any:
    pyarrow()
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path)
    except ValueError as error:
        raise ValueError(f"{path} cannot be read as a Parquet file: {error}") from None


def _read_parquet(path: Path, columns: Sequence[str]) -> Iterator[DataFrame]:
    with _opened(path) as file:
        schema = file.schema_arrow
        _check(path, schema.names, columns)
        for name in columns:
            kind = schema.field(name).type
            if kind.num_fields:
                raise ValueError(
                    f"{path}: {shown(name)} must hold texts or numbers, not values of type {kind}"
                )
        start = 0
        for batch in file.iter_batches(batch_size=ROWS, columns=list(columns)):
            yield batch.to_pandas(types_mapper=pd.ArrowDtype).set_index(
                pd.RangeIndex(start, start + len(batch))
            )
            start += len(batch)
