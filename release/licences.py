"""Write ``THIRD-PARTY.txt``: the licences of the crates that are linked into the wheel.

The file is committed and goes into the wheel and the sdist. ``make lint`` runs this with
``--check``, which fails where it is not what the locked crates say::

    python release/licences.py [--check]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NOTICE = ROOT / "THIRD-PARTY.txt"
# What wheels.yml builds for; a crate may be needed on one of them only.
PLATFORMS = (
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
)
OPENING = """\
The compiled core of scorekey is linked with the crates below and with Rust's standard library
(MIT OR Apache-2.0, The Rust Project Contributors; the notices of its own parts are in the file
COPYRIGHT-library.html of every Rust distribution). Where a crate may be had under the MIT licence
or the Apache licence 2.0, it is used under the MIT licence.

This file is made by release/licences.py.
"""


def linked_crates() -> list[dict[str, Any]]:
    """Return the packages that end up in the extension, by name.

    Macros and what builds need run on the building machine and are not part of it.
    """
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--features", "python"]
    for platform in PLATFORMS:
        command += ["--filter-platform", platform]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    metadata = json.loads(done.stdout)
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    found: set[str] = set()
    waiting = [metadata["resolve"]["root"]]
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            identifier = dependency["pkg"]
            is_linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            is_macro = any("proc-macro" in part["kind"] for part in packages[identifier]["targets"])
            if is_linked and not is_macro and identifier not in found:
                found.add(identifier)
                waiting.append(identifier)
    return sorted((packages[i] for i in found), key=lambda package: package["name"])


def licence_texts(package: dict[str, Any]) -> dict[str, str]:
    """Return the licence files of a crate and of the C sources that it brings, by their path."""
    folder = Path(package["manifest_path"]).parent
    paths = sorted(path for path in folder.rglob("*") if path.name.upper().startswith("LICENSE"))
    has_choice = " AND " not in package["license"]
    if has_choice and any(path.name.startswith("LICENSE-MIT") for path in paths):
        others = [path for path in paths if path.name.startswith("LICENSE-")]
        paths = [path for path in paths if path not in others or "-MIT" in path.name]
    if not paths:
        sys.exit(f"{package['name']} {package['version']} has no licence file")
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def notice() -> str:
    """Return the text of the file."""
    parts = [OPENING]
    for package in linked_crates():
        title = f"{package['name']} {package['version']} ({package['license']})"
        parts.append(f"{'=' * 78}\n{title}\n{'=' * 78}\n")
        for path, text in licence_texts(package).items():
            lines = [line.rstrip() for line in text.splitlines()]
            parts.append(f"[{path}]\n\n" + "\n".join(lines).strip() + "\n")
    return "\n".join(parts)


def main() -> None:
    """Write the file, or check it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--check", action="store_true", help="write nothing, fail if it is stale")
    text = notice()
    if not parser.parse_args().check:
        NOTICE.write_text(text, encoding="utf-8")
    elif NOTICE.read_text(encoding="utf-8") != text:
        sys.exit("THIRD-PARTY.txt is stale: run `python release/licences.py`")


if __name__ == "__main__":
    main()
