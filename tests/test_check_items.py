"""Results that belong to another questionnaire are told by the texts of their items."""

from __future__ import annotations

import pandas as pd
import pytest

import scorekey as sk

QUESTIONS = ["I am talkative.", "I am\nreserved.", "  I  worry. "]
FORM = {
    "name": "Three items",
    "general_instruction": "Rate the statement.",
    "default_answer_options": {"1": {"text": "No"}, "2": {"text": "Yes", "weight": 1}},
    "instruction_items": [{"question": question} for question in QUESTIONS],
}


def results(ids, texts):
    return pd.DataFrame({"instruction_item_id": ids, "instruction_item": texts})


@pytest.mark.parametrize(
    "texts",
    [
        QUESTIONS,
        ["I am talkative.", "I am reserved.", "I worry."],
        ["I  am talkative. ", "\tI am\r\nreserved.", "I worry."],
        [None, float("nan"), "I worry."],
    ],
)
def test_the_same_texts_but_for_white_space(texts):
    frame = results([0, 1, 2], texts)
    before = frame.copy(deep=True)
    assert sk.check_items(frame, FORM) is None
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("dtype", ["category", "string", object])
def test_storage_does_not_matter(dtype):
    frame = results([2, 0], pd.Series(["I worry.", "I am talkative."], dtype=dtype))
    sk.check_items(frame, FORM)
    with pytest.raises(sk.ItemMismatchError):
        sk.check_items(frame.assign(instruction_item_id=[0, 2]), FORM)


def test_a_mismatch_shows_both_texts():
    frame = results([0, 1, 0, 2], ["I am talkative.", "I rest.", "I am quiet.", "I worry."])
    with pytest.raises(sk.ItemMismatchError) as info:
        sk.check_items(frame, FORM)
    assert isinstance(info.value, ValueError)
    assert info.value.mismatches == (
        (0, "I am quiet.", "I am talkative."),
        (1, "I rest.", "I am reserved."),
    )
    for part in ("'I am quiet.'", "'I am talkative.'", "item 0", "row 2", "item 1", "row 1"):
        assert part in str(info.value)


def test_another_order_case_or_letter_is_a_mismatch():
    for text in ("i am talkative.", "I am talkative", "I am talkative\0."):
        with pytest.raises(sk.ItemMismatchError):
            sk.check_items(results([0], [text]), FORM)


def test_texts_that_differ_after_a_nul_are_told_apart():
    form = FORM | {"instruction_items": [{"question": "a\0x"}]}
    with pytest.raises(sk.ItemMismatchError) as info:
        sk.check_items(results([0, 0], ["a\0x", "a\0y"]), form)
    assert info.value.mismatches == ((0, "a\0y", "a\0x"),)


def test_at_most_five_are_shown():
    items = [{"question": f"Question {i} {'x' * 500}"} for i in range(9)]
    frame = results(list(range(9)), [f"Other {i} {'y' * 500}" for i in range(9)])
    with pytest.raises(sk.ItemMismatchError, match="and 4 more") as info:
        sk.check_items(frame, FORM | {"instruction_items": items})
    assert len(info.value.mismatches) == 9
    assert "item 4" in str(info.value)
    assert "item 5" not in str(info.value)
    assert len(str(info.value)) < 1000


def test_texts_that_are_numbers_are_compared_as_texts():
    form = FORM | {"instruction_items": [{"question": "17"}, {"question": "3.5"}]}
    sk.check_items(results([0, 1], [17, 3.5]), form)
    with pytest.raises(sk.ItemMismatchError):
        sk.check_items(results([0], [18]), form)


def test_other_columns():
    frame = results([0], ["I am talkative."]).rename(columns={"instruction_item": "text"})
    sk.check_items(frame.rename(columns={"instruction_item_id": "id"}), FORM,
                   item_column="id", text_column="text")  # fmt: skip
    with pytest.raises(ValueError, match="item text column 'instruction_item' is missing"):
        sk.check_items(frame, FORM)
    with pytest.raises(ValueError, match="item id column 'id' is missing"):
        sk.check_items(frame, FORM, item_column="id")


def test_faults():
    with pytest.raises(ValueError, match="invalid item id"):
        sk.check_items(results([3], ["x"]), FORM)
    with pytest.raises(TypeError, match="DataFrame"):
        sk.check_items([1], FORM)
    with pytest.raises(TypeError, match="ScoringKey"):
        sk.check_items(results([0], ["x"]), sk.ScoringKey(FORM))
    with pytest.raises(TypeError, match="item text column"):
        sk.check_items(results([0], [["x"]]), FORM)


def test_no_rows_are_no_mismatch():
    sk.check_items(results([], []), FORM)


def test_scored_frames_carry_the_fingerprint():
    frame = pd.DataFrame({"instruction_item_id": [0], "decision": ["Yes"]})
    scored = sk.score_answers(frame, FORM)
    assert scored.attrs["scorekey_fingerprint"] == sk.ScoringKey(FORM).fingerprint
    assert frame.attrs == {}
    assert sk.scale_scores(scored).attrs == {}


def test_of_long_texts_the_part_that_differs_is_shown():
    form = FORM | {"instruction_items": [{"question": "same words " * 20 + "then left"}]}
    with pytest.raises(sk.ItemMismatchError, match="then left") as info:
        sk.check_items(results([0], ["same words " * 20 + "then right"]), form)
    assert "then right" in str(info.value)
