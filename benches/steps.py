"""Times the steps of a call one by one: where each nanosecond of a row goes.

    python benches/steps.py --rows 1000000 --kind str [--order shuffled] [--threads 1]

The least of several runs is given, which a busy machine disturbs least.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from peers_frames import BY, KINDS, ORDERS, Material, answers

import scorekey as sk
from scorekey import _core
from scorekey.aggregation import Aggregation
from scorekey.inputs import read_decisions, read_items, read_key, read_names, read_verdicts
from scorekey.key import key_of
from scorekey.names import spread, text_array
from scorekey.scale_table import scale_table

RESULT = ("dimension", "score")
Step = tuple[str, Callable[[], Any]]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--kind", choices=KINDS, default="str")
    parser.add_argument("--order", choices=ORDERS, default="items")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=9)
    options = parser.parse_args()
    sk.set_num_threads(options.threads)
    material = answers(options.rows, options.kind, options.order)
    print(f"{options.rows:,} rows, {options.kind}, {options.order}, {options.threads} thread(s)")
    for name, step in _steps(material, options.threads):
        seconds = min(_seconds(step) for _ in range(options.repeat))
        print(f"{name:36} {seconds / options.rows * 1e9:6.1f} ns a row")
    return 0


def _steps(material: Material, threads: int) -> Iterator[Step]:
    frame, scored, key = material.frame, material.scored, key_of(material.questionnaire)
    items, decisions, valid = (frame[name] for name in ("instruction_item_id", "decision", "valid"))
    ids, codes = read_items(items, key.n_items, "item"), read_decisions(decisions, "decision")
    judged = _core.Answers(key._core, ids, codes).with_verdicts(*read_verdicts(valid, "valid"))
    respondents = [read_key(frame[name], name) for name in BY]
    n_scales, names = len(key.scale_names), text_array(key.scale_names)

    yield "read item ids", lambda: read_items(items, key.n_items, "item")
    yield "read decisions", lambda: read_decisions(decisions, "decision")
    yield "read verdicts", lambda: read_verdicts(valid, "valid")
    yield (
        "match answers, verdicts",
        lambda: _core.Answers(key._core, ids, codes).with_verdicts(*read_verdicts(valid, "valid")),
    )
    yield "item scores", lambda: judged.scores(threads)
    yield "column of scale names", lambda: spread(key._item_texts, ids.positions())
    for name in BY:
        yield f"read {name}", lambda column=frame[name], name=name: read_key(column, name)
    yield "read scale names (scale_scores)", lambda: read_names(scored["dimension"], "dimension")
    yield (
        "aggregate",
        lambda: Aggregation("mean").over(judged, respondents, n_scales, total=True),
    )
    yield (
        "keys, aggregate and the table",
        lambda: scale_table(frame, judged, list(BY), names, "mean", total=True, columns=RESULT),
    )
    yield "score_answers", lambda: sk.score_answers(frame, key)
    yield "scale_scores", lambda: sk.scale_scores(scored, include_total=True)
    yield "score_experiment", lambda: sk.score_experiment(key, frame, include_total=True)


def _seconds(step: Callable[[], Any]) -> float:
    start = time.perf_counter()
    result = step()
    seconds = time.perf_counter() - start
    del result
    return seconds


if __name__ == "__main__":
    sys.exit(main())
