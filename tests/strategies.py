"""Hypothesis strategies: questionnaires in the JSON form, and answers to them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.twin import SENTINELS, Answer, options_of

LETTERS = "aAbBßẞsSſİiIıσςΣéE\u0301 \t\u00a0\x1c\u200b1.0"
TEXTS = st.one_of(
    st.sampled_from(
        [
            "Yes",
            "YES",
            "yes ",
            "No",
            "1",
            "2",
            "4.0",
            "True",
            "False",
            *SENTINELS,
            "Not Present",
            "",
            " ",
            "Very much",
            "Very  much",
            "Verymuch",
        ]
    ),
    st.text(LETTERS, max_size=6),
)
WHOLE = st.integers(-9, 9)
DECIMAL = st.decimals(-9, 9, places=2).map(float)
SCALES = st.sampled_from([None, "", "1", 1, 1.0, "2", " 2 ", "x", "total", 2.5, "A"])


def option(weights: st.SearchStrategy[Any] = WHOLE) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"text": TEXTS}, optional={"weight": weights, "ignored_for_scale": st.booleans()}
    )


def option_sets(
    weights: st.SearchStrategy[Any] = WHOLE, min_size: int = 0
) -> st.SearchStrategy[dict[str, Any]]:
    options = st.lists(option(weights), min_size=min_size, max_size=6)
    return options.map(lambda found: {str(n): o for n, o in enumerate(found)})


def items(weights: st.SearchStrategy[Any] = WHOLE) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {"question": st.just("A statement.")},
        optional={
            "reversed": st.booleans(),
            "answer_options": st.none() | option_sets(weights),
            "attributes": st.fixed_dictionaries({}, optional={"dimension": SCALES}),
        },
    )


def questionnaires(weights: st.SearchStrategy[Any] = WHOLE) -> st.SearchStrategy[dict[str, Any]]:
    """Return questionnaires in which everything may collide with everything."""
    declared = st.dictionaries(
        st.sampled_from(["1", "2", "x", "2.5", "unused"]),
        st.sampled_from(["A", "B", " A ", "", None, "total", "1"]),
    )
    return st.fixed_dictionaries(
        {
            "name": st.just("Q"),
            "general_instruction": st.just("G"),
            "instruction_items": st.lists(items(weights), min_size=1, max_size=6),
        },
        optional={
            "default_answer_options": option_sets(weights),
            "attributes": st.fixed_dictionaries({"dimension": declared}),
        },
    )


def varied(text: str) -> st.SearchStrategy[str]:
    return st.sampled_from(
        [text, text.upper(), text.lower(), f" {text}\n", text.replace(" ", "\u3000"), f"{text}."]
    )


@st.composite
def decisions(draw: st.DrawFn, key: dict[str, Any], item: int) -> Any:
    texts = [o["text"] for o in options_of(key, item)]
    others = st.one_of(
        TEXTS,
        st.none(),
        st.booleans(),
        st.integers(-3, 5),
        st.floats(-3, 5, width=16),
        st.sampled_from([float("nan"), 10**30, 1e16, *SENTINELS]),
    )
    if not texts:
        return draw(others)
    return draw(st.one_of(st.sampled_from(texts).flatmap(varied), others))


@st.composite
def answered(
    draw: st.DrawFn, weights: st.SearchStrategy[Any] = WHOLE, max_size: int = 30
) -> tuple[dict[str, Any], list[Answer]]:
    """Return a questionnaire and answers to it."""
    key = draw(questionnaires(weights))
    respondents = st.tuples(st.sampled_from(["b", "a", "", None, "é"]), st.sampled_from([2, 1, -3]))
    verdicts = st.sampled_from([True, True, True, False, None, "no", "yes", 0, 1, float("nan")])
    rows = []
    for _ in range(draw(st.integers(0, max_size))):
        item = draw(st.integers(0, len(key["instruction_items"]) - 1))
        rows.append(Answer(draw(respondents), item, draw(decisions(key, item)), draw(verdicts)))
    return key, rows


@st.composite
def balanced(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, tuple[float, float]]]:
    """Return a balanced questionnaire and the range of the options of each scale.

    Each scale has options of its own, and as many reversed items as others; their last option is
    "agree" with any weight.
    """
    found = []
    ranges = {}
    for scale in draw(st.lists(st.sampled_from("ABCDE"), min_size=1, unique=True)):
        counting = draw(st.lists(WHOLE, min_size=1, max_size=7))
        options = [{"text": f"option {n}", "weight": w} for n, w in enumerate(counting)]
        options[-1]["text"] = "agree"
        for weight in draw(st.lists(WHOLE, max_size=2)):
            options.insert(0, {"text": "skip", "weight": weight * 100, "ignored_for_scale": True})
        ranges[scale] = (min(counting), max(counting))
        for reverse in draw(st.permutations([True, False] * draw(st.integers(1, 4)))):
            found.append(
                {
                    "question": "A statement.",
                    "reversed": reverse,
                    "attributes": {"dimension": scale},
                    "answer_options": {str(n): o for n, o in enumerate(options)},
                }
            )
    key = {
        "name": "Q",
        "general_instruction": "G",
        "instruction_items": draw(st.permutations(found)),
    }
    return key, ranges
