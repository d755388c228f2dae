"""What the tests of the command line share: material, and ways to run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import scorekey as sk

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "results.csv"
CONFIG = ROOT / "examples" / "questionnaire.json"
# What a process inherits so that coverage.py measures it.
MEASURES = ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG")
PACKAGE = Path(sk.__file__).parent.parent

OPTIONS = {
    "1": {"text": "No", "weight": 1},
    "2": {"text": "Yes", "weight": 2},
    "3": {"text": "Very much", "weight": 3},
    "9": {"text": "Do not know", "weight": 99, "ignored_for_scale": True},
}
FORM = {
    "name": "Two scales",
    "general_instruction": "Answer.",
    "attributes": {"dimension": {"a": "Alpha", "b": "Beta, too"}},
    "default_answer_options": OPTIONS,
    "instruction_items": [
        {"question": "First", "attributes": {"dimension": "a"}},
        {"question": "Second", "reversed": True, "attributes": {"dimension": "a"}},
        {"question": "Third", "attributes": {"dimension": "b"}},
    ],
}
# Two rows of each kind but "ignored"; Ann has 3 and 3 on Alpha, Ben 1 on Beta.
RESULTS = """\
profile_id,instruction_item_id,instruction_item,decision,valid
Ann,0,First,Very much,True
Ann,1,Second,no,True
Ann,2,Third,Maybe,True
Ann,2,Third,Do not know,True
Ben,0,First,Yes,False
Ben,1,Second,,0
Ben,2,Third,No,1
Ben,0,First,not present,True
Ben,1,Second, ,True
Ben,1,Second,Maybe,True
"""
COUNTS = "10 rows: 2 invalid, 2 missing, 2 unmatched, 1 ignored, 3 scored; unmatched: 'Maybe' (2)"


def write_example(folder, form=FORM, results=RESULTS):
    """Write a questionnaire and its results, and return their paths as texts."""
    config, answers = folder / "config.json", folder / "results.csv"
    config.write_text(json.dumps(form), encoding="utf-8")
    answers.write_text(results, encoding="utf-8")
    return str(config), str(answers)


def files_in(folder):
    """Return the names of what is in a folder, hidden files too."""
    return sorted(path.name for path in folder.iterdir())


def environment(**changes):
    """Return an environment in which another process finds the package."""
    paths = [str(PACKAGE), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))} | changes


def run(*arguments, measured=True, **options):
    """Run the command in a process of its own, which the coverage gate measures or leaves alone."""
    changes = {} if measured else dict.fromkeys(MEASURES, "")
    return subprocess.run(
        [sys.executable, "-m", "scorekey", *map(str, arguments)],
        env=environment(**changes),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
        **options,
    )
