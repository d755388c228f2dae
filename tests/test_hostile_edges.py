"""Input at the edge of what a branch of the code is for."""

from __future__ import annotations

import copy
import importlib
import os

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from scorekey.frozen import FrozenDict
from tests.material import answers, item, objects, options, plain, questionnaire, scored_frame

FORM = questionnaire(item("1"), default=options(("a", 1), ("2", 5)))
KEY = sk.ScoringKey(FORM)


class Silent:
    """An object that cannot be shown."""

    def __repr__(self):
        raise KeyError("no name")


# ---------------------------------------------------------------------- scale scores


def test_a_function_may_return_integers_beyond_64_bits():
    frame = scored_frame(["m", "m"], score=[1.0, 3.0], dimension=["A", "A"])
    assert plain(sk.scale_scores(frame, agg=lambda s: 10**30)["score"]) == [1e30]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT])
@pytest.mark.parametrize("name", ["\ud800", 10**400, 2**64])
def test_names_that_no_other_type_holds_stay_objects(name, missing):
    frame = pd.DataFrame(
        {
            "model_id": objects([name, missing, name]),
            "dimension": "A",
            "score": [1.0, 3.0, 5.0],
        }
    )
    result = sk.scale_scores(frame, by=["model_id"])
    known, other = result["model_id"]
    # Where a float can hold them, pandas makes floats of integers beside a missing one.
    assert known == name
    assert pd.isna(other)
    assert result["score"].tolist() == [3.0, 3.0]


def test_a_score_column_of_dates_is_refused():
    frame = scored_frame(["m", "m"], score=[1.0, 3.0], dimension=["A", "A"])
    dates = pd.Series(pd.to_datetime([None, "2020-01-01"]))
    with pytest.raises(ValueError, match=r"hold numbers; row 1 holds Timestamp\('2020-01-01"):
        sk.scale_scores(frame.assign(score=dates))
    with pytest.raises(ValueError, match="hold numbers, not datetime64"):
        sk.scale_scores(frame.assign(score=dates.iloc[[0, 0]].to_numpy()))


def test_a_scale_cannot_be_named_by_more_digits_than_python_writes():
    frame = scored_frame(["m", "m"], score=[1.0, 3.0], dimension=objects(["A", 10**5000]))
    with pytest.raises(ValueError, match=r"dimension column 'dimension' cannot be read: .*digits"):
        sk.scale_scores(frame)


def test_a_list_of_lists_is_no_list_of_scales():
    frame = scored_frame(["m"], score=[1.0], dimension=["A"])
    with pytest.raises(TypeError, match=r"dimensions must hold names of scales, not \['A'\]"):
        sk.scale_scores(frame, dimensions=[["A"]])
    frame.attrs["rupsycho_dimensions"] = [{"A": 1}]
    with pytest.raises(TypeError, match=r"attrs\['rupsycho_dimensions'\] must hold names"):
        sk.scale_scores(frame)


def test_merged_respondents_are_warned_of_where_their_names_are_the_index():
    frame = scored_frame(["m", "m"], score=[1.0, 3.0], dimension=["A", "A"])
    frame = frame.drop(columns=["model_id", "profile_id", "random_seed"], errors="ignore")
    frame.index = pd.Index(["a", "b"], name="model_id")
    with pytest.warns(UserWarning, match=r"none of the columns .* 'model_id' is a level of the"):
        result = sk.scale_scores(frame)
    assert plain(result["score"]) == [2.0]


def test_item_ids_that_are_collections_do_not_hinder_scale_scores():
    pa = pytest.importorskip("pyarrow")
    ids = pd.Series(pa.array([[1], [2]]), dtype=pd.ArrowDtype(pa.list_(pa.int64())))
    frame = pd.DataFrame({"dimension": "A", "score": [1.0, 3.0], "instruction_item_id": ids})
    assert plain(sk.scale_scores(frame)["score"]) == [2.0]


# ---------------------------------------------------------------------- item scores


def test_half_precision_is_a_number_like_any_other():
    items, decisions = np.zeros(2, np.float16), np.array([2, 3], np.float16)
    assert plain(KEY.score(items, decisions)) == [5.0, None]
    assert plain(KEY.score(items.astype(">f2"), decisions.astype(">f2"))) == [5.0, None]
    pa = pytest.importorskip("pyarrow")
    assert plain(KEY.score(pa.array(items), pa.array(decisions))) == [5.0, None]


