"""Real configurations, and labels as instruments, apps and exports have them."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import scorekey as sk

DATA = Path(__file__).parent / "data"
CONFIGS = DATA / "rupsycho_configs"
STRAIGHT = pd.read_csv(CONFIGS / "straight_liners.csv")
LABELS = json.loads((DATA / "label_shapes.json").read_text(encoding="utf-8"))
# The data leave open whether a sentinel followed by a space is still one. By the rules of the
# reference it is not: it is a text like any other, and matches the option "Not present".
SETTLED = {"sent-4": 0}
POSITIONS = {"first": 0, "second": 1, "third": 2, "last": -1}


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.json")), ids=lambda path: path.name)
def test_every_configuration_loads(path):
    form = sk.Questionnaire.from_json(path)
    raw = json.loads(path.read_text(encoding="utf-8"))["questionnaire"]
    assert len(form.instruction_items) == len(raw["instruction_items"])
    assert form.to_dict() == raw
    assert sk.ScoringKey(path) == sk.ScoringKey(form)


@pytest.mark.parametrize(
    ("name", "position"),
    sorted(set(zip(STRAIGHT["file"], STRAIGHT["option_position"], strict=True))),
)
def test_straight_liners(name, position):
    form = sk.Questionnaire.from_json(CONFIGS / name)
    decisions = []
    for item in form.instruction_items:
        own = item.answer_options
        options = own if own is not None and own.options else form.default_answer_options
        decisions.append(list(options.options.values())[POSITIONS[position]].text)
    frame = pd.DataFrame(
        {"instruction_item_id": range(len(decisions)), "decision": decisions, "model_id": "x"}
    )
    result = sk.score_experiment(form, frame)
    rows = STRAIGHT[(STRAIGHT["file"] == name) & (STRAIGHT["option_position"] == position)]
    expected = dict(zip(rows["dimension"], rows["mean"], strict=True))
    found = dict(zip(result["dimension"], result["score"], strict=True))
    assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-12)


def test_the_saved_results_are_scored():
    path = CONFIGS / "bfi_demo_config_output_processed.csv"
    form = sk.Questionnaire.from_json(CONFIGS / "bfi_five_items.json")
    frame = sk.read_results(path, form)
    decisions = frame["decision"].tolist()
    weights = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5}
    scored = sk.score_answers(frame, form)
    for row, decision in enumerate(decisions):
        item = form.instruction_items[frame["instruction_item_id"][row]]
        weight = weights.get(decision[0])
        valid = frame["valid"][row] == "True"
        expected = None if weight is None or not valid else weight
        if expected is not None and item.reversed:
            expected = 6 - weight
        score = scored["score"][row]
        assert (None if pd.isna(score) else score) == expected


@pytest.mark.parametrize("case", LABELS, ids=lambda case: case["id"])
@pytest.mark.filterwarnings("ignore:None of the 1 decisions:UserWarning")
@pytest.mark.filterwarnings("ignore:Answer options with the same text:UserWarning")
def test_labels_as_they_come(case):
    form = {
        "name": case["id"],
        "general_instruction": "Answer.",
        "default_answer_options": {str(i): option for i, option in enumerate(case["options"])},
        "instruction_items": [{"question": "?", "reversed": case["reversed"]}],
    }
    frame = pd.DataFrame({"instruction_item_id": [0], "decision": [case["decision"]]})
    (score,) = sk.score_answers(frame, form)["score"]
    assert (None if pd.isna(score) else score) == SETTLED.get(case["id"], case["expected"])
