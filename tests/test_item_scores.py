"""Scale scores that are about items: minima, prorated sums, percentages, repetitions, gaps."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import item, objects, options, plain, questionnaire, refused, table

FIVE = options(*map(str, range(1, 6)))
FOUR = options(*((str(weight), weight) for weight in range(4)))


def form(*scales, own=FIVE):
    """Return a questionnaire with an item for each name of a scale."""
    return questionnaire(*(item(scale, own=own) for scale in scales))


def answered(key, *rows, **columns):
    """Return item scores of rows (respondent, item, decision)."""
    frame = pd.DataFrame(rows, columns=["profile_id", "instruction_item_id", "decision"])
    for name, values in columns.items():
        frame[name] = values
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return sk.score_answers(frame, key)


def one(scored, **arguments):
    """Return the score of the only row of a result."""
    result = sk.scale_scores(scored, **arguments)
    assert len(result) == 1
    return plain(result["score"])[0]


def scores(scored, **arguments):
    """Return the scores by respondent and scale."""
    result = sk.scale_scores(scored, **arguments)
    names = zip(result["profile_id"], result["dimension"], strict=True)
    return dict(zip(names, plain(result["score"]), strict=True))


def row_of(n_answered, k):
    """Return a respondent's answers to a scale of k items, of which some are missing."""
    return [("Ann", number, "3" if number < n_answered else None) for number in range(k)]


# ---------------------------------------------------------------------- prorated sums


def test_five_points_on_twelve_of_fifteen_items_are_six_and_a_quarter():
    own = options(("no", 0), ("yes", 1))
    rows = [("Ann", number, "yes" if number < 5 else "no") for number in range(12)]
    scored = answered(form(*"A" * 15, own=own), *rows)
    assert one(scored, agg="prorated_sum") == 6.25
    assert one(scored, agg="sum") == 5


def test_a_prorated_sum_of_nothing_is_nan():
    assert one(answered(form("A", "A"), ("Ann", 0, None)), agg="prorated_sum") is None


def test_a_prorated_sum_is_not_rounded_and_knows_all_items_of_the_total():
    scored = answered(form("A", "A", "A", "B"), ("Ann", 0, "5"), ("Ann", 1, "2"))
    found = scores(scored, agg="prorated_sum", include_total=True)
    assert found == {("Ann", "A"): 10.5, ("Ann", "total"): 14}


# ---------------------------------------------------------------------- percent of maximum possible


@pytest.mark.parametrize(
    ("own", "decision", "expected"),
    [
        (FIVE, "4", 75),
        (options(("a", 0), ("b", 1.5), ("c", 3)), "b", 50),
        (FIVE, "1", 0),
        (FIVE, "5", 100),
        (options(("a", 2), ("b", 2)), "a", None),
    ],
)
@pytest.mark.parametrize("agg", ["pomp", "pomp_items"])
@pytest.mark.parametrize("reverse", [False, True])
def test_the_percentage_of_one_item(own, decision, expected, agg, reverse):
    scored = answered(questionnaire(item("A", own=own, reverse=reverse)), ("Ann", 0, decision))
    flipped = expected if expected is None or not reverse else 100 - expected
    assert one(scored, agg=agg) == flipped


def test_items_of_different_ranges_weigh_by_range_or_alike():
    key = questionnaire(item("A", own=FOUR), item("A", own=FIVE))
    scored = answered(key, ("Ann", 0, "3"), ("Ann", 1, "1"))
    assert one(scored, agg="pomp") == pytest.approx(300 / 7)
    assert round(one(scored, agg="pomp"), 3) == 42.857
    assert one(scored, agg="pomp_items") == 50


def test_only_the_ranges_of_answered_items_count():
    key = questionnaire(item("A", own=FOUR), item("A", own=FIVE))
    for agg in ("pomp", "pomp_items"):
        assert one(answered(key, ("Ann", 0, "3"), ("Ann", 1, None)), agg=agg) == 100


def test_ignored_options_do_not_widen_the_range():
    own = {**FIVE, "9": {"text": "?", "weight": 99, "ignored_for_scale": True}}
    assert one(answered(form("A", own=own), ("Ann", 0, "4")), agg="pomp") == 75


