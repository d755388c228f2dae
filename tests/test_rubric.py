"""Rubrics: prompts, scales, checks, written forms, and the bridge to questionnaires."""

from __future__ import annotations

import copy
import json
import math
import pickle

import numpy as np
import pandas as pd
import pytest
import scorekey as sk
from hypothesis import given
from hypothesis import strategies as st

RANGES = {
    "name": "technical_accuracy",
    "description": "Evaluates technical correctness and precision",
    "levels": [
        {"score_range": (9, 10), "description": "Technically perfect with no errors"},
        {"score_range": (7, 8), "description": "Mostly correct with minor technical issues"},
        {"score_range": (5, 6), "description": "Generally correct but some technical problems"},
        {"score_range": (3, 4), "description": "Significant technical errors present"},
        {"score_range": (0, 2), "description": "Technically incorrect or misleading"},
    ],
}
INTEGERS = {
    "name": "technical_accuracy",
    "description": "Evaluates technical correctness and precision",
    "levels": [
        {"score": 5, "description": "Technically perfect with no errors"},
        {"score": 4, "description": "Mostly correct with minor technical issues"},
        {"score": 3, "description": "Generally correct but some technical problems"},
        {"score": 2, "description": "Significant technical errors present"},
        {"score": 1, "description": "Mostly incorrect or misleading"},
        {"score": 0, "description": "Completely incorrect or misleading"},
    ],
}
BUILT_IN = {
    "accuracy": """\
Evaluates factual correctness and precision

Scoring levels:
- 5: Completely accurate with no errors
- 4: Mostly accurate with minor imprecisions
- 3: Generally accurate but some notable errors
- 2: Significant inaccuracies present
- 1: Mostly or entirely inaccurate""",
    "helpfulness": """\
Evaluates how well the response addresses user needs

Scoring levels:
- 5: Extremely helpful, fully addresses the need
- 4: Very helpful with good coverage
- 3: Moderately helpful but missing some aspects
- 2: Somewhat helpful but significant gaps
- 1: Not helpful or misleading""",
    "clarity": """\
Evaluates clarity and comprehensibility

Scoring levels:
- 5: Crystal clear and easy to understand
- 4: Clear with minor ambiguities
- 3: Generally clear but some confusion
- 2: Unclear in significant ways
- 1: Very unclear or incomprehensible""",
}


def rubric(*levels, name="r", description="d") -> sk.ScoringRubric:
    return sk.ScoringRubric(name, description, levels)


def at(score=None, score_range=None, description="x") -> sk.ScoringLevel:
    return sk.ScoringLevel(score, score_range, description)


# The second seed's examples


def test_the_documented_output_format():
    shown = rubric(
        at(score_range=(9, 10), description="Completely accurate with no errors"),
        at(score_range=(7, 8), description="Mostly accurate with minor imprecisions"),
        at(score_range=(5, 6), description="Generally accurate but some notable errors"),
        description="Evaluates factual correctness and precision",
    )
    assert shown.to_prompt() == (
        "Evaluates factual correctness and precision\n"
        "\n"
        "Scoring levels:\n"
        "- 9-10: Completely accurate with no errors\n"
        "- 7-8: Mostly accurate with minor imprecisions\n"
        "- 5-6: Generally accurate but some notable errors"
    )


@pytest.mark.parametrize(("form", "scale"), [(RANGES, (0, 10)), (INTEGERS, (0, 5))])
def test_technical_accuracy(form, scale):
    made = sk.ScoringRubric(**form)
    assert made.scale == scale
    assert tuple(made.scale) == scale
    made.validate()
    labels = ["9-10", "7-8", "5-6", "3-4", "0-2"] if scale[1] == 10 else list("543210")
    lines = [
        f"- {label}: {level['description']}"
        for label, level in zip(labels, form["levels"], strict=True)
    ]
    text = "\n".join([form["description"], "", "Scoring levels:", *lines])
    assert made.to_prompt() == text


@pytest.mark.parametrize("name", BUILT_IN)
def test_built_in_rubrics(name):
    made = getattr(sk.ScoringRubric, name)()
    assert made.name == name
    assert made.to_prompt() == BUILT_IN[name]
    assert made.scale == (1, 5)
    assert "Raif" in getattr(sk.ScoringRubric, name).__doc__
    made.validate()


# The rubric itself


