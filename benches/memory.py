"""Measures how much memory scoring takes beyond its input and its result.

    python benches/memory.py --rows 10000000 [--only score_answers str]

Each case is measured in a process of its own (Linux): the frame is made, the peak of the process's
resident memory is set back, the work runs once, and the peak is read. What was resident before and
what the result holds are taken off; the rest is given in bytes a row.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
from peers_frames import KINDS, Material, answers, with_kind

import scorekey as sk

GOAL = 16.0  # bytes a row


def score_answers(frame: pd.DataFrame, questionnaire: sk.Questionnaire) -> pd.DataFrame:
    return sk.score_answers(frame, questionnaire)[["score", "dimension"]]


def scale_scores(scored: pd.DataFrame, questionnaire: sk.Questionnaire) -> pd.DataFrame:
    return sk.scale_scores(scored, include_total=True)


def score_experiment(frame: pd.DataFrame, questionnaire: sk.Questionnaire) -> pd.DataFrame:
    return sk.score_experiment(questionnaire, frame, include_total=True)


WORKS: dict[str, Callable[[pd.DataFrame, sk.Questionnaire], pd.DataFrame]] = {
    work.__name__: work for work in (score_answers, scale_scores, score_experiment)
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--only", nargs="+", choices=(*WORKS, *KINDS), default=[], metavar="WORD")
    parser.add_argument("--measure", nargs=2, metavar=("WORK", "KIND"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(f"{measure(*options.measure, options.rows):.1f}")
        return 0
    if not Path("/proc/self/clear_refs").exists():
        print("this needs Linux: the peak of a process is set back by way of /proc")
        return 0
    works = [name for name in WORKS if name in options.only] or list(WORKS)
    kinds = [name for name in KINDS if name in options.only] or list(KINDS)
    if pd.__version__ < "3" and "str" in kinds:
        kinds.remove("str")
    print(f"{options.rows:,} rows; bytes a row beyond input and result, at most {GOAL:g} wanted")
    print("| work | columns | bytes a row |\n|---|---|---|")
    above = False
    for work in works:
        for kind in kinds:
            command = [sys.executable, __file__, "--rows", str(options.rows)]
            command += ["--measure", work, kind]
            found = subprocess.run(command, check=True, capture_output=True, text=True)
            above |= float(found.stdout) > GOAL
            print(f"| {work} | {kind} | {found.stdout.strip()} |", flush=True)
    return int(above)


def measure(work: str, kind: str, rows: int) -> float:
    """Return the bytes a row by which the work's peak exceeds its input and result."""
    run = WORKS[work]
    # What the first call imports and sets up is no cost of a row.
    run(*_input(work, answers(1000, kind, "items")))
    frame, questionnaire = _input(work, answers(rows, kind, "items"))
    gc.collect()
    _give_back()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _kilobytes("VmRSS")
    result = run(frame, questionnaire)
    peak = _kilobytes("VmHWM")
    return ((peak - before) * 1024 - _size(result)) / rows


def _input(work: str, material: Material) -> tuple[pd.DataFrame, sk.Questionnaire]:
    frame = material.frame
    if work == "scale_scores":
        # Not scored by us: memory that the core keeps for reuse would not be seen to be taken.
        scales = material.items["dimension"].to_numpy().take(frame["instruction_item_id"])
        scores = frame["decision"].map(material.weights).astype(float)
        frame = frame.assign(score=scores, dimension=scales)
        frame = with_kind(frame, ["dimension"], material.kind)
    return frame, material.questionnaire


def _size(result: pd.DataFrame) -> int:
    """Return the bytes of the result's arrays, of objects their addresses."""
    return int(result.memory_usage(index=False, deep=False).sum())


def _give_back() -> None:
    """Have the allocators return what they keep free, which would hide what the work takes."""
    if hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)
    if pyarrow := sys.modules.get("pyarrow"):
        pyarrow.default_memory_pool().release_unused()


def _kilobytes(name: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise RuntimeError(f"/proc/self/status does not say {name}")


if __name__ == "__main__":
    sys.exit(main())
