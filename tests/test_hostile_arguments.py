"""Arguments and columns that cannot be used: one short message that says which and why."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import (
    AGREEMENT,
    answers,
    item,
    objects,
    questionnaire,
    refused,
    scored_frame,
    table,
)

FOUR = AGREEMENT[3]
LONG = "x" * 100_000


# ---------------------------------------------------------------------- score and names


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([0, 1], dtype="datetime64[ns]"),
        pd.Series([0, 1], dtype="timedelta64[ns]"),
        pd.Series([0, 1], dtype="complex128"),
        pd.Series([1.0, "four"], dtype=object),
        pd.Series([1.0, LONG], dtype=object),
        pd.Series([1.0, [4]], dtype=object),
        pd.Series([1.0, 1j], dtype=object),
        pd.Series([1.0, pd.Timestamp(0)], dtype=object),
        pd.Series(["a", "b"], dtype="category"),
        pd.Series(["1", "b"], dtype="string"),
        pd.Series(pd.date_range("2020", periods=2, tz="UTC")),
        pd.Series(pd.period_range("2020", periods=2, freq="D")),
    ],
    ids=lambda values: str(values.dtype),
)
def test_scores_that_are_no_numbers(values):
    refused(ValueError, lambda: sk.scale_scores(scored_frame(["a"] * 2, values)), "'score'")


@pytest.mark.parametrize("value", [["A"], {"A": 1}, {"A"}])
def test_collections_among_the_names_of_scales(value):
    frame = scored_frame(["a"] * 2, dimension=objects(["A", value]))
    refused(TypeError, lambda: sk.scale_scores(frame), "'dimension'", "row 1")


# ---------------------------------------------------------------------- arguments


@pytest.mark.parametrize("name", ["n_items", "n_missing"])
def test_names_that_the_result_needs_for_its_counts(name):
    frame = scored_frame(["a"])
    for argument, column in (
        ("by", "model_id"),
        ("score_column", "score"),
        ("dimension_column", "dimension"),
    ):
        clash = frame.rename(columns={column: name})
        refused(ValueError, lambda a=argument, f=clash: sk.scale_scores(f, **{a: name}), repr(name))
    by = {"by": ["instruction_item_id", name]}
    refused(
        ValueError,
        lambda: sk.score_experiment(questionnaire(), answers([FOUR], **{name: 1}), **by),
        repr(name),
    )


def test_one_column_cannot_be_dimension_and_score():
    refused(
        ValueError,
        lambda: sk.scale_scores(scored_frame(["a"]), dimension_column="score"),
        "'score'",
    )


@pytest.mark.parametrize("by", ["dimension", "score", ["model_id", "score"]])
def test_by_cannot_name_the_dimension_or_the_score(by):
    refused(ValueError, lambda: sk.scale_scores(scored_frame(["a"]), by=by), "by")


@pytest.mark.parametrize("by", [b"model_id", bytearray(b"x"), None, 5, 1.5, True, [["a"]], [{}]])
def test_what_by_cannot_be(by):
    refused(TypeError, lambda: sk.scale_scores(scored_frame(["a"]), by=by), "by")
    refused(TypeError, lambda: sk.score_experiment(questionnaire(), answers([FOUR]), by=by), "by")


@pytest.mark.parametrize("dimensions", ["BA", b"BA", 5, True, 1.5, ""])
def test_what_dimensions_cannot_be(dimensions):
    refused(
        TypeError,
        lambda: sk.scale_scores(scored_frame(["a"]), dimensions=dimensions),
        "dimensions",
    )


NEITHER = ["False", "", b"False", "yes", bytearray(b""), pd.NA, np.array([True, False])]


@pytest.mark.parametrize("only_valid", NEITHER, ids=repr)
def test_what_only_valid_cannot_be(only_valid):
    for call in (
        lambda: sk.score_answers(answers([FOUR]), questionnaire(), only_valid=only_valid),
        lambda: sk.score_experiment(questionnaire(), answers([FOUR]), only_valid=only_valid),
    ):
        refused(TypeError, call, "only_valid")


@pytest.mark.parametrize("total", NEITHER, ids=repr)
def test_what_include_total_cannot_be(total):
    for call in (
        lambda: sk.scale_scores(scored_frame(["a"]), include_total=total),
        lambda: sk.score_experiment(questionnaire(), answers([FOUR]), include_total=total),
    ):
        refused(TypeError, call, "include_total must be True or False")


@pytest.mark.parametrize("value", [0, None, np.False_, []], ids=repr)
def test_what_is_false_is_no_total(value):
    scales = sk.scale_scores(scored_frame(["a"]), include_total=value)
    assert "total" not in scales["dimension"].tolist()


@pytest.mark.parametrize("name", [["a"], {"a": 1}, {"a"}, pd.Series(["a"]), np.array(["a"])])
def test_what_the_name_of_a_column_cannot_be(name):
    frame = answers([FOUR])
    for argument in ("decision_column", "item_column", "valid_column"):
        for call in (
            lambda a=argument: sk.score_answers(frame, questionnaire(), **{a: name}),
            lambda a=argument: sk.score_experiment(questionnaire(), frame, **{a: name}),
        ):
            refused(TypeError, call, f"{argument} must be the name of a column")
    for argument in ("dimension_column", "score_column"):
        refused(
            TypeError,
            lambda a=argument: sk.scale_scores(scored_frame(["a"]), **{a: name}),
            f"{argument} must be the name of a column",
        )
    for argument in ("item_column", "text_column"):
        refused(
            TypeError,
            lambda a=argument: sk.check_items(frame, questionnaire(), **{a: name}),
            f"{argument} must be the name of a column",
        )


# ---------------------------------------------------------------------- key columns


@pytest.mark.parametrize(
    "values",
    [
        [[1], [2]],
        ["a", [1]],
        ["a", {}],
        [{1}, None],
        ["x", 1j, b"y"],
        [("a",), "b"],
        [pd.Timestamp(0), "b"],
        [1j, 2j],
        [object(), object()],
        [1, object()],
        [b"a", 1],
    ],
    ids=repr,
)
def test_keys_that_cannot_be_ordered_name_their_column_and_not_agg(values):
    frame = scored_frame(["m"] * len(values), wave=objects(values))
    message = refused((TypeError, ValueError), lambda: sk.scale_scores(frame, by="wave"), "'wave'")
    assert "agg" not in message


@pytest.mark.parametrize("type_", ["list", "large_list", "struct"])
def test_nested_arrow_keys(type_):
    pa = pytest.importorskip("pyarrow")
    value, kind = {
        "list": ([1], pa.list_(pa.int64())),
        "large_list": ([1], pa.large_list(pa.int64())),
        "struct": ({"a": 1}, pa.struct([("a", pa.int64())])),
    }[type_]
    column = pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([[value, value]], type=kind)))
    frame = scored_frame(["m"] * 2, wave=column)
    refused(TypeError, lambda: sk.scale_scores(frame, by="wave"), "'wave'")
    refused(TypeError, lambda: sk.score_answers(answers(column), questionnaire()), "'decision'")


@pytest.mark.parametrize("dtype", ["float16", "halffloat[pyarrow]"])
def test_keys_of_half_precision(dtype):
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    frame = scored_frame(["m"] * 2, wave=pd.Series(np.array([1, 2], dtype=np.float16), dtype=dtype))
    refused(TypeError, lambda: sk.scale_scores(frame, by="wave"), "'wave'")


# ---------------------------------------------------------------------- attrs


class Stubborn:
    def __deepcopy__(self, memo):
        raise RuntimeError("never copied")


COPIES_ATTRS = pytest.mark.skipif(
    pd.__version__.startswith("2.1."), reason="pandas 2.1 hands attrs on without a deep copy"
)


@COPIES_ATTRS
def test_attrs_that_cannot_be_copied():
    frame = answers([FOUR])
    frame.attrs["secret"] = Stubborn()
    refused(TypeError, lambda: sk.score_answers(frame, questionnaire()), "attrs")


def test_attrs_that_cannot_be_copied_do_not_matter_for_scale_scores():
    frame = scored_frame(["a"])
    frame.attrs["secret"] = Stubborn()
    assert table(sk.scale_scores(frame)) == [("a", "A", 1.0, 1, 0)]


@pytest.mark.parametrize("order", ["BA", 5, {"A": 1}, None, {"A"}, b"A"])
def test_a_recorded_order_that_is_no_list(order):
    frame = scored_frame(["a"])
    frame.attrs["rupsycho_dimensions"] = order
    refused(TypeError, lambda: sk.scale_scores(frame), "attrs['rupsycho_dimensions']")


@COPIES_ATTRS
def test_attrs_are_copied_once_and_not_for_every_column():
    copies = []

    class Counting:
        def __deepcopy__(self, memo):
            copies.append(self)
            return self

    frame = answers([FOUR], model_id="m", profile_id="p", valid=True)
    frame.attrs["source"] = Counting()
    scored = sk.score_answers(frame, questionnaire())
    assert len(copies) == 1
    sk.scale_scores(scored)
    sk.score_experiment(questionnaire(), frame)
    assert len(copies) == 1


def test_attrs_are_kept_and_the_input_is_left_alone():
    frame = answers([FOUR])
    frame.attrs["source"] = {"file": ["a.csv"]}
    scored = sk.score_answers(frame, questionnaire(item("A")))
    assert scored.attrs["source"] == {"file": ["a.csv"]}
    assert frame.attrs == {"source": {"file": ["a.csv"]}}
    scored.loc[0, "decision"] = "changed"
    assert frame["decision"].tolist() == [FOUR]
