"""Layouts and types that give the answer of a plain copy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import (
    AGREEMENT, PANDAS, answers, item, objects, options, plain, questionnaire, scored_frame, table,
)

KEY = questionnaire(
    item("1"), item("1", reverse=True), item("2", options(("1", 1), ("2", 2), ("3", 4))),
    item("2", options(("True", 0), ("False", 1))),
    dimensions={"2": "Second", "1": "First"},
)
_, TWO, _, FOUR, _ = AGREEMENT
DECISIONS = [FOUR, TWO, "1", "True", "not present", None, "3", "False", f" {FOUR.upper()}"]
IDS = [0, 1, 2, 3, 0, 1, 2, 3, 1]
MODELS = ["b", "b", "a", "a", None, "b", "a", "b", "a"]
WAVES = [2, 2, 1, 1, 1, 2, 1, 2, 2]
VALID = [True, True, True, None, True, True, False, True, True]
ITEM_SCORES = [4, 4, 1, 0, None, None, None, 1, 2]
SCALES = ["First", "First", "Second", "Second", "First", "First", "Second", "Second", "First"]
SCALE_SCORES = [
    # a, wave 1: items 2 (1), 3 (0), 2 (invalid); a, wave 2: item 1 (2)
    ("a", 1, "Second", 0.5, 2, 1),
    ("a", 2, "First", 2.0, 1, 0),
    ("b", 2, "Second", 1.0, 1, 0),
    ("b", 2, "First", 4.0, 2, 1),
    (None, 1, "First", None, 0, 1),
]


def make(**changed) -> pd.DataFrame:
    columns = {
        "instruction_item_id": pd.Series(IDS),
        "decision": objects(DECISIONS),
        "model_id": objects(MODELS),
        "wave": pd.Series(WAVES),
        "valid": objects(VALID),
    }
    return pd.DataFrame({**columns, **changed})


def check(frame: pd.DataFrame) -> None:
    scored = sk.score_answers(frame, KEY)
    assert plain(scored["score"]) == ITEM_SCORES
    assert plain(scored["dimension"]) == SCALES
    assert scored.index.equals(frame.index)
    by = ["model_id", "wave"]
    assert table(sk.scale_scores(scored, by=by)) == SCALE_SCORES
    assert table(sk.score_experiment(KEY, frame, by=by)) == SCALE_SCORES


def test_the_plain_frame():
    check(make())


# ---------------------------------------------------------------------- layouts of frames


def twice(frame):
    """Return a frame with every row followed by one that is no part of the data."""
    return frame.loc[frame.index.repeat(2)].reset_index(drop=True).assign(
        instruction_item_id=[i for n in IDS for i in (n, 99)],
        decision=objects(d for n in DECISIONS for d in (n, "noise")),
        model_id=objects(m for n in MODELS for m in (n, "noise")),
    )


LAYOUTS = {
    "copy": lambda f: f.copy(),
    "strided": lambda f: twice(f).iloc[::2],
    "reversed": lambda f: f.iloc[::-1].reset_index(drop=True).iloc[::-1],
    "sliced": lambda f: pd.concat([f, f, f]).iloc[len(f) : 2 * len(f)],
    "masked": lambda f: twice(f)[twice(f)["instruction_item_id"].to_numpy() != 99],
    "duplicated-labels": lambda f: f.set_axis([7] * len(f)),
    "labels-of-text": lambda f: f.set_axis(list("zyxwvutsr")),
    "dates-as-labels": lambda f: f.set_axis(pd.date_range("2020", periods=len(f))),
    "multi-index": lambda f: f.set_index(
        pd.MultiIndex.from_arrays([["x"] * len(f), range(len(f))], names=["a", None])
    ),
    "index-of-objects": lambda f: f.set_axis(objects([None, 1, "a", 1, 2.5, None, (1,), True, b"x"])),
    "columns-in-another-order": lambda f: f[f.columns[::-1]],
    "more-columns": lambda f: f.assign(note=objects([[1], {}, None] * 3)),
    "category-columns": lambda f: f.set_axis(pd.CategoricalIndex(f.columns), axis=1),
    "named-columns": lambda f: f.rename_axis(columns="names"),
    "consolidated": lambda f: pd.concat([f[[c]] for c in f], axis=1),
    "subclass": lambda f: type("Mine", (pd.DataFrame,), {})(f),
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_layout(layout):
    check(layout(make()))


def test_columns_on_two_levels_are_named_by_their_tuples():
    frame = make()
    frame.columns = pd.MultiIndex.from_product([["answers"], frame.columns])
    key = sk.Questionnaire.from_dict(KEY)
    result = sk.score_answers(
        frame, key, decision_column=("answers", "decision"),
        item_column=("answers", "instruction_item_id"), valid_column=("answers", "valid"),
    )
    assert plain(result["score"].squeeze()) == ITEM_SCORES


# ---------------------------------------------------------------------- arrays of numbers


def misaligned(array):
    raw = np.zeros(array.nbytes + 1, dtype=np.uint8)
    view = raw[1:].view(array.dtype)
    view[:] = array
    assert not view.flags.aligned
    return view


def read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


ARRAYS = {
    "read-only": read_only,
    "misaligned": misaligned,
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "strided": lambda a: np.repeat(a, 3)[::3],
    "reversed": lambda a: a[::-1].copy()[::-1],
    "column-of-a-matrix": lambda a: np.stack([a, a + 1], axis=1)[:, 0],
    "broadcast": lambda a: np.broadcast_to(a, (2, len(a)))[1],
}


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
@pytest.mark.parametrize("dtype", ["int64", "int32", "uint16", "float64", "float32"])
def test_array(array, dtype):
    ids, waves = (array(np.array(values, dtype=dtype)) for values in (IDS, WAVES))
    check(make(instruction_item_id=ids, wave=waves))
    key = sk.ScoringKey(KEY)
    points = key.score(ids, DECISIONS, VALID)
    assert plain(points) == ITEM_SCORES
    filled = np.nan_to_num(points)
    grouped = key.aggregate(array(filled.astype(dtype)), ids, waves)
    assert plain(grouped.score) == pytest.approx([1 / 3, 0.0, 1.0, 2.5])
    assert plain(grouped.respondent) == [1, 1, 2, 2]
    assert plain(grouped.n_items) == [3, 1, 1, 4]


# ---------------------------------------------------------------------- types of columns

NUMBERS = [
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
    "Int8", "Int64", "UInt32", "Float32", "Float64", "object", "category", "Sparse[int64]",
    "int8[pyarrow]", "int64[pyarrow]", "uint64[pyarrow]", "float[pyarrow]", "double[pyarrow]",
]
TEXTS = ["object", "str", "string", "string[python]", "string[pyarrow]", "category",
         "large_string[pyarrow]", "Sparse[object]"]


def column(values, dtype):
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    if dtype == "large_string[pyarrow]":
        import pyarrow as pa

        return pd.Series(pd.array(values, dtype=pd.ArrowDtype(pa.large_string())))
    if dtype == "str" and PANDAS < 3:
        dtype = "object"
    if dtype.startswith("Sparse"):
        return pd.Series(pd.arrays.SparseArray(values, dtype=dtype))
    return pd.Series(values, dtype=dtype)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_item_ids_and_keys_of_type(dtype):
    check(make(instruction_item_id=column(IDS, dtype), wave=column(WAVES, dtype)))


@pytest.mark.parametrize("dtype", TEXTS)
def test_decisions_and_keys_of_type(dtype):
    check(make(decision=column(DECISIONS, dtype), model_id=column(MODELS, dtype)))
    check(make(instruction_item_id=column([str(i) for i in IDS], dtype)))


@pytest.mark.parametrize("dtype", ["object", "boolean", "category", "bool[pyarrow]"])
def test_verdicts_of_type(dtype):
    check(make(valid=column(VALID, dtype)))


@pytest.mark.parametrize("dtype", TEXTS)
def test_verdicts_as_text_of_type(dtype):
    words = [None if verdict is None else str(verdict) for verdict in VALID]
    check(make(valid=column(words, dtype)))


@pytest.mark.parametrize(
    "dtype", ["float64", "Float64", "object", "category", "double[pyarrow]", "Sparse[float64]"]
)
def test_scores_of_type(dtype):
    frame = pd.DataFrame({
        "instruction_item_id": IDS, "model_id": objects(MODELS), "wave": WAVES, "dimension": SCALES,
        "score": column([np.nan if s is None else float(s) for s in ITEM_SCORES], dtype),
    })
    result = sk.scale_scores(frame, by=["model_id", "wave"], dimensions=["Second"])
    assert table(result) == SCALE_SCORES


@pytest.mark.parametrize("dtype", TEXTS)
def test_scales_of_type(dtype):
    frame = scored_frame(["a"] * 5, dimension=column(["B", "A", None, "B", " "], dtype))
    assert table(sk.scale_scores(frame)) == [
        ("a", "B", 4.0, 2, 0), ("a", "A", 3.0, 1, 0), ("a", "total", 7.0, 2, 0)]


@pytest.mark.parametrize("ordered", [False, True])
def test_categories_ordered_unused_and_missing(ordered):
    kind = pd.CategoricalDtype([*AGREEMENT, "True", "unused", "3", "False", "1", "not present",
                                f" {FOUR.upper()}"], ordered=ordered)
    models = pd.CategoricalDtype(["unused", "a", "b"], ordered=ordered)
    check(make(decision=pd.Series(DECISIONS, dtype=kind), model_id=pd.Series(MODELS, dtype=models)))


def test_category_keys_are_sorted_as_their_categories():
    keys = pd.Series(["a", "b", None, "c"], dtype=pd.CategoricalDtype(["c", "x", "a", "b"]))
    result = sk.scale_scores(scored_frame(keys))
    assert plain(result["model_id"]) == ["c", "a", "b", None]
    assert result["model_id"].dtype == keys.dtype


@pytest.mark.parametrize("mixed", [["1", 2, "3"], [1, 2.0, "3"], ["1", 2.0, 3]])
def test_categories_of_mixed_types(mixed):
    key = questionnaire(default=options("1", "2", "3"))
    frame = answers(pd.Series(pd.Categorical.from_codes([2, 1, 0, -1], pd.Index(mixed, dtype=object))))
    assert plain(sk.score_answers(frame, key)["score"]) == [3, 2, 1, None]


# ---------------------------------------------------------------------- keys keep their type


@pytest.mark.parametrize(
    "dtype",
    ["int8", "uint64", "float32", "bool", "Int64", "boolean", "string", "category",
     "datetime64[ns]", "timedelta64[ns]", "datetime64[ns, UTC]", "period[D]",
     "int64[pyarrow]", "string[pyarrow]", "date32[pyarrow]", "timestamp[us][pyarrow]"],
)
def test_keys_keep_their_type(dtype):
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    values = pd.Series([1, 0, 1])
    if dtype.startswith("date32"):
        values = pd.Series(pd.to_datetime(["2020-01-02", "2020-01-01", "2020-01-02"]).date)
    elif dtype == "datetime64[ns, UTC]":
        values = pd.Series(pd.to_datetime(values, utc=True))
        dtype = values.dtype
    elif dtype == "period[D]":
        values = pd.Series(pd.period_range("2020-01-01", periods=2, freq="D")[[1, 0, 1]])
    elif dtype in ("string", "string[pyarrow]"):
        values = values.astype(str)
    keys = values.astype(dtype)
    result = sk.scale_scores(scored_frame(keys))
    assert result["model_id"].dtype == keys.dtype
    assert result["model_id"].tolist() == sorted(set(keys.tolist()))
    assert result["score"].tolist() == [3.0, 3.0]
    assert result["n_items"].tolist() == [1, 2]


@pytest.mark.parametrize("dtype", ["Int64", "float64", "string", "category", "boolean",
                                   "datetime64[ns]", "timedelta64[ns]", "double[pyarrow]"])
def test_missing_keys_are_one_group_at_the_end(dtype):
    keys = column([1, None, 1, None] if dtype != "string" else ["1", None, "1", None], "object")
    result = sk.scale_scores(scored_frame(column(keys.tolist(), dtype)))
    assert result["n_items"].tolist() == [2, 2]
    assert result["model_id"].isna().tolist() == [False, True]
    assert result["score"].tolist() == [3.0, 5.0]
