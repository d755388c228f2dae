"""`reverse_code`: low + high - x, in whatever the numbers are kept."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import scorekey as sk

from .material import plain, refused

DTYPES = ("int64", "int8", "uint8", "float32", "float64", "Int64", "UInt8", "Float64", "object")


def test_the_published_values():
    assert sk.reverse_code([5, 4, 7, 3], 1, 7).tolist() == [3, 4, 1, 5]
    assert sk.reverse_code([1, 3, 4], 0, 4).tolist() == [3, 1, 0]


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_type_of_number(dtype):
    column = pd.Series([1, 2, 5], dtype=dtype, index=["a", "b", "c"], name="q")
    before = column.copy()
    found = sk.reverse_code(column, 1, 5)
    assert plain(found) == [5, 4, 1]
    assert found.index.tolist() == ["a", "b", "c"]
    assert found.name == "q"
    pd.testing.assert_series_equal(column, before)
    found = sk.reverse_code(column, 2, 5, out_of_range="nan")
    assert plain(found) == [None, 5, 2]


def test_whole_numbers_stay_whole():
    for dtype, expected in [("int8", "int64"), ("Int8", "Int64"), ("UInt16", "Int64")]:
        column = pd.Series([1, 100], dtype=dtype)
        assert str(sk.reverse_code(column, 1, 100).dtype) == expected
        assert plain(sk.reverse_code(column, 0.5, 100)) == [99.5, 0.5]
    assert sk.reverse_code(pd.Series([1], dtype="float32"), 1, 5).dtype == "float32"
    assert sk.reverse_code(pd.Series([1, 2]), 1, 5, out_of_range="nan").dtype == "float64"


def test_arrow():
    pytest.importorskip("pyarrow")
    column = pd.Series([1, None, 9], dtype="int8[pyarrow]")
    found = sk.reverse_code(column, 1, 200)
    assert plain(found) == [200, None, 192]
    assert str(found.dtype) == "int64[pyarrow]"
    found = sk.reverse_code(column, 1, 5, out_of_range="nan")
    assert plain(found) == [5, None, None]
    refused(ValueError, lambda: sk.reverse_code(column, 1, 5), "row 2", "9")


def test_missing_answers_stay_missing():
    assert plain(sk.reverse_code([1.0, math.nan], 1, 5)) == [5, None]
    assert plain(sk.reverse_code(pd.Series([1, None], dtype="Int64"), 1, 5)) == [5, None]
    objects = pd.Series([1, None, pd.NA, math.nan, 2.5], dtype=object)
    assert plain(sk.reverse_code(objects, 1, 5)) == [5, None, None, None, 3.5]
    for value in (None, math.nan, pd.NA):
        assert sk.reverse_code(value, 1, 5) is value


def test_scalars():
    assert sk.reverse_code(5, 1, 7) == 3
    assert isinstance(sk.reverse_code(5, 1, 7), int)
    assert sk.reverse_code(np.int64(0), 0, 4) == 4
    assert sk.reverse_code(2.5, 1, 5) == 3.5
    assert math.isnan(sk.reverse_code(9, 1, 7, out_of_range="nan"))


def test_arrays_keep_their_shape():
    array = np.array([[1, 2], [3, 4]], dtype="int8")
    assert sk.reverse_code(array, 1, 127).tolist() == [[127, 126], [125, 124]]
    assert array.tolist() == [[1, 2], [3, 4]]
    extended = pd.array([1, None], dtype="Int64")
    found = sk.reverse_code(extended, 1, 5)
    assert (type(found), plain(found)) == (type(extended), [5, None])
    assert sk.reverse_code((), 1, 5).tolist() == []


def test_an_index_a_range_and_an_array_of_no_dimension():
    index = sk.reverse_code(pd.Index([1, 5], name="q"), 1, 5)
    assert isinstance(index, pd.Index)
    assert (index.tolist(), index.name) == ([5, 1], "q")
    assert sk.reverse_code(range(1, 4), 1, 7).tolist() == [7, 6, 5]
    scalar = sk.reverse_code(np.array(3), 1, 7)
    assert scalar == 5
    assert not isinstance(scalar, np.ndarray)
    refused(ValueError, lambda: sk.reverse_code(pd.Index([1, 9]), 1, 7), "position 1", "9")


def test_arguments_have_names_and_the_last_one_needs_it():
    assert sk.reverse_code(x=[2], low=1, high=5).tolist() == [4]
    with pytest.raises(TypeError, match="positional"):
        sk.reverse_code([2], 1, 5, "nan")


def test_frames_keep_their_labels():
    frame = pd.DataFrame([[1, 2.0], [5, None]], index=["x", "y"], columns=["a", "a"])
    found = sk.reverse_code(frame, 1, 5)
    assert found.columns.tolist() == ["a", "a"]
    assert found.index.tolist() == ["x", "y"]
    assert [plain(found.iloc[:, place]) for place in (0, 1)] == [[5, 1], [4, None]]
    assert sk.reverse_code(pd.DataFrame(index=[3, 4]), 1, 5).shape == (2, 0)


@pytest.mark.parametrize(
    ("x", "facts"),
    [
        ([1, 9], ("position 1", "9", "from 1 to 7")),
        (np.array([[1, 2], [3, 0]]), ("position (1, 1)", "0")),
        (pd.Series([1.0, 7.5], index=["p", "q"]), ("row 'q'", "7.5")),
        (pd.DataFrame({"a": [1], "b": [8]}), ("column 'b'", "row 0", "8")),
        (pd.Series([None, 8], dtype="Int64"), ("row 1", "8")),
        ([math.inf], ("inf",)),
        (9, ("the value", "9")),
    ],
)
def test_an_answer_out_of_range_is_named(x, facts):
    refused(ValueError, lambda: sk.reverse_code(x, 1, 7), *facts)


@pytest.mark.parametrize(
    ("x", "fact"),
    [
        ("5", "numbers"),
        (True, "bool"),
        ([True, False], "bool"),
        (["a"], "numbers"),
        (pd.Series([1, "5"], dtype=object, index=["x", "y"]), "row 'y' holds '5'"),
        (pd.Series([1, True], dtype=object), "row 1 holds True"),
        (pd.Series([1]).astype("category"), "categories"),
        (pd.Series(pd.to_datetime(["2026-01-01"])), "datetime"),
        (pd.DataFrame({"a": ["x"]}), "column 'a'"),
    ],
)
def test_what_is_no_number(x, fact):
    refused(TypeError, lambda: sk.reverse_code(x, 1, 7), fact)


@pytest.mark.parametrize(
    ("bounds", "kind", "fact"),
    [
        (("1", 7), TypeError, "low"),
        ((1, None), TypeError, "high"),
        ((False, 7), TypeError, "low"),
        ((1, math.nan), ValueError, "high"),
        ((-math.inf, 1), ValueError, "low"),
        ((7, 1), ValueError, "below"),
        ((1, 1), ValueError, "below"),
    ],
)
def test_bounds(bounds, kind, fact):
    refused(kind, lambda: sk.reverse_code([1], *bounds), fact)


def test_what_to_do_out_of_range():
    refused(ValueError, lambda: sk.reverse_code([1], 1, 5, out_of_range="clip"), "'clip'")
