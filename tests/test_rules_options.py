"""Which options an item has, and how a decision finds its option."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import MISSING, answers, item, option, options, questionnaire, scores

YES_NO = options(("Yes", 10), ("No", 20))


# ------------------------------------------------------------------ which options are used


def test_own_options_are_used_and_the_defaults_ignored():
    key = questionnaire(item(own=YES_NO), default=options(("Yes", 1), ("Perhaps", 2)))
    assert scores(answers(["Yes", "No", "Perhaps"]), key) == [10, 20, None]


def test_own_options_are_not_merged_with_the_defaults_in_the_flip():
    key = questionnaire(item(own=YES_NO, reverse=True), default=options(("A", 0), ("B", 99)))
    assert scores(answers(["Yes", "No"]), key) == [20, 10]


@pytest.mark.parametrize(
    "own",
    [..., None, {}, {"options": {}}, {"options": {}, "delimiter": " / "}],
    ids=["absent", "null", "empty", "nested-empty", "nested-empty-with-delimiter"],
)
def test_without_own_options_the_defaults_are_used(own):
    key = questionnaire(item(own=own), default=YES_NO)
    assert scores(answers(["Yes", "No"]), key) == [10, 20]


@pytest.mark.parametrize("default", [None, {}, {"options": {}}])
@pytest.mark.parametrize("own", [..., {}])
def test_without_own_options_and_defaults_nothing_is_scored(own, default):
    key = questionnaire(item(own=own), default=default)
    assert scores(answers(["Yes", "No", ""]), key) == [None, None, None]


def test_one_option_alone_counts_as_own_options():
    key = questionnaire(item(own=options(("Only", 7))), default=YES_NO)
    assert scores(answers(["Only", "Yes"]), key) == [7, None]


def test_items_have_options_of_their_own_side_by_side():
    key = questionnaire(item(), item(own=YES_NO), item(own={}), default=options("No", "Yes"))
    frame = answers(["Yes"] * 3 + ["No"] * 3, [0, 1, 2, 0, 1, 2])
    assert scores(frame, key) == [2, 10, 2, 1, 20, 1]


def test_an_option_without_a_weight_is_worth_nothing():
    assert scores(
        answers(["A", "B"]),
        questionnaire(default={"1": {"text": "A"}, "2": {"text": "B", "weight": 3}}),
    ) == [0, 3]


# ---------------------------------------------------------------------- matching


@pytest.mark.parametrize(
    ("decision", "score"),
    [
        ("4. Agree a little", 4),
        (" 4. agree a little\n", 4),
        ("4.\tAGREE \u00a0 A LITTLE", 4),
        ("not present", None),
        ("inconclusive", None),
        *((value, None) for value in MISSING),
        ("", None),
        (" ", None),
        ("\t\n", None),
        ("Agree a little", None),
        ("4", None),
        (4, None),
        ("I would say 4. Agree a little", None),
        ("4. Agree a little.", None),
        ("4.Agree a little", None),
    ],
)
def test_matching(decision, score):
    assert scores(answers([decision]), questionnaire()) == [score]


def test_an_exact_match_comes_before_one_that_ignores_case():
    key = questionnaire(default=options(("Yes", 1), ("YES", 2)))
    assert scores(answers(["Yes", "YES", "yes", "Yes "]), key) == [1, 2, None, None]


def test_options_that_are_equal_after_folding_and_score_the_same_still_match():
    key = questionnaire(default=options(("Yes", 3), ("YES", 3), ("no", 1)))
    assert scores(answers(["Yes", "YES", "yes", " yes"]), key) == [3, 3, 3, 3]


def test_options_that_are_equal_after_folding_do_not_warn():
    key = questionnaire(default=options(("Yes", 1), ("YES", 2)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sk.score_answers(answers(["Yes", "yes"]), key)["score"].isna().tolist() == [
            False,
            True,
        ]


def test_an_ignored_and_a_scored_option_that_fold_alike_have_no_score_between_them():
    key = questionnaire(default=options(("Yes", 1), option("YES", 1, ignored=True)))
    assert scores(answers(["Yes", "YES", "yes"]), key) == [1, None, None]


@pytest.mark.parametrize("sentinel", sk.JUDGE_SENTINELS)
def test_a_sentinel_matches_only_an_option_with_exactly_its_text(sentinel):
    exact = questionnaire(default=options((sentinel, 5), ("other", 1)))
    other_case = questionnaire(default=options((sentinel.capitalize(), 5), ("other", 1)))
    assert scores(answers([sentinel]), exact) == [5]
    assert scores(answers([sentinel]), other_case) == [None]
    assert scores(answers([sentinel.capitalize()]), other_case) == [5]
    assert scores(answers([f" {sentinel}", sentinel.upper()]), other_case) == [5, 5]


def test_an_exact_sentinel_option_is_flipped_like_any_other():
    key = questionnaire(item(reverse=True), default=options(("not present", 0), ("present", 3)))
    assert scores(answers(["not present", "present"]), key) == [3, 0]


@pytest.mark.parametrize("blank", ["", " ", "\u3000"])
def test_a_blank_option_is_never_matched(blank):
    key = questionnaire(default=options((blank, 5), ("other", 1)))
    assert scores(answers([blank, "", " ", "other"]), key) == [None, None, None, 1]


def test_white_space_counts_as_one_space_and_never_as_none():
    key = questionnaire(default=options("Very much", "Hardly"))
    assert scores(answers(["Very   much", "Verymuch", "Very\x1cmuch", "Very\u200bmuch"]), key) == [
        1,
        None,
        1,
        None,
    ]


@pytest.mark.parametrize(
    ("text", "same", "other"),
    [
        ("Straße", "STRASSE", "Strase"),
        ("ﬁne", "FINE", "fne"),
        ("σας", "ΣΑΣ", "σα"),
        ("\u212a", "k", "κ"),
        ("İ", "i\u0307", "i"),
        ("µ", "μ", "m"),
        ("ſ", "S", "f"),
        ("Ꭰ", "ꭰ", "a"),
        ("é", "É", "e\u0301"),
        ("ı", "ı", "I"),
    ],
)
def test_case_is_folded_fully_and_nothing_is_normalised(text, same, other):
    key = questionnaire(default=options((text, 1), ("-", 2)))
    assert scores(answers([text, same, other]), key) == [1, 1, None]


# ---------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    ("decision", "text"),
    [
        (4, "4"),
        (4.0, "4"),
        (np.int8(4), "4"),
        (np.uint64(2**64 - 1), "18446744073709551615"),
        (np.float32(4), "4"),
        (-0.0, "0"),
        (2.5, "2.5"),
        (1e16, "10000000000000000"),
        (1e-05, "1e-05"),
        (np.float32(0.1), "0.10000000149011612"),
        (True, "True"),
        (np.False_, "False"),
    ],
)
def test_a_number_is_compared_as_its_text(decision, text):
    key = questionnaire(default=options((text, 1), ("-", 2)))
    assert scores(answers([decision]), key) == [1]
    assert scores(answers([decision, "-"]), key) == [1, 2]


@pytest.mark.parametrize("decision", [float("inf"), float("-inf"), 4, 4.0])
@pytest.mark.parametrize("text", ["inf", "-inf", "Infinity", "04", "4.0", "4e0", "+4"])
def test_a_number_never_matches_another_spelling(decision, text):
    assert scores(answers([decision, "-"]), questionnaire(default=options(text, "-"))) == [None, 2]


def test_options_survive_a_round_trip_through_csv(tmp_path):
    key = questionnaire(default=options(("4", 4), ("5", 5)))
    frame = answers(["4", "5", "4"])
    frame.to_csv(tmp_path / "answers.csv", index=False)
    read = pd.read_csv(tmp_path / "answers.csv")
    assert read["decision"].dtype == np.int64
    assert scores(read, key) == scores(frame, key) == [4, 5, 4]


def test_options_survive_a_round_trip_through_csv_with_a_gap(tmp_path):
    key = questionnaire(default=options(("4", 4), ("5", 5)))
    answers(["4", None, "5"]).to_csv(tmp_path / "answers.csv", index=False)
    read = pd.read_csv(tmp_path / "answers.csv")
    assert read["decision"].dtype == np.float64
    assert scores(read, key) == [4, None, 5]


@pytest.mark.parametrize("gap", [[], [None]])
def test_truth_values_survive_a_round_trip_through_csv(tmp_path, gap):
    key = questionnaire(default=options(("True", 1), ("False", 0)))
    answers(["True", "False", *gap]).to_csv(tmp_path / "answers.csv", index=False)
    assert scores(pd.read_csv(tmp_path / "answers.csv"), key) == [1, 0, *gap]


# ---------------------------------------------------------------------- clashes


def test_options_with_the_same_text_and_different_scores_warn_and_give_none():
    key = questionnaire(
        item(), item(own=options(("Yes", 1), ("Yes", 2), ("No", 3))), default=options("Yes", "No")
    )
    with pytest.warns(UserWarning, match=r"^Answer options with the same text.*item 1: 'Yes'"):
        scored = sk.score_answers(answers(["Yes", "Yes", "yes", "No"], [0, 1, 1, 1]), key)
    assert scored["score"].fillna(-1).tolist() == [1, -1, -1, 3]


def test_options_with_the_same_text_and_the_same_score_are_no_clash():
    key = questionnaire(default=options(("Yes", 2), ("Yes", 2)))
    assert sk.score_answers(answers(["Yes"]), key)["score"].tolist() == [2]


def test_a_clash_still_widens_the_range_of_the_flip():
    key = questionnaire(item(reverse=True), default=options(("a", 0), ("a", 9), ("b", 4)))
    assert scores(answers(["a", "b"]), key) == [None, 5]


def test_only_items_that_occur_in_the_data_warn_of_clashes():
    key = questionnaire(item(own=options("Yes", "No")), item(own=options(("A", 1), ("A", 2))))
    assert sk.score_answers(answers(["Yes"]), key)["score"].tolist() == [1]
