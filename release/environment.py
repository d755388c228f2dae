"""Install a wheel as a user would, and run the tests with it.

Makes a virtual environment for the interpreter that runs this, takes from a folder the wheel that
fits it, and installs it from wheels alone, with a PATH on which there is no compiler::

    python3.12 release/environment.py target/environments/3.12 target/wheels --pandas 2.2 --test
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def fitting_wheel(folder: Path) -> Path:
    """Return the wheel for this interpreter: one for all, and one for those without the lock."""
    free_threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    tag = f"cp3{sys.version_info.minor}t" if free_threaded else "abi3"
    wheels = list(folder.glob(f"scorekey-*-{tag}-*.whl"))
    if len(wheels) != 1:
        sys.exit(f"{folder} has {len(wheels)} wheels with the tag {tag}, there has to be one")
    return wheels[0].resolve()


def main() -> None:
    """Make the environment and run the tests."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("environment", type=Path, help="where it is made, anew each time")
    parser.add_argument("wheels", type=Path, help="the folder with the wheels")
    parser.add_argument("--pandas", required=True, help="its version, as in 2.1 or 3")
    parser.add_argument("--test", action="store_true", help="run the tests")
    arguments = parser.parse_args()

    wheel = fitting_wheel(arguments.wheels)
    venv.create(arguments.environment, clear=True, with_pip=True)
    programs = arguments.environment.resolve() / "bin"
    python = str(programs / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    lonely = os.environ | {"PATH": str(programs)}
    subprocess.run([*install, "pip>=25.1"], env=lonely, check=True)
    subprocess.run(
        [*install, "--only-binary", ":all:", f"{wheel}[all]", f"pandas=={arguments.pandas}.*"],
        env=lonely, check=True,
    )  # fmt: skip
    if arguments.test:
        subprocess.run([*install, "--group", "test"], cwd=ROOT, env=lonely, check=True)
        subprocess.run([python, "-m", "pytest", "-q"], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