def test_an_item_on_which_all_score_alike_leaves_the_mean_of_percentages_unknown():
    key = questionnaire(item("A", own=options(("a", 1), ("b", 1))), item("A", own=FIVE))
    scored = answered(key, ("Ann", 0, "a"), ("Ann", 1, "4"))
    assert one(scored, agg="pomp") == 75
    assert one(scored, agg="pomp_items") is None


def test_percentages_are_never_clamped():
    scored = answered(form("A"), ("Ann", 0, "5")).assign(score=9.0)
    scored.attrs = answered(form("A"), ("Ann", 0, "5")).attrs
    assert one(scored, agg="pomp") == one(scored, agg="pomp_items") == 200


def test_a_score_of_an_item_without_options_has_no_percentage():
    scored = answered(
        form(
            "A",
            own={},
        )
        | {"default_answer_options": {}},
        ("Ann", 0, "5"),
    )
    attrs = scored.attrs
    scored = scored.assign(score=3.0)
    scored.attrs = attrs
    assert one(scored, agg="pomp") is one(scored, agg="pomp_items") is None


@pytest.mark.parametrize("agg", ["pomp", "pomp_items"])
def test_bodily_pain_of_the_sf_36(agg):
    magnitude = options(*((str(n), w) for n, w in enumerate([6, 5.4, 4.2, 3.1, 2.2, 1], 1)))
    interference = options(*((str(n), 6 - n) for n in range(1, 6)))
    key = questionnaire(
        item("BP", own=magnitude), {**item("BP", own=interference), "range": [1, 6]}
    )
    scored = answered(key, ("a", 0, "4"), ("a", 1, "4"), ("b", 0, "2"), ("b", 1, "1"))
    found = scores(scored, agg=agg)
    assert found["a", "BP"] == pytest.approx(31.0, abs=1e-12)
    assert found["b", "BP"] == pytest.approx(84.0, abs=1e-12)


# ---------------------------------------------------------------------- minima


@pytest.mark.parametrize(
    ("n_answered", "k", "wanted", "is_met"),
    [
        (2, 3, {"min_fraction": 0.5}, True),
        (1, 3, {"min_fraction": 0.5}, False),
        (3, 5, {"min_fraction": 0.5}, True),
        (2, 5, {"min_fraction": 0.5}, False),
        (7, 100, {"min_fraction": 0.07}, True),
        (6, 100, {"min_fraction": 0.07}, False),
        (2, 3, {"min_fraction": 2 / 3}, True),
        (2, 3, {"min_fraction": 1}, False),
        (3, 3, {"min_fraction": np.float32(1)}, True),
        (1, 3, {"min_fraction": 0}, True),
        (2, 3, {"min_items": 2}, True),
        (2, 3, {"min_items": np.int8(3)}, False),
        (1, 3, {"min_items": 0}, True),
        (1, 3, {"min_items": {"A": 2}}, False),
        (1, 3, {"min_items": {"total": 2}}, True),
        (1, 3, {"min_items": {}}, True),
    ],
)
def test_a_scale_needs_so_many_answers(n_answered, k, wanted, is_met):
    scored = answered(form(*"A" * k), *row_of(n_answered, k))
    assert one(scored, **wanted) == (3 if is_met else None)
    result = sk.scale_scores(scored, **wanted)
    assert table(result[["n_items", "n_missing"]]) == [(n_answered, k - n_answered)]


def test_the_number_of_items_is_that_of_the_questionnaire():
    scored = answered(form("A", "A", "A", "B"), ("Ann", 0, "4"), ("Ben", 1, "2"), ("Ben", 2, "3"))
    result = sk.scale_scores(scored, min_fraction=0.5, expected=True, include_total=True)
    assert list(result.columns) == [
        "profile_id", "dimension", "score", "n_items", "n_missing", "n_expected",
    ]  # fmt: skip
    assert table(result) == [
        ("Ann", "A", None, 1, 0, 3),
        ("Ann", "total", None, 1, 0, 4),
        ("Ben", "A", 2.5, 2, 0, 3),
        ("Ben", "total", 2.5, 2, 0, 4),
    ]
    assert result["n_expected"].dtype == np.int64


