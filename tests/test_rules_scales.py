"""Scale scores: what is aggregated, for whom, and what the table says of it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import AGREEMENT, answers, item, questionnaire, scored_frame, table

NAN = float("nan")
FOUR, TWO = AGREEMENT[3], AGREEMENT[1]


def frame(**columns) -> pd.DataFrame:
    return pd.DataFrame(columns)


# ---------------------------------------------------------------------- score and counts


def test_the_score_covers_the_item_scores_that_exist():
    scored = frame(dimension=["A"] * 3 + ["B"] * 2, score=[5.0, NAN, 4.0, NAN, NAN])
    assert table(sk.scale_scores(scored)) == [("A", 4.5, 2, 1), ("B", None, 0, 2)]


def test_the_columns_and_their_types():
    result = sk.scale_scores(scored_frame(["a"]))
    assert list(result.columns) == ["model_id", "dimension", "score", "n_items", "n_missing"]
    assert result["score"].dtype == np.float64
    assert result["n_items"].dtype == result["n_missing"].dtype == np.int64
    assert result.index.equals(pd.RangeIndex(1))
    assert result.attrs == {}


@pytest.mark.parametrize(
    "agg",
    [
        "mean",
        "sum",
        "prod",
        "min",
        "max",
        "median",
        "std",
        "count",
        "first",
        "nunique",
        len,
        np.sum,
        lambda scores: 7.0,
    ],
)
def test_a_scale_without_any_score_is_missing_whatever_the_aggregate(agg):
    result = sk.scale_scores(frame(dimension=["A", "A"], score=[NAN, NAN]), agg=agg)
    assert table(result) == [("A", None, 0, 2)]


@pytest.mark.parametrize(
    ("agg", "expected"),
    [
        ("mean", 3.5),
        ("sum", 14.0),
        ("min", 1.0),
        ("max", 6.0),
        ("median", 3.5),
        ("std", (13 / 3) ** 0.5),
        ("var", 13 / 3),
        ("sem", (13 / 3) ** 0.5 / 2),
        ("prod", 72.0),
        ("first", 4.0),
        ("last", 3.0),
        ("count", 4),
        ("size", 4),
        ("nunique", 4),
        ("quantile", 3.5),
        ("skew", 0.0),
        (len, 4),
        (np.ptp, 5.0),
        (np.max, 6.0),
        (np.median, 3.5),
        (np.std, (13 / 4) ** 0.5),
        (np.var, 13 / 4),
        (lambda s: s.std(), (13 / 3) ** 0.5),
        (sum, 14.0),
        (max, 6.0),
        (lambda s: s.max() - s.min(), 5.0),
        (lambda s: 7, 7),
        (lambda s: (s >= 4).mean(), 0.5),
    ],
)
def test_aggregates(agg, expected):
    # The scores 4, 1, 6, 3 add up to 14, their squared deviations from 3.5 to 13.
    scored = frame(dimension=["A"] * 5, score=[4.0, 1.0, NAN, 6.0, 3.0])
    result = sk.scale_scores(scored, agg=agg)
    assert result["score"].item() == pytest.approx(expected, rel=1e-12)
    assert result["n_items"].item() == 4
    assert result["n_missing"].item() == 1


@pytest.mark.parametrize("agg", ["std", "var", "sem"])
def test_one_score_has_no_spread(agg):
    assert table(sk.scale_scores(scored_frame(["a"]), agg=agg)) == [("a", "A", None, 1, 0)]


@pytest.mark.parametrize("agg", ["count", "size", "nunique", len, lambda s: int(s.sum())])
def test_counts_are_integers_unless_a_scale_is_empty(agg):
    scored = frame(dimension=["A", "A", "B"], score=[1.0, 1.0, NAN])
    assert sk.scale_scores(scored.iloc[:2], agg=agg)["score"].dtype == np.int64
    with_gap = sk.scale_scores(scored, agg=agg)["score"]
    assert with_gap.dtype == np.float64
    assert with_gap.isna().tolist() == [False, True]


def test_a_function_gets_a_series_of_the_scores_that_exist():
    seen = []

    def collect(series):
        seen.append((series.name, series.dtype, series.tolist()))
        return 0.0

    sk.scale_scores(frame(dimension=["A", "B", "A"], score=[2.0, NAN, NAN]), agg=collect)
    assert seen == [("score", np.float64, [2.0])]


def test_sums_are_compensated():
    # 1e16 + 1 is 1e16 in floating point: a plain loop loses both ones.
    scored = frame(dimension=["A"] * 4, score=[1e16, 1.0, -1e16, 1.0])
    assert sk.scale_scores(scored, agg="sum")["score"].item() == 2.0
    assert sk.scale_scores(scored)["score"].item() == 0.5
    tenths = frame(dimension=["A"] * 10, score=[0.1] * 10)
    assert sk.scale_scores(tenths, agg="sum")["score"].item() == 1.0


# ---------------------------------------------------------------------- total


def test_the_total_is_over_all_item_scores_not_over_the_scales():
    key = questionnaire(item("A"), item("A"), item("A"), item("B"))
    data = answers([FOUR, FOUR, FOUR, TWO], range(4))
    assert table(sk.score_experiment(key, data, include_total=True)) == [
        ("A", 4.0, 3, 0),
        ("B", 2.0, 1, 0),
        ("total", 3.5, 4, 0),
    ]


def test_items_without_dimension_are_part_of_the_total():
    key = questionnaire(item("A"), item())
    data = answers([FOUR, TWO], [0, 1])
    assert table(sk.score_experiment(key, data)) == [("A", 4.0, 1, 0), ("total", 2.0, 1, 0)]
    assert table(sk.score_experiment(key, data, include_total=True)) == [
        ("A", 4.0, 1, 0),
        ("total", 3.0, 2, 0),
    ]


@pytest.mark.parametrize("include_total", [False, True])
def test_without_dimensions_there_is_just_the_total(include_total):
    data = answers([FOUR, TWO, None], [0, 1, 2])
    result = sk.score_experiment(questionnaire(*[item()] * 3), data, include_total=include_total)
    assert table(result) == [("total", 3.0, 2, 1)]


@pytest.mark.parametrize("agg", ["sum", "median", "std", "count", len])
def test_the_total_is_aggregated_like_every_scale(agg):
    scored = frame(dimension=["A", "B", "A"], score=[1.0, 2.0, 6.0])
    alone = sk.scale_scores(frame(dimension=[None] * 3, score=[1.0, 2.0, 6.0]), agg=agg)
    total = sk.scale_scores(scored, agg=agg, include_total=True).iloc[-1]
    assert total["dimension"] == "total"
    assert total["score"] == alone["score"].item()


# ---------------------------------------------------------------------- respondents


def test_by_default_a_respondent_is_a_model_a_persona_and_a_seed():
    scored = frame(
        model_id=["m", "m", "m", "n"],
        profile_id=["p", "p", "q", "p"],
        random_seed=[2, 1, 1, 1],
        dimension="A",
        score=[1.0, 2.0, 3.0, 4.0],
    )
    assert table(sk.scale_scores(scored)) == [
        ("m", "p", 1, "A", 2.0, 1, 0),
        ("m", "p", 2, "A", 1.0, 1, 0),
        ("m", "q", 1, "A", 3.0, 1, 0),
        ("n", "p", 1, "A", 4.0, 1, 0),
    ]


@pytest.mark.parametrize("absent", sk.DEFAULT_GROUPS)
def test_default_columns_that_are_not_there_are_skipped(absent):
    scored = frame(model_id=["m"], profile_id=["p"], random_seed=[1], dimension="A", score=[1.0])
    result = sk.scale_scores(scored.drop(columns=absent))
    assert absent not in result
    assert len(result.columns) == 6


@pytest.mark.parametrize("by", ["profile", ["profile"], ("model_id", "profile"), ["profile"] * 2])
def test_an_unknown_column_warns(by):
    with pytest.warns(
        UserWarning, match=r"^scale_scores ignores the unknown group column\(s\).*'profile'"
    ) as caught:
        sk.scale_scores(scored_frame(["a", "b"]), by=by)
    assert len(caught) == 1


@pytest.mark.parametrize("by", [[], ()])
def test_no_columns_pool_everyone(by):
    assert table(sk.scale_scores(scored_frame(["a", "b"]), by=by)) == [("A", 2.0, 2, 0)]


def test_a_name_given_twice_counts_once():
    result = sk.scale_scores(scored_frame(["a"]), by=["model_id", "model_id"])
    assert list(result.columns) == ["model_id", "dimension", "score", "n_items", "n_missing"]


def test_the_result_is_sorted_by_respondent_and_then_by_scale():
    scored = scored_frame(["b", "a", "b", "a"], dimension=["B", "A", "A", "B"])
    assert table(sk.scale_scores(scored)) == [
        ("a", "B", 7.0, 1, 0),
        ("a", "A", 3.0, 1, 0),
        ("b", "B", 1.0, 1, 0),
        ("b", "A", 5.0, 1, 0),
    ]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["b", "B", "a", "ä", "10", "9"], ["10", "9", "B", "a", "b", "ä"]),
        ([10, 9, -3], [-3, 9, 10]),
        ([2.5, -1.0, 1e300], [-1.0, 2.5, 1e300]),
        (["b", 2, "a", 1.5], [1.5, 2, "a", "b"]),
        ([True, False], [False, True]),
        ([None, "b", "a"], ["a", "b", None]),
    ],
)
def test_keys_are_sorted_by_value_numbers_before_texts_missing_last(keys, expected):
    result = sk.scale_scores(scored_frame(keys))["model_id"]
    assert [None if pd.isna(value) else value for value in result] == expected


def test_respondents_with_a_missing_key_are_one_and_come_last():
    scored = scored_frame([None, "a", NAN, pd.NA, pd.NaT])
    assert table(sk.scale_scores(scored)) == [("a", "A", 3.0, 1, 0), (None, "A", 5.5, 4, 0)]


def test_a_result_without_rows():
    scored = sk.score_answers(answers([], []), questionnaire())
    result = sk.scale_scores(scored)
    assert list(result.columns) == ["dimension", "score", "n_items", "n_missing"]
    assert len(result) == 0
    assert len(sk.score_experiment(questionnaire(), answers([], []), include_total=True)) == 0


@pytest.mark.parametrize("value", ["4", " 4 ", "4.0", 4])
def test_scores_may_be_texts_of_numbers(value):
    assert sk.scale_scores(scored_frame(["a"], [value]))["score"].item() == 4.0


def test_other_names_of_the_columns():
    scored = scored_frame(["a", "a"]).rename(columns={"dimension": "scale", "score": "points"})
    result = sk.scale_scores(scored, dimension_column="scale", score_column="points")
    assert list(result.columns) == ["model_id", "scale", "points", "n_items", "n_missing"]
    assert table(result) == [("a", "A", 2.0, 2, 0)]
