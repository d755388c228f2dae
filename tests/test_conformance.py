"""The conformance corpus: recorded results of the reference, and the decided differences."""

from __future__ import annotations

from pathlib import Path

import pytest

import scorekey
from tests.conformance import run

CASES = [
    case
    for _, case in run.load(sorted((Path(__file__).parent / "conformance/cases").glob("*.json")))
]
TARGETS = {
    "questionnaire": run.Target(scorekey),
    "plain-dict": run.Target(scorekey, plain=True),
}


def test_the_corpus_is_whole():
    assert len({case["id"] for case in CASES}) == len(CASES) == 874


def test_the_names_and_signatures_are_those_of_the_reference():
    assert run.check_api(scorekey) == []


@pytest.mark.parametrize("form", TARGETS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case, form):
    if reason := run.missing_requirement(case):
        pytest.skip(reason)
    assert run.check(case, *TARGETS[form].call(case), stack=True) == []
