"""Run random cases through both packages and print how many differed, and why."""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections import Counter

import pandas as pd

from tests.differential.comparison import Comparison
from tests.differential.mutations import generate


def main(arguments: list[str] | None = None) -> int:
    """Return 0 if all differences are documented ones, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="how many cases")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--verbose", action="store_true", help="print the faulty cases as JSON")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    comparison = Comparison()
    reasons: Counter[str] = Counter()
    differing = faults = 0
    start = time.perf_counter()
    for seed in range(options.seed, options.seed + options.count):
        case = generate(seed)
        verdict = comparison.judge(case)
        if verdict.problems:
            faults += 1
            print(
                f"FAULT {seed}: {' | '.join(verdict.problems)}".encode("ascii", "replace").decode()
            )
            if options.verbose:
                print(
                    json.dumps({k: case[k] for k in ("call", "questionnaire", "frame", "kwargs")})
                )
        else:
            differing += bool(verdict.reasons)
            reasons.update(verdict.reasons)
    seconds = time.perf_counter() - start
    print(
        f"{options.count} cases on pandas {pd.__version__} in {seconds:.0f} s: "
        f"{options.count - differing - faults} the same, {differing} differ as documented, "
        f"{faults} faults"
    )
    for reason, number in sorted(reasons.items()):
        print(f"  {number:6} {reason}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
