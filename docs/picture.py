"""Make ``docs/assets/terminal.svg``: what ``scorekey score`` prints on a terminal.

With scorekey and its extra ``cli`` installed, run::

    python docs/picture.py
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "assets" / "terminal.svg"
COMMAND = "scorekey score examples/results.csv -q examples/questionnaire.json --by model_id"
WIDTH = 84
# The fonts would be fetched from elsewhere; any of the reader's with letters of one width will do.
FORMAT = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)


def printed() -> str:
    """Return what the command prints, both of its streams."""
    done = subprocess.run(
        [sys.executable, "-m", *COMMAND.split()],
        cwd=ROOT, env=os.environ | {"COLUMNS": str(WIDTH), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=True,
    )  # fmt: skip
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def main() -> None:
    """Write the picture."""
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(Text(f"$ {COMMAND}\n{printed()}"))
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(
        console.export_svg(title="scorekey", code_format=FORMAT, unique_id="scorekey"),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
