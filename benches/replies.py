"""Judges' replies scored by the core, and by a loop over `re` and `json` with the same rules.

    python benches/replies.py --rows 1000000 --loop-rows 2000

The loop is the slow twin of the tests. It reads a sample of the replies, since it needs a
millisecond for each, and has to give the core's scores. Rates are medians of runs in turns.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import scorekey as sk

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.reply_twin import twin_of

ENDS = (
    "\n\n**Score:** {score}",
    "\nScore: {score}/5",
    ' {{"score": {score}, "reasoning": "as above"}}',
    "\n[RESULT] {score}",
    "\nFinal rating: {score} out of 5",
    " I would not put a number on this.",
)
TEXT = "the answer names every fact but leaves out why its second claim should hold at all"
WORDS = TEXT.split()


def make(rows: int) -> list[str]:
    """Return replies of 40 to 2,000 characters, most of them short."""
    rng = np.random.default_rng(0)
    lengths = np.exp(rng.uniform(np.log(5), np.log(380), rows)).astype(int)
    return [
        " ".join(WORDS[(row + i) % len(WORDS)] for i in range(length)).capitalize()
        + ENDS[row % len(ENDS)].format(score=row % 5 + 1)
        for row, length in enumerate(lengths)
    ]


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--loop-rows", type=int, default=2000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    replies = make(options.rows)
    size = sum(map(len, replies)) / len(replies)
    sample = replies[: options.loop_rows]
    rubric, twin = sk.ScoringRubric.accuracy(), twin_of(sk.ScoringRubric.accuracy())
    columns = {
        "objects": pd.Series(replies, dtype=object),
        "Arrow": pd.Series(replies, dtype="string[pyarrow]"),
    }
    expected = sk.score_replies(columns["objects"], rubric)["score"].to_numpy()[: len(sample)]
    times: dict[str, list[float]] = {}
    for _ in range(options.repeat):
        took, found = seconds(lambda: [twin.parse(reply) for reply in sample])
        times.setdefault("Python loop", []).append(took / len(sample))
        scores = [np.nan if isinstance(score, str) else score for score in found]
        same = np.array_equal(np.array(scores), expected, equal_nan=True)
        for threads in (1, 2):
            sk.set_num_threads(threads)
            for name, column in columns.items():
                took, _ = seconds(lambda column=column: sk.score_replies(column, rubric))
                line = f"scorekey, {name}, {threads} thread(s)"
                times.setdefault(line, []).append(took / len(replies))
    sk.set_num_threads(None)
    loop = statistics.median(times["Python loop"])
    print(
        f"{options.rows:,} replies of {size:.0f} characters; the loop's scores are the same: {same}"
    )
    print()
    print("| | replies/s | MB/s | ratio |\n|---|---|---|---|")
    for name, taken in times.items():
        took = statistics.median(taken)
        print(f"| {name} | {1 / took:,.0f} | {size / took / 1e6:.1f} | {loop / took:.0f} |")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
