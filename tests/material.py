"""Small questionnaires and frames that the tests are written with."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scorekey as sk

PANDAS = int(pd.__version__.partition(".")[0])
MISSING = (None, float("nan"), pd.NA, pd.NaT)
"""What stands for a missing value in a column of objects."""

AGREEMENT = (
    "1. Disagree strongly",
    "2. Disagree a little",
    "3. Neither agree nor disagree",
    "4. Agree a little",
    "5. Agree strongly",
)


def option(text: str, weight: Any = 0, *, ignored: bool = False) -> dict[str, Any]:
    """Return an answer option in the JSON form."""
    result: dict[str, Any] = {"text": text, "weight": weight}
    return {**result, "ignored_for_scale": True} if ignored else result


def options(*texts: Any) -> dict[str, dict[str, Any]]:
    """Return options by id: texts weighted 1, 2, ..., pairs (text, weight), or ready options."""
    result = {}
    for number, text in enumerate(texts, 1):
        if isinstance(text, str):
            text = option(text, number)
        elif isinstance(text, tuple):
            text = option(*text)
        result[str(number)] = text
    return result


def item(
    dimension: Any = ..., own: Any = ..., *, reverse: bool = False, question: str = "A statement."
) -> dict[str, Any]:
    """Return an item; without a dimension and with the default options unless they are given."""
    result: dict[str, Any] = {"question": question}
    if reverse:
        result["reversed"] = True
    if dimension is not ...:
        result["attributes"] = {"dimension": dimension}
    if own is not ...:
        result["answer_options"] = own
    return result


def questionnaire(*items: dict[str, Any], default: Any = ..., dimensions: Any = ...) -> dict:
    """Return a questionnaire in the JSON form; its default options are `AGREEMENT`."""
    result: dict[str, Any] = {
        "name": "A questionnaire",
        "general_instruction": "Say how far you agree.",
        "instruction_items": list(items) or [item()],
    }
    if default is ...:
        result["default_answer_options"] = options(*AGREEMENT)
    elif default is not None:
        result["default_answer_options"] = default
    if dimensions is not ...:
        result["attributes"] = {"dimension": dimensions}
    return result


def objects(values: Any) -> pd.Series:
    """Return the values as a column of objects, whatever they are."""
    values = list(values)
    result = np.empty(len(values), dtype=object)
    for position, value in enumerate(values):
        result[position] = value
    return pd.Series(result, dtype=object)


def answers(decisions: Any, item_ids: Any = 0, **columns: Any) -> pd.DataFrame:
    """Return a frame of answers; decisions in a list become a column of objects."""
    if isinstance(decisions, (list, tuple)):
        decisions = objects(decisions)
    frame = {"instruction_item_id": item_ids, "decision": decisions, **columns}
    return pd.DataFrame(frame, index=None if len(decisions) else [])


def scores(frame: pd.DataFrame, key: Any, **arguments: Any) -> list[float | None]:
    """Return the item scores with None for NaN; what they warn of is of no interest."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        scored = sk.score_answers(frame, key, **arguments)["score"]
    assert scored.dtype == np.float64
    return plain(scored)


def plain(values: Any) -> list[Any]:
    """Return the values as Python's own, with None for a missing one."""
    values = values.tolist() if hasattr(values, "tolist") else list(values)
    return [None if value is None or pd.isna(value) else value for value in values]


def scored_frame(model_id: Any, score: Any = ..., dimension: Any = "A", **columns: Any) -> Any:
    """Return item scores of respondents; the scores are 1, 3, 5, ... unless given."""
    if isinstance(model_id, (list, tuple)):
        model_id = objects(model_id)
    if score is ...:
        score = np.arange(len(model_id)) * 2.0 + 1
    return pd.DataFrame({"model_id": model_id, "dimension": dimension, "score": score, **columns})


def table(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    """Return the rows of a frame as tuples, with None for a missing value."""
    columns = [plain(frame.iloc[:, position]) for position in range(frame.shape[1])]
    return list(zip(*columns, strict=True))


def refused(kind: Any, call: Callable[[], object], *facts: str) -> str:
    """Return the message of the expected error; it is short and names the facts."""
    with pytest.raises(kind) as caught:
        call()
    message = str(caught.value)
    assert len(message) < 1000
    for fact in facts:
        assert fact in message
    return message
