"""How the peers are timed and judged: in turns, after their results have been compared."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from peers_frames import BY

#: A measurement shorter than this repeats the work.
SHORTEST = 0.02
#: What the table says of a result that is ours.
SAME = "same"


@dataclass(frozen=True)
class Contestant:
    """Somebody who does the work, and somebody who looks at the result.

    ``judge`` returns what the table says of it: "same", or what is different.
    """

    name: str
    run: Callable[[], Any]
    judge: Callable[[Any], str]


@dataclass(frozen=True)
class Standing:
    """The median time of a contestant in seconds, and whether the result was right."""

    name: str
    seconds: float
    verdict: str


def hold(contestants: Sequence[Contestant], repeat: int) -> list[Standing]:
    """Judge every contestant once, then time all of them in turns."""
    verdicts, times = [], []
    for contestant in contestants:
        result = contestant.run()
        verdicts.append(contestant.judge(result))
        del result
        once = _seconds(contestant.run, 1)
        times.append((max(1, round(SHORTEST / once)), []))
    for _ in range(repeat):
        for contestant, (number, seconds) in zip(contestants, times, strict=True):
            seconds.append(_seconds(contestant.run, number))
    return [
        Standing(contestant.name, statistics.median(seconds), verdict)
        for contestant, verdict, (_, seconds) in zip(contestants, verdicts, times, strict=True)
    ]


def _seconds(run: Callable[[], Any], number: int) -> float:
    """Time the work without garbage collection; the last result is freed after the clock stops."""
    gc.collect()
    gc.disable()
    result = None
    start = time.perf_counter()
    for _ in range(number):
        result = run()
    seconds = time.perf_counter() - start
    gc.enable()
    del result
    return seconds / number


def same_frame(expected: pd.DataFrame) -> Callable[[pd.DataFrame], str]:
    """Judge frames: the same rows in the same order, the same types; scores to 12 digits."""

    def judge(result: pd.DataFrame) -> str:
        return _difference(result, expected, check_dtype=True)

    return judge


def same_scales(expected: pd.DataFrame, note: str = "") -> Callable[[pd.DataFrame], str]:
    """Judge scale scores in any order of rows and in any types that hold the same values."""

    def judge(result: pd.DataFrame) -> str:
        return _difference(_plain(result), _plain(expected), check_dtype=False) + note

    return judge


def same_points(expected: pd.DataFrame, note: str = "") -> Callable[[pd.DataFrame], str]:
    """Judge item scores by the two columns that scoring adds, row by row.

    An engine that joins with a table of items may give its rows in another order, and says so.
    """
    wanted = expected[["score", "dimension"]]

    def sorted_rows(frame: pd.DataFrame) -> pd.DataFrame:
        return frame.sort_values(["dimension", "score"], ignore_index=True)

    def judge(result: pd.DataFrame) -> str:
        found = result[["score", "dimension"]]
        found = found.assign(dimension=found["dimension"].astype(wanted["dimension"].dtype))
        verdict = _difference(found, wanted, check_dtype=False)
        if verdict != SAME:
            verdict = _difference(sorted_rows(found), sorted_rows(wanted), check_dtype=False)
            verdict += ", in another order" if verdict == SAME else ""
        return verdict + note

    return judge


def same_array(expected: np.ndarray[Any, Any]) -> Callable[[np.ndarray[Any, Any]], str]:
    """Judge arrays: equal to the bit, NaN where NaN is."""

    def judge(result: np.ndarray[Any, Any]) -> str:
        return SAME if np.array_equal(result, expected, equal_nan=True) else "differs"

    return judge


def _difference(found: pd.DataFrame, expected: pd.DataFrame, check_dtype: bool) -> str:
    try:
        pd.testing.assert_frame_equal(
            found,
            expected,
            check_dtype=check_dtype,
            check_column_type=False,
            rtol=1e-12,
            atol=0,
        )
    except AssertionError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return "differs: " + " ".join(lines).replace("|", "/")[:120]
    return SAME


def _plain(scales: pd.DataFrame) -> pd.DataFrame:
    texts = [name for name in (*BY, "dimension") if name != "random_seed"]
    plain = scales[[*BY, "dimension", "score", "n_items", "n_missing"]].astype(
        {**dict.fromkeys(texts, "str"), "n_items": "int64", "n_missing": "int64"}
    )
    return plain.sort_values([*BY, "dimension"], ignore_index=True)
