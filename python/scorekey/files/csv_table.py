"""CSV files to columns of text: every cell as it is written, an empty one as missing.

Python's own reader is used: it says which lines of the file a row has, tells rows of the wrong
length, and keeps a text with a NUL whole. Equal cells of a column become one object, which is what
later makes scoring them cheap.
"""

from __future__ import annotations

import csv
import io
import logging
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from scorekey.files import csv_faults as faults
from scorekey.files.csv_layout import CsvLayout, ResultsFile
from scorekey.messages import warn

Cell = Any
"""A text, or `EMPTY`."""

EMPTY = np.nan
"""An empty cell; always this very object."""

_LOG = logging.getLogger("scorekey")
_BLOCK = 512  # rows that are taken at once: few enough to stay in the processor's cache
_LONGEST_CELL = 2**31 - 1
_LIMIT = threading.RLock()


class Heading(NamedTuple):
    """The name of a column, and how many columns of the file have had it before."""

    name: str
    earlier: int = 0


class CsvTable:
    """The rows of one or several CSV files, by column.

    Parameters
    ----------
    layout : CsvLayout
        How the files are written.
    wanted : mapping of str to str
        The columns that every file must have: what each is needed for, and its name.
    optional : collection of str
        Columns that are used if they are there. No column that is used may occur twice.

    Attributes
    ----------
    columns : dict of Heading to list
        The cells of each column. Columns that a file does not have are empty in its rows.
    texts : dict of Heading to dict
        For each column its different texts, each with itself; "" stands for an empty cell whether
        or not there is one.
    """

    def __init__(
        self, layout: CsvLayout, wanted: Mapping[str, str], optional: Collection[str] = ()
    ) -> None:
        self.layout = layout
        self.wanted = wanted
        self.optional = optional
        self.columns: dict[Heading, list[Cell]] = {}
        self.texts: dict[Heading, dict[str, Cell]] = {}
        self._n_rows = 0
        self._headers: list[tuple[ResultsFile, list[Heading]]] = []

    def add(self, file: ResultsFile) -> None:
        """Add the rows of a file; a ValueError says what is wrong with it, and in which line."""
        faults.check_start(file, self.layout)
        try:
            with any_length():
                self._read(file)
        except UnicodeError:
            raise faults.undecodable(file, self.layout) from None

    def warn_of_gaps(self) -> None:
        """Warn of files that do not have all the columns of the others."""
        gaps = [
            (file, missing)
            for file, header in self._headers
            if (missing := [heading.name for heading in self.columns if heading not in header])
        ]
        if gaps:
            warn(f"the files differ in their columns: {faults.listed_gaps(gaps)}")

    def _read(self, file: ResultsFile) -> None:
        with io.TextIOWrapper(file.open(), encoding=self.layout.encoding, newline="") as text:
            reader = csv.reader(text, delimiter=self.layout.separator, strict=True)
            try:
                first = next((row for row in reader if not faults.is_only_space(row)), None)
                if first is None:
                    raise faults.empty(file)
                header = self._take_header(file, first)
                before = self._n_rows
                skipped = 0
                while block := list(islice(reader, _BLOCK)):
                    rows = [row for row in block if any(row)]
                    if set(map(len, rows)) != {len(first)}:
                        rows = [row for row in rows if not faults.is_blank(row)]
                    if first in rows or not set(map(len, rows)) <= {len(first)}:
                        raise faults.bad_row(file, self.layout)
                    skipped += len(block) - len(rows)
                    self._append(header, rows)
            except csv.Error:
                raise faults.bad_row(file, self.layout) from None
        n_rows = self._n_rows - before
        if n_rows == 0:
            warn(f"{file} has a header but no rows")
        _LOG.info("%s: %d rows, %d columns, %d blank lines", file, n_rows, len(header), skipped)

    def _take_header(self, file: ResultsFile, first: list[str]) -> list[Heading]:
        header = _headings(column_names(first))
        for role, name in self.wanted.items():
            if Heading(name) not in header:
                raise faults.missing_column(file, first, self.wanted, role, self.layout)
        used = {*self.wanted.values(), *self.optional}
        repeated = [name for name, earlier in header if earlier == 1 and name in used]
        if repeated:
            raise faults.repeated_name(file, repeated)
        for heading in header:
            if heading not in self.columns:
                self.columns[heading] = [EMPTY] * self._n_rows
                self.texts[heading] = {"": EMPTY}
        self._headers.append((file, header))
        return header

    def _append(self, header: Iterable[Heading], rows: list[list[str]]) -> None:
        if not rows:
            return
        for heading, cells in zip(header, zip(*rows, strict=True), strict=True):
            self.columns[heading].extend(map(self.texts[heading].setdefault, cells, cells))
        self._n_rows += len(rows)
        for column in self.columns.values():
            if len(column) < self._n_rows:
                column.extend([EMPTY] * (self._n_rows - len(column)))


def _headings(names: Iterable[str]) -> list[Heading]:
    """Return a heading for each name, all different."""
    found: Counter[str] = Counter()
    result = []
    for name in names:
        result.append(Heading(name, found[name]))
        found[name] += 1
    return result


def column_names(header: list[str]) -> list[str]:
    """Return the names of the columns; one without a name is called as pandas calls it."""
    names = []
    for position, name in enumerate(header):
        name = name or f"Unnamed: {position}"
        while not header[position] and (name in names or name in header):
            name += ".1"
        names.append(name)
    return names


@contextmanager
def any_length() -> Iterator[None]:
    """Let cells be as long as they are: an answer of a model may exceed the reader's limit.

    The limit belongs to the whole process, so it is put back, and only one thread reads at a time.
    """
    with _LIMIT:
        before = csv.field_size_limit(_LONGEST_CELL)
        try:
            yield
        finally:
            csv.field_size_limit(before)
