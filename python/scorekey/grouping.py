"""Which columns identify a respondent, and what would merge several of them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from scorekey.arguments import read_column_names
from scorekey.columns import encode, frame_column
from scorekey.messages import listed, shown, warn

DEFAULT_GROUPS: tuple[str, ...] = ("model_id", "profile_id", "random_seed")
"""Who answered in a results file of rupsycho: which model, as which persona, with which seed."""

COUNTS = ("n_items", "n_missing")
"""The columns of a result that count answers."""


def group_names(
    by: Any, dimension_column: Any, score_column: Any, more_counts: tuple[str, ...] = ()
) -> list[Any]:
    """Return the names in `by`, each once; none may be that of a column of counts."""
    wanted = read_column_names(by, "by")
    clashes = {"score_column": score_column, "dimension_column": dimension_column}
    for argument, name in [*clashes.items(), *(("by", name) for name in wanted)]:
        if isinstance(name, str) and name in (*COUNTS, *more_counts):
            raise ValueError(
                f"{argument} names the column {name!r}, which the result has for its own counts; "
                "rename the column"
            )
    if dimension_column == score_column:
        raise ValueError(
            f"dimension_column and score_column both name {shown(score_column)}; they must differ"
        )
    if dimension_column in wanted or score_column in wanted:
        raise ValueError(
            "by names the column of the scales or of the scores; it may only name columns that "
            "identify a respondent"
        )
    return wanted


def find_groups(
    frame: pd.DataFrame, wanted: list[Any], item_column: Any, function: str = "scale_scores"
) -> list[Any]:
    """Return the group columns that the frame has, and warn of what would merge respondents."""
    found = [name for name in wanted if name in frame.columns]
    absent = [name for name in wanted if name not in frame.columns]
    levels = [name for name in absent if name in frame.index.names]
    unknown = [name for name in absent if name not in DEFAULT_GROUPS]
    remedy = (
        f"; {listed(levels)} is a level of the index and not a column, so answers of several "
        "respondents are merged: use reset_index()"
        if levels
        else ""
    )
    if unknown:
        warn(f"{function} ignores the unknown group column(s) [{listed(unknown)}]{remedy}")
    elif wanted and not found and levels:
        warn(f"none of the columns {listed(wanted)} is in the frame{remedy}")
    elif wanted and not found and _repeats(frame, item_column):
        warn(
            f"none of the columns {listed(wanted)} is in the frame, but items occur more than "
            "once, so the answers of several respondents are merged; name the columns that "
            "identify a respondent in by"
        )
    return found


def _repeats(frame: pd.DataFrame, item_column: Any) -> bool:
    if item_column not in frame.columns:
        return False
    ids = frame_column(frame, item_column, "item id")
    try:
        codes = encode(ids)
    except TypeError:  # collections, which scale_scores does not read
        return False
    return len(codes.appearances(missing=True)) < len(codes)
