"""Parquet files, with the fingerprint of the scoring key in their metadata.

pyarrow is imported when a file is read or written, not before.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import pandas as pd

from scorekey.answers import FINGERPRINT_ATTR

if TYPE_CHECKING:
    from pandas import DataFrame

SUFFIX = ".parquet"


def is_parquet(path: str | os.PathLike[str]) -> bool:
    """Return whether a path ends in ``.parquet``, in any case."""
    return Path(path).suffix.lower() == SUFFIX


def read_parquet(path: Path) -> DataFrame:
    """Return the table of a file, its named index levels as columns.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    ValueError
        If it is no Parquet file.
    """
    pyarrow()
    try:
        frame = pd.read_parquet(path, engine="pyarrow")
    except (OSError, ValueError, NotImplementedError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(f"{path} cannot be read as a Parquet file: {error}") from None
    if any(name is not None for name in frame.index.names):
        return frame.reset_index()
    return frame.reset_index(drop=True)


def write_parquet(frame: DataFrame, file: BinaryIO, fingerprint: str | None) -> None:
    """Write a frame with its ``attrs``, as pandas does, and the fingerprint of the key.

    Raises
    ------
    ImportError
        If pyarrow is not installed.
    ValueError
        If a column holds values that have no type in common, or a name is that of several columns.
    """
    pa = pyarrow()
    import pyarrow.parquet as pq

    try:
        table = pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, ValueError) as error:
        raise ValueError(f"the table has no form in Parquet: {error}") from None
    metadata = dict(table.schema.metadata or {})
    if frame.attrs:
        metadata[b"PANDAS_ATTRS"] = json.dumps(frame.attrs).encode()
    if fingerprint is not None:
        metadata[FINGERPRINT_ATTR.encode()] = fingerprint.encode()
    pq.write_table(table.replace_schema_metadata(metadata), file)


def pyarrow() -> Any:
    """Return the module pyarrow; an ImportError says how to install it."""
    try:
        import pyarrow as pa
    except ImportError:
        raise ImportError('Parquet files need pyarrow: pip install "scorekey[arrow]"') from None
    return pa
