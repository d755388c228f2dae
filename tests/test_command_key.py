"""``scorekey key``: the key as it was understood, and what is probably a mistake in it."""

from __future__ import annotations

import pytest

import scorekey as sk

pytest.importorskip("typer")

from typer.testing import CliRunner

from scorekey.command.application import application

from .command_line import FORM, write_example
from .test_configs import CONFIGS


def show(tmp_path, form):
    config, _ = write_example(tmp_path, form=form)
    result = CliRunner().invoke(application, ["key", config])
    assert result.exit_code == 0
    return result


def warnings(tmp_path, **changes):
    return show(tmp_path, FORM | changes).stderr.splitlines()


def test_items_scales_directions_options_and_ranges(tmp_path):
    result = show(tmp_path, FORM)
    assert result.stderr == ""
    assert f"Fingerprint: {sk.ScoringKey(FORM).fingerprint}" in result.stdout
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    first = lines.index("0 First Alpha normal 1 to 3 No = 1")
    assert lines[first + 1 : first + 4] == ["Yes = 2", "Very much = 3", "Do not know = ignored"]
    second = lines.index("1 Second Alpha reversed 1 to 3 No = 3")
    assert lines[second + 1 : second + 4] == ["Yes = 2", "Very much = 1", "Do not know = ignored"]
    assert "2 Third Beta, too normal 1 to 3 as item 0" in lines


def test_decimal_weights_and_items_without_a_scale(tmp_path):
    options = {"1": {"text": "a", "weight": 4.4}, "2": {"text": "b", "weight": -1}}
    form = {
        "name": "x",
        "general_instruction": "y",
        "default_answer_options": options,
        "instruction_items": [{"question": "?", "reversed": True}],
    }
    lines = [" ".join(line.split()) for line in show(tmp_path, form).stdout.splitlines()]
    assert "0 ? (total only) reversed -1 to 4.4 a = -1" in lines
    assert "b = 4.4" in lines


def test_clashing_options(tmp_path):
    options = {"1": {"text": "Yes", "weight": 1}, "2": {"text": "Yes", "weight": 2}}
    (line,) = warnings(tmp_path, default_answer_options=options)
    assert line.startswith("warning: items 0, 1, 2: ")
    assert "'Yes'" in line


def test_options_that_lenient_matching_cannot_tell_apart(tmp_path):
    options = {
        "1": {"text": "I'm", "weight": 1}, "2": {"text": "I\u2019m", "weight": 2},
        "3": {"text": "4", "weight": 3}, "4": {"text": "4.0", "weight": 3},
    }  # fmt: skip
    form = FORM | {"default_answer_options": options}
    assert warnings(tmp_path, default_answer_options=options) == []
    config, _ = write_example(tmp_path, form=form)
    result = CliRunner().invoke(application, ["key", config, "--matching", "lenient"])
    assert result.exit_code == 0
    assert f"Fingerprint: {sk.ScoringKey(form, 'lenient').fingerprint}" in result.stdout
    (line,) = result.stderr.splitlines()
    assert line.startswith("warning: items 0, 1, 2: lenient matching cannot tell")
    assert line.endswith("\"I'm\", 'I\u2019m'")
    result = CliRunner().invoke(application, ["key", config, "--matching", "loose"])
    assert result.exit_code == 2
    assert "expected strict or lenient" in " ".join(result.stderr.split())


def test_mixed_ranges(tmp_path):
    items = [dict(item) for item in FORM["instruction_items"]]
    items[1]["answer_options"] = {
        "1": {"text": "No", "weight": 0}, "2": {"text": "Yes", "weight": 4.5},
    }  # fmt: skip
    (line,) = warnings(tmp_path, instruction_items=items)
    assert "scale 'Alpha'" in line
    assert "1 to 3 (item 0)" in line
    assert "0 to 4.5 (item 1)" in line


def test_undeclared_ids_and_scales_without_items(tmp_path):
    items = [dict(item) for item in FORM["instruction_items"]]
    items[2]["attributes"] = {"dimension": "c"}
    undeclared, empty = warnings(tmp_path, instruction_items=items)
    assert "item 2" in undeclared
    assert "'c'" in undeclared
    assert "'Beta, too'" in empty


def test_a_name_in_place_of_its_id(tmp_path):
    items = [dict(item) for item in FORM["instruction_items"]]
    items[2]["attributes"] = {"dimension": "Beta, too"}
    (line,) = warnings(tmp_path, instruction_items=items)
    assert "name of a declared scale" in line


def test_a_missing_weight(tmp_path):
    options = {
        "1": {"text": "No"},
        "2": {"text": "Yes", "weight": 0},
        "3": {"text": "Skip", "ignored_for_scale": True},
    }
    (line,) = warnings(tmp_path, default_answer_options=options)
    assert "'No'" in line
    assert "counts as 0" in line


