"""Random cases in which scorekey has to give the result of rupsycho, or a documented one."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("rupsycho.scoring")

from tests.differential.comparison import Comparison
from tests.differential.mutations import generate

COUNT, AT_ONCE = 2_000, 100


@pytest.fixture(scope="module")
def comparison():
    return Comparison()


@pytest.mark.parametrize("first", range(0, COUNT, AT_ONCE))
def test_cases(comparison, first):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        verdicts = {
            seed: comparison.judge(generate(seed)) for seed in range(first, first + AT_ONCE)
        }
    assert {seed: v.problems for seed, v in verdicts.items() if v.problems} == {}


def test_the_cases_reach_the_documented_differences(comparison):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reasons = {r for seed in range(600) for r in comparison.judge(generate(seed)).reasons}
    assert len(reasons) >= 10