def test_a_total_of_items_without_a_scale_expects_no_others():
    key = questionnaire(item("A", own=FIVE), item(own=FIVE), item("total", own=FIVE))
    scored = answered(key, ("Ann", 0, "1"), ("Ann", 1, "2"))
    assert plain(sk.scale_scores(scored, expected=True)["n_expected"]) == [1, 2]
    found = sk.scale_scores(scored, expected=True, include_total=True)
    assert plain(found["n_expected"]) == [1, 3]
    alone = sk.scale_scores(scored.tail(1), expected=True, include_total=True)
    assert table(alone)[0][1:] == ("total", 2, 1, 0, 3)


def test_scales_that_no_row_and_no_order_names_are_left_out():
    scored = answered(form("A", "B", "A"), ("Ann", 0, "4"))
    result = sk.scale_scores(scored, dimensions=[], expected=True, include_total=True)
    assert table(result) == [("Ann", "A", 4, 1, 0, 2), ("Ann", "total", 4, 1, 0, 3)]


def test_items_count_and_not_rows():
    scored = answered(form("A", "A", "A"), ("Ann", 0, "1"), ("Ann", 0, "3"), ("Ann", 1, None))
    result = sk.scale_scores(scored, min_items=2)
    assert table(result) == [("Ann", "A", None, 2, 1)]
    assert one(scored, min_items=1) == 2


def test_a_minimum_beyond_the_scale_warns_once_at_the_caller():
    key = form("A", "A", "A", "B", "C")
    rows = [("Ann", number, "3") for number in range(4)]
    scored = answered(key, *rows)
    frame = scored[["profile_id", "instruction_item_id", "decision"]]
    for call in (
        lambda: sk.scale_scores(scored, min_items=2),
        lambda: sk.score_experiment(key, frame, min_items=2),
    ):
        with pytest.warns(UserWarning, match="min_items asks for more items.*'B' has 1") as caught:
            result = call()
        assert plain(result["score"]) == [3, None]
        assert [warning.filename for warning in caught] == [__file__]
        assert "'C'" not in str(caught[0].message)
    with pytest.warns(UserWarning, match="'total' has 5"):
        sk.scale_scores(scored, min_items={"total": 6}, include_total=True)


def test_every_aggregate_heeds_a_minimum():
    seen = []

    def spread(series):
        seen.append(plain(series))
        return series.max() - series.min()

    key = form("A", "A", "A", "B", "B")
    scored = answered(
        key, ("Ann", 0, "1"), ("Ann", 1, "2"), ("Ann", 2, "5"), ("Ann", 3, "3"), ("Ann", 4, None)
    )
    for agg, expected in (
        ("mean", 8 / 3), ("median", 2), ("std", np.std([1, 2, 5], ddof=1)), ("count", 3),
        ("first", 1), ("skew", pd.Series([1.0, 2, 5]).skew()), (spread, 4), (len, 3),
        ("prorated_sum", 8), ("pomp", 500 / 12),
    ):  # fmt: skip
        result = sk.scale_scores(scored, agg=agg, min_items=2)
        assert plain(result["score"]) == [pytest.approx(expected), None]
        assert result["score"].dtype == np.float64
        assert plain(result["n_items"]) == [3, 1]
    assert seen == [[1, 2, 5]]
    assert sk.scale_scores(scored, agg="count", min_items=1)["score"].dtype == np.int64


