"""What is wrong with a CSV file: one message with the file, the line and what to try.

Nothing here runs for a file that is in order, so it may read the file once more.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from scorekey.errors import MissingColumnError
from scorekey.files.csv_layout import CsvLayout, ResultsFile
from scorekey.messages import listed, shown

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "UTF-8", "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "UTF-32", "utf-32"),  # begins with the mark of UTF-16
    (codecs.BOM_UTF32_BE, "UTF-32", "utf-32"),
    (codecs.BOM_UTF16_LE, "UTF-16", "utf-16"),
    (codecs.BOM_UTF16_BE, "UTF-16", "utf-16"),
)
_OTHER_FORMATS = (
    (b"PK\x03\x04", "a spreadsheet or zip archive: save it as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet: save it as CSV"),
    (b"\x1f\x8b", "a gzip archive: unpack it"),
    (b"PAR1", "a Parquet file: give it a name that ends in .parquet"),
)
_SEPARATORS = {",": "','", ";": "';'", "\t": "'\\t' (a tab)", "|": "'|'"}
_ENCODINGS = (
    ("utf-8", "utf-8-sig", ""),
    ("cp1252", "cp1252", " (Excel on Windows)"),
    ("latin-1", "latin-1", ""),
)
_WITH_ZEROS = ("utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be")
_START = 4096


def check_start(file: ResultsFile, layout: CsvLayout) -> None:
    """Raise a ValueError if the first bytes say that the file is written in another way."""
    with file.open() as content:
        start = content.read(_START)
    for signature, what in _OTHER_FORMATS:
        if start.startswith(signature):
            raise ValueError(f"{file} is no CSV file but {what}")
    for mark, name, encoding in _BYTE_ORDER_MARKS:
        if start.startswith(mark):
            if layout.codec != encoding:
                raise ValueError(
                    f"{file}, line 1: the file begins with the byte order mark of {name}; "
                    f"try the encoding {encoding!r} instead of {layout.encoding!r}"
                )
            return
    if layout.codec not in _WITH_ZEROS and start.count(0) > len(start) // 4:
        encoding = "utf-16-le" if start[1::2].count(0) > start[::2].count(0) else "utf-16-be"
        raise ValueError(
            f"{file}, line 1: every other byte is zero, so the file is in UTF-16 without a byte "
            f"order mark; try the encoding {encoding!r}"
        )


def undecodable(file: ResultsFile, layout: CsvLayout) -> ValueError:
    """Return what to say of a file that is not written in the encoding."""
    with file.open() as content:
        data = content.read()
    marks = [mark for mark, _, encoding in _BYTE_ORDER_MARKS if encoding == layout.codec]
    if layout.codec != "utf-8-sig" and marks and not data.startswith(tuple(marks)):
        # Not for `bytes.decode`, which then takes the byte order of the machine.
        where = f"{file} is not {layout.encoding}: it does not begin with a byte order mark"
    else:
        where = _first_fault(file, data, layout)
    fitting = [
        f"{name!r}{note}"
        for codec, name, note in _ENCODINGS
        if codec != layout.codec.removesuffix("-sig") and _decodes(data, codec)
    ]
    return ValueError(
        f"{where}; try the encoding {' or '.join(fitting)}, or the one of the program that wrote "
        "the file"
    )


def _first_fault(file: ResultsFile, data: bytes, layout: CsvLayout) -> str:
    try:
        data.decode(layout.encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(layout.encoding, errors="replace")
        line = before.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        return f"{file}, line {line}: the byte 0x{data[error.start]:02x} is not {layout.encoding}"
    return f"{file} changed while it was read"


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeError:
        return False
    return True


def empty(file: ResultsFile) -> ValueError:
    """Return what to say of a file without a header."""
    return ValueError(
        f"{file}, line 1: the file is empty; expected a header with the names of the columns"
    )


def repeated_name(file: ResultsFile, names: Sequence[str]) -> ValueError:
    """Return what to say of a file in which columns that are used occur more than once."""
    return ValueError(
        f"{file}, line 1: the column {listed(names)} occurs more than once in the header; give the "
        "columns different names"
    )


def missing_column(
    file: object,
    header: Sequence[str],
    wanted: Mapping[str, str],
    role: str,
    layout: CsvLayout | None = None,
) -> MissingColumnError:
    """Return what to say of a file without a column: what it has, and what may be the reason.

    Parameters
    ----------
    file : ResultsFile or Path
        The file.
    header : sequence of str
        The names of its columns.
    wanted : mapping of str to str
        What each column is needed for, and its name.
    role : str
        What the missing one is needed for.
    layout : CsvLayout, optional
        How the file was read, if it is a CSV file.
    """
    name = wanted[role]
    where = f"{file}, line 1" if layout else f"{file}"
    message = f"{where}: the {role} column {shown(name)} is missing"
    if layout and header[0].lower().startswith("sep="):
        note = f"{message}; the line {shown(header[0])} is a note to spreadsheet programs"
        return MissingColumnError(f"{note}: remove it", role)
    separator = _better_separator(header, wanted, layout) if layout else None
    if separator is not None:
        message += f" in the header {shown(layout.separator.join(header) if layout else header)}"
        return MissingColumnError(f"{message}; try the separator {_SEPARATORS[separator]}", role)
    message += f"; the file has the columns {listed(header, most=8)}"
    if header[0].startswith("\ufeff"):
        message += ". The first name begins with a second byte order mark: remove it"
    alike = [other for other in header if _loosely(other) == _loosely(name)]
    if alike:
        message += f". {shown(alike[0])} differs in case or white space only"
    elif role == "decision" and "answer" in header and "decision" not in header:
        message += ". It holds raw answers; expected the file with the chosen answer options"
    return MissingColumnError(message, role)


def _loosely(name: str) -> str:
    return "".join(name.split()).strip("\ufeff").casefold()


def _better_separator(
    header: Sequence[str], wanted: Mapping[str, str], layout: CsvLayout
) -> str | None:
    """Return the separator with which the header has all wanted columns, or at least several."""
    line = layout.separator.join(header)
    others = [mark for mark in _SEPARATORS if mark != layout.separator and mark in line]
    for mark in others:
        names = next(csv.reader([line], delimiter=mark), [])
        if set(wanted.values()) <= {name.strip() for name in names}:
            return mark
    return max(others, key=line.count) if len(header) == 1 and others else None


def bad_row(file: ResultsFile, layout: CsvLayout) -> ValueError:
    """Return what to say of the first row that is no row of this table."""
    with io.TextIOWrapper(file.open(), encoding=layout.encoding, newline="") as text:
        reader = csv.reader(text, delimiter=layout.separator, strict=True)
        header: list[str] = []
        line = 1
        try:
            for row in reader:
                if not header:
                    header = [] if is_only_space(row) else row
                elif problem := _problem(row, header):
                    return ValueError(f"{file}, line {line}: {problem}")
                line = reader.line_num + 1
        except csv.Error as error:
            return ValueError(_unreadable(file, line, reader.line_num, str(error)))
    return ValueError(f"{file} changed while it was read")


def is_blank(row: Sequence[str]) -> bool:
    """Return whether a row is an empty line, or only white space or separators."""
    return not any(row) or is_only_space(row)


def is_only_space(row: Sequence[str]) -> bool:
    """Return whether a row is an empty line, or only white space."""
    return not row or (len(row) == 1 and not row[0].strip())


def _problem(row: list[str], header: Sequence[str]) -> str | None:
    if row == list(header):
        return "the header occurs again; remove this line, or name the joined files one by one"
    if is_blank(row) or len(row) == len(header):
        return None
    cells = f"{len(row)} cell{'s' if len(row) != 1 else ''}"
    fault = "a separator or quotation mark is missing, or the line is cut short"
    if len(row) > len(header):
        fault = "a cell that contains the separator must be quoted"
    return f"the row has {cells}, but the header has {len(header)}; {fault}"


def _unreadable(file: ResultsFile, line: int, last: int, reason: str) -> str:
    if "unexpected end of data" in reason:
        return (
            f"{file}, line {line}: a quotation mark opens a cell that is never closed; "
            "close it, or double the quotation marks inside a quoted cell"
        )
    if "expected after" in reason:
        return (
            f"{file}, line {last}: text follows the quotation mark that closes a cell; double the "
            "quotation marks inside a quoted cell, and look for a wrong separator"
        )
    return f"{file}, line {last}: {reason}"


def listed_gaps(gaps: Iterable[tuple[object, Sequence[str]]]) -> str:
    """Return which files lack which columns, for at most five files."""
    found = [f"{file} has no column {listed(names)}" for file, names in gaps]
    more = f"; and {len(found) - 5} more files" if len(found) > 5 else ""
    return "; ".join(found[:5]) + more
