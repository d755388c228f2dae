"""The same work by a plain loop over the rows: no library, options looked up in dictionaries."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pandas as pd
from peers_frames import BY

Respondent = tuple[Any, ...]


def score_experiment(
    frame: pd.DataFrame, specification: dict[str, Any]
) -> list[tuple[Respondent, str, float, int, int]]:
    """Return respondent, scale, mean, answers with and without score for every scale and total."""
    items = _compile(specification)
    scores: dict[tuple[Respondent, str], list[float]] = defaultdict(list)
    missing: dict[tuple[Respondent, str], int] = defaultdict(int)
    columns = (*BY, "instruction_item_id", "decision", "valid")
    for *respondent, item, decision, valid in zip(*(frame[name] for name in columns), strict=True):
        scale, points = items[item]
        score = None
        if valid and isinstance(decision, str):
            score = points.get(decision)
            if score is None:
                score = points.get(_folded(decision))
        for name in (scale, "total"):
            place = (tuple(respondent), name)
            if score is None:
                missing[place] += 1
            else:
                scores[place].append(score)
    table = []
    for place in sorted(scores.keys() | missing.keys()):
        found = scores.get(place, [])
        mean = sum(found) / len(found) if found else float("nan")
        table.append((*place, mean, len(found), missing.get(place, 0)))
    return table


def table(result: list[tuple[Respondent, str, float, int, int]]) -> pd.DataFrame:
    rows = [(*respondent, *rest) for respondent, *rest in result]
    return pd.DataFrame(rows, columns=[*BY, "dimension", "score", "n_items", "n_missing"])


def _compile(specification: dict[str, Any]) -> list[tuple[str, dict[str, float]]]:
    names = specification["attributes"]["dimension"]
    options = specification["default_answer_options"].values()
    weights = {option["text"]: float(option["weight"]) for option in options}
    weights |= {_folded(text): weight for text, weight in weights.items()}
    ends = min(weights.values()) + max(weights.values())
    flipped = {text: ends - weight for text, weight in weights.items()}
    return [
        (names[item["attributes"]["dimension"]], flipped if item["reversed"] else weights)
        for item in specification["instruction_items"]
    ]


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