@pytest.mark.parametrize(
    ("arguments", "kind", "facts"),
    [
        ({"min_items": 1, "min_fraction": 0.5}, ValueError, ["min_items", "min_fraction", "both"]),
        ({"min_items": -1}, ValueError, ["min_items", "-1"]),
        ({"min_items": 0.5}, TypeError, ["min_items", "0.5", "min_fraction"]),
        ({"min_items": True}, TypeError, ["min_items", "True"]),
        ({"min_items": "2"}, TypeError, ["min_items", "'2'"]),
        ({"min_items": {"A": 1.0}}, TypeError, ["min_items", "1.0"]),
        ({"min_items": {"A": 1, "X": 1}}, ValueError, ["min_items", "'X'", "'A', 'total'"]),
        ({"min_fraction": 50}, ValueError, ["min_fraction", "50", "0.5"]),
        ({"min_fraction": -0.1}, ValueError, ["min_fraction", "-0.1"]),
        ({"min_fraction": float("nan")}, ValueError, ["min_fraction", "nan"]),
        ({"min_fraction": "0.5"}, TypeError, ["min_fraction", "'0.5'"]),
        ({"min_fraction": True}, TypeError, ["min_fraction", "True"]),
        ({"expected": "False"}, TypeError, ["expected", "'False'"]),
        ({"duplicates": "drop"}, ValueError, ["duplicates", "'keep', 'error'", "'drop'"]),
        ({"duplicates": None}, ValueError, ["duplicates", "None"]),
        ({"impute": "mean"}, ValueError, ["impute", "'item_mean'", "'mean'"]),
        ({"impute": ["midpoint"]}, ValueError, ["impute", "['midpoint']"]),
        ({"impute": "midpoint", "agg": "count"}, ValueError, ["agg='count'", "impute='midpoint'"]),
        ({"impute": "item_mean", "agg": "first"}, ValueError, ["agg='first'"]),
        ({"agg": "pomps"}, ValueError, ["'pomps'", "pomp, pomp_items"]),
        ({"agg": "pomps", "min_items": 1}, ValueError, ["'pomps'"]),
        ({"item_column": []}, TypeError, ["item_column"]),
        ({"by": "n_expected", "expected": True}, ValueError, ["'n_expected'"]),
        ({"by": "n_imputed", "impute": "midpoint"}, ValueError, ["'n_imputed'"]),
        ({"by": "n_conflicting", "duplicates": "unique"}, ValueError, ["'n_conflicting'"]),
    ],
)
def test_what_cannot_be_asked_for(arguments, kind, facts):
    key = form("A")
    scored = answered(key, ("Ann", 0, "1"))
    refused(kind, lambda: sk.scale_scores(scored, **arguments), *facts)
    frame = scored[["profile_id", "instruction_item_id", "decision"]]
    refused(kind, lambda: sk.score_experiment(key, frame, **arguments), *facts)


def test_names_of_counts_that_are_not_asked_for_are_free():
    scored = answered(form("A"), ("Ann", 0, "1"), n_expected=["x"])
    assert list(sk.scale_scores(scored, by="n_expected")["n_expected"]) == ["x"]


def test_ids_of_scales_in_min_items_are_names_as_everywhere():
    key = questionnaire(item(2, own=FIVE), item(2, own=FIVE))
    assert one(answered(key, ("Ann", 0, "3")), min_items={2.0: 2}) is None


# ---------------------------------------------------------------------- the questionnaire


def test_lost_attrs_ask_for_the_questionnaire(tmp_path):
    key = form("B", "A", "A")
    scored = answered(key, ("Ann", 2, "1"), ("Ann", 0, "3"))
    lost = pd.DataFrame(scored.to_dict("list"))
    for arguments in (
        {"min_items": 1}, {"min_fraction": 0.5}, {"expected": True}, {"impute": "midpoint"},
        {"agg": "prorated_sum"}, {"agg": "pomp"}, {"agg": "pomp_items"},
    ):  # fmt: skip
        call = lambda arguments=arguments: sk.scale_scores(lost, **arguments)  # noqa: E731
        refused(ValueError, call, "attrs['scorekey_items']", "lost", "questionnaire=")
        (tmp_path / "config.json").write_text(json.dumps(key), encoding="utf-8")
        for given in (key, sk.Questionnaire.from_dict(key), sk.ScoringKey(key),
                      {"questionnaire": key}, str(tmp_path / "config.json")):  # fmt: skip
            found = sk.scale_scores(lost, questionnaire=given, **arguments)
            pd.testing.assert_frame_equal(found, sk.scale_scores(scored, **arguments))


def test_the_questionnaire_orders_the_scales_too():
    key = form("B", "A")
    lost = pd.DataFrame(answered(key, ("Ann", 1, "1"), ("Ann", 0, "3")).to_dict("list"))
    assert list(sk.scale_scores(lost)["dimension"]) == ["A", "B"]
    assert list(sk.scale_scores(lost, questionnaire=key)["dimension"]) == ["B", "A"]
    found = sk.scale_scores(lost, questionnaire=key, dimensions=["A"])
    assert list(found["dimension"]) == ["A", "B"]
    refused(TypeError, lambda: sk.scale_scores(lost, questionnaire=3), "experiment")


