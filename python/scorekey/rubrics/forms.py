"""The forms in which a rubric is written down: JSON, other tools' forms, a schema, options."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorekey.messages import listed, shown
from scorekey.rubrics.checks import reach
from scorekey.values import identifier

if TYPE_CHECKING:
    from scorekey.rubrics.levels import ScoringLevel
    from scorekey.rubrics.rubric import ScoringRubric

Parts = tuple[Any, Any, list[dict[str, Any]]]

_MOST_SCORES = 1000
_PROMETHEUS = re.compile(r"score(\d+)_description")


def to_dict(rubric: ScoringRubric) -> dict[str, Any]:
    """Return name, description and levels as JSON has them."""
    return {
        "name": rubric.name,
        "description": rubric.description,
        "levels": [_level(level) for level in rubric.levels],
    }


def _level(level: ScoringLevel) -> dict[str, Any]:
    result: dict[str, Any] = {}
    if level.score is not None:
        result["score"] = level.score
    if level.score_range is not None:
        ends = level.score_range
        result["score_range"] = list(ends) if isinstance(ends, tuple) else ends
    result["description"] = level.description
    return result


def to_json(rubric: ScoringRubric) -> str:
    """Return `to_dict` as text, letters of all languages as they are."""
    return json.dumps(to_dict(rubric), ensure_ascii=False, indent=2)


def from_json(source: str | os.PathLike[str]) -> Parts:
    """Read JSON text, or the file of a path."""
    text = source
    where = "the text"
    if isinstance(source, os.PathLike) or not source.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        where = os.fspath(source)
        try:
            text = Path(source).read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(f"{where} is not a JSON file: {error}") from None
    try:
        data = json.loads(str(text).lstrip("\ufeff"))
    except (RecursionError, ValueError) as error:
        raise ValueError(f"{where} is not JSON: {error}") from None
    if not isinstance(data, (Mapping, list)):
        raise ValueError(f"{where} holds {type(data).__name__}, not a rubric")
    try:
        return from_dict(data)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{where}: {error}") from None


def from_dict(data: Any) -> Parts:
    """Return the name, description and levels of a rubric in any of the known forms."""
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        data = {"levels": data}
    if not isinstance(data, Mapping):
        raise TypeError(f"a rubric is read from a mapping, got {type(data).__name__}")
    if isinstance(data.get("rubric"), Mapping):
        data = data["rubric"]
    name = data.get("name")
    name = "rubric" if name is None else name
    description = data.get("description", data.get("criteria"))
    levels = data.get("levels", data.get("rubric"))
    if levels is None:
        levels = [
            {"score": int(found[1]), "description": value}
            for key, value in data.items()
            if (found := _PROMETHEUS.fullmatch(str(key)))
        ]
        if not levels:
            raise ValueError(
                "a rubric has levels (or score1_description and so on), but the keys are "
                f"{listed(data, most=8)}"
            )
    if isinstance(levels, (str, bytes, Mapping)) or not isinstance(levels, Sequence):
        raise ValueError(f"the levels of a rubric are a list, got {shown(levels)}")
    read = [_read_level(position, level) for position, level in enumerate(levels)]
    return name, (name if description is None else description), read


def _read_level(position: int, level: Any) -> dict[str, Any]:
    if not isinstance(level, Mapping):
        raise ValueError(f"level {position} must be a mapping, got {shown(level)}")
    return {
        "score": level.get("score"),
        "score_range": level.get("score_range"),
        "description": level.get("description", level.get("expected_outcome")),
    }


def to_json_schema(rubric: ScoringRubric) -> dict[str, Any]:
    """Return the schema of a judge's reply."""
    rubric.validate()
    low, high = reach(rubric)
    ends = [end for level in rubric.levels for end in level.bounds or () if end is not None]
    whole = all(float(end).is_integer() for end in ends)
    score: dict[str, Any] = {"type": "integer" if whole else "number"}
    if math.isfinite(low):
        score["minimum"] = int(low) if whole else low
    if math.isfinite(high):
        score["maximum"] = int(high) if whole else high
    if whole and math.isfinite(high - low) and high - low < _MOST_SCORES:
        score["enum"] = list(range(int(low), int(high) + 1))
    return {
        "type": "object",
        "properties": {
            "reasoning": {"type": "string", "description": "Why the score was given"},
            "score": score | {"description": str(rubric.to_prompt())},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        },
        "required": ["reasoning", "score", "confidence"],
        "additionalProperties": False,
    }


def whole_scores(rubric: ScoringRubric) -> range:
    """Return the whole scores of a rubric whose levels are closed and whole."""
    rubric.validate()
    low, high = reach(rubric)
    bounds = [end for level in rubric.levels for end in level.bounds or ()]
    if not all(end is not None and float(end).is_integer() for end in bounds):
        raise ValueError(
            f"the levels of the rubric {shown(rubric.name)} are open or not whole, so its scores "
            "cannot be listed as answer options; use score_replies, which reads them as numbers"
        )
    if high - low >= _MOST_SCORES:
        raise ValueError(
            f"the rubric {shown(rubric.name)} has more than {_MOST_SCORES} scores, too many for "
            "answer options; use score_replies, which reads them as numbers"
        )
    return range(int(low), int(high) + 1)


def to_questionnaire(rubrics: Iterable[Any], name: str) -> dict[str, Any]:
    """Return the questionnaire of which each rubric is an item."""
    from scorekey.rubrics.rubric import ScoringRubric

    if isinstance(rubrics, (ScoringRubric, str)):
        raise TypeError(f"rubrics must be a list of ScoringRubrics, got {shown(rubrics)}")
    items = []
    dimensions: dict[str, str] = {}
    for position, rubric in enumerate(rubrics):
        if not isinstance(rubric, ScoringRubric):
            raise TypeError(f"rubric {position} must be a ScoringRubric, got {shown(rubric)}")
        dimension = identifier(rubric.name)
        if not dimension or dimension in dimensions:
            raise ValueError(
                f"each rubric needs a name of its own, its dimension; rubric {position} has "
                f"{shown(rubric.name)}"
            )
        dimensions[dimension] = dimension
        items.append(
            {
                "question": rubric.to_prompt(),
                "answer_options": {"options": rubric.answer_options()},
                "attributes": {"dimension": dimension},
            }
        )
    return {
        "name": name,
        "general_instruction": "Give one score by each of the rubrics.",
        "attributes": {"dimension": dimensions},
        "instruction_items": items,
    }
