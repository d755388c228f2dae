"""Wide files: scored, and made of long ones, by the core and in the usual way of pandas.

    python benches/wide.py --answers 5000000

`score_wide` against melt, merge and groupby; `item_matrix` against pivot. Both have to give the
same numbers. Times are medians of runs in turns.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from peers_contest import Contestant, hold

import scorekey as sk

ITEMS = 50
LABELS = (
    "Disagree strongly",
    "Disagree a little",
    "Neither agree nor disagree",
    "Agree a little",
    "Agree strongly",
)
SCALES = ("Extraversion", "Agreeableness", "Conscientiousness", "Neuroticism", "Openness")
NAMES = [f"q{item + 1}" for item in range(ITEMS)]
HEADER = ("work", "answers", "cells", "1 thread", "2 threads", "pandas", "times", "result")


def questionnaire(kind: str) -> dict[str, Any]:
    """Return fifty items in five scales, every third reverse-keyed, with labels or numbers."""
    texts = [str(weight) for weight in range(1, 6)] if kind == "numbers" else LABELS
    return {
        "name": "Fifty items",
        "general_instruction": "How far do you agree?",
        "attributes": {"dimension": {name: name for name in SCALES}},
        "default_answer_options": {
            str(weight): {"text": text, "weight": weight} for weight, text in enumerate(texts, 1)
        },
        "instruction_items": [
            {
                "question": f"Item {item}",
                "reversed": item % 3 == 0,
                "attributes": {"dimension": SCALES[item % len(SCALES)]},
            }
            for item in range(ITEMS)
        ],
    }


def survey(answers: int, kind: str) -> pd.DataFrame:
    """Return a wide file in which one answer of fifty is missing."""
    random = np.random.default_rng(0)
    chosen = random.integers(0, 5, (answers // ITEMS, ITEMS))
    gaps = random.random(chosen.shape) < 0.02
    if kind == "numbers":
        cells: Any = np.where(gaps, np.nan, chosen + 1.0)
    else:
        cells = np.array(LABELS, dtype=object)[chosen]
        cells[gaps] = None
    frame = pd.DataFrame(cells, columns=NAMES)
    if kind == "labels":
        frame = frame.astype("str" if pd.__version__ >= "3" else object)
        frame = frame.mask(gaps)
    frame.insert(0, "id", np.arange(len(frame)))
    return frame


def key_frame(form: dict[str, Any], kind: str) -> pd.DataFrame:
    """Return what each answer to each item is worth, as a table to merge with."""
    rows = [
        {
            "column": name,
            "answer": float(option["text"]) if kind == "numbers" else option["text"],
            "points": 6 - option["weight"] if item["reversed"] else option["weight"],
            "scale": item["attributes"]["dimension"],
        }
        for name, item in zip(NAMES, form["instruction_items"], strict=True)
        for option in form["default_answer_options"].values()
    ]
    return pd.DataFrame(rows)


def by_pandas(frame: pd.DataFrame, key: pd.DataFrame) -> pd.DataFrame:
    long = frame.melt("id", NAMES, "column", "answer").merge(key, "left", ["column", "answer"])
    scales = long.groupby(["id", "scale"])["points"].mean().unstack()[list(SCALES)]
    return frame.join(scales, on="id")


def scored(answers: int) -> pd.DataFrame:
    """Return item scores in the long form, respondent after respondent."""
    frame, form = survey(answers, "numbers"), questionnaire("numbers")
    return sk.score_wide(frame, form, columns="q", form="items", by="id")


def same(expected: Any) -> Callable[[Any], str]:
    def judge(result: pd.DataFrame) -> str:
        numbers = [frame[frame.columns[-len(SCALES) :]].to_numpy() for frame in (result, expected)]
        if result.shape != expected.shape:
            return f"shape {result.shape} instead of {expected.shape}"
        alike = np.allclose(*numbers, rtol=1e-12, atol=0, equal_nan=True)
        return "same" if alike else "other numbers"

    return judge


def ours(run: Callable[[], Any], judge: Callable[[Any], str]) -> Iterator[Contestant]:
    for threads in (1, 2):

        def limited(threads: int = threads) -> Any:
            sk.set_num_threads(threads)
            return run()

        yield Contestant(f"{threads}", limited, judge)


def contests(answers: int) -> Iterator[tuple[str, str, list[Contestant]]]:
    for kind in ("labels", "numbers"):
        frame, form = survey(answers, kind), sk.Questionnaire.from_dict(questionnaire(kind))
        key = key_frame(questionnaire(kind), kind)
        run = lambda f=frame, q=form: sk.score_wide(f, q, columns="q")  # noqa: E731
        judge = same(run())
        theirs = Contestant("pandas", lambda f=frame, k=key: by_pandas(f, k), judge)
        yield "score_wide", kind, [*ours(run, judge), theirs]
    for ids in ("numbers", "texts"):
        long = scored(answers)
        if ids == "texts":
            long["id"] = "person " + long["id"].astype(str)
        run = lambda f=long: sk.item_matrix(f, by="id")  # noqa: E731
        judge = same(run())
        pivot = lambda f=long: f.pivot(index="id", columns="instruction_item_id", values="score")  # noqa: E731
        yield (
            "item_matrix",
            f"{ids} as ids",
            [*ours(run, judge), Contestant("pandas", pivot, judge)],
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=5_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    print(f"\n| {' | '.join(HEADER)} |\n|{'---|' * len(HEADER)}")
    for work, kind, contestants in contests(arguments.answers):
        one, two, pandas = hold(contestants, arguments.repeat)
        times = [f"{standing.seconds * 1000:,.0f} ms" for standing in (one, two, pandas)]
        verdict = "; ".join(dict.fromkeys(s.verdict for s in (one, two, pandas)))
        factor = f"{pandas.seconds / two.seconds:.0f}"
        cells = (work, f"{arguments.answers:,}", kind, *times, factor, verdict)
        print(f"| {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