def test_the_questionnaire_that_is_given_wins_over_attrs():
    scored = answered(form("A", "A"), ("Ann", 0, "3"))
    wide = questionnaire({**item("A", own=FIVE), "range": [1, 9]}, *[item("A", own=FIVE)] * 3)
    assert one(scored, agg="pomp") == 50
    assert one(scored, agg="pomp", questionnaire=wide) == 25
    assert plain(sk.scale_scores(scored, expected=True, questionnaire=wide)["n_expected"]) == [4]


@pytest.mark.parametrize(
    "record",
    [
        [],
        5,
        {"1": {"scales": ["A"], "range": [1, 5]}},
        {"0": {"scales": ["A"]}},
        {"0": {"scales": None, "range": None}},
        {"0": {"scales": ["A", "B"], "range": None}},
        {"0": {"scales": ["A"], "range": [1]}},
        {"0": {"scales": ["A"], "range": ["x", "y"]}},
        {"0": 3},
    ],
)
def test_attrs_of_another_form_are_refused(record):
    scored = answered(form("A"), ("Ann", 0, "3"))
    scored.attrs["scorekey_items"] = record
    refused(
        ValueError,
        lambda: sk.scale_scores(scored, expected=True),
        "attrs['scorekey_items'] cannot be read",
        "questionnaire=",
    )
    assert one(scored) == 3


def test_attrs_that_a_parquet_file_remembers(tmp_path):
    pytest.importorskip("pyarrow")
    scored = answered(form("A", "A"), ("Ann", 0, "3"))
    scored.to_parquet(tmp_path / "items.parquet")
    assert one(pd.read_parquet(tmp_path / "items.parquet"), agg="prorated_sum") == 6


def test_rows_in_a_scale_that_their_item_is_not_in_are_refused():
    scored = answered(form("A", "B"), ("Ann", 0, "3"), ("Ann", 1, "4"))
    attrs = scored.attrs
    for column in (["A", "A"], ["A", None], ["A", "X"], ["A", "total"]):
        moved = scored.assign(dimension=objects(column))
        moved.attrs = attrs
        refused(ValueError, lambda moved=moved: sk.scale_scores(moved, expected=True), "Row 1", "1")
    other = form("B", "A")
    call = lambda: sk.scale_scores(scored, expected=True, questionnaire=other)  # noqa: E731
    refused(ValueError, call, "Row 0", "'A'", "questionnaire")


def test_item_ids_have_to_be_there_and_of_the_questionnaire():
    scored = answered(form("A"), ("Ann", 0, "3"))
    attrs = scored.attrs
    scored = scored.assign(instruction_item_id=[7])
    scored.attrs = attrs
    refused(
        ValueError, lambda: sk.scale_scores(scored, expected=True), "'instruction_item_id'", "7"
    )
    without = scored.drop(columns="instruction_item_id")
    for arguments in ({"expected": True}, {"duplicates": "first"}):
        call = lambda arguments=arguments: sk.scale_scores(without, **arguments)  # noqa: E731
        refused(ValueError, call, "'instruction_item_id' is missing")


def test_another_item_column():
    scored = answered(form("A", "A"), ("Ann", 0, "3"), ("Ann", 1, "4"))
    scored = scored.rename(columns={"instruction_item_id": "question"})
    assert one(scored, item_column="question", min_items=2) == 3.5
    twice = pd.concat([scored, scored]).drop(columns="profile_id")
    with pytest.warns(UserWarning, match="items occur more than once"):
        sk.scale_scores(twice, item_column="question")


def test_one_missing_item_id_is_no_repetition():
    scored = answered(form("A", "A"), ("Ann", 0, "3"), ("Ann", 1, "4"))
    scored = scored.drop(columns="profile_id").assign(instruction_item_id=[0.0, np.nan])
    assert plain(sk.scale_scores(scored)["score"]) == [3.5]  # a warning would be an error


def test_equal_names_need_not_be_one_object():
    scored = answered(form("A"), ("Ann", 0, "3"))
    name = "".join(["sc", "ore"])
    refused(ValueError, lambda: sk.scale_scores(scored, dimension_column=name), "must differ")


