"""Counts the instructions of the core's hot loops, which no busy machine can disturb.

    python benches/limits.py [--set]

Runs the bench ``instructions`` under valgrind for every piece of work that ``limits.json`` names,
and fails if one takes more instructions a row than its limit there. ``--set`` writes new limits:
what was counted and a tenth more. Counts hold for one kind of processor; elsewhere, and without
valgrind, nothing is checked.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

LIMITS = Path(__file__).with_name("limits.json")
MARGIN = 1.1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", action="store_true", help="write what is counted as new limits")
    setting = parser.parse_args().set
    known = json.loads(LIMITS.read_text(encoding="utf-8"))
    if not shutil.which("valgrind"):
        print("instructions are not checked: valgrind is not installed")
        return 0
    if platform.machine() != known["machine"] and not setting:
        print(f"instructions are not checked: the limits are those of {known['machine']}")
        return 0
    program, rows = _build(), known["rows"]
    counted = {name: _instructions_a_row(program, name, rows) for name in known["limits"]}
    if setting:
        limits = {name: round(count * MARGIN, 1) for name, count in counted.items()}
        known |= {"machine": platform.machine(), "limits": limits}
        LIMITS.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
    above = False
    print(f"instructions a row, {rows:,} rows")
    for name, count in counted.items():
        limit = known["limits"][name]
        above |= count > limit
        print(f"{name:20} {count:8.1f}  limit {limit:8.1f}{'  ABOVE' if count > limit else ''}")
    return int(above)


def _build() -> str:
    """Build the bench and return the path of the program."""
    command = ["cargo", "bench", "--locked", "--no-run", "--bench", "instructions"]
    command.append("--message-format=json")
    built = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == "instructions":
            return str(message["executable"])
    raise RuntimeError("cargo did not say where the bench is")


def _instructions_a_row(program: str, name: str, rows: int) -> float:
    """Return what one more round of the work takes: making the columns is left out."""
    once, twice = (_instructions(program, name, rows, times) for times in (1, 2))
    return (twice - once) / rows


def _instructions(program: str, name: str, rows: int, times: int) -> int:
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program]
    ran = subprocess.run(
        [*command, name, str(rows), str(times)], check=True, stderr=subprocess.PIPE, text=True
    )
    found = re.search(r"Collected\s*:\s*(\d+)", ran.stderr)
    if found is None:
        raise RuntimeError(f"valgrind did not say how many instructions it counted: {ran.stderr}")
    return int(found[1])


if __name__ == "__main__":
    sys.exit(main())
