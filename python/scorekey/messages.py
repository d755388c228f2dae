"""What errors and warnings have in common: short quotations, and the place that they point at."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

_PACKAGE = str(Path(__file__).parent)
_LONGEST = 80
_MOST = 5


def shown(value: object) -> str:
    """Return the value as it is written in Python, cut to 80 characters."""
    try:
        text = repr(value)
    except Exception as error:  # a user's object may fail in any way when it is shown
        text = f"<{type(value).__name__} whose repr raises {type(error).__name__}>"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def listed(values: Iterable[object], most: int = _MOST) -> str:
    """Return the first values, each as `shown`, separated by commas."""
    first = list(islice(values, most + 1))
    text = ", ".join(shown(value) for value in first[:most])
    return f"{text}, ..." if len(first) > most else text


def warn(message: str) -> None:
    """Warn the first caller outside this package."""
    level = 1
    frame = sys._getframe(0)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        level += 1
    warnings.warn(message, UserWarning, stacklevel=level)
