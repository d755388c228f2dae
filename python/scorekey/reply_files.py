"""Files of judges' replies, read a part at a time: CSV, JSON lines, Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from scorekey.messages import listed, shown

if TYPE_CHECKING:
    from pandas import DataFrame

ROWS = 4096
"""How many replies are in memory at a time."""


def read_parts(path: Path, columns: Sequence[str]) -> Iterator[DataFrame]:
    """Read some columns of a file, a few thousand rows at a time.

    Parameters
    ----------
    path : Path
        A file whose name ends in .csv, .tsv, .jsonl, .ndjson or .parquet. Cells of CSV stay text;
        only an empty one is missing.
    columns : sequence of str
        The columns to read. A line of JSON may lack some of them.

    Yields
    ------
    DataFrame
        The next rows, numbered from the file's first.

    Raises
    ------
    OSError
        If the file cannot be opened.
    ValueError
        If it is of another kind, cannot be read, or lacks a column.
    """
    kind = path.suffix.lower()
    if kind in (".csv", ".tsv"):
        return _read_csv(path, columns, "\t" if kind == ".tsv" else ",")
    if kind in (".jsonl", ".ndjson"):
        return _read_lines(path, columns)
    if kind in (".parquet", ".pq"):
        return _read_parquet(path, columns)
    raise ValueError(f"{path}: expected a file that ends in .csv, .tsv, .jsonl or .parquet")


def _check(path: Path, found: Sequence[str], wanted: Sequence[str]) -> None:
    missing = [name for name in wanted if name not in found]
    if missing:
        raise ValueError(
            f"{path}: the column {shown(missing[0])} is missing; the file has the columns "
            f"{listed(found, most=8)}"
        )


def _read_csv(path: Path, columns: Sequence[str], separator: str) -> Iterator[DataFrame]:
    layout: dict[str, Any] = {"sep": separator, "encoding": "utf-8-sig", "dtype": str}
    with path.open("rb") as file:
        _check(path, list(pd.read_csv(file, nrows=0, **layout).columns), columns)
    with path.open("rb") as file:
        yield from pd.read_csv(
            file,
            usecols=list(columns),
            chunksize=ROWS,
            keep_default_na=False,
            na_values=[""],
            **layout,
        )


def _read_lines(path: Path, columns: Sequence[str]) -> Iterator[DataFrame]:
    with path.open("rb") as file:
        numbered = ((number, line) for number, line in enumerate(file, 1) if line.strip())
        start = 0
        while part := list(islice(numbered, ROWS)):
            records = [_record(path, number, line) for number, line in part]
            if not start and not any(columns[0] in record for record in records):
                _check(path, list(records[0]), columns[:1])
            cells = {name: [record.get(name) for record in records] for name in columns}
            for (number, _), value in zip(part, cells[columns[0]], strict=True):
                if isinstance(value, (dict, list)):
                    raise ValueError(
                        f"{path}, line {number}: {shown(columns[0])} must be a text or a number, "
                        f"got {shown(value)}"
                    )
            index = pd.RangeIndex(start, start + len(part))
            yield pd.DataFrame(cells, dtype=object, index=index)
            start += len(part)


def _record(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
    except (RecursionError, ValueError) as error:
        raise ValueError(f"{path}, line {number} is not JSON: {error}") from None
    if not isinstance(record, dict):
        raise ValueError(f"{path}, line {number}: expected an object, got {shown(record)}")
    return record


def _read_parquet(path: Path, columns: Sequence[str]) -> Iterator[DataFrame]:
    import pyarrow.parquet as pq

    with path.open("rb") as source, pq.ParquetFile(source) as file:
        _check(path, file.schema_arrow.names, columns)
        start = 0
        for batch in file.iter_batches(batch_size=ROWS, columns=list(columns)):
            yield batch.to_pandas(types_mapper=pd.ArrowDtype).set_index(
                pd.RangeIndex(start, start + len(batch))
            )
            start += len(batch)
