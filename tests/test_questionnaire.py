"""Reading a questionnaire: its forms, its errors, and that it cannot be changed afterwards."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

import scorekey as sk
from tests.material import AGREEMENT, answers, item, option, options, questionnaire, refused

FOUR = AGREEMENT[3]
FULL = {
    "name": "Full",
    "general_instruction": "Answer.",
    "version": 3,
    "attributes": {"dimension": {"1": "A"}, "source": {"year": 1999, "authors": ["x", "y"]}},
    "default_answer_options": {
        "options": {"a": {"text": "No", "weight": 1, "colour": "red"}, "b": option("Yes", "2")},
        "delimiter": "\n",
        "prepend_delimiter": True,
        "layout": "list",
    },
    "instruction_items": [
        {"question": "One?", "attributes": {"dimension": 1, "page": 2}, "hint": None},
        {"reversed": "yes", "answer_options": {"x": {"text": "Maybe"}}},
        {"question": "Three?", "answer_options": None},
        {"question": "Four?", "answer_options": {}},
    ],
}


# ---------------------------------------------------------------------- forms


def test_all_fields_are_read():
    read = sk.Questionnaire.from_dict(FULL)
    assert (read.name, read.general_instruction) == ("Full", "Answer.")
    assert read.attributes["dimension"] == {"1": "A"}
    defaults = read.default_answer_options
    assert list(defaults.options) == ["a", "b"]
    assert defaults.options["b"].weight == 2
    assert (defaults.delimiter, defaults.prepend_delimiter) == ("\n", True)
    one, two, three, four = read.instruction_items
    assert one.attributes == {"dimension": 1, "page": 2}
    assert (one.reversed, one.answer_options) == (False, None)
    assert two.reversed is True
    assert two.answer_options.options["x"] == sk.AnswerOption(text="Maybe")
    assert two.answer_options.options["x"].weight == 0
    assert two.answer_options.delimiter == ", "
    assert three.answer_options is None
    assert dict(four.answer_options.options) == {}


def test_defaults_of_the_parts():
    assert sk.AnswerOption() == sk.AnswerOption(
        text="Choose an option", ignored_for_scale=False, weight=0
    )
    assert sk.InstructionItem().question == "Enter question text here"
    assert sk.InstructionItem().attributes == {}
    bare = sk.Questionnaire(name="Q", general_instruction="G")
    assert (bare.instruction_items, bare.default_answer_options) == (None, None)


def test_an_experiment_and_its_questionnaire_are_read_alike():
    experiment = {"name": "E", "models": {}, "questionnaire": FULL}
    assert sk.Questionnaire.from_dict(experiment) == sk.Questionnaire.from_dict(FULL)


def test_an_option_called_options():
    odd = questionnaire(default={"options": {"options": option("Yes", 1)}})
    assert list(sk.Questionnaire.from_dict(odd).default_answer_options.options) == ["options"]


@pytest.mark.parametrize("weight", [4.4, "4.4", 0.1, 3, "3", 2.0, True])
def test_weights_are_whole_or_decimal(weight):
    read = sk.Questionnaire.from_dict(questionnaire(default=options(("a", weight))))
    got = read.default_answer_options.options["1"].weight
    assert got == float(weight)
    assert type(got) is (float if float(weight) % 1 else int)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_file(tmp_path, encoding):
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"questionnaire": FULL}), encoding=encoding)
    expected = sk.Questionnaire.from_dict(FULL)
    assert sk.Questionnaire.from_json(path) == expected
    assert sk.Questionnaire.from_json(str(path)) == expected
    for experiment in (path, str(path)):
        assert sk.ScoringKey(experiment) == sk.ScoringKey(FULL)


# ---------------------------------------------------------------------- to_dict


def test_to_dict_is_what_was_read():
    source = copy.deepcopy(FULL)
    read = sk.Questionnaire.from_dict(source)
    source["instruction_items"].clear()
    assert read.to_dict() == FULL
    assert list(read.to_dict()) == list(FULL)
    assert json.dumps(read.to_dict()) == json.dumps(FULL)
    assert sk.Questionnaire.from_dict({"questionnaire": FULL}).to_dict() == FULL


def test_to_dict_gives_the_caller_a_copy():
    read = sk.Questionnaire.from_dict(FULL)
    read.to_dict()["attributes"]["source"]["authors"].append("z")
    assert read.to_dict() == FULL


def test_to_dict_of_a_questionnaire_that_was_built():
    built = sk.Questionnaire(
        name="Q",
        general_instruction="G",
        instruction_items=[{"question": "One?"}],
        default_answer_options={"1": {"text": "Yes", "weight": 1}},
    )
    assert sk.Questionnaire.from_dict(built.to_dict()) == built
    assert built.to_dict()["instruction_items"] == [{"question": "One?"}]


def test_unknown_fields_are_kept():
    read = sk.Questionnaire.from_dict(FULL)
    assert read.version == 3
    assert read.instruction_items[0].hint is None
    assert read.default_answer_options.layout == "list"
    assert read.default_answer_options.options["a"].colour == "red"


# ---------------------------------------------------------------------- errors


def broken(path: str, value):
    """Return a questionnaire in which the field at the path has the value."""
    result = copy.deepcopy(
        questionnaire(*[item("1", options("a", "b")) for _ in range(4)], dimensions={"1": "A"})
    )
    part = result
    *steps, last = path.split(".")
    for step in steps:
        part = part[int(step) if isinstance(part, list) else step]
    part[int(last) if isinstance(part, list) else last] = value
    return result


PROBLEMS = [
    ("instruction_items.3.answer_options.2.weight", "four"),
    ("instruction_items.3.answer_options.2.weight", None),
    ("instruction_items.0.answer_options.1.text", 5),
    ("instruction_items.0.answer_options.1.text", None),
    ("instruction_items.0.answer_options.1.ignored_for_scale", "perhaps"),
    ("instruction_items.0.answer_options.1", "Yes"),
    ("instruction_items.0.answer_options", ["Yes", "No"]),
    ("instruction_items.0.answer_options", "Yes"),
    ("instruction_items.2.reversed", 7),
    ("instruction_items.2.reversed", None),
    ("instruction_items.2.question", 5),
    ("instruction_items.2.attributes", "1"),
    ("instruction_items.2", None),
    ("instruction_items", {"0": {}}),
    ("instruction_items", "item"),
    ("default_answer_options.5.weight", "1e3"),
    ("default_answer_options.5", 5),
    ("default_answer_options", [1]),
    ("attributes", ["dimension"]),
    ("name", None),
    ("general_instruction", 5),
]


@pytest.mark.parametrize(("path", "value"), PROBLEMS, ids=lambda value: str(value))
def test_an_error_names_the_path(path, value):
    source = broken(path, value)
    refused(sk.QuestionnaireError, lambda: sk.Questionnaire.from_dict(source), path)
    refused(ValueError, lambda: sk.score_answers(answers([FOUR]), source), path)
    refused(ValueError, lambda: sk.Questionnaire.from_dict({"questionnaire": source}), path)


def test_the_path_of_an_option_in_the_nested_form():
    source = questionnaire(default={"options": options(("a", "x")), "delimiter": "/"})
    refused(
        ValueError,
        lambda: sk.Questionnaire.from_dict(source),
        "default_answer_options.options.1.weight",
    )


@pytest.mark.parametrize("name", ["name", "general_instruction"])
def test_a_field_that_is_not_there(name):
    source = questionnaire()
    del source[name]
    refused(sk.QuestionnaireError, lambda: sk.Questionnaire.from_dict(source), name)


def test_many_problems_are_cut():
    own = {f"{n}{'x' * 500}": option("a", "y" * 100_000) for n in range(50)}
    source = questionnaire(*[item(own=own) for _ in range(20)])
    refused(ValueError, lambda: sk.Questionnaire.from_dict(source), "instruction_items.0")


@pytest.mark.parametrize("data", [None, 5, "config.json", [], [("name", "Q")], b"{}"], ids=repr)
def test_from_dict_takes_mappings(data):
    refused(TypeError, lambda: sk.Questionnaire.from_dict(data), "mapping")


@pytest.mark.parametrize(
    ("content", "fact"),
    [
        (b"", "not a JSON file"),
        (b"{", "not a JSON file"),
        (b"\xff\xfe{\x00}\x00", "line 1: the byte 0xff is not UTF-8; save the file as UTF-8"),
        (b"{\x00}\x00", "UTF-16 or UTF-32; save the file as UTF-8"),
        (b"{\n\n\xe4", "line 3: the byte 0xe4 is not UTF-8; save the file as UTF-8"),
        (b"[" * 100_000, "not a JSON file"),
        (b"[]", "list"),
        (b"5", "int"),
        (b'{"a": 1}', "questionnaire"),
        (b'{"questionnaire": null}', "questionnaire"),
        (b'{"name": "Q", "general_instruction": 5}', "general_instruction"),
        (b'{"a": ' + b"1" * 5000 + b"}", ""),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_file_that_cannot_be_read_names_itself(tmp_path, content, fact):
    path = tmp_path / "config.json"
    path.write_bytes(content)
    refused(sk.QuestionnaireError, lambda: sk.Questionnaire.from_json(path), "config.json", fact)
    refused(ValueError, lambda: sk.score_answers(answers([FOUR]), path), "config.json", fact)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        sk.Questionnaire.from_json(tmp_path / "nothing.json")
    with pytest.raises(OSError, match=r"."):
        sk.Questionnaire.from_json(tmp_path)
    for name in ("\ud800", "a\0b"):  # no file can be called so
        for path in (name, Path(name)):
            with pytest.raises(FileNotFoundError, match="No such file"):
                sk.Questionnaire.from_json(path)
        with pytest.raises(FileNotFoundError):
            sk.score_answers(answers(["x"]), Path(name))
        with pytest.raises(FileNotFoundError, match="there is no file"):
            sk.read_results(name, sk.Questionnaire(name="x", general_instruction="y"))
