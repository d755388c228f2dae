"""Types of columns that give the answer of a plain copy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import (
    AGREEMENT,
    PANDAS,
    answers,
    item,
    objects,
    options,
    plain,
    questionnaire,
    scored_frame,
    table,
)
from tests.plain_frame import (
    DECISIONS,
    IDS,
    ITEM_SCORES,
    MODELS,
    SCALE_SCORES,
    SCALES,
    VALID,
    WAVES,
    check,
    make,
)

FOUR = AGREEMENT[3]

# ---------------------------------------------------------------------- types of columns

NUMBERS = [
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "Int8",
    "Int64",
    "UInt32",
    "Float32",
    "Float64",
    "object",
    "category",
    "Sparse[int64]",
    "int8[pyarrow]",
    "int64[pyarrow]",
    "uint64[pyarrow]",
    "float[pyarrow]",
    "double[pyarrow]",
]
TEXTS = [
    "object",
    "str",
    "string",
    "string[python]",
    "string[pyarrow]",
    "category",
    "large_string[pyarrow]",
    "Sparse[object]",
]


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
    frame = pd.DataFrame(
        {
            "instruction_item_id": IDS,
            "model_id": objects(MODELS),
            "wave": WAVES,
            "dimension": SCALES,
            "score": column([np.nan if s is None else float(s) for s in ITEM_SCORES], dtype),
        }
    )
    result = sk.scale_scores(frame, by=["model_id", "wave"], dimensions=["Second"])
    assert table(result) == SCALE_SCORES


@pytest.mark.parametrize("dtype", TEXTS)
def test_scales_of_type(dtype):
    frame = scored_frame(["a"] * 5, dimension=column(["B", "A", None, "B", " "], dtype))
    assert table(sk.scale_scores(frame)) == [
        ("a", "B", 4.0, 2, 0),
        ("a", "A", 3.0, 1, 0),
        ("a", "total", 7.0, 2, 0),
    ]


@pytest.mark.parametrize("ordered", [False, True])
def test_categories_ordered_unused_and_missing(ordered):
    kind = pd.CategoricalDtype(
        [*AGREEMENT, "True", "unused", "3", "False", "1", "not present", f" {FOUR.upper()}"],
        ordered=ordered,
    )
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
    frame = answers(
        pd.Series(pd.Categorical.from_codes([2, 1, 0, -1], pd.Index(mixed, dtype=object)))
    )
    assert plain(sk.score_answers(frame, key)["score"]) == [3, 2, 1, None]


# ---------------------------------------------------------------------- keys keep their type


@pytest.mark.parametrize(
    "dtype",
    [
        "int8",
        "uint64",
        "float32",
        "bool",
        "Int64",
        "boolean",
        "string",
        "category",
        "datetime64[ns]",
        "timedelta64[ns]",
        "datetime64[ns, UTC]",
        "period[D]",
        "int64[pyarrow]",
        "string[pyarrow]",
        "date32[pyarrow]",
        "timestamp[us][pyarrow]",
    ],
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


@pytest.mark.parametrize(
    "dtype",
    [
        "Int64",
        "float64",
        "string",
        "category",
        "boolean",
        "datetime64[ns]",
        "timedelta64[ns]",
        "double[pyarrow]",
    ],
)
def test_missing_keys_are_one_group_at_the_end(dtype):
    keys = column([1, None, 1, None] if dtype != "string" else ["1", None, "1", None], "object")
    result = sk.scale_scores(scored_frame(column(keys.tolist(), dtype)))
    assert result["n_items"].tolist() == [2, 2]
    assert result["model_id"].isna().tolist() == [False, True]
    assert result["score"].tolist() == [3.0, 5.0]


@pytest.mark.parametrize("dtype", ["int16", "int64", "uint32", "Int64", "int32[pyarrow]"])
@pytest.mark.parametrize("least", [-700, 3, 30_000])
def test_many_whole_numbers_that_lie_close_together(dtype, least):
    # Rows enough that numbers are counted instead of sought; two thirds of them never occur.
    if dtype == "uint32" and least < 0:
        least = 0
    rows = 70_000
    position = np.arange(rows)
    wave = least + position * 7 % 500 * 3
    frame = pd.DataFrame(
        {
            "wave": pd.array(wave, dtype="int64").astype(dtype),
            "instruction_item_id": position % 2,
            "decision": 1 + position // 500 % 4,
            "dimension": "A",
            "score": (position // 500 % 4).astype(float),
        }
    )
    if dtype == "Int64":
        frame.loc[frame.index % 9 == 4, "wave"] = pd.NA
    found = sk.scale_scores(frame, by="wave")
    expected = frame.groupby("wave", dropna=False, as_index=False)["score"].mean()
    assert found["wave"].dtype == frame["wave"].dtype
    assert found["wave"].isna().sum() == (dtype == "Int64")
    # pandas has its missing key last too.
    pd.testing.assert_series_equal(found["wave"], expected["wave"])
    np.testing.assert_allclose(found["score"], expected["score"], rtol=1e-14)
    # As answers, the same numbers: 1 to 4 of five options, and one that is none.
    four = questionnaire(item(), item(), default=options(*"1245"))
    scores = sk.score_answers(frame.drop(columns=["score", "dimension"]), four)["score"]
    worth = {1: 1.0, 2: 2.0, 3: np.nan, 4: 3.0}
    np.testing.assert_array_equal(scores, [worth[n] for n in frame["decision"]])