@pytest.mark.parametrize(
    "dtype", ["int64", "int8", "float64", "Int64", "object", "string", "category"]
)
def test_item_ids_of_all_kinds(dtype):
    key = form("A", "A", "A")
    frame = answered(key, ("Ann", 0, "3"), ("Ann", 1, "4"), ("Ann", 1, "4"))
    attrs = frame.attrs
    values = objects([0, "1", 1.0]) if dtype == "object" else frame["instruction_item_id"]
    frame = frame.assign(instruction_item_id=values.astype(dtype))
    frame.attrs = attrs
    assert one(frame, min_items=2, duplicates="first") == 3.5
    frame.attrs = {}
    assert one(frame, duplicates="first") == 3.5
    assert one(sk.score_answers(frame, key), min_items=2, duplicates="unique") == 3.5


def test_rubrics_are_items_by_their_name():
    rubric = sk.ScoringRubric.accuracy()
    key = sk.Questionnaire.from_rubrics([sk.ScoringRubric.clarity(), rubric])
    replies = sk.score_replies(["Score: 4", "Score: 2"], rubric)
    scored = sk.score_answers(replies, key)
    result = sk.scale_scores(scored, expected=True, agg="pomp", by=[])
    assert table(result) == [("accuracy", 50, 2, 0, 1)]
    pd.testing.assert_frame_equal(
        result, sk.score_experiment(key, replies, expected=True, agg="pomp", by=[])
    )


def test_no_rows():
    key = form("A")
    scored = answered(key, ("Ann", 0, "3")).head(0)
    for arguments in ({"min_items": 5}, {"impute": "item_median"}, {"agg": "pomp"},
                      {"duplicates": "unique"}):  # fmt: skip
        result = sk.scale_scores(scored, expected=True, include_total=True, **arguments)
        assert len(result) == 0
        assert "n_expected" in result.columns


# ---------------------------------------------------------------------- repeated answers

TWICE = [("Ann", 0, "1"), ("Ann", 1, "4"), ("Ann", 0, "3"), ("Ann", 1, "4"), ("Ben", 0, "2")]


@pytest.mark.parametrize(
    ("duplicates", "expected"),
    [
        ("keep", [("Ann", "A", 3, 4, 0), ("Ben", "A", 2, 1, 0)]),
        ("first", [("Ann", "A", 2.5, 2, 0), ("Ben", "A", 2, 1, 0)]),
        ("last", [("Ann", "A", 3.5, 2, 0), ("Ben", "A", 2, 1, 0)]),
        ("unique", [("Ann", "A", 4, 1, 1, 1), ("Ben", "A", 2, 1, 0, 0)]),
    ],
)
def test_which_of_repeated_answers_counts(duplicates, expected):
    scored = answered(form("A", "A"), *TWICE)
    assert table(sk.scale_scores(scored, duplicates=duplicates)) == expected


def test_an_answer_without_a_score_is_an_answer_too():
    scored = answered(
        form("A"), ("Ann", 0, None), ("Ann", 0, "3"), ("Ben", 0, None), ("Ben", 0, None)
    )
    found = {
        choice: table(sk.scale_scores(scored, duplicates=choice)[["score", "n_items", "n_missing"]])
        for choice in ("keep", "first", "last", "unique")
    }
    assert found == {
        "keep": [(3, 1, 1), (None, 0, 2)],
        "first": [(None, 0, 1), (None, 0, 1)],
        "last": [(3, 1, 0), (None, 0, 1)],
        "unique": [(None, 0, 1), (None, 0, 1)],
    }
    assert plain(sk.scale_scores(scored, duplicates="unique")["n_conflicting"]) == [1, 0]


def test_repeated_answers_that_must_not_be():
    key = form("A", "A")
    scored = answered(key, ("Ben", 1, "4"), *TWICE, model_id=list("xyyyyx"))
    frame = scored[["profile_id", "instruction_item_id", "decision", "model_id"]]
    for call in (
        lambda: sk.scale_scores(scored, duplicates="error"),
        lambda: sk.score_experiment(key, frame, duplicates="error"),
        lambda: sk.scale_scores(pd.DataFrame(scored.to_dict("list")), duplicates="error"),
    ):
        refused(
            ValueError, call, "Rows 1 and 3", "item, 0", "'model_id': 'y'", "'profile_id': 'Ann'"
        )
    call = lambda: sk.scale_scores(scored, duplicates="error", by=[])  # noqa: E731
    assert "(" not in refused(ValueError, call, "Rows 0 and 2", "item, 1")
    apart = scored.iloc[[0, 1, 2, 5]]
    assert len(sk.scale_scores(apart, duplicates="error")) == 2


