"""A whole process, as a script is run: a Parquet file of answers in, one of scale scores out."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pandas as pd
from peers_contest import Contestant, same_frame
from peers_frames import Material
from peers_works import THREADS

OURS = """
import sys
import pandas as pd, scorekey
answers, questionnaire, scales = sys.argv[1:]
frame = pd.read_parquet(answers)
scorekey.score_experiment(questionnaire, frame, include_total=True).to_parquet(scales)
"""
RUPSYCHO = """
import json, sys
import pandas as pd
from rupsycho.models.questionnaire import Questionnaire
from rupsycho.scoring import score_experiment
answers, questionnaire, scales = sys.argv[1:]
with open(questionnaire) as file:
    theirs = Questionnaire.model_validate(json.load(file))
frame = pd.read_parquet(answers)
score_experiment(theirs, frame, include_total=True).to_parquet(scales)
"""


def whole_process(material: Material, peers: Sequence[str], folder: Path) -> Iterator[Contestant]:
    """Yield who scores a file: starting Python, imports, reading and writing count."""
    files = [folder / name for name in ("answers.parquet", "questionnaire.json", "scales.parquet")]
    material.frame.to_parquet(files[0])
    files[1].write_text(json.dumps(material.specification))
    run = _process(OURS, files, 1)
    same = same_frame(pd.read_parquet(run()))

    def judge(written: Path) -> str:
        return same(pd.read_parquet(written))

    for threads in THREADS:
        yield Contestant(f"scorekey, {threads}", _process(OURS, files, threads), judge)
    if "rupsycho" in peers and importlib.util.find_spec("rupsycho"):
        yield Contestant("rupsycho", _process(RUPSYCHO, files, 1), judge)


def _process(code: str, files: Sequence[Path], threads: int) -> Callable[[], Path]:
    """Return a call that runs the code and returns the file that it wrote."""
    environment = {**os.environ, "SCOREKEY_NUM_THREADS": str(threads)}
    command = [sys.executable, "-c", code, *map(str, files)]

    def run() -> Path:
        subprocess.run(command, env=environment, check=True)
        return files[-1]

    return run
