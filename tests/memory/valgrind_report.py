"""Count what valgrind found in a library: ``valgrind_report.py XML LIBRARY``.

CPython and NumPy keep memory until the end and read some of it in ways that valgrind cannot follow.
So an error counts if any frame of its stack lies in the library; it is printed, and the script ends
with 1.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

# Memory that can still be reached at the end is kept on purpose, such as the module itself.
KEPT = ("Leak_StillReachable", "Leak_PossiblyLost", "Leak_IndirectlyLost")
# Functions below which something is kept for as long as the process lives, each with its reason.
FOR_EVER = {
    "numpy::borrow::shared::insert_shared": "the one table of borrowed arrays of the numpy crate",
}


def errors_in(report: Path, library: str) -> tuple[int, list[str]]:
    """Return how many errors there are, and those of the library in words."""
    found = []
    errors = ET.parse(report).getroot().findall("error")
    for error in errors:
        kind = error.findtext("kind", "")
        frames = error.findall(".//frame")
        if kind in KEPT or not any(library in frame.findtext("obj", "") for frame in frames):
            continue
        if any(frame.findtext("fn", "") in FOR_EVER for frame in frames):
            continue
        what = error.findtext("what") or error.findtext("xwhat/text", "")
        stack = [
            f"    {f.findtext('fn', '?')} ({Path(f.findtext('obj', '?')).name})" for f in frames
        ]
        found.append("\n".join([f"{kind}: {what}", *stack[:20]]))
    return len(errors), found


if __name__ == "__main__":
    total, own = errors_in(Path(sys.argv[1]), sys.argv[2])
    print(*own, sep="\n")
    print(f"{len(own)} of {total} errors have a frame of {sys.argv[2]}")
    sys.exit(bool(own))
