"""Test the one wheel on every CPython that is found, and install the sdist without the repository.

Looks for the interpreters on the PATH and among those of pyenv::

    python release/everywhere.py target/wheels
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENTS = ROOT / "target" / "environments"
# Each with a pandas that has wheels for it; together, every line of pandas that is supported.
PANDAS = {"3.10": "2.1", "3.11": "3", "3.12": "2.2", "3.13": "2.3", "3.14": "3"}
# Is there, scores, and speaks.
QUESTIONS = """
import scorekey
results = scorekey.read_results("results.csv", "questionnaire.json")
scored = scorekey.score_experiment("questionnaire.json", results, by="model_id")
assert len(scored) == 15, scored
print("scorekey", scorekey.__version__, "from the sdist")
"""


def find_interpreter(version: str) -> str | None:
    """Return an interpreter of a version that runs, if there is one."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [shutil.which(f"python{version}")]
    candidates += map(str, sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}")))
    for candidate in filter(None, candidates):
        # What is on the PATH may be a shim of pyenv for a version that is not switched on.
        if subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0:
            return candidate
    return None


def install_sdist(folder: Path) -> None:
    """Build and install the sdist in a folder of its own, and score the example with it."""
    (sdist,) = folder.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as name:
        empty = Path(name)
        for example in ("questionnaire.json", "results.csv"):
            shutil.copy(ROOT / "examples" / example, empty)
        subprocess.run([sys.executable, "-m", "venv", "venv"], cwd=empty, check=True)
        # The wheel was built with link-time optimisation; here it would only take minutes more.
        environment = os.environ | {"CARGO_PROFILE_RELEASE_LTO": "off"}
        subprocess.run(
            ["venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", sdist.resolve()],
            cwd=empty, env=environment, check=True,
        )  # fmt: skip
        subprocess.run(["venv/bin/python", "-c", QUESTIONS], cwd=empty, check=True)


def main() -> None:
    """Test the wheel, then the sdist."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path, help="with one wheel and the sdist")
    folder = parser.parse_args().folder.resolve()
    interpreters = {version: find_interpreter(version) for version in PANDAS}
    tested = {version: path for version, path in interpreters.items() if path}
    for version, interpreter in tested.items():
        begun = time.monotonic()
        print(f"== CPython {version}, pandas {PANDAS[version]}", flush=True)
        subprocess.run(
            [
                interpreter, ROOT / "release" / "environment.py", ENVIRONMENTS / version, folder,
                "--pandas", PANDAS[version], "--test",
            ],
            check=True,
        )  # fmt: skip
        print(f"== {time.monotonic() - begun:.0f} s", flush=True)
    install_sdist(folder)
    print("Tested on CPython", ", ".join(tested))
    if missing := sorted(set(PANDAS) - set(tested)):
        print("Not found: CPython", ", ".join(missing))


if __name__ == "__main__":
    main()