def test_rubrics_are_values():
    first, second = (sk.ScoringRubric(**RANGES) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    assert first != sk.ScoringRubric(**INTEGERS)
    assert pickle.loads(pickle.dumps(first)) == first == copy.deepcopy(first)
    assert "technical_accuracy" in repr(first)
    assert "(0, 2)" in repr(first)
    assert isinstance(first.levels, tuple)
    with pytest.raises(AttributeError):
        first.name = "other"
    with pytest.raises(AttributeError):
        first.levels[0].score = 3


def test_ranges():
    assert at(score_range=[9, 10]).score_range == (9, 10)
    assert at(score_range=range(9, 11)).score_range == (9, 10)
    assert at(score_range=(np.int64(9), None)).score_range == (9, None)
    assert rubric(at(score_range=range(9, 11))).to_prompt().endswith("- 9-10: x")
    assert rubric(at(score_range=(9, None))).to_prompt().endswith("- 9 or more: x")
    assert rubric(at(score_range=(None, 5))).to_prompt().endswith("- 5 or less: x")
    with pytest.raises(ValueError, match="step 1"):
        at(score_range=range(0, 10, 2))


def test_none_is_not_given_and_score_wins():
    level = {"score": None, "score_range": (1, 2), "description": "x"}
    assert rubric(level).to_prompt().endswith("- 1-2: x")
    assert rubric(at(3, (1, 2))).to_prompt().endswith("- 3: x")
    assert rubric(at(3, (1, 2))).scale == (3, 3)
    assert rubric(at(0)).to_prompt().endswith("- 0: x")
    assert rubric(at(4.50)).to_prompt().endswith("- 4.5: x")


@pytest.mark.parametrize("bad", [{}, {"score_range": 5}, {"score_range": "9-10"}, {"score_range": (1, 2, 3)}, {"score_range": (None, None)}])  # fmt: skip
def test_a_level_without_score(bad):
    made = rubric(at(2), {**bad, "description": "odd one"})
    assert made.scale == (2, 2)
    with pytest.raises(ValueError, match=r"^level must include score or score_range.*odd one"):
        made.to_prompt()


def test_prompts_are_stripped_as_ruby_strips():
    assert rubric(at(1, description="x \0\t\n\v\f\r "), description="\0 \n d").to_prompt() == (
        "d\n\nScoring levels:\n- 1: x"
    )
    kept = rubric(at(1, description="x\x1c\u2003"), description="\xa0d").to_prompt()
    assert kept == "\xa0d\n\nScoring levels:\n- 1: x\x1c\u2003"
    assert rubric().to_prompt() == "d\n\nScoring levels:"


def test_scale():
    assert rubric().scale is None
    assert rubric(at("five"), at(math.nan), at(True)).scale is None
    assert rubric(at(score_range=(9, None)), at(score_range=(None, 5))).scale == (5, 9)
    scale = rubric(at(score_range=(0.5, 2))).scale
    assert (scale.low, scale.high) == (0.5, 2)
    assert 0.5 in scale
    assert 2 in scale
    assert 2.1 not in scale
    assert None not in scale
    assert "1" not in scale
    assert math.nan not in scale
    with pytest.raises(AttributeError):
        scale.low = 0


def test_levels_must_be_levels():
    with pytest.raises(TypeError, match="a level is a ScoringLevel or a mapping"):
        rubric("5: good")


# What Raif's lacks


def test_all_problems_at_once():
    with pytest.raises(ValueError, match="cannot be used") as caught:
        rubric(
            at(5), at(5), at(score_range=(8, 7)), at(1, description=" "),
            at(score_range=(9, 12)), at(score_range=(12, 14)), at(), description="",
        ).validate()  # fmt: skip
    for problem in (
        "its description is empty",
        "levels 0 (5) and 1 (5) have the same score",
        "level 2 (8-7) begins after its end",
        "level 3 (1) has an empty description",
        "levels 4 (9-12) and 5 (12-14) overlap",
        "level 6 has no usable score",
        "gap between levels 3 (1) and 0 (5)",
    ):
        assert problem in str(caught.value)
    with pytest.raises(ValueError, match="it has no levels"):
        rubric().validate()


def test_gaps_count_between_whole_bounds_only():
    rubric(at(score_range=(0, 0.4)), at(score_range=(0.5, 1))).validate()
    rubric(at(score_range=(0.0, 2.5)), at(score_range=(5, 6))).validate()
    rubric(at(score_range=(None, 2)), at(score_range=(3, None))).validate()
    with pytest.raises(ValueError, match="gap"):
        rubric(at(score_range=(0, 2)), at(score_range=(4, 6))).validate()


@pytest.mark.parametrize(
    "use",
    [
        lambda r: r.passes(1, 1),
        lambda r: r.level_for(1),
        lambda r: r.normalize(1),
        lambda r: r.to_json_schema(),
        lambda r: r.answer_options(),
        lambda r: r.parse_reply("1"),
        lambda r: sk.score_replies(["1"], r),
        lambda r: sk.Questionnaire.from_rubrics([r]),
    ],
)
def test_what_uses_scores_validates(use):
    with pytest.raises(ValueError, match="overlap"):
        use(rubric(at(score_range=(1, 3)), at(score_range=(2, 4))))


def test_passes():
    accuracy = sk.ScoringRubric.accuracy()
    assert accuracy.passes(4, 4)
    assert not accuracy.passes(3.9, 4)
    assert not accuracy.passes(None, 4)
    assert not accuracy.passes(math.nan, 4)
    assert not accuracy.passes(pd.NA, 4)
    # Raif's own documentation asks for 8 on a scale that ends at 5.
    for wrong in (8, 0, None, math.nan):
        with pytest.raises(ValueError, match="min_passing_score"):
            accuracy.passes(4, wrong)
    with pytest.raises(ValueError, match="score must lie on the scale"):
        accuracy.passes(6, 4)
    assert rubric(at(score_range=(1, None))).passes(100, 50)


def test_level_for():
    made = sk.ScoringRubric(**RANGES)
    assert made.level_for(9.5) is made.levels[0]
    assert made.level_for(0) is made.levels[4]
    for score in (8.5, 11, -1, None, math.nan):
        assert made.level_for(score) is None
    assert made.level_for([10, 3, None]).tolist() == [made.levels[0], made.levels[3], None]
    series = made.level_for(pd.Series([5, 99], index=["a", "b"], name="score"))
    assert series.to_dict() == {"a": made.levels[2], "b": None}
    with pytest.raises(TypeError, match="must be a number"):
        made.level_for("9")


def test_normalize():
    made = sk.ScoringRubric(**RANGES)
    assert made.normalize(0) == 0
    assert made.normalize(8.5) == 0.85
    assert math.isnan(made.normalize(None))
    array = made.normalize(np.array([[0, 5], [10, 1]]))
    assert array.tolist() == [[0, 0.5], [1, 0.1]]
    series = made.normalize(pd.Series([5, None], index=["a", "b"], name="s"))
    assert series.index.tolist() == ["a", "b"]
    assert series.dtype == "float64"
    assert series["a"] == 0.5
    assert math.isnan(series["b"])
    assert math.isnan(rubric(at(3)).normalize(3))
    for wrong in (11, [1, -0.1], math.inf, 10**400):
        with pytest.raises(ValueError, match="must lie on the scale"):
            made.normalize(wrong)
    with pytest.raises(ValueError, match="open"):
        rubric(at(score_range=(1, None))).normalize(3)


# Written forms


@pytest.mark.parametrize("form", [RANGES, INTEGERS])
def test_forms_and_back(form, tmp_path):
    made = sk.ScoringRubric(**form)
    assert sk.ScoringRubric.from_dict(made.to_dict()) == made
    assert sk.ScoringRubric.from_json(made.to_json()) == made
    (tmp_path / "r.json").write_text("\ufeff" + made.to_json(), encoding="utf-8")
    assert sk.ScoringRubric.from_json(tmp_path / "r.json") == made
    assert sk.ScoringRubric.from_json(str(tmp_path / "r.json")) == made
    assert json.loads(made.to_json())["levels"][0] in (
        {"score_range": [9, 10], "description": "Technically perfect with no errors"},
        {"score": 5, "description": "Technically perfect with no errors"},
    )


def test_forms_of_other_tools():
    levels = [
        {"score_range": [0, 4], "expected_outcome": "Wrong"},
        {"score_range": [5, 10], "expected_outcome": "Right"},
    ]
    expected = (at(None, (0, 4), "Wrong"), at(None, (5, 10), "Right"))
    for form in (levels, {"rubric": levels}, {"name": "r", "criteria": "c", "levels": levels}):
        made = sk.ScoringRubric.from_dict(form)
        assert made.levels == expected
        made.validate()
    prometheus = {
        "criteria": "Is it kind?",
        "score1_description": "No",
        "score2_description": "Yes",
    }
    for form in (prometheus, {"rubric": prometheus}):
        made = sk.ScoringRubric.from_dict(form)
        assert made.description == "Is it kind?"
        assert made.levels == (at(1, description="No"), at(2, description="Yes"))


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (None, TypeError),
        ("text", TypeError),
        ({}, ValueError),
        ({"levels": "abc"}, ValueError),
        ({"levels": {"score": 1}}, ValueError),
        ({"levels": ["a"]}, ValueError),
    ],
)
def test_what_is_no_rubric(data, error):
    with pytest.raises(error):
        sk.ScoringRubric.from_dict(data)


