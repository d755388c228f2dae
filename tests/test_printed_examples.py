"""What the pages and the docstrings print is what stands there."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import pkgutil
import re
from pathlib import Path

import pytest

import scorekey

from .test_pages import PAGES as ALONE

ROOT = Path(__file__).parent.parent
# The blocks of a page follow each other; those of the pages that `test_pages.py` runs stand alone.
PAGES = sorted(
    str(page.relative_to(ROOT))
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
    if "```python" in page.read_text(encoding="utf-8") and page.name not in ALONE
)
WITH_OTHERS = re.compile(r"```python requires-(\w+)\n(.*?)```\n+```text\n(.*?)```", re.DOTALL)
BLOCK = re.compile(r"```python\n(.*?)```(?:\n+```text\n(.*?)```)?", re.DOTALL)
NEEDS_AN_EXTRA = ("scorekey.command",)
MODULES = [
    module.name
    for module in pkgutil.walk_packages(scorekey.__path__, "scorekey.")
    if not module.name.startswith(NEEDS_AN_EXTRA) and module.name != "scorekey.__main__"
]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_prints_what_it_shows(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert blocks
    for code, expected in blocks:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(code, page, "exec"), names)
        printed = [line.rstrip() for line in output.getvalue().splitlines()]
        assert printed == [line.rstrip() for line in expected.splitlines()]


@pytest.mark.parametrize(
    ("module", "code", "expected"),
    WITH_OTHERS.findall((ROOT / "docs/reliability.md").read_text(encoding="utf-8")),
)
def test_examples_with_other_packages(
    module: str, code: str, expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip(module)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, module, "exec"), {})
    assert output.getvalue() == expected


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_print_what_they_show(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


@pytest.mark.parametrize("name", [name for name in scorekey.__all__ if name.islower()])
def test_every_public_function_has_an_example(name: str) -> None:
    function = getattr(scorekey, name)
    if callable(function):
        assert ">>>" in function.__doc__ or "see `" in function.__doc__