def test_an_arrow_scalar_is_no_column():
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(TypeError, match=r"decisions must be an array, .* not StringScalar"):
        KEY.score([0], pa.scalar("a"))


def test_a_duration_among_objects_is_no_decision():
    assert plain(KEY.score([0, 0], objects([np.timedelta64(2, "ns"), 2]))) == [None, 5.0]


class Moody:
    """An object that can be hashed at first and no longer later."""

    tired = False

    def __hash__(self):
        if Moody.tired:
            raise TypeError("too tired")
        return id(self)


def test_an_unused_category_is_not_looked_at(monkeypatch):
    column = pd.Series(pd.Categorical.from_codes([0, 0], objects(["a", Moody()])))
    frame = answers(decisions=["a", "a"]).assign(decision=column)
    monkeypatch.setattr(Moody, "tired", True)
    assert plain(sk.score_answers(frame, FORM)["score"]) == [1.0, 1.0]
    used = frame.assign(
        decision=pd.Series(pd.Categorical.from_codes([0, 1], column.cat.categories))
    )
    with pytest.raises(TypeError, match=r"row 1 holds .*too tired"):
        sk.score_answers(used, FORM)


class Full(pd.DataFrame):
    """A frame for whose copy there is no memory."""

    def copy(self, deep=True):
        raise MemoryError


def test_an_error_in_copying_a_frame_passes_unless_attrs_may_be_its_cause():
    frame = Full(answers(decisions=["a"]))
    with pytest.raises(MemoryError):
        sk.score_answers(frame, FORM)
    frame.attrs["x"] = 1
    with pytest.raises(TypeError, match="attrs cannot be copied"):
        sk.score_answers(frame, FORM)


def test_a_weight_of_more_digits_than_python_writes_is_refused():
    form = sk.Questionnaire.from_dict(FORM)
    stub = copy.copy(form)
    option = form.default_answer_options.options["1"].model_copy(update={"weight": 10**5000})
    choices = form.default_answer_options.model_copy(update={"options": {"1": option}})
    with pytest.raises(ValueError, match=r"weight of answer option '1' .* whose repr raises"):
        sk.ScoringKey(stub.model_copy(update={"default_answer_options": choices}))


def test_replies_need_an_item_of_their_rubric():
    scored = sk.score_replies(["Score: 4"], sk.ScoringRubric.accuracy())
    with pytest.raises(ValueError, match="item id column 'instruction_item_id' is missing"):
        sk.score_answers(scored, FORM)


# ---------------------------------------------------------------------- odds and ends


def test_an_object_that_cannot_be_shown_is_named_by_its_type():
    with pytest.raises(ValueError, match="not <Silent whose repr raises KeyError>"):
        sk.set_num_threads(Silent())


def test_without_affinity_all_processors_are_counted(monkeypatch):
    monkeypatch.delenv("SCOREKEY_NUM_THREADS", raising=False)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert sk.get_num_threads() == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert sk.get_num_threads() == 1


def test_a_frozen_mapping_is_its_own_copy():
    mapping = FrozenDict(a=1)
    assert copy.copy(mapping) is mapping
    assert copy.deepcopy(mapping) is mapping


def test_a_copy_without_changes_keeps_what_was_read():
    form = sk.Questionnaire.from_dict(FORM)
    assert form.model_copy().to_dict() == FORM


def test_a_fault_within_a_text_is_named_by_its_whole_path():
    wrong = {**FORM, "instruction_items": [{"question": "q", "answer_options": {"1": "text"}}]}
    with pytest.raises(sk.QuestionnaireError, match=r"instruction_items\.0\.answer_options"):
        sk.Questionnaire.from_dict(wrong)
    with pytest.raises(sk.QuestionnaireError, match="instruction_items"):
        sk.Questionnaire.from_dict({**FORM, "instruction_items": 3})
    with pytest.raises(
        sk.QuestionnaireError, match=r"default_answer_options\.5\.\[key\]: .*string"
    ):
        sk.Questionnaire.from_dict({**FORM, "default_answer_options": {5: "x"}})


def test_the_command_is_a_module_whose_import_runs_nothing():
    pytest.importorskip("typer")
    importlib.import_module("scorekey.__main__")
