"""What the site has beyond ``docs/``: the examples, to be downloaded, and pages of the root.

A hook of MkDocs. The links in the pages are those that work in the repository, and are bent here.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "examples/README.md": "examples/index.md",
}


def on_files(files: Files, config: Any) -> Files:
    """Add the examples and the pages of the root."""
    for path, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / path).read_text("utf-8")))
    for path in sorted((ROOT / "examples").rglob("*.*")):
        name = path.relative_to(ROOT).as_posix()
        if path.is_file() and name not in PAGES:
            files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Bend the links that leave ``docs/``, and those of the root's pages into it."""
    if page.file.src_uri in PAGES.values():
        return re.sub(r"\]\(docs/", "](", markdown)
    for path, name in PAGES.items():
        markdown = markdown.replace(f"](../{path})", f"]({name})")
    return markdown.replace("](../examples/", "](examples/")