def test_without_a_questionnaire_items_may_have_any_ids():
    scored = pd.DataFrame(
        {
            "who": ["a", "a", "a", "b"],
            "item": objects(["q1", " q1", "q2", "q1"]),
            "dimension": "A",
            "score": [1.0, 5, 3, 2],
        }
    )
    arguments = {"by": "who", "item_column": "item", "duplicates": "last"}
    assert plain(sk.scale_scores(scored, **arguments)["score"]) == [4, 2]
    scored["item"] = objects(["q1", " ", None, "q2"])
    refused(ValueError, lambda: sk.scale_scores(scored, **arguments), "'item'", "row 1")
    scored["item"] = objects([["q1"], "q2", "q3", "q4"])
    refused(TypeError, lambda: sk.scale_scores(scored, **arguments), "'item'", "row 0")


def test_repeated_answers_of_several_scales_and_many_items():
    n = 40_000
    frame = pd.DataFrame(
        {
            "profile_id": np.arange(n) % 3000,
            "item": np.arange(n) % 7 * 1_000_003,
            "dimension": np.where(np.arange(n) % 7 < 3, "A", "B"),
            "score": np.arange(n, dtype=float),
        }
    )
    expected = sk.scale_scores(frame.drop_duplicates(["profile_id", "item"]))
    found = sk.scale_scores(frame, duplicates="first", item_column="item")
    pd.testing.assert_frame_equal(found, expected)


# ---------------------------------------------------------------------- imputation

KEY = questionnaire(
    item("A", own=FIVE),
    item("A", own=FIVE, reverse=True),
    item("A", own=FOUR),
    item("B", own=FIVE),
)
ROWS = [
    ("Ann", 0, "5"), ("Ann", 1, "1"), ("Ann", 2, None), ("Ann", 3, "2"),
    ("Ben", 0, "2"), ("Ben", 1, None), ("Ben", 2, "3"),
    ("Cyd", 0, "2"), ("Cyd", 1, "4"), ("Cyd", 2, "1"), ("Cyd", 3, "1"),
    ("Dot", 0, None), ("Dot", 3, None),
]  # fmt: skip
# After reversal: item 0: 5 2 2, item 1: 5 2, item 2: 3 1, item 3: 2 1.


@pytest.mark.parametrize(
    ("impute", "fills"),
    [
        ("item_mean", (3, 3.5, 2, 1.5)),
        ("item_median", (2, 3.5, 2, 1.5)),
        ("midpoint", (3, 3, 1.5, 3)),
    ],
)
def test_gaps_are_filled_after_reversal(impute, fills):
    scored = answered(KEY, *ROWS)
    result = sk.scale_scores(scored, impute=impute, agg="sum")
    assert list(result.columns)[-3:] == ["n_items", "n_missing", "n_imputed"]
    assert table(result) == [
        ("Ann", "A", 10 + fills[2], 2, 1, 1),
        ("Ann", "B", 2, 1, 0, 0),
        ("Ben", "A", 5 + fills[1], 2, 1, 1),
        ("Cyd", "A", 5, 3, 0, 0),
        ("Cyd", "B", 1, 1, 0, 0),
        ("Dot", "A", sum(fills[:3]), 0, 1, 3),
        ("Dot", "B", fills[3], 0, 1, 1),
    ]
    means = scores(scored, impute=impute)
    assert means["Ann", "A"] == (10 + fills[2]) / 3
    assert means["Dot", "A"] == pytest.approx(sum(fills[:3]) / 3)


def test_gaps_are_filled_only_where_enough_is_answered():
    scored = answered(KEY, *ROWS)
    result = sk.scale_scores(scored, impute="midpoint", min_fraction=0.5, agg="sum")
    assert table(result)[0] == ("Ann", "A", 11.5, 2, 1, 1)
    assert table(result)[-2:] == [("Dot", "A", None, 0, 1, 0), ("Dot", "B", None, 0, 1, 0)]


def test_a_total_is_filled_by_its_own_minimum():
    scored = answered(KEY, *ROWS)
    arguments = {"impute": "midpoint", "agg": "sum", "include_total": True, "expected": True}
    result = sk.scale_scores(scored, min_items={"A": 3, "total": 2}, **arguments)
    rows = {(row[0], row[1]): row[2:] for row in table(result)}
    assert rows["Ann", "A"] == (None, 2, 1, 3, 0)
    assert rows["Ann", "total"] == (13.5, 3, 1, 4, 1)
    assert rows["Ben", "total"] == (11, 2, 1, 4, 2)
    assert rows["Dot", "total"] == (None, 0, 2, 4, 0)
    assert ("Ben", "B") not in rows, "a scale of which there is no row at all"


