"""The scoring rules once more, slowly: plain Python on single answers, written from the rules.

It knows what the rules say of ordinary answers (texts, numbers, truth values, missing values) and
nothing of data frames.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

SENTINELS = ("not present", "inconclusive")


class Answer(NamedTuple):
    """One row: who answered which item with what, and whether that is valid."""

    respondent: tuple[Any, ...]
    item: int
    decision: Any
    valid: Any = True


class ScaleScore(NamedTuple):
    """One row of the result."""

    respondent: tuple[Any, ...]
    scale: str
    score: float | None
    n_items: int
    n_missing: int


def folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def written(decision: Any) -> str | None:
    """Return the text that a decision stands for, None if it stands for none."""
    if isinstance(decision, str):
        return decision
    if isinstance(decision, bool):
        return "True" if decision else "False"
    if isinstance(decision, int):
        return str(decision)
    if isinstance(decision, float) and math.isfinite(decision):
        return str(int(decision)) if decision == int(decision) else repr(decision)
    return None


def is_valid(verdict: Any) -> bool:
    if isinstance(verdict, str):
        return verdict.strip().lower() not in ("false", "f", "no", "n", "0")
    return not (isinstance(verdict, (bool, int, float)) and verdict == 0)


def listed(options: dict[str, Any] | None) -> list[dict[str, Any]]:
    options = options or {}
    return list(
        (options["options"] if isinstance(options.get("options"), dict) else options).values()
    )


def options_of(key: dict[str, Any], item: int) -> list[dict[str, Any]]:
    own = listed(key["instruction_items"][item].get("answer_options"))
    return own or listed(key.get("default_answer_options"))


def worth(key: dict[str, Any], item: int) -> list[tuple[str, float | None]]:
    """Return the text and the score of every option of the item."""
    options = options_of(key, item)
    counting = [o.get("weight", 0) for o in options if not o.get("ignored_for_scale")]
    result = []
    for option in options:
        weight: float | None = float(option.get("weight", 0))
        if option.get("ignored_for_scale"):
            weight = None
        elif key["instruction_items"][item].get("reversed"):
            weight = (min(counting) + max(counting)) - float(option.get("weight", 0))
        result.append((option["text"], weight))
    return result


def score(key: dict[str, Any], answer: Answer, *, only_valid: bool = True) -> float | None:
    """Return the item score of an answer, None if it has none."""
    text = written(answer.decision)
    if text is None or not text.strip() or (only_valid and not is_valid(answer.valid)):
        return None
    options = [(t, w) for t, w in worth(key, answer.item) if t.strip()]
    found = {weight for option, weight in options if option == text}
    if not found and text not in SENTINELS:
        found = {weight for option, weight in options if folded(option) == folded(text)}
    return found.pop() if len(found) == 1 else None


def identifier(value: Any) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return str(value).strip()


def scale(key: dict[str, Any], item: int) -> str | None:
    """Return the name of the item's scale, None if it has none."""
    own = identifier((key["instruction_items"][item].get("attributes") or {}).get("dimension"))
    return dict(names(key)).get(own, own) or None


def names(key: dict[str, Any]) -> list[tuple[str, str]]:
    declared = (key.get("attributes") or {}).get("dimension") or {}
    pairs = {identifier(k): identifier(name) or identifier(k) for k, name in declared.items()}
    return [(known, name) for known, name in pairs.items() if known]


def order(key: dict[str, Any]) -> list[str]:
    """Return the scales in the order of the result."""
    scales = [name for _, name in names(key)]
    scales += [scale(key, item) or "total" for item in range(len(key["instruction_items"]))]
    return [*dict.fromkeys(name for name in scales if name != "total"), "total"]


def mean(points: list[float]) -> float:
    """Return the mean, rounded once."""
    return float(sum(map(Fraction, points)) / len(points))


def scale_scores(
    key: dict[str, Any],
    answers: Iterable[Answer],
    *,
    only_valid: bool = True,
    include_total: bool = False,
) -> list[ScaleScore]:
    """Return the mean of the scores of every respondent and scale, in the order of a result."""
    cells: dict[tuple[Any, str], list[float | None]] = {}
    for answer in answers:
        points = score(key, answer, only_valid=only_valid)
        name = scale(key, answer.item)
        own = name if name not in (None, "total") else "total"
        for target in dict.fromkeys([own, "total"] if include_total else [own]):
            cells.setdefault((answer.respondent, target), []).append(points)
    scales = order(key)
    ranked = sorted(cells, key=lambda cell: (rank(cell[0]), scales.index(cell[1])))
    result = []
    for respondent, name in ranked:
        points = cells[respondent, name]
        existing = [p for p in points if p is not None]
        result.append(
            ScaleScore(
                respondent,
                name,
                mean(existing) if existing else None,
                len(existing),
                len(points) - len(existing),
            )
        )
    return result


def rank(respondent: tuple[Any, ...]) -> list[tuple[bool, Any]]:
    """Return what respondents are sorted by; a missing part comes last."""
    return [(part is None, 0 if part is None else part) for part in respondent]
