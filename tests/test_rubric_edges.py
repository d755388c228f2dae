"""Rubrics and replies at the edge of what a branch of their code is for."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import objects

FIVE = sk.ScoringRubric.accuracy()


def rubric(*levels):
    return sk.ScoringRubric("tone", "Tone", [{**level, "description": "x"} for level in levels])


def test_a_score_beyond_all_floats_is_none():
    with pytest.raises(ValueError, match="level 0 has no usable score"):
        rubric({"score": 10**400}).validate()


def test_what_is_no_number_lies_in_no_level():
    (level,) = rubric({"score_range": (1, 3)}).levels
    assert 2 in level
    assert "2" not in level
    assert np.array([1, 2]) not in level
    (broken,) = rubric({"score": "high"}).levels
    assert "high" not in broken
    assert broken.label == "high"
    (nothing,) = rubric({"score": None}).levels
    with pytest.raises(ValueError, match="has neither"):
        _ = nothing.label
    assert 2 not in nothing


def test_the_schema_of_an_open_rubric_has_the_bounds_that_there_are():
    low = rubric({"score_range": (1, 3)}, {"score_range": (4, None)}).to_json_schema()
    high = rubric({"score_range": (None, 3)}, {"score_range": (4, 9)}).to_json_schema()
    kept = ("type", "minimum", "maximum", "enum")
    score = [{k: v for k, v in s["properties"]["score"].items() if k in kept} for s in (low, high)]
    assert score == [{"type": "integer", "minimum": 1}, {"type": "integer", "maximum": 9}]


def test_a_rubric_of_very_many_scores_is_no_item():
    with pytest.raises(ValueError, match=r"more than .* scores, too many for answer options"):
        sk.Questionnaire.from_rubrics([rubric({"score_range": (0, 10**6)})])


def test_a_file_in_another_encoding_is_no_json(tmp_path):
    path = tmp_path / "rubric.json"
    path.write_bytes(json.dumps({"name": "é"}, ensure_ascii=False).encode("latin-1"))
    with pytest.raises(ValueError, match=r"rubric\.json is not a JSON file"):
        sk.ScoringRubric.from_json(path)


def test_passes_takes_one_score():
    assert FIVE.passes(4, 3)
    with pytest.raises(TypeError, match="passes takes one score, got ndarray"):
        FIVE.passes(np.array([4, 5]), 3)
    with pytest.raises(ValueError, match="min_passing_score must be one number"):
        FIVE.passes(4, [3])


def test_scores_in_an_array_of_objects_keep_its_form():
    scores = np.array([[5, None], [1, 3.0]], dtype=object)
    np.testing.assert_array_equal(FIVE.normalize(scores), [[1.0, np.nan], [0.0, 0.5]])
    again = FIVE.level_for(objects([4, 4, None]))
    assert [level and level.score for level in again] == [4, 4, None]


def test_unusual_replies():
    replies = objects([np.bool_(True), np.timedelta64(3, "ns"), np.float32(4), 10**400, -(10**400)])
    reasons = sk.score_replies(replies, FIVE)["reason"].tolist()
    assert reasons[:2] == ["none", "not_a_number"]
    assert pd.isna(reasons[2])
    assert reasons[3:] == ["out_of_range", "out_of_range"]


def test_a_field_is_named_by_a_text():
    with pytest.raises(TypeError, match="score_field is the name of a field, got 3"):
        sk.score_replies(["Score: 4"], FIVE, score_field=3)


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ('"Score: 4,b\n', "line 3: a quotation mark opens a cell that is never closed"),
        ("Score: 4,b,c\n", "line 3: the row has 3 cells, but the header has 2"),
    ],
)
def test_a_fault_behind_a_very_long_reply_is_found(tmp_path, rows, fault):
    typer = pytest.importorskip("typer")
    from typer.testing import CliRunner

    from scorekey.command.judge import judge

    path = tmp_path / "replies.csv"
    path.write_text("reply,model\n" + "x" * 200_000 + ",a\n" + rows)
    app = typer.Typer()
    app.command()(judge)
    result = CliRunner().invoke(app, [str(path), "--rubric", "accuracy"])
    assert result.exit_code == 1
    assert fault in result.stderr