def test_json_that_is_no_rubric(tmp_path):
    (tmp_path / "number.json").write_text("5")
    for source in ("{", tmp_path / "number.json", '{"levels": [5]}'):
        with pytest.raises(ValueError, match="number.json|text"):
            sk.ScoringRubric.from_json(source)
    with pytest.raises(FileNotFoundError):
        sk.ScoringRubric.from_json(tmp_path / "none.json")


def test_json_schema():
    schema = sk.ScoringRubric.accuracy().to_json_schema()
    assert list(schema["properties"]) == ["reasoning", "score", "confidence"]
    score = schema["properties"]["score"]
    assert (score["type"], score["minimum"], score["maximum"]) == ("integer", 1, 5)
    assert score["enum"] == [1, 2, 3, 4, 5]
    assert schema["properties"]["confidence"] == {"type": "number", "minimum": 0, "maximum": 1}
    decimal = rubric(at(score_range=(0.5, 1))).to_json_schema()["properties"]["score"]
    assert (decimal["type"], decimal["minimum"], "enum" in decimal) == ("number", 0.5, False)
    half = rubric(at(score_range=(1, None))).to_json_schema()["properties"]["score"]
    assert (half["minimum"], "maximum" in half, "enum" in half) == (1, False, False)


# The bridge


def test_answer_options():
    assert rubric(at(2), at(1)).answer_options() == {
        "1": {"text": "1", "weight": 1},
        "2": {"text": "2", "weight": 2},
    }
    assert list(sk.ScoringRubric(**RANGES).answer_options()) == [str(n) for n in range(11)]
    for made in (rubric(at(score_range=(1, None))), rubric(at(score_range=(0.5, 2)))):
        with pytest.raises(ValueError, match="score_replies"):
            made.answer_options()


