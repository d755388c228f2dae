"""Times scorekey and its peers on the same work and writes the table as Markdown.

    python benches/peers.py --rows 1000000 10000000 --repeat 5 --output bench.md
    python benches/peers.py --only score_experiment str items rupsycho

All contestants of a line run in one process, in turns; times are medians, and a ratio is the
peer's time divided by ours. Before anything is timed, every result is compared with ours, and the
table says what came out. The engines run on tables of their own with two threads, and only beside
the columns that they have too (text and categories).
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pandas as pd
from peers_contest import Contestant, Standing, hold
from peers_frames import KINDS, ORDERS, Material, answers, one_respondent
from peers_process import whole_process
from peers_works import PEERS, THREADS, WORKS, small_frame

import scorekey as sk

SMALL, PROCESS = "small", "process"
PACKAGES = ("numpy", "pandas", "pyarrow", "rupsycho", "polars", "duckdb")
HEAD = (
    "| work | rows | columns | order | scorekey, 1 thread | 2 threads | peer | its time "
    "| ratio, 1 thread | ratio, 2 threads | goal | its result |"
)

#: The ratios to reach with `score_experiment`, `score_answers` and `scale_scores` against rupsycho.
GOALS = {
    "score_experiment": {"object": 30.0, "str": 25.0, "category": 30.0},
    "score_answers": {"object": 15.0, "str": 15.0, "category": 15.0},
    "scale_scores": {"object": 25.0, "str": 20.0, "category": 20.0},
}
PANDAS_2_GOAL = 6.0  # of score_answers, where the deep copy of the frame has to be paid too
DISTINCT_GOAL, SHUFFLED_GOAL, SMALL_GOAL, LOOP_GOAL = 5.0, 12.0, 8.0, 60.0
COPY_GOAL, FRAME_COPY_GOAL = 1 / 2.5, 1 / 1.5  # of key.score, and of score_answers on pandas 2
ENGINE_GOALS = {"Polars": 10.0, "DuckDB": 8.0}


def main() -> int:
    options = _options()
    started = os.getloadavg()[0]
    lines = []
    print(HEAD)
    for line in _lines(options.rows, options.repeat, set(options.only)):
        print(line, flush=True)
        lines.append(line)
    if not lines:
        print(f"nothing is left of --only {' '.join(options.only)}", file=sys.stderr)
        return 1
    if options.output:
        rule = "|" + "---|" * (HEAD.count("|") - 1)
        text = "\n".join([*_circumstances(options.repeat, started), HEAD, rule, *lines, ""])
        options.output.write_text(text, encoding="utf-8")
    return 0


def _options() -> argparse.Namespace:
    known = (*WORKS, SMALL, PROCESS, *KINDS, *ORDERS, *PEERS)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--repeat", type=int, default=5, help="timed runs of each contestant")
    parser.add_argument(
        "--only",
        nargs="+",
        choices=known,
        default=[],
        metavar="WORD",
        help="works, columns, orders and peers to stay with, of: " + ", ".join(known),
    )
    parser.add_argument("--output", type=Path, help="where to write the table")
    return parser.parse_args()


def _lines(rows: Sequence[int], repeat: int, only: set[str]) -> Iterator[str]:
    works = _chosen((*WORKS, SMALL, PROCESS), only)
    kinds, orders = _chosen(KINDS, only), _chosen(ORDERS, only)
    peers = _chosen(PEERS, only)
    if pd.__version__ < "3" and "str" in kinds:
        kinds.remove("str")
    for kind in kinds if SMALL in works else ():
        material = one_respondent(kind)
        yield from _table(SMALL, material, "", small_frame(material, peers), repeat)
    for number in rows:
        for order in orders:
            for kind in kinds if set(works) & set(WORKS) else ():
                material = answers(number, kind, order)
                for work in (name for name in works if name in WORKS):
                    contestants = WORKS[work](material, peers)
                    yield from _table(work, material, order, contestants, repeat)
        kind = "str" if "str" in kinds else kinds[0]
        if PROCESS in works:
            material = answers(number, kind, orders[0])
            with tempfile.TemporaryDirectory() as folder:
                contestants = whole_process(material, peers, Path(folder))
                yield from _table(PROCESS, material, orders[0], contestants, repeat)


def _chosen(names: Sequence[str], only: set[str]) -> list[str]:
    """Return the names that were asked for, or all of them if none was."""
    return [name for name in names if name in only] or list(names)


def _table(
    work: str, material: Material, order: str, contestants: Iterator[Contestant], repeat: int
) -> Iterator[str]:
    """Hold the contest and yield a line for each peer."""
    (one, two), peers = _split(hold(list(contestants), repeat))
    rows = len(material.frame)
    for peer in peers:
        goal = _goal(work, material.kind, order, peer.name)
        cells = (
            work,
            f"{rows:,}",
            material.kind,
            order,
            _time(one.seconds, rows),
            _time(two.seconds, rows),
            peer.name,
            _time(peer.seconds, rows),
            f"{peer.seconds / one.seconds:.1f}",
            f"{peer.seconds / two.seconds:.1f}",
            "" if goal is None else f"{goal:.2g}",
            peer.verdict,
        )
        yield f"| {' | '.join(cells)} |"


def _split(standings: list[Standing]) -> tuple[list[Standing], list[Standing]]:
    ours, peers = standings[: len(THREADS)], standings[len(THREADS) :]
    wrong = [f"{one.name}: {one.verdict}" for one in ours if one.verdict != "same"]
    if wrong:
        raise RuntimeError(f"results that depend on the number of threads: {', '.join(wrong)}")
    return ours, peers or [Standing("nobody", float("nan"), "")]


def _time(seconds: float, rows: int) -> str:
    """Return nanoseconds a row; of a call on a few rows, microseconds in all."""
    if rows < 1000:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds / rows * 1e9:.1f} ns/row"


def _goal(work: str, kind: str, order: str, peer: str) -> float | None:
    name = peer.split()[0]
    if work == SMALL:
        return SMALL_GOAL
    if name == "plain":
        return LOOP_GOAL
    if work == "key.score":
        return COPY_GOAL if kind in ("object", "category") else None
    if name == "copy":
        return FRAME_COPY_GOAL
    if work not in GOALS:
        return None
    if name in ENGINE_GOALS:
        goal = ENGINE_GOALS[name]
    elif kind == "distinct":
        goal = DISTINCT_GOAL
    elif work == "score_answers" and pd.__version__ < "3":
        goal = PANDAS_2_GOAL
    else:
        goal = GOALS[work][kind]
    return min(goal, SHUFFLED_GOAL) if order == "shuffled" else goal


def _circumstances(repeat: int, load: float) -> Iterator[str]:
    packages = [f"scorekey {sk.__version__}", f"Python {platform.python_version()}"]
    packages += [f"{name} {found}" for name in PACKAGES if (found := _version(name))]
    yield f"{datetime.date.today()}, {_processor()}, {len(os.sched_getaffinity(0))} cores, "
    yield f"{platform.system()}; {', '.join(packages)}."
    yield (
        f"Medians of {repeat} alternating runs; ratio = the peer's time / ours; load average "
        f"{load:.1f} before and {os.getloadavg()[0]:.1f} after."
    )
    yield ""
    yield "Columns: " + "; ".join(f"{name}: {what}" for name, what in KINDS.items()) + "."
    yield (
        "Order of the rows: " + "; ".join(f"{name}: {what}" for name, what in ORDERS.items()) + "."
    )
    yield (
        f"{SMALL}: score_answers and scale_scores of 44 rows; {PROCESS}: Python started, a Parquet "
        "file in, a Parquet file out. Exact matching only: compared with our result for the "
        "answers that are spelled exactly as an option (2 % are not)."
    )
    yield ""


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main())
