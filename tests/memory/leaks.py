"""Thousands of calls of every public function and of its ways to fail: memory must not grow.

``leaks.py --calls 10000``. Each line of the table is one kind of call; the script ends with 1 if
one of them lets the process grow by more than 4 MiB, or does not fail where it should. A name in
``scorekey.__all__`` that no call belongs to is an error, too: new functions are not forgotten.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
import pickle
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd

import scorekey as sk

MOST = 4 << 20
PAGE = 4096
FORM = {
    "name": "Two scales",
    "general_instruction": "Answer.",
    "attributes": {"dimension": {"1": "A", "2": "B"}},
    "default_answer_options": {
        "1": {"text": "No", "weight": 1},
        "2": {"text": "Yes", "weight": 2},
        "3": {"text": "Skip", "weight": 9, "ignored_for_scale": True},
        "4": {"text": "Yes", "weight": 3},
    },
    "instruction_items": [
        {
            "question": f"Question {n}",
            "reversed": n % 2 == 1,
            "attributes": {"dimension": n % 2 + 1},
        }
        for n in range(4)
    ],
}
DATA_ONLY = {
    "DEFAULT_GROUPS", "JUDGE_SENTINELS", "REASONS", "TOTAL_SCALE", "__version__",
    # Made by the calls below, or raised by them.
    "AnswerOption", "AnswerOptions", "InstructionItem", "ReplyScore", "Scale", "ScaleArrays",
    "Audit", "Finding", "Reliability", "ScoringLevel", "InternalError", "ItemMismatchError",
    "QuestionnaireError",
}  # fmt: skip


def resident() -> int:
    """Return how much memory the process has in use, as far as it can be given back."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


class Odd:
    """An object that is no text and no number."""


def failing(call: Callable[[], object], *kinds: type[Exception]) -> Callable[[], object]:
    """Return a call that is right if the other one fails."""
    expected = kinds or (ValueError, TypeError)

    def fails() -> None:
        try:
            call()
        except expected:
            return
        raise AssertionError("this had to fail")

    return fails


