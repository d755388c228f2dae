"""The page on rubrics: its Python blocks print what it shows."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "rubrics.md"
BLOCK = re.compile(r"```python\n(.*?)```(?:\n+```text\n(.*?)```)?", re.DOTALL)


def test_the_page_prints_what_it_shows():
    names: dict[str, object] = {}
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) == 6
    for code, expected in blocks:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(code, str(PAGE), "exec"), names)
        assert [line.rstrip() for line in output.getvalue().splitlines()] == [
            line.rstrip() for line in expected.splitlines()
        ]
