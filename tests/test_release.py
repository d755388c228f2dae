"""What is released agrees with itself: versions, licences, workflows."""

from __future__ import annotations

import re
import subprocess

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
    for page in ("README.md", "CONTRIBUTING.md"):
        assert set(re.findall(r"Rust (\d[\d.]*\d)", text_of(page))) == {declared}


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
