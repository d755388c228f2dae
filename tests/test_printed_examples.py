"""What the pages and the docstrings print is what stands there."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import inspect
import io
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import scorekey as sk

from .command_line import ROOT, environment

PAGES = ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]
# Code that needs another package says so in its title.
BLOCK = re.compile(
    r'^```(\w+)(?: title="with (\w+)")?\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?',
    re.MULTILINE | re.DOTALL,
)
HAS_COMMAND = find_spec("typer") is not None and find_spec("pyarrow") is not None
NEEDS_AN_EXTRA = ("scorekey.command",)
MODULES = [
    module.name
    for module in pkgutil.walk_packages(sk.__path__, "scorekey.")
    if not module.name.startswith(NEEDS_AN_EXTRA) and module.name != "scorekey.__main__"
]


class Block(NamedTuple):
    language: str
    package: str
    code: str
    expected: str


def blocks_of(page: str) -> list[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [Block(*map(str, match.groups(""))) for match in BLOCK.finditer(text)]


def lines_of(printed: str) -> list[str]:
    return [line.rstrip() for line in printed.strip().splitlines()]


def printed_by_code(code: str, page: str, names: dict[str, Any]) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, page, "exec"), names)
    return output.getvalue()


def printed_by_command(command: str, folder: Path) -> str:
    program, *arguments = shlex.split(command)
    assert program == "scorekey"
    done = subprocess.run(
        [sys.executable, "-m", "scorekey", *arguments],
        cwd=folder, env=environment(COLUMNS="80"), capture_output=True, check=True,
    )  # fmt: skip
    return (done.stderr + done.stdout).decode().replace(os.linesep, "\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder with the examples, which a page may write to."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    threads = sk.get_num_threads()
    yield tmp_path
    sk.set_num_threads(threads)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_prints_what_it_shows(page: str, folder: Path) -> None:
    names: dict[str, Any] = {}
    for language, package, code, expected in blocks_of(page):
        if package and find_spec(package) is None:
            continue
        if language == "python":
            assert lines_of(printed_by_code(code, page, names)) == lines_of(expected)
        elif language == "console" and HAS_COMMAND:
            for part in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                if not command.startswith("scorekey "):  # of others, nothing is claimed
                    assert not shown.strip()
                    continue
                printed = lines_of(printed_by_command(command, folder))
                # The README shows one picture for three commands.
                assert printed == lines_of(shown) or (page == "README.md" and not shown.strip())


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page not in ("docs/performance.md", "docs/testing.md",
                                                    "docs/differences.md", "docs/reference.md")]
)  # fmt: skip
def test_a_page_has_examples(page: str) -> None:
    assert [block for block in blocks_of(page) if block.language in ("python", "console")]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_print_what_they_show(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def public_callables() -> dict[str, Any]:
    """Return the public functions and classes (but errors), and the methods that these define."""
    found = {name: getattr(sk, name) for name in sk.__all__ if callable(getattr(sk, name))}
    found = {name: value for name, value in found.items() if not name.endswith("Error")}
    for name, kind in list(found.items()):
        for method, value in vars(kind).items() if inspect.isclass(kind) else ():
            plain = getattr(value, "__func__", value)
            if inspect.isfunction(plain) and not method.startswith(("_", "model_")):
                found[f"{name}.{method}"] = plain
    return found


@pytest.mark.parametrize("name", public_callables())
def test_everything_public_has_an_example(name: str) -> None:
    assert ">>>" in public_callables()[name].__doc__
