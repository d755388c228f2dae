"""What a matching option is worth: its weight, or min + max - weight on a reversed item."""

from __future__ import annotations

import re

import pytest

import scorekey as sk
from tests.material import answers, item, option, options, questionnaire, scores

# (weights, with ignored ones in brackets; scores of the reversed item)
FLIPS = [
    ("1 2 3 4 5", [5, 4, 3, 2, 1]),
    ("0 1 2 3", [3, 2, 1, 0]),
    ("-2 -1 0 1 2", [2, 1, 0, -1, -2]),
    ("0 1 3", [3, 2, 0]),
    ("1 2 (3) 4 5", [5, 4, None, 2, 1]),
    ("(0) 1 2 3 4 5", [None, 5, 4, 3, 2, 1]),
    ("1 2 3 4 5 (99)", [5, 4, 3, 2, 1, None]),
    ("(1) 2 3 4 (5)", [None, 4, 3, 2, None]),
    ("(1) (2) (3)", [None, None, None]),
    ("7", [7]),
    ("5 1", [1, 5]),
    ("-5 -1 -2", [-1, -5, -4]),
    ("3 3 3", [3, 3, 3]),
    ("1 1 2", [2, 2, 1]),
    ("-10 (-99) 10", [10, None, -10]),
]


def read(weights: str) -> dict:
    parts = [(float(w.strip("()")), w.startswith("(")) for w in weights.split()]
    return options(*(option(f"option {n}", int(w), ignored=i) for n, (w, i) in enumerate(parts)))


def asked(weights: str, *, reverse: bool) -> list[float | None]:
    own = read(weights)
    return scores(
        answers([o["text"] for o in own.values()]), questionnaire(item(own=own, reverse=reverse))
    )


@pytest.mark.parametrize(("weights", "flipped"), FLIPS)
def test_a_reversed_item(weights, flipped):
    assert asked(weights, reverse=True) == flipped


@pytest.mark.parametrize("weights", [weights for weights, _ in FLIPS])
def test_an_ordinary_item(weights):
    assert asked(weights, reverse=False) == [
        None if w.startswith("(") else float(w) for w in weights.split()
    ]


def test_the_flip_is_computed_from_the_options_of_the_item():
    key = questionnaire(
        item(reverse=True, own=options(("a", 0), ("b", 3))),
        item(reverse=True, own=options(("a", -2), ("b", 2))),
        item(reverse=True),
        default=options(("a", 1), ("b", 7)),
    )
    assert scores(answers(["a", "b"] * 3, [0, 0, 1, 1, 2, 2]), key) == [3, 0, 2, -2, 7, 1]


def test_an_ordinary_and_a_reversed_item_share_their_options():
    key = questionnaire(item(), item(reverse=True))
    assert scores(answers(["4. Agree a little"] * 2, [0, 1]), key) == [4, 2]


def test_decimal_weights_are_flipped_in_floating_point():
    key = questionnaire(item(reverse=True), default=options(("a", 1.0), ("b", 4.4), ("c", 6.0)))
    expected = [6.0, (1.0 + 6.0) - 4.4, 1.0]
    assert scores(answers(["a", "b", "c"]), key) == expected


@pytest.mark.parametrize("value", [True, 1, "yes", "on", "t", "y", "true"])
def test_flags_are_read_as_the_reference_reads_them(value):
    flipped = {**item(), "reversed": value}
    ignoring = options({"text": "a", "weight": 1, "ignored_for_scale": value}, ("b", 2), ("c", 4))
    key = questionnaire(flipped, default=ignoring)
    assert scores(answers(["a", "b", "c"]), key) == [None, 4, 2]


@pytest.mark.parametrize(
    ("weight", "score"),
    [
        ("3", 3),
        (2.0, 2),
        (True, 1),
        ("1_000", 1000),
        ("2.0", 2),
        ("4.4", 4.4),
        (" 5 ", 5),
        ("-1", -1),
        (0.1, 0.1),
        (-0.5, -0.5),
    ],
)
def test_weights_are_read_from_numbers_and_their_text(weight, score):
    assert scores(answers(["a"]), questionnaire(default=options(("a", weight)))) == [score]


@pytest.mark.parametrize(
    "weight",
    [
        "",
        "nan",
        "inf",
        "-inf",
        "1e3",
        "four",
        "1,5",
        None,
        float("nan"),
        float("inf"),
        [1],
        {},
        10**400,
        "1" * 400,
        "0x10",
        ".",
        "1.",
        ".5",
    ],
)
def test_other_weights_are_refused_with_their_place(weight):
    with pytest.raises(
        sk.QuestionnaireError, match=r"instruction_items\.0\.answer_options\.1\.weight"
    ) as caught:
        sk.Questionnaire.from_dict(questionnaire(item(own=options(("a", weight), ("b", 1)))))
    assert len(str(caught.value)) < 1000
    assert not re.search(r"0{90}|1{90}", str(caught.value))