def test_an_item_that_nobody_answered_stays_a_gap():
    scored = answered(form("A", "A"), ("Ann", 0, "4"), ("Ben", 0, "1"), ("Ben", 1, None))
    result = sk.scale_scores(scored, impute="item_mean")
    assert table(result) == [("Ann", "A", 4, 1, 0, 0), ("Ben", "A", 1, 1, 1, 0)]
    assert one(scored.head(1), impute="midpoint", agg="sum") == 7


def test_imputation_goes_with_other_aggregates():
    scored = answered(form("A", "A", "A"), ("Ann", 0, "5"), ("Ann", 1, "1"))
    assert one(scored, impute="midpoint", agg="median") == 3
    assert one(scored, impute="midpoint", agg="max") == 5
    assert one(scored, impute="midpoint", agg="prorated_sum") == 9
    assert one(scored, impute="midpoint", agg="pomp") == 50
    assert one(scored, impute="midpoint", agg=lambda series: series.sum()) == 9
    assert one(scored, impute="midpoint", agg=len) == 3
    assert one(scored, impute="midpoint", agg="skew") == 0


def test_repeated_answers_are_sorted_out_before_gaps_are_filled():
    scored = answered(form("A", "A"), ("Ann", 0, "1"), ("Ann", 0, "2"), ("Ann", 1, "4"))
    result = sk.scale_scores(scored, impute="midpoint", duplicates="unique", agg="sum")
    assert table(result) == [("Ann", "A", 7, 1, 1, 1, 1)]
    assert list(result.columns)[-2:] == ["n_imputed", "n_conflicting"]


# ---------------------------------------------------------------------- both steps, and arrays


@pytest.mark.parametrize("include_total", [False, True])
@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"min_items": 2},
        {"min_fraction": 0.5, "expected": True},
        {"agg": "pomp"},
        {"agg": "pomp_items", "impute": "item_mean"},
        {"agg": "prorated_sum", "duplicates": "last"},
        {"duplicates": "unique", "impute": "item_median", "min_items": {"A": 2}},
    ],
)
@pytest.mark.filterwarnings("ignore:min_items asks")
def test_one_pass_gives_what_two_steps_give(arguments, include_total):
    scored = answered(KEY, *ROWS, *ROWS[:3])
    frame = scored[["profile_id", "instruction_item_id", "decision"]]
    arguments = {**arguments, "include_total": include_total}
    pd.testing.assert_frame_equal(
        sk.score_experiment(KEY, frame, **arguments),
        sk.scale_scores(scored, **arguments),
        check_exact=True,
    )


def test_keys_aggregate_arrays_by_the_same_names():
    key = sk.ScoringKey(questionnaire(item("A", own=FOUR), item("A", own=FIVE)))
    found = key.aggregate([3, 1, 4], [0, 1, 1], ["a", "a", "b"], agg="pomp_items")
    assert found.score.tolist() == [50, 75]
    assert list(found.respondent) == ["a", "b"]
    assert key.aggregate(
        [3, 1, 4], [0, 1, 1], ["a", "a", "b"], agg="prorated_sum"
    ).score.tolist() == [
        4,
        8,
    ]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_number_of_threads_changes_nothing(threads):
    n = 150_000
    rng = np.random.default_rng(3)
    key = form(*"AAABB")
    frame = pd.DataFrame(
        {
            "profile_id": rng.integers(0, n // 6, n),
            "instruction_item_id": rng.integers(0, 5, n),
            "decision": rng.choice(["1", "2", "3", "4", "5", "?"], n),
        }
    )
    arguments = {"agg": "pomp", "duplicates": "last", "impute": "item_mean", "min_fraction": 0.5}
    try:
        sk.set_num_threads(1)
        expected = sk.score_experiment(key, frame, include_total=True, **arguments)
        sk.set_num_threads(threads)
        found = sk.score_experiment(key, frame, include_total=True, **arguments)
    finally:
        sk.set_num_threads(None)
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
