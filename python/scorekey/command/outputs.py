"""Output files: written whole or not at all."""

from __future__ import annotations

import csv
import io
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO

import typer

from scorekey.files.parquet import SUFFIX, is_parquet, pyarrow, write_parquet
from scorekey.messages import shown

if TYPE_CHECKING:
    from pandas import DataFrame

_SUFFIXES = (".csv", SUFFIX)


def check_outputs(
    named: Mapping[str, str | None],
    inputs: Iterable[Path],
    suffixes: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
) -> dict[str, Path]:
    """Return the output files by the options that name them.

    Parameters
    ----------
    named : mapping of str to str or None
        The values of the options.
    inputs : iterable of Path
        The files that are read, which must not be overwritten.
    suffixes : mapping of str to tuple of str
        How the files of an option may end. Default: .csv and .parquet.

    Returns
    -------
    dict of str to Path
        The files, links followed.

    Raises
    ------
    typer.BadParameter
        If a file has another suffix, its folder does not exist, or it is
        one of the inputs or another output.
    ImportError
        If a Parquet file is named, but pyarrow is not installed.
    """
    taken = {Path(path).resolve(): "read" for path in inputs}
    outputs: dict[str, Path] = {}
    for option, name in named.items():
        if name is None:
            continue
        path = Path(name).resolve()
        problem = None
        allowed = suffixes.get(option, _SUFFIXES)
        if path.suffix.lower() not in allowed:
            problem = f"must end in {' or '.join(allowed)}"
        elif path in taken:
            problem = f"is {taken[path]} too; name another file"
        elif not path.parent.is_dir():
            problem = "is in a folder that does not exist"
        elif path.exists() and not path.is_file():
            problem = "is no ordinary file"
        if problem is not None:
            raise typer.BadParameter(f"{shown(name)} {problem}", param_hint=option)
        if is_parquet(path):
            pyarrow()
        taken[path] = "written"
        outputs[option] = path
    return outputs


def write_outputs(tables: Mapping[Path, DataFrame | str], fingerprint: str | None) -> None:
    """Write tables or texts to files, all of them or, if one cannot be written, none.

    Each of them is first written to a draft in the folder of its file. The drafts take the places
    of the files when all are on the disk, and are removed if anything, Ctrl-C too, comes
    between.

    Raises
    ------
    OSError
        If a file cannot be written; the message names the file, not the draft.
    """
    drafts: dict[Path, Path] = {}
    try:
        for path, content in tables.items():
            drafts[path] = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.tmp")
            with _naming(path):
                _write_draft(content, path, drafts[path], fingerprint)
        for path, draft in drafts.items():
            with _naming(path):
                draft.replace(path)
    finally:
        for draft in drafts.values():
            with suppress(OSError):  # a read-only disk refuses even to remove nothing
                draft.unlink(missing_ok=True)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let errors of the operating system name the file that the user named."""
    try:
        yield
    except OSError as error:
        raise OSError(f"{path} cannot be written: {error.strerror or error}") from None


def _write_draft(
    content: DataFrame | str, path: Path, draft: Path, fingerprint: str | None
) -> None:
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(None, "the file is read-only")
    with draft.open("xb") as file:
        if path.exists():
            shutil.copymode(path, draft)
        if isinstance(content, str):
            # A lone surrogate, which no file can hold, is written as Python writes it.
            file.write(content.encode("utf-8", "backslashreplace"))
        elif is_parquet(path):
            write_parquet(content, file, fingerprint)
        else:
            _write_csv(content, file)
        file.flush()
        os.fsync(file.fileno())


def _write_csv(frame: DataFrame, file: BinaryIO) -> None:
    # Before Python 3.13 the writer does not quote a lone carriage return, which ends a line for
    # every reader.
    quoting: Any = csv.QUOTE_NONNUMERIC if _has_carriage_returns(frame) else csv.QUOTE_MINIMAL
    text: Any = io.TextIOWrapper(file, encoding="utf-8", newline="")
    try:
        frame.to_csv(text, index=False, lineterminator="\n", quoting=quoting)
        text.flush()
    finally:
        text.detach()


def _has_carriage_returns(frame: DataFrame) -> bool:
    # By position: a name may be that of several columns.
    columns = (
        frame.iloc[:, position]
        for position, dtype in enumerate(frame.dtypes)
        if dtype.kind not in "iufbmM"
    )
    return any(
        isinstance(cell, str) and "\r" in cell for column in columns for cell in column
    ) or any("\r" in str(name) for name in frame.columns)
