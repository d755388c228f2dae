"""The JSON form of a questionnaire: read from a file, and in words what is wrong with it."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from scorekey.errors import QuestionnaireError
from scorekey.messages import shown

_MOST_PROBLEMS = 5
_LONGEST = 80


def read_form(path: str | os.PathLike[str]) -> Mapping[str, Any]:
    """Return the JSON object that a file holds.

    Raises
    ------
    OSError
        If the file is not there or cannot be opened.
    QuestionnaireError
        If it is not a JSON object in UTF-8; the message names the file and what to do.
    """
    raw = _content(path)
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise QuestionnaireError(
            f"{os.fspath(path)}, line {line}: the byte 0x{raw[error.start]:02x} is not UTF-8; "
            "save the file as UTF-8"
        ) from None
    except (RecursionError, ValueError) as error:
        if b"\0" in raw[:4]:
            raise QuestionnaireError(
                f"{os.fspath(path)} is in UTF-16 or UTF-32; save the file as UTF-8"
            ) from None
        raise QuestionnaireError(f"{os.fspath(path)} is not a JSON file: {error}") from None
    if not isinstance(data, Mapping):
        raise QuestionnaireError(
            f"{os.fspath(path)} holds {type(data).__name__}, not a JSON object"
        )
    return data


def _content(path: str | os.PathLike[str]) -> bytes:
    try:
        return Path(path).read_bytes()
    except ValueError:  # no file can have a name with a NUL or a lone surrogate
        raise FileNotFoundError(
            errno.ENOENT, os.strerror(errno.ENOENT), shown(os.fspath(path))
        ) from None


def explained(error: ValidationError, data: Mapping[str, Any]) -> str:
    """Return what pydantic found wrong with a form, each problem with its path in the file."""
    if not {"name", "general_instruction"} & data.keys() and "instruction_items" not in data:
        keys = ", ".join(map(str, list(data)[:_MOST_PROBLEMS])) or "none"
        return (
            "neither a questionnaire (name, general_instruction, instruction_items) nor an "
            f"experiment with a questionnaire; the keys are: {shown(keys)}"
        )
    problems = [
        ": ".join(map(_cut, filter(None, (_path(problem["loc"], data), _said(problem["msg"])))))
        for problem in error.errors(include_url=False, include_context=False)
    ]
    more = len(problems) - _MOST_PROBLEMS
    text = "; ".join(problems[:_MOST_PROBLEMS])
    return f"{text}; and {more} more" if more > 0 else text


def _said(message: str) -> str:
    return message.removeprefix("Value error, ")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _path(location: tuple[int | str, ...], data: Any) -> str:
    """Return a location without the level that only the other form of the options has."""
    steps = []
    for step in location:
        implied = step == "options" and isinstance(data, Mapping)
        if implied and not isinstance(data.get("options"), Mapping):
            continue
        steps.append(str(step))
        if isinstance(data, Mapping):
            data = data.get(step)
        elif isinstance(data, (list, tuple)) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            data = None
    return ".".join(steps)
