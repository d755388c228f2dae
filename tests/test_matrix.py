"""`item_matrix`: respondents by items."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import scorekey as sk

from .material import item, options, plain, questionnaire, refused

# Three items on 1 to 5, the second reverse-keyed; nobody answers the third.
FORM = questionnaire(
    item("a"), item("a", reverse=True), item("b"), default=options("1", "2", "3", "4", "5")
)
NONE = None


def scored(respondents, items, decisions, form=FORM, **columns):
    frame = pd.DataFrame(
        {"profile_id": respondents, "instruction_item_id": items, "decision": decisions, **columns}
    )
    return sk.score_answers(frame, form)


@pytest.fixture
def frame():
    return scored(["b", "a", "a", "b"], [0, 1, 0, 1], ["4", "2", "5", "x"])


def rows(matrix):
    return [plain(row) for row in matrix.to_numpy()]


def test_respondents_by_items(frame):
    before = frame.copy()
    found = sk.item_matrix(frame)
    assert rows(found) == [[5, 4, NONE], [4, NONE, NONE]]
    assert found.columns.tolist() == [0, 1, 2]
    assert found.index.tolist() == ["a", "b"]
    assert found.index.name == "profile_id"
    assert (found.dtypes == "float64").all()
    pd.testing.assert_frame_equal(frame, before)
    assert rows(sk.item_matrix(frame, values="raw")) == [[5, 2, NONE], [4, NONE, NONE]]


def test_it_is_what_pivot_gives():
    random = np.random.default_rng(5)
    n = 300
    # In any order; 97 is prime to the number of rows.
    order = np.arange(n * 2) * 97 % (n * 2)
    people, items = np.repeat(np.arange(n), 2)[order], np.tile([0, 1], n)[order]
    frame = scored(people, items, random.integers(1, 7, n * 2).astype(str))
    found = sk.item_matrix(frame)
    expected = frame.pivot(index="profile_id", columns="instruction_item_id", values="score")
    pd.testing.assert_frame_equal(found[[0, 1]], expected, check_names=False)
    assert found[2].isna().all()


def test_columns_lie_one_after_the_other_in_memory(frame):
    assert sk.item_matrix(frame).to_numpy().flags.f_contiguous


def test_ids_that_are_texts_name_the_columns(frame):
    frame["instruction_item_id"] = frame["instruction_item_id"].astype(str)
    assert sk.item_matrix(frame).columns.tolist() == ["0", "1", "2"]
    assert rows(sk.item_matrix(frame)) == [[5, 4, NONE], [4, NONE, NONE]]


def test_several_columns_name_a_respondent():
    frame = scored([1, 1, 2, None], 0, ["1", "2", "3", "4"], model_id=["n", "m", "m", "m"])
    found = sk.item_matrix(frame)
    assert found.index.names == ["model_id", "profile_id"]
    assert plain(found.index.get_level_values(0)) == ["m", "m", "m", "n"]
    assert plain(found.index.get_level_values(1)) == [1, 2, None, 1]
    assert plain(found[0]) == [2, 3, 4, 1]


def test_without_a_column_there_is_one_respondent(frame):
    found = sk.item_matrix(frame.iloc[1:3], by=[])
    assert rows(found) == [[5, 4, NONE]]
    assert found.index.tolist() == [0]
    with pytest.warns(UserWarning, match="item_matrix ignores .*'x'"):
        sk.item_matrix(frame, by=["profile_id", "x"])


def test_no_rows(frame):
    found = sk.item_matrix(frame.iloc[:0])
    assert found.shape == (0, 3)
    assert sk.item_matrix(frame.iloc[:0], by=[]).shape == (0, 3)
    assert sk.item_matrix(frame.iloc[:0], impute="item_mean").shape == (0, 3)


REPEATED = (["a"] * 9, [0, 0, 1, 1, 1, 2, 2, 0, 0], ["1", "1", "2", "3", "2", "x", "4", "1", "1"])


@pytest.mark.parametrize(
    ("choice", "expected"),
    [("first", [1, 4, NONE]), ("last", [1, 4, 4]), ("unique", [1, NONE, NONE])],
)
def test_repeated_answers(choice, expected):
    frame = scored(*REPEATED)
    if choice == "unique":
        with pytest.warns(UserWarning, match=r"2 item\(s\) of respondents"):
            found = sk.item_matrix(frame, duplicates=choice)
    else:
        found = sk.item_matrix(frame, duplicates=choice)
    assert rows(found) == [expected]


def test_first_and_last_differ():
    frame = scored(["a", "a"], [0, 0], ["1", "2"])
    assert rows(sk.item_matrix(frame, duplicates="first")) == [[1, NONE, NONE]]
    assert rows(sk.item_matrix(frame, duplicates="last")) == [[2, NONE, NONE]]


def test_a_repeated_answer_is_an_error():
    frame = scored(*REPEATED)
    facts = ("Rows 0 and 1", "item, 0", "'profile_id': 'a'", "duplicates")
    refused(ValueError, lambda: sk.item_matrix(frame), *facts)
    refused(ValueError, lambda: sk.item_matrix(frame, by=[]), "Rows 0 and 1")
    refused(ValueError, lambda: sk.item_matrix(frame, duplicates="keep"), "'keep'", "'unique'")


@pytest.mark.parametrize(
    ("impute", "expected"),
    [
        ("item_mean", [[1, 5, NONE], [3, 3, NONE], [5, 4, NONE], [3, 4, NONE]]),
        ("item_median", [[1, 5, NONE], [3, 3, NONE], [5, 4, NONE], [3, 4, NONE]]),
        ("midpoint", [[1, 5, 3], [3, 3, 3], [5, 3, 3], [3, 3, 3]]),
    ],
)
def test_gaps_are_filled(impute, expected):
    people, items = ["a", "a", "b", "c", "d", "b"], [0, 1, 1, 0, 1, 0]
    frame = scored(people, items, ["1", "1", "3", "5", "x", "x"])
    assert rows(sk.item_matrix(frame, impute=impute)) == expected
    flipped = [[a, NONE if b is NONE else 6 - b, c] for a, b, c in expected]
    assert rows(sk.item_matrix(frame, impute=impute, values="raw")) == flipped


def test_mean_and_median_differ():
    frame = scored(["a", "b", "c", "d"], 0, ["1", "1", "4", "x"])
    assert sk.item_matrix(frame, impute="item_mean")[0].tolist() == [1, 1, 4, 2]
    assert sk.item_matrix(frame, impute="item_median")[0].tolist() == [1, 1, 4, 1]


def test_the_range_that_an_item_declares():
    wide = {**item("a", reverse=True), "range": [0, 6]}
    form = questionnaire(wide, default=options("1", "2", "3", "4", "5"))
    frame = scored(["a", "b"], 0, ["2", "x"], form)
    assert plain(sk.item_matrix(frame)[0]) == [4, NONE]
    assert plain(sk.item_matrix(frame, values="raw", impute="midpoint")[0]) == [2, 3]


def test_an_item_without_options():
    form = questionnaire(item("a", reverse=True), default=None)
    frame = pd.DataFrame({"profile_id": ["a"], "instruction_item_id": [0], "score": [1.0]})
    assert plain(sk.item_matrix(frame, questionnaire=form)[0]) == [1]
    # What it was before it was flipped depends on a range that nobody knows.
    assert plain(sk.item_matrix(frame, values="raw", questionnaire=form)[0]) == [NONE]
    frame = frame.assign(score=[None])
    assert plain(sk.item_matrix(frame, impute="midpoint", questionnaire=form)[0]) == [NONE]


def test_a_frame_that_has_lost_its_attrs(frame):
    frame.attrs.clear()
    refused(ValueError, lambda: sk.item_matrix(frame), "scorekey_items", "questionnaire")
    for form in (FORM, sk.ScoringKey(FORM)):
        assert rows(sk.item_matrix(frame, questionnaire=form)) == [[5, 4, NONE], [4, NONE, NONE]]


def test_attrs_outlive_a_parquet_file(frame, tmp_path):
    pytest.importorskip("pyarrow")
    frame.to_parquet(tmp_path / "scored.parquet")
    again = pd.read_parquet(tmp_path / "scored.parquet")
    pd.testing.assert_frame_equal(sk.item_matrix(again), sk.item_matrix(frame))


def test_arguments(frame):
    refused(ValueError, lambda: sk.item_matrix(frame, values="keyed"), "'keyed'")
    refused(ValueError, lambda: sk.item_matrix(frame, impute="mean"), "'mean'", "item_mean")
    refused(TypeError, lambda: sk.item_matrix(frame, item_column=["a"]), "item_column")
    refused(ValueError, lambda: sk.item_matrix(frame, score_column="x"), "score", "'x'")
    frame["instruction_item_id"] += 2
    refused(ValueError, lambda: sk.item_matrix(frame), "invalid item id", "3")


def test_the_number_of_threads_changes_nothing():
    n = 50_000
    frame = pd.DataFrame(
        {
            "profile_id": np.repeat(np.arange(n), 3),
            "instruction_item_id": np.tile([2, 0, 1], n),
            "score": np.arange(n * 3) % 5 + 1.0,
        }
    )
    found = []
    for threads in (1, 2, 3):
        sk.set_num_threads(threads)
        found.append(sk.item_matrix(frame, questionnaire=FORM))
    sk.set_num_threads(None)
    expected = frame["score"].to_numpy().reshape(n, 3)[:, [1, 2, 0]]
    assert all((matrix.to_numpy() == expected).all() for matrix in found)
