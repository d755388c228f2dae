"""What is released agrees with itself: versions, licences, workflows."""

from __future__ import annotations

import re
import subprocess
import zipfile

import pytest

import scorekey as sk

from .command_line import ROOT
from .scripts import load_script

distributions = load_script("release/distributions.py")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def tags_of_the_commit():
    git = ["git", "-C", str(ROOT), "tag", "--points-at", "HEAD"]
    try:
        return subprocess.run(git, capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):  # no git, or no repository
        return []


def test_the_version_stands_in_one_place():
    assert distributions.package_version() == sk.__version__
    assert 'dynamic = ["version"]' in text_of("pyproject.toml")
    assert distributions.newest_entry()[0] == sk.__version__


def test_a_tagged_commit_is_a_release():
    for tag in tags_of_the_commit():
        assert distributions.faults_of_a_release(tag) == []


def test_a_release_needs_tag_changelog_and_package_to_agree(monkeypatch):
    version = sk.__version__
    monkeypatch.setattr(distributions, "newest_entry", lambda: (version, "2026-12-01"))
    assert distributions.faults_of_a_release(f"v{version}") == []
    assert len(distributions.faults_of_a_release("v99.0.0")) == 1
    monkeypatch.setattr(distributions, "newest_entry", lambda: (version, "unreleased"))
    assert len(distributions.faults_of_a_release(f"v{version}")) == 1
    monkeypatch.setattr(distributions, "newest_entry", lambda: ("99.0.0", "2026-12-01"))
    assert len(distributions.faults_of_a_release(f"v{version}")) == 1


def test_the_notice_names_the_crates_that_are_linked():
    notice = text_of("THIRD-PARTY.txt")
    locked = dict(re.findall(r'name = "(.+)"\nversion = "(.+)"', text_of("Cargo.lock")))
    for crate in ("foldhash", "hashbrown", "libmimalloc-sys", "mimalloc", "numpy", "pyo3"):
        assert f"\n{crate} {locked[crate]} (" in notice
    # A crate for the benches, and one that runs while others are built.
    for crate in ("divan", "syn"):
        assert f"\n{crate} " not in notice


def test_the_declared_rust_is_tested():
    (declared,) = re.findall(r'^rust-version = "(.+)"$', text_of("Cargo.toml"), flags=re.MULTILINE)
    assert f'- "{declared}" # `rust-version`' in text_of(".github/workflows/ci.yml")
    for page in ("README.md", "CONTRIBUTING.md", "docs/index.md"):
        assert set(re.findall(r"Rust (\d[\d.]*\d)", text_of(page))) == {declared}


def test_a_release_checks_its_arithmetic_and_unwinds():
    profile = text_of("Cargo.toml").partition("[profile.release]")[2].partition("\n[")[0]
    for setting in ("overflow-checks = true", 'panic = "unwind"', 'strip = "symbols"'):
        assert f"\n{setting}\n" in profile


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned_by_hash(path):
    uses = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    assert uses
    for action in uses:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)


def test_one_action_is_of_one_version():
    pins = {
        tuple(pin.split("@"))
        for path in WORKFLOWS
        for pin in re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    }
    assert len({name for name, _ in pins}) == len(pins)


def make_wheel(folder, name, left_out=(), added=()):
    """Write a wheel with empty files, as far as the checks look into it."""
    version = sk.__version__
    names = [
        pattern.format(version=version).replace("*", "x") for pattern in distributions.IN_WHEEL
    ]
    core = "abi3.so" if "-abi3-" in name else "cpython-314t-x86_64-linux-gnu.so"
    names += [f"scorekey/_core.{core}", *added]
    path = folder / f"scorekey-{version}-{name}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for entry in names:
            if not any(part in entry for part in left_out):
                archive.writestr(entry, "")
    return path


@pytest.mark.parametrize(
    ("name", "changes", "faults"),
    [
        ("cp310-abi3-manylinux_2_17_x86_64", {}, 0),
        ("cp314-cp314t-manylinux_2_17_x86_64", {}, 0),
        ("cp310-abi3-musllinux_1_2_x86_64", {}, 1),
        ("cp310-abi3-manylinux_2_17_x86_64", {"left_out": ["THIRD-PARTY"]}, 1),
        ("cp310-abi3-manylinux_2_17_x86_64", {"left_out": ["sboms", "py.typed"]}, 2),
        ("cp310-abi3-manylinux_2_17_x86_64", {"added": ["tests/test_key.py"]}, 1),
    ],
)
def test_a_wheel_is_looked_into(tmp_path, name, changes, faults):
    path = make_wheel(tmp_path, name, **changes)
    assert len(distributions.faults_of_a_wheel(path, "manylinux-x86_64")) == faults


def test_a_wheel_has_a_largest_size(tmp_path, monkeypatch):
    path = make_wheel(tmp_path, "cp310-abi3-manylinux_2_17_x86_64")
    monkeypatch.setattr(distributions, "LARGEST", 100)
    (fault,) = distributions.faults_of_a_wheel(path, "manylinux")
    assert "100 are too many" in fault
