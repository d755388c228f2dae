"""Which scale an item belongs to, and the order of the scales."""

from __future__ import annotations

import pandas as pd
import pytest

import scorekey as sk
from tests.material import AGREEMENT, MISSING, answers, item, plain, questionnaire, table

FOUR, TWO = AGREEMENT[3], AGREEMENT[1]
ORDER = "rupsycho_dimensions"


def dimension(key) -> list[str | None]:
    """Return the `dimension` column of one answer to every item."""
    n_items = len(key["instruction_items"])
    return plain(sk.score_answers(answers([FOUR] * n_items, range(n_items)), key)["dimension"])


@pytest.mark.parametrize(
    ("own", "declared", "name"),
    [
        ("1", {"1": "Extraversion"}, "Extraversion"),
        (1, {"1": "Extraversion"}, "Extraversion"),
        (1.0, {"1": "Extraversion"}, "Extraversion"),
        (" 1 ", {"1": "Extraversion"}, "Extraversion"),
        ("1", {" 1": "Extraversion"}, "Extraversion"),
        ("1", {"1": " Extraversion "}, "Extraversion"),
        ("9", {"1": "Extraversion"}, "9"),
        (9, {"1": "Extraversion"}, "9"),
        (9.0, {"1": "Extraversion"}, "9"),
        (2.5, {"1": "Extraversion"}, "2.5"),
        ("Warmth", ..., "Warmth"),
        ("Warmth", None, "Warmth"),
        ("Warmth", {}, "Warmth"),
        ("Extraversion", {"1": "Extraversion"}, "Extraversion"),
        ("extraversion", {"1": "Extraversion"}, "extraversion"),
        ("1.0", {"1": "Extraversion"}, "1.0"),
        (..., {"1": "Extraversion"}, None),
        (..., ..., None),
        ("", {"1": "Extraversion"}, None),
        (" \n", {"": "Extraversion"}, None),
        *((value, {"1": "Extraversion"}, None) for value in MISSING),
    ],
)
def test_the_name_of_an_items_scale(own, declared, name):
    assert dimension(questionnaire(item(own), dimensions=declared)) == [name]


@pytest.mark.parametrize("blank", ["", "  ", *MISSING])
def test_a_scale_that_is_declared_without_a_name_is_called_by_its_id(blank):
    assert dimension(questionnaire(item("1"), dimensions={"1": blank})) == ["1"]


@pytest.mark.parametrize("own", [["1"], ("1", "2"), {"1": 1}, {"1", "2"}, []])
def test_a_dimension_that_is_a_collection_names_the_item(own):
    with pytest.raises(ValueError, match=r"item 1\b"):
        sk.score_answers(answers([FOUR]), questionnaire(item("1"), item(own)))


def test_items_without_dimension_form_the_scale_total():
    frame = answers([FOUR, TWO], [0, 1])
    result = sk.score_experiment(questionnaire(item(), item("")), frame)
    assert table(result) == [("total", 3.0, 2, 0)]


# ---------------------------------------------------------------------- order


def test_scales_come_in_the_order_of_the_mapping_then_of_the_items_and_total_is_last():
    key = questionnaire(
        *(item(d) for d in ("late", "1", ..., "2", "early", "late", "3")),
        dimensions={"3": "Gamma", "2": "Beta", "1": "Alpha", "4": "Unused"},
    )
    frame = answers([FOUR] * 7, range(7))
    scored = sk.score_answers(frame, key)
    assert scored.attrs[ORDER] == ["Gamma", "Beta", "Alpha", "Unused", "late", "early"]
    expected = ["Gamma", "Beta", "Alpha", "late", "early", "total"]
    assert sk.scale_scores(scored)["dimension"].tolist() == expected
    assert sk.score_experiment(key, frame)["dimension"].tolist() == expected