def test_rubrics_are_items_of_a_questionnaire():
    rubrics = [sk.ScoringRubric.accuracy(), sk.ScoringRubric.clarity()]
    questionnaire = sk.Questionnaire.from_rubrics(rubrics)
    key = sk.ScoringKey(questionnaire)
    assert key.dimensions == ("accuracy", "clarity")
    assert key.score([0, 1, 1], ["5", "2", "6"]).tolist()[:2] == [5, 2]
    with pytest.raises(ValueError, match="a name of its own"):
        sk.Questionnaire.from_rubrics([rubrics[0], rubrics[0]])
    for wrong in ([5], rubrics[0], "accuracy"):
        with pytest.raises(TypeError, match="ScoringRubric"):
            sk.Questionnaire.from_rubrics(wrong)


def test_replies_become_scale_scores():
    replies = pd.DataFrame(
        {
            "model": ["a", "a", "b", "b", "b"],
            "reply": ["Score: 4", "Score: 1", "Score: 5", "Score: 3-4", "no idea"],
        }
    )
    asked = sk.ScoringRubric.clarity()
    scored = sk.score_replies(replies["reply"], asked)
    questionnaire = sk.Questionnaire.from_rubrics([sk.ScoringRubric.accuracy(), asked])
    answers = sk.score_answers(scored, questionnaire)
    assert answers["dimension"].tolist() == ["clarity"] * 5
    pd.testing.assert_series_equal(answers["score"], scored["score"])
    result = sk.scale_scores(answers.assign(model=replies["model"]), by="model")
    assert result.to_dict("list") == {
        "model": ["a", "b"],
        "dimension": ["clarity", "clarity"],
        "score": [2.5, 5.0],
        "n_items": [2, 1],
        "n_missing": [0, 2],
    }
    with pytest.raises(ValueError, match="item id column"):
        sk.score_answers(pd.DataFrame(scored.to_dict("list")), questionnaire)


@given(
    st.lists(
        st.tuples(
            st.one_of(st.none(), st.integers(), st.text(), st.floats()),
            st.one_of(st.none(), st.tuples(st.integers(), st.none() | st.integers())),
            st.text(),
        ),
        max_size=5,
    ),
    st.text(),
)
def test_any_rubric_can_be_made_written_and_checked(levels, description):
    made = sk.ScoringRubric("r", description, [at(*level) for level in levels])
    assert hash(made) == hash(copy.deepcopy(made))
    back = sk.ScoringRubric.from_json(made.to_json())
    assert repr(back) == repr(made)
    for use in (made.validate, made.to_prompt, made.to_json_schema, made.answer_options):
        try:
            use()
        except ValueError as error:
            assert str(error)