@pytest.mark.parametrize(
    ("misspelt", "field"),
    [
        ("reverse", "reversed"), ("Reversed", "reversed"), ("reverse_scored", "reversed"),
        ("options", "answer_options"), ("answer-options", "answer_options"),
    ],
)  # fmt: skip
def test_a_field_of_an_item_that_looks_misspelt(tmp_path, misspelt, field):
    items = [dict(item) for item in FORM["instruction_items"]]
    items[0][misspelt] = items[2][misspelt] = True
    (line,) = warnings(tmp_path, instruction_items=items)
    assert line == (
        f"warning: the field '{misspelt}' of an item is not known and changes no score; is "
        f"'{field}' meant? (item 0, item 2)"
    )


@pytest.mark.parametrize(
    ("misspelt", "field"),
    [
        ("ignore", "ignored_for_scale"), ("ignored", "ignored_for_scale"),
        ("ignoredForScale", "ignored_for_scale"), ("ignored_for_scales", "ignored_for_scale"),
    ],
)  # fmt: skip
def test_a_field_of_an_option_that_looks_misspelt(tmp_path, misspelt, field):
    options = {"1": {"text": "No", "weight": 1, misspelt: True}, "2": {"text": "Yes", "weight": 2}}
    (line,) = warnings(tmp_path, default_answer_options=options)
    assert f"'{misspelt}' of an option" in line
    assert f"is '{field}' meant? (default options)" in line


def test_a_misspelt_weight_is_a_missing_one_too(tmp_path):
    options = {"1": {"text": "No", "wieght": 1}, "2": {"text": "Yes", "weight": 2}}
    missing, misspelt = warnings(tmp_path, default_answer_options=options)[:2]
    assert "'No' has no weight" in missing
    assert "'wieght'" in misspelt
    assert "is 'weight' meant?" in misspelt


def test_a_misspelt_attribute(tmp_path):
    items = [dict(item) for item in FORM["instruction_items"]]
    items[1]["attributes"] = {"dimnsion": "a", 5: "x"}
    (line,) = warnings(tmp_path, instruction_items=items)
    assert "'dimnsion' of an item's attributes" in line
    assert "is 'dimension' meant? (item 1)" in line


def test_a_misspelt_field_of_the_questionnaire(tmp_path):
    form = {name: value for name, value in FORM.items() if name != "default_answer_options"}
    form["default_options"] = FORM["default_answer_options"]
    *_, line = show(tmp_path, form).stderr.splitlines()
    assert "'default_options' of the questionnaire" in line
    assert line.endswith("is 'default_answer_options' meant?")


def test_fields_of_other_programs_are_silent(tmp_path):
    options = {
        key: {**option, "ignored_for_scale": False, "text_de": "x", "context": "y", "label": "z"}
        for key, option in FORM["default_answer_options"].items()
        if key != "9"
    }
    items = [
        {**item, "id": 7, "notes": "n", "version": 2, "source": "s", "reversed": False,
         "reversed_in_1990": True}
        for item in FORM["instruction_items"]
    ]  # fmt: skip
    changes = {"default_answer_options": options, "instruction_items": items, "language": "en"}
    assert warnings(tmp_path, **changes) == []


def test_defaults_that_no_item_has_are_not_looked_at(tmp_path):
    items = [
        {**item, "answer_options": FORM["default_answer_options"]}
        for item in FORM["instruction_items"]
    ]
    options = {"1": {"text": "No"}}
    assert warnings(tmp_path, instruction_items=items, default_answer_options=options) == []


def test_items_without_options_that_count(tmp_path):
    (line,) = warnings(tmp_path, default_answer_options={})
    assert "items 0, 1, 2" in line


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("bfi_small_and_mid.json", []),
        ("rfq_small.json", []),
        ("trolley_qwen72.json", ["'Preference' is declared but has no items"]),
        ("bdi_qwen72.json", ["'Depression'", "0 to 4 (item 7)", "1 to 4 (item 9)"]),
        ("gsdb_new_qwen.json", ["'AF' is not declared", "'UP' is not declared"]),
    ],
)
def test_real_configurations(name, parts):
    result = CliRunner().invoke(application, ["key", str(CONFIGS / name)])
    assert result.exit_code == 0
    assert bool(result.stderr) == bool(parts)
    for part in parts:
        assert part in result.stderr


def test_letters_that_a_terminal_would_obey_are_escaped(tmp_path):
    result = show(tmp_path, FORM | {"name": "\x1b[31mred [bold]"})
    assert "\\x1b[31mred [bold]" in result.stdout
    assert "\x1b" not in result.stdout


def test_faults(tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    result = CliRunner().invoke(application, ["key", str(broken)])
    assert result.exit_code == 1
    assert "broken.json" in result.stderr
    bad = FORM | {"default_answer_options": {"1": {"text": "No", "weight": "much"}}}
    config, _ = write_example(tmp_path, form=bad)
    result = CliRunner().invoke(application, ["key", config])
    assert result.exit_code == 1
    assert "default_answer_options.1.weight" in result.stderr
    assert CliRunner().invoke(application, ["key", str(tmp_path / "no.json")]).exit_code == 2
