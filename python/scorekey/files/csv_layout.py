"""How a CSV file is written, and the file itself as bytes that can be read again."""

from __future__ import annotations

import codecs
import io
from pathlib import Path
from typing import BinaryIO, NamedTuple

from scorekey.messages import shown

_NO_FILES = ("idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")
"""Encodings of Python for names and literals, not for the text of a file."""


class CsvLayout(NamedTuple):
    """The separator and the encoding of a CSV file."""

    separator: str
    encoding: str

    def check(self) -> CsvLayout:
        """Return the layout; a TypeError or ValueError says which part cannot be one."""
        for argument, value in self._asdict().items():
            if not isinstance(value, str):
                raise TypeError(f"{argument} must be a text, not {shown(value)}")
        if len(self.separator) != 1 or self.separator in '"\r\n\0':
            raise ValueError(
                f"the separator must be one character such as ',', ';' or a tab, "
                f"not {shown(self.separator)}"
            )
        try:
            io.TextIOWrapper(io.BytesIO(), encoding=self.encoding)
            known = self.codec.replace("_", "-") not in _NO_FILES
        except (LookupError, ValueError):
            known = False
        if not known:
            raise ValueError(
                f"{shown(self.encoding)} is no encoding of files that Python knows; "
                "expected 'utf-8-sig', 'cp1252', 'utf-16' or the like"
            )
        return self

    @property
    def codec(self) -> str:
        """The encoding by the one name that Python has for it."""
        return codecs.lookup(self.encoding).name


class ResultsFile:
    """A file that can be read more than once, even if it is a pipe."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._content = None if path.is_file() else path.read_bytes()

    def open(self) -> BinaryIO:
        """Return the file, at its beginning."""
        return self.path.open("rb") if self._content is None else io.BytesIO(self._content)

    def __str__(self) -> str:
        return str(self.path)
