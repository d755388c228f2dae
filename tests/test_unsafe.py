"""``unsafe`` stands in one module, and every block of it is one that was reviewed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = ROOT / "rust" / "src"
HOME = CORE / "python" / "objects.rs"
# Reviewed: the address in a cell, for the next row, for one ahead and for one that needs Python; an
# owned reference to its object, made in one function and asked for in another; the value of an int;
# the prefetch of memory. A new block is looked at as closely, and then counted here.
BLOCKS = 8
FUNCTIONS = 2

pytestmark = pytest.mark.skipif(not CORE.exists(), reason="needs the sources")


def code_of(path: Path) -> str:
    """Return Rust without its comments and texts, in which the word may stand."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r'//[^\n]*|"(?:\\.|[^"\\])*"', "", text)


def test_no_other_module_is_unsafe():
    paths = [*CORE.rglob("*.rs"), *(ROOT / "rust" / "tests").rglob("*.rs")]
    found = [path for path in paths if re.search(r"\bunsafe(_code)?\b", code_of(path))]
    assert found == [HOME]


def test_the_blocks_are_those_that_were_reviewed():
    code = code_of(HOME)
    assert len(re.findall(r"\bunsafe\s*\{", code)) == BLOCKS
    assert len(re.findall(r"\bunsafe\s+fn\b", code)) == FUNCTIONS
    assert not re.search(r"\bunsafe\s+(impl|trait|extern)\b", code)


def test_every_block_has_its_reason():
    lines = HOME.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if re.search(r"\bunsafe\s*\{", line.split("//")[0]):
            # In the comment that ends right above the statement.
            above = lines[:number]
            while above and not above[-1].lstrip().startswith("//"):
                assert above[-1].rstrip().endswith(("=", "(", "{")), f"line {number + 1}"
                above.pop()
            comment = []
            while above and above[-1].lstrip().startswith("//"):
                comment.append(above.pop())
            assert any("SAFETY:" in text for text in comment), f"line {number + 1}"


def test_the_lints_forbid_what_is_not_reviewed():
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    assert re.search(r'^unsafe_code = "deny"$', manifest, re.MULTILINE)
    assert re.search(r'^undocumented_unsafe_blocks = "deny"$', manifest, re.MULTILINE)
    allowed = [
        path for path in CORE.rglob("*.rs") if "allow(unsafe_code)" in path.read_text("utf-8")
    ]
    assert allowed == [HOME]