def test_several_ids_may_name_one_scale():
    key = questionnaire(item("1"), item("2"), item("3"), dimensions={"1": "A", "2": "B", "3": "A"})
    frame = answers([FOUR, TWO, TWO], [0, 1, 2])
    scored = sk.score_answers(frame, key)
    assert scored.attrs[ORDER] == ["A", "B"]
    assert table(sk.scale_scores(scored)) == [("A", 3.0, 2, 0), ("B", 2.0, 1, 0)]


@pytest.fixture
def scored():
    key = questionnaire(item("b"), item("c"), item("a"), dimensions={"c": "C", "b": "B", "a": "A"})
    return sk.score_answers(
        answers([FOUR, TWO, FOUR] * 2, [0, 1, 2] * 2, wave=[1] * 3 + [2] * 3), key
    )


def order(frame, **arguments) -> list[str]:
    return sk.scale_scores(frame, by=[], **arguments)["dimension"].tolist()


def test_the_order_survives_sorting_and_filtering(scored):
    assert order(scored) == ["C", "B", "A"]
    assert order(scored.sort_values("dimension")) == ["C", "B", "A"]
    assert order(scored[scored["wave"] == 2]) == ["C", "B", "A"]
    assert order(scored[scored["dimension"] != "C"]) == ["B", "A"]


def test_without_a_record_scales_come_by_first_appearance(scored, tmp_path):
    scored.to_csv(tmp_path / "scored.csv", index=False)
    read = pd.read_csv(tmp_path / "scored.csv")
    assert order(read) == ["B", "C", "A"]
    assert order(read, dimensions=["A", "B", "C"]) == ["A", "B", "C"]


def test_a_row_without_score_counts_as_an_appearance():
    frame = pd.DataFrame({"dimension": ["Z", "A", "Z"], "score": [None, 1.0, 2.0]})
    assert order(frame) == ["Z", "A"]


@pytest.mark.parametrize(
    ("dimensions", "expected"),
    [
        (["A", "B", "C"], ["A", "B", "C"]),
        (["B"], ["B", "C", "A"]),
        (("A", "unknown", "C"), ["A", "C", "B"]),
        ([" A ", "B", "A"], ["A", "B", "C"]),
        ([], ["B", "C", "A"]),
        (iter(["A", "B"]), ["A", "B", "C"]),
        ({"A": 1, "B": 2}, ["A", "B", "C"]),
        (pd.Index(["A", "B"]), ["A", "B", "C"]),
    ],
)
def test_another_order(scored, dimensions, expected):
    assert order(scored, dimensions=dimensions) == expected


@pytest.mark.parametrize("dimensions", [["total", "A"], ["A", "total"], [None, "", "A"]])
def test_total_comes_last_wherever_it_is_listed(scored, dimensions):
    assert order(scored, dimensions=dimensions, include_total=True) == ["A", "B", "C", "total"]


def test_names_in_dimensions_follow_the_rule_for_ids():
    frame = pd.DataFrame({"dimension": ["1", "2"], "score": [1.0, 2.0]})
    assert order(frame, dimensions=[2.0, 1.0]) == ["2", "1"]
    assert order(frame, dimensions=[" 2", 1]) == ["2", "1"]


@pytest.mark.parametrize("values", [[1, 1.0, "1", " 1"], ["1", 1, "1 ", 1.0]])
def test_names_that_are_one_id_are_one_scale(values):
    frame = pd.DataFrame({"dimension": pd.Series(values, dtype=object), "score": [1.0, 2, 3, 4]})
    assert table(sk.scale_scores(frame)) == [("1", 2.5, 4, 0)]


def test_a_dimension_called_total_is_the_total():
    key = questionnaire(item("total"), item("A"), item())
    frame = answers([FOUR, TWO, TWO], [0, 1, 2])
    assert table(sk.score_experiment(key, frame)) == [("A", 2.0, 1, 0), ("total", 3.0, 2, 0)]
    with_total = table(sk.score_experiment(key, frame, include_total=True))
    assert with_total == [("A", 2.0, 1, 0), ("total", pytest.approx(8 / 3), 3, 0)]
    assert sk.score_answers(frame, key)["dimension"].tolist()[:2] == ["total", "A"]
