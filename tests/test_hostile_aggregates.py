"""What may aggregate scores, and what it may give."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import scored_frame, table

# ---------------------------------------------------------------------- aggregates


@pytest.mark.parametrize("agg", ["mean", "sum"])
@pytest.mark.parametrize("sign", [1, -1])
def test_an_overflow_is_infinite(agg, sign):
    frame = scored_frame(["a"] * 3, [sign * 1.797e308] * 3)
    assert table(sk.scale_scores(frame, agg=agg)) == [("a", "A", sign * float("inf"), 3, 0)]


@pytest.mark.parametrize(
    "agg",
    [
        "idxmax",
        "idxmin",
        "cumsum",
        "rank",
        "unique",
        "any",
        "all",
        "head",
        "shift",
        "diff",
        "value_counts",
        "describe",
        "mode",
        "nth",
        "ohlc",
        "plot",
        "",
        "Mean",
        "mean ",
        "nosuch",
        "__class__",
        "apply",
        "mad",
        None,
        5,
        ["mean"],
        {"score": "mean"},
        ("mean", "sum"),
        b"mean",
    ],
)
def test_what_is_no_aggregation_to_one_number_is_refused(agg):
    with pytest.raises(ValueError, match="agg"):
        sk.scale_scores(scored_frame(["a"]), agg=agg)


@pytest.mark.parametrize(
    "result",
    [
        "x",
        None,
        [1],
        (1, 2),
        {},
        True,
        np.False_,
        np.array([1.0]),
        pd.Series([1.0, 2.0]),
        1j,
        pd.Timestamp(0),
        np.timedelta64(1, "s"),
        pd.NA,
        object(),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_function_that_gives_no_number_is_refused(result):
    with pytest.raises(ValueError, match="agg"):
        sk.scale_scores(scored_frame(["a"]), agg=lambda scores: result)


@pytest.mark.parametrize("result", [float("nan"), np.float32("nan"), np.float64("nan")])
def test_a_function_may_give_nan(result):
    assert table(sk.scale_scores(scored_frame(["a"]), agg=lambda s: result)) == [
        ("a", "A", None, 1, 0)
    ]


@pytest.mark.parametrize("error", [ValueError, TypeError, AttributeError])
def test_these_errors_of_a_function_become_a_value_error(error):
    def fail(series):
        raise error("boom")

    with pytest.raises(ValueError, match="boom") as caught:
        sk.scale_scores(scored_frame(["a"]), agg=fail)
    assert isinstance(caught.value.__cause__, error)


@pytest.mark.parametrize("error", [KeyError, ZeroDivisionError, RuntimeError, KeyboardInterrupt])
def test_other_errors_of_a_function_pass_through(error):
    def fail(series):
        raise error("boom")

    with pytest.raises(error, match="boom"):
        sk.scale_scores(scored_frame(["a"]), agg=fail)
