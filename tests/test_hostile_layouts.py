"""Layouts that give the answer of a plain copy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from tests.material import objects, plain, table
from tests.plain_frame import DECISIONS, IDS, ITEM_SCORES, KEY, MODELS, VALID, WAVES, check, make


def test_the_plain_frame():
    check(make())


# ---------------------------------------------------------------------- layouts of frames


def twice(frame):
    """Return a frame with every row followed by one that is no part of the data."""
    return (
        frame.loc[frame.index.repeat(2)]
        .reset_index(drop=True)
        .assign(
            instruction_item_id=[i for n in IDS for i in (n, 99)],
            decision=objects(d for n in DECISIONS for d in (n, "noise")),
            model_id=objects(m for n in MODELS for m in (n, "noise")),
        )
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
    "index-of-objects": lambda f: f.set_axis(
        objects([None, 1, "a", 1, 2.5, None, (1,), True, b"x"])
    ),
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
        frame,
        key,
        decision_column=("answers", "decision"),
        item_column=("answers", "instruction_item_id"),
        valid_column=("answers", "valid"),
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


@pytest.mark.parametrize("dtype", [">i4", ">i8", ">f4", ">f8"])
def test_big_endian_ids_of_a_frame_without_respondents(dtype):
    frame = make(instruction_item_id=np.array(IDS, dtype=dtype))
    del frame["model_id"], frame["wave"]  # drop() takes from the columns, which pandas 2 refuses
    with pytest.warns(UserWarning, match="respondents"):
        result = sk.score_experiment(KEY, frame)
    # Second: 1, 0, missing, 1; First: 4, 4, missing, missing, 2
    assert table(result) == [
        ("Second", pytest.approx(2 / 3), 3, 1),
        ("First", pytest.approx(10 / 3), 3, 2),
    ]