def silent(call: Callable[[], object]) -> Callable[[], object]:
    """Return a call during which nothing, compiled or not, is written on standard error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)

    def quiet() -> None:
        kept = os.dup(2)
        os.dup2(nowhere, 2)
        try:
            call()
        finally:
            os.dup2(kept, 2)
            os.close(kept)

    return quiet


def calls(folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield all calls, each after the names in ``scorekey.__all__`` that it is for."""
    key = sk.ScoringKey(FORM)
    form = sk.Questionnaire.from_dict(FORM)
    items = np.arange(40) % 4
    words = ["No", "yes ", "Skip", "perhaps", None, 2.5, True, "not present", Odd(), "\ud800"]
    frame = pd.DataFrame(
        {
            "model_id": [f"m{n % 5}" for n in range(40)],
            "instruction_item_id": items,
            "decision": pd.Series(words * 4, dtype=object),
            "valid": [True, "no", None, 0] * 10,
        }
    )
    by = {"by": "model_id", "include_total": True}
    scored = sk.score_answers(frame, key)
    wide = frame.assign(decision=pd.Series(["No", "Yes"] * 20, dtype="category"))
    yield "score_answers", lambda: sk.score_answers(frame, key)
    yield "score_answers of a mapping", lambda: sk.score_answers(frame, FORM)
    yield "score_answers of categories", lambda: sk.score_answers(wide, key)
    bad_ids = frame.assign(instruction_item_id=7)
    yield "score_answers: item ids", failing(lambda: sk.score_answers(bad_ids, key))
    lists = frame.assign(decision=pd.Series([[1]] * 40))
    yield "score_answers: lists", failing(lambda: sk.score_answers(lists, key))
    no_frame = failing(lambda: sk.score_answers([1], key))  # type: ignore[arg-type]
    yield "score_answers: no frame", no_frame
    for agg in ("mean", "median", "kurt", lambda s: float(s.iloc[0])):
        name = agg if isinstance(agg, str) else "function"
        yield f"scale_scores by {name}", lambda agg=agg: sk.scale_scores(scored, agg=agg, **by)
    yield "scale_scores: agg", failing(lambda: sk.scale_scores(scored, agg="cumsum"))
    broken = failing(lambda: sk.scale_scores(scored, agg=lambda s: 1 / 0), ZeroDivisionError)
    yield "scale_scores: function", broken
    odd_keys = scored.assign(model_id=pd.Series([Odd(), "a"] * 20, dtype=object))
    yield "scale_scores: keys", failing(lambda: sk.scale_scores(odd_keys, by="model_id"))
    texts = scored.assign(score="high")
    yield "scale_scores: scores", failing(lambda: sk.scale_scores(texts, by="model_id"))
    yield "score_experiment", lambda: sk.score_experiment(key, frame, **by)
    yield "score_experiment: ids", failing(lambda: sk.score_experiment(key, bad_ids))

    yield "ScoringKey", lambda: sk.ScoringKey(FORM)
    yield "ScoringKey, pickled", lambda: pickle.loads(pickle.dumps(key))
    odd_weight = {**FORM, "default_answer_options": {"1": {"text": "a", "weight": float("nan")}}}
    yield "ScoringKey: weight", failing(lambda: sk.ScoringKey(odd_weight))
    yield "ScoringKey.score", lambda: key.score(items, frame["decision"], frame["valid"])
    yield "ScoringKey.score: ids", failing(lambda: key.score([9], ["No"]))
    yield "ScoringKey.score: lengths", failing(lambda: key.score(items, ["No"]))
    points = key.score(items, frame["decision"])
    yield "ScoringKey.aggregate", lambda: key.aggregate(points, items, frame["model_id"])
    short = failing(lambda: key.aggregate(points, items, ["a"]))
    yield "ScoringKey.aggregate: lengths", short
    yield "ScoringKey.fingerprint", lambda: sk.ScoringKey(form).fingerprint

    path = folder / "form.json"
    path.write_text(json.dumps(FORM), encoding="utf-8")
    yield "Questionnaire.from_dict", lambda: sk.Questionnaire.from_dict(FORM)
    yield "Questionnaire.from_json", lambda: sk.Questionnaire.from_json(path)
    yield "Questionnaire: fault", failing(lambda: sk.Questionnaire.from_dict({**FORM, "name": 3}))
    results = folder / "results.csv"
    frame.assign(decision="No", instruction_item="Question 1").to_csv(results, index=False)
    yield "read_results", lambda: sk.read_results(results, form)
    ragged = folder / "ragged.csv"
    ragged.write_text("instruction_item_id,decision\n0,No,3\n", encoding="utf-8")
    yield "read_results: fault", failing(lambda: sk.read_results(ragged, form))
    checked = frame.assign(instruction_item=[f"Question {n}" for n in items])
    yield "check_items", lambda: sk.check_items(checked, form)
    other = checked.assign(instruction_item="Another")
    mismatch = failing(lambda: sk.check_items(other, form), sk.ItemMismatchError)
    yield "check_items: mismatch", mismatch

    by_item = {"by": "model_id", "duplicates": "first"}
    yield "audit_answers", lambda: sk.audit_answers(frame, FORM, by="model_id")
    wrong_by = failing(lambda: sk.audit_answers(frame, FORM, by=b"model_id"))  # type: ignore[arg-type]
    yield "audit_answers: by", wrong_by
    yield "item_matrix", lambda: sk.item_matrix(scored, **by_item)
    yield "item_matrix: duplicates", failing(lambda: sk.item_matrix(scored, by="model_id"))
    yield "reliability", lambda: sk.reliability(scored, **by_item)
    yield "reliability: duplicates", failing(lambda: sk.reliability(scored, by="model_id"))
    sheet = pd.DataFrame({f"q{n}": ["No", "Skip", "No", None] for n in range(4)})
    places = {f"q{n}": n for n in range(4)}
    yield "score_wide", lambda: sk.score_wide(sheet, FORM, columns=places)
    yield "score_wide: columns", failing(lambda: sk.score_wide(sheet, FORM, columns={"q0": 9}))
    yield "reverse_code", lambda: sk.reverse_code(np.arange(1, 6), 1, 5)
    yield "reverse_code: range", failing(lambda: sk.reverse_code(np.arange(9), 1, 5))

    rubric = sk.ScoringRubric.accuracy()
    replies = ["Score: 4", '{"score": 3}', "<think>", None, 5, "\ud800", True, np.float32(2)]
    yield "ScoringRubric", sk.ScoringRubric.accuracy
    yield "ScoringRubric: fault", failing(lambda: sk.ScoringRubric("x", "y", []).validate())
    yield "ScoringRubric.parse_reply", lambda: rubric.parse_reply("I give a score of 4 here.")
    yield "ScoringRubric.passes", lambda: rubric.passes(4, 3)
    yield "ScoringRubric.passes: fault", failing(lambda: rubric.passes(99, 3))
    yield "score_replies", lambda: sk.score_replies(replies, rubric)
    arrow = pd.Series(["Score: 4", None, "Score: 9"] * 10, dtype="str")
    yield "score_replies of text", lambda: sk.score_replies(arrow, rubric)
    yield "score_replies: lists", failing(lambda: sk.score_replies([["a"]], rubric))

    def threads() -> None:
        sk.set_num_threads(2)
        sk.get_num_threads()
        sk.set_num_threads(None)

    yield "set_num_threads and get_num_threads", threads
    yield "set_num_threads: fault", failing(lambda: sk.set_num_threads(0))
    yield "InternalError", silent(failing(sk._core.panic_on_purpose, sk.InternalError))


def forgotten(names: list[str]) -> set[str]:
    """Return the public names that no call belongs to."""
    return {
        public
        for public in set(sk.__all__) - DATA_ONLY
        if not any(public in name.replace(":", " ").replace(".", " ").split() for name in names)
    }


def main() -> int:
    """Make all calls and print by how much each lets the process grow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--only", default="", help="only calls whose name begins so")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    os.environ["RUST_BACKTRACE"] = "0"
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        all_calls = list(calls(Path(folder)))
        for name in sorted(forgotten([name for name, _ in all_calls])):
            faults.append(f"no call is for {name}")
        for name, call in all_calls:
            if not name.startswith(chosen.only):
                continue
            for _ in range(max(chosen.calls // 20, 20)):  # caches and arenas are filled first
                call()
            before, begun = resident(), time.perf_counter()
            for _ in range(chosen.calls):
                call()
            grown, taken = resident() - before, time.perf_counter() - begun
            print(
                f"{name:45} {grown / 1024:8.0f} KiB {taken / chosen.calls * 1e6:8.0f} us",
                flush=True,
            )
            if grown > MOST:
                faults.append(f"{name}: {chosen.calls} calls took {grown / MOST * 4:.1f} MiB")
    print(*faults, sep="\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
