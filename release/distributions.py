"""Check what is to be published: names, sizes and contents of the wheels and the sdist.

Needs nothing but Python, so it runs wherever a distribution is built::

    python release/distributions.py target/wheels --expect cp310-abi3 --platform manylinux-x86_64
"""

from __future__ import annotations

import argparse
import fnmatch
import re
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 3_000_000
IN_WHEEL = (
    "scorekey/py.typed",
    "scorekey/_core.pyi",
    "scorekey-{version}.dist-info/licenses/LICENSE",
    "scorekey-{version}.dist-info/licenses/THIRD-PARTY.txt",
    "scorekey-{version}.dist-info/sboms/*.json",
)
IN_SDIST = (
    "Cargo.toml",
    "Cargo.lock",
    "LICENSE",
    "PKG-INFO",
    "README.md",
    "THIRD-PARTY.txt",
    "pyproject.toml",
    "python/scorekey/__init__.py",
    "python/scorekey/py.typed",
    "rust/src/lib.rs",
)


def package_version() -> str:
    """Return the version of the package, which stands in ``Cargo.toml`` and nowhere else."""
    text = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    (version,) = re.findall(r'^version = "(.+)"$', text, flags=re.MULTILINE)
    return str(version)


def newest_entry() -> tuple[str, str]:
    """Return version and date of the changelog's newest entry; it has ``unreleased`` for a date."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, date = re.findall(r"^## (\S+) \((.+)\)$", text, flags=re.MULTILINE)[0]
    return version, date


def faults_of_a_release(tag: str) -> list[str]:
    """Return how a tag, the package and the changelog disagree."""
    version, (entry, date) = package_version(), newest_entry()
    faults = []
    if tag != f"v{version}":
        faults.append(f"the tag is {tag}, the package {version}")
    if entry != version or not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        faults.append(f"the changelog's newest entry is {entry} ({date}), the package {version}")
    return faults


def faults_of_a_wheel(path: Path, platform: str) -> list[str]:
    """Return what is wrong with the name, the size or the contents of a wheel."""
    faults = []
    version = package_version()
    if not path.name.startswith(f"scorekey-{version}-cp3"):
        faults.append(f"{path.name} is not of version {version}")
    if not all(part in path.name for part in platform.split("-")):
        faults.append(f"{path.name} is not for {platform}")
    if path.stat().st_size >= LARGEST:
        faults.append(f"{path.name} has {path.stat().st_size:,} bytes, {LARGEST:,} are too many")
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    suffix = "abi3.so" if "-abi3-" in path.name else "cpython-*.so"
    for pattern in (*IN_WHEEL, f"scorekey/_core.{suffix}"):
        wanted = pattern.format(version=version)
        if not fnmatch.filter(names, wanted):
            faults.append(f"{path.name} has no {wanted}")
    faults += [f"{path.name} has {name}" for name in names if not name.startswith("scorekey")]
    return faults


def faults_of_a_sdist(path: Path) -> list[str]:
    """Return what is wrong with the name or the contents of an sdist."""
    folder = f"scorekey-{package_version()}"
    if path.name != f"{folder}.tar.gz":
        return [f"{path.name} is not {folder}.tar.gz"]
    with tarfile.open(path) as archive:
        names = archive.getnames()
    wanted = [f"{folder}/{name}" for name in IN_SDIST]
    return [f"{path.name} has no {name}" for name in wanted if name not in names]


def main() -> None:
    """Check a folder and say what is in it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--expect", action="append", default=[], help="the tag of one wheel")
    parser.add_argument("--platform", default="", help="what the wheels are for")
    parser.add_argument("--count", type=int, help="how many distributions there are")
    parser.add_argument("--tag", help="of the release")
    arguments = parser.parse_args()

    wheels = sorted(arguments.folder.glob("*.whl"))
    sdists = sorted(arguments.folder.glob("*.tar.gz"))
    faults = faults_of_a_release(arguments.tag) if arguments.tag else []
    for tag in arguments.expect:
        if len([path for path in wheels if f"-{tag}-" in path.name]) != 1:
            faults.append(f"there has to be one wheel for {tag}")
    if arguments.expect and len(wheels) != len(arguments.expect):
        faults.append(f"there are {len(wheels)} wheels")
    if arguments.count not in (None, len(wheels) + len(sdists)):
        faults.append(f"there are {len(wheels)} wheels and {len(sdists)} sdists")
    for path in wheels:
        faults += faults_of_a_wheel(path, arguments.platform)
    for path in sdists:
        faults += faults_of_a_sdist(path)
    for path in wheels + sdists:
        print(f"{path.stat().st_size:>10,} {path.name}")
    sys.exit("\n".join(faults) or None)


if __name__ == "__main__":
    main()
