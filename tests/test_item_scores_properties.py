"""Scale scores by items against the twin, on questionnaires and answers of all kinds."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorekey as sk
from tests.item_twin import Item, Row, scale_scores
from tests.material import plain

COUNTS = ["n_items", "n_missing", "n_expected", "n_imputed", "n_conflicting"]


@st.composite
def forms(draw: st.DrawFn) -> dict[str, Any]:
    parts = []
    for _ in range(draw(st.integers(1, 6))):
        weights = draw(st.lists(st.integers(-2, 4), max_size=4))
        if draw(st.booleans()):
            weights = [weight / 4 for weight in weights]
        part: dict[str, Any] = {
            "question": "?",
            "reversed": draw(st.booleans()),
            "answer_options": {
                str(n): {"text": f"option {n}", "weight": weight}
                for n, weight in enumerate(weights)
            }
            | {"?": {"text": "?", "weight": 50, "ignored_for_scale": True}},
        }
        scale = draw(st.sampled_from([None, "A", "A", "B", "total"]))
        if scale:
            part["attributes"] = {"dimension": scale}
        if draw(st.integers(0, 3)) == 0:
            part["range"] = [min(weights, default=0) - draw(st.integers(0, 2)), 5]
        parts.append(part)
    return {"name": "Q", "general_instruction": "G", "instruction_items": parts}


@st.composite
def answered(draw: st.DrawFn) -> tuple[dict[str, Any], list[Row]]:
    form = draw(forms())
    parts = form["instruction_items"]
    rows = []
    for _ in range(draw(st.integers(0, 20))):
        item = draw(st.integers(0, len(parts) - 1))
        decision = draw(st.sampled_from([*range(4), None]))
        rows.append(Row(draw(st.sampled_from(["b", "a", "c"])), item, decision))
    return form, rows


@st.composite
def wishes(draw: st.DrawFn) -> dict[str, Any]:
    asked: dict[str, Any] = {"include_total": draw(st.booleans())}
    asked["duplicates"] = draw(st.sampled_from(["keep", "first", "last", "unique"]))
    asked["impute"] = draw(st.sampled_from([None, "item_mean", "item_median", "midpoint"]))
    names = ["mean", "sum", "max", "median", "prorated_sum", "pomp", "pomp_items"]
    asked["agg"] = draw(st.sampled_from(names if asked["impute"] else [*names, "count"]))
    kind = draw(st.sampled_from(["none", "number", "scales", "fraction"]))
    if kind == "number":
        asked["min_items"] = draw(st.integers(0, 4))
    elif kind == "scales":
        asked["min_items"] = {"total": draw(st.integers(0, 5))}
    elif kind == "fraction":
        asked["min_fraction"] = draw(st.sampled_from([0, 0.34, 0.5, 2 / 3, 1]))
    return asked


def facts(form: dict[str, Any]) -> list[Item]:
    record = sk.ScoringKey(form).item_record
    found = []
    for part, known in zip(form["instruction_items"], record.values(), strict=True):
        weights = [o["weight"] for o in part["answer_options"].values() if o["weight"] < 50]
        bounds = part.get("range") or ([min(weights), max(weights)] if weights else [None, None])
        assert known["range"] == (None if bounds[0] is None else bounds)
        scale = part.get("attributes", {}).get("dimension")
        found.append(Item(None if scale == "total" else scale, *bounds))
    return found


@given(answered(), wishes())
def test_it_is_as_the_twin_says(case: tuple[dict[str, Any], list[Row]], asked: dict[str, Any]):
    form, rows = case
    frame = pd.DataFrame(
        {
            "profile_id": pd.array([row.respondent for row in rows], dtype=object),
            "instruction_item_id": pd.array([row.item for row in rows], dtype="int64"),
            "decision": pd.array(
                [None if row.score is None else f"option {row.score:g}" for row in rows],
                dtype=object,
            ),
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        scored = sk.score_answers(frame, form)
        result = sk.scale_scores(scored, expected=True, **asked)
        at_once = sk.score_experiment(form, frame, expected=True, **asked)
    pd.testing.assert_frame_equal(result, at_once, check_exact=True)
    points = plain(scored["score"])
    rows = [row._replace(score=score) for row, score in zip(rows, points, strict=True)]
    items = facts(form)
    expected = scale_scores(items, rows, **asked)
    found = {}
    for record in result.to_dict("records"):
        counts = [record.get(name, 0) for name in COUNTS]
        score = None if pd.isna(record["score"]) else record["score"]
        found[record["profile_id"], record["dimension"]] = (score, *counts)
    assert found.keys() == expected.keys()
    for key, cell in expected.items():
        score, *counts = found[key]
        assert tuple(counts) == cell[1:]
        assert (score is None) == (cell.score is None)
        if score is not None:
            assert score == pytest.approx(cell.score, rel=1e-12, abs=1e-12)
