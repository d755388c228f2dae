"""All of the compiled core beside NumPy alone, for valgrind: ``core_alone.py LIBRARY``.

Sound input and hostile input go through every function; a wrong answer ends the script with an
AssertionError. The library is loaded by its path, so that neither pandas nor the package is there.
"""

from __future__ import annotations

import gc
import importlib.machinery
import importlib.util
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np


def load(path: str) -> Any:
    """Load the extension without its package, but for the exception that it looks for there."""
    errors: Any = types.ModuleType("scorekey.errors")
    errors.InternalError = type("InternalError", (RuntimeError,), {})
    package: Any = types.ModuleType("scorekey")
    package.errors = errors
    sys.modules |= {"scorekey": package, "scorekey.errors": errors}
    loader = importlib.machinery.ExtensionFileLoader("scorekey._core", path)
    spec = importlib.util.spec_from_loader("scorekey._core", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


class Odd:
    """An object that is no text and no number."""


def refused(call: Callable[[], object], kind: type[BaseException] = ValueError) -> None:
    """Check that a call raises this error."""
    try:
        call()
    except kind:
        return
    raise AssertionError(f"{call} was not refused")


def objects(values: list[Any]) -> Any:
    """Return the values as an array of objects."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def columns(core: Any) -> None:
    """Encode columns of every kind."""
    odd = Odd()
    mixed = objects(["a", "ä", "\ud800", None, 1, 2**40, 10**30, 1.5, float("nan"), True, odd, odd])
    codes = core.encode_objects(mixed)
    assert (codes.n_values, len(codes)) == (9, 12), codes.values()
    assert codes.values()[:3] == ["a", "ä", "\ud800"]
    assert [value for _, value in codes.others()] == [10**30, odd]
    assert codes.count([1, 2]) == 2
    replaced = codes.replace_others(["x", None])
    assert replaced.values()[-1] is None
    assert replaced.has_texts
    assert not replaced.has_only_texts
    assert codes.take(np.array([0, 3], dtype=np.int64)).tolist() == [1, 0]
    refused(lambda: codes.take(np.array([99], dtype=np.int64)), IndexError)
    refused(lambda: codes.take(np.array([-1], dtype=np.int64)), IndexError)
    refused(lambda: codes.recode([0, 1]))
    long = core.encode_objects(objects([f"text {i % 5000}" for i in range(20_000)] + [None]))
    assert len(long.appearances(missing=True)) == 5001
    strided = core.encode_objects(mixed[::-2])
    assert len(strided) == 6
    for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "?"):
        array = np.array([1, 0, 1], dtype=kind)
        assert core.encode_numbers(array, 1).count([1]) >= 1
        core.encode_numbers(array, 1, np.array([True, False, False]))
        refused(lambda array=array: core.encode_numbers(array, 1, np.array([True])))
    core.encode_numbers(np.array([-(2**63), 5]), 1, None, -(2**63))
    refused(lambda: core.encode_numbers(np.array([1j]), 1), TypeError)
    refused(lambda: core.encode_numbers(np.ones((2, 2)), 1), TypeError)
    categories = core.encode_objects(objects(["a", "b", None]))
    for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4"):
        found = core.encode_indices(np.array([1, 0, 2], dtype=kind), categories)
        assert found.take(np.arange(3)).tolist() == [2, 1, 0]
        refused(lambda kind=kind: core.encode_indices(np.array([3], dtype=kind), categories))
    core.encode_indices(np.array([-1, 0], dtype="i1"), categories, np.array([False, True]))


def texts(core: Any) -> None:
    """Encode Arrow's buffers, sound and hostile ones."""
    letters = np.frombuffer(b"abcdefgh", dtype=np.uint8)
    nothing = np.zeros(0, dtype=np.uint8)
    for width in (np.int32, np.int64):
        sound = np.array([0, 1, 2, 8], dtype=width)
        bits = np.array([0b1011_0000], dtype=np.uint8)
        codes = core.encode_texts([(sound, letters, bits, 4), (sound[:1], nothing, None, 0)], 2)
        assert codes.values() == ["a", "b"], codes.values()
        for hostile in ([0, 9], [3, 2], [-1, 2], [0, 2**31 - 1], [-(2**31), 1]):
            offsets = np.array(hostile, dtype=width)
            refused(lambda offsets=offsets: core.encode_texts([(offsets, letters, None, 0)], 1))
        refused(
            lambda sound=sound, bits=bits: core.encode_texts([(sound, letters, bits, 10**9)], 1)
        )
        refused(lambda sound=sound: core.encode_texts([(sound, letters, nothing, 0)], 1))
    assert len(core.encode_texts([], 1)) == 0
    many = np.arange(200_001, dtype=np.int64)
    column = np.frombuffer(b"abcdefghij" * 20_000, dtype=np.uint8)
    assert core.encode_texts([(many, column, None, 0)], 4).n_values == 10
    offsets, spread = core.spread_texts(["a", "", "ä" * 40], np.array([2, 0, 1], dtype=np.uint32))
    assert offsets.tolist() == [0, 80, 81, 81]
    assert spread.tobytes().decode() == "ä" * 40 + "a"
    refused(lambda: core.spread_texts(["a"], np.array([1], dtype=np.uint32)))
    assert core.fold(" Straße\u3000\ud800 X") == "strasse \ud800 x"


def scores(core: Any) -> None:
    """Compile a key, score answers and aggregate them."""
    sets = [[("Yes", 1.0, False), ("No", 5.0, False), ("Skip", 99.0, True), ("Yes", 2.0, False)]]
    key = core.Key(sets, [(0, False, 0, None), (0, True, 1, None)])
    lenient = core.Key(sets, [(0, True, 0, (1.0, 5.0))], True)
    assert (lenient.look_alikes(0), lenient.range(0)) == ([], (1.0, 5.0))
    assert key.has_clashes
    assert key.clashes(0) == ["Yes"]
    assert key.range(1) == (1.0, 5.0)
    refused(lambda: core.Key(sets, [(9, False, 0, None)]))
    refused(lambda: core.Key([[("a", float("inf"), False)]], []))
    rows = 150_000
    ids = core.item_ids(np.arange(rows, dtype=np.int64) % 2, 2, 2)
    assert core.item_ids(np.array([5.5]), 2, 2) is None
    assert len(ids) == rows
    assert ids.present(2) == [0, 1]
    words = ["no", "Yes", "skip", "maybe", None, "not present"]
    decisions = core.encode_objects(objects([words[row % 6] for row in range(rows)]))
    answers = core.Answers(key, ids, decisions)
    refused(lambda: core.Answers(key, ids, core.encode_objects(objects(["a"]))))
    assert answers.unmatched() is None
    points = answers.scores(2)
    assert points[:1].tolist() == [5.0]
    assert np.isnan(points[1:6]).all()
    assert len(answers.outcomes()) == rows
    verdicts = core.encode_numbers(np.arange(rows) % 3, 2)
    judged = answers.with_verdicts(verdicts, [False, True, False, False])
    assert np.isnan(judged.scores(1)[0])
    refused(lambda: answers.with_verdicts(verdicts, [False]))
    people = core.encode_numbers(np.arange(rows) // 6, 2)
    scale_of = np.asarray(points)
    dimension = core.encode_numbers(np.arange(rows, dtype=np.int64) % 2, 2)
    for source in (judged, (dimension, [2, 0, 1], scale_of)):
        for name in ("mean", "sum", "min", "max", "count", "median", "std", "first"):
            for total in (False, True):
                core.aggregate(source, [(people, None)], 3, total, name, 2)
        core.gather(source, [(people, None), (dimension, [2, 0, 1])], 3, True, 2)
    refused(lambda: core.aggregate(judged, [(people, None)], 3, True, "no such thing", 1))
    short = core.encode_numbers(np.arange(3), 2)
    refused(lambda: core.aggregate(judged, [(short, None)], 3, True, "mean", 1))
    refused(lambda: core.panic_on_purpose(), RuntimeError)


def respondents(core: Any) -> None:
    """Audit answers, make matrices, and lay wide columns one above the other."""
    rows = 3000
    sets = [[("No", 1.0, False), ("Yes", 2.0, False)]]
    key = core.Key(sets, [(0, item % 2 == 1, item % 3, None) for item in range(6)])
    ids = core.item_ids(np.arange(rows) % 6, 6, 2)
    words = ["No", "yes", "maybe", None]
    decisions = core.encode_objects(objects([words[row * 7 % 4] for row in range(rows)]))
    answers = core.Answers(key, ids, decisions)
    people = [(core.encode_numbers(np.arange(rows) // 5, 2), None)]
    tally = core.tally(answers, people, 2, True, 2)
    n_people = len(tally.respondents())
    assert n_people == rows // 5
    assert tally.texts()
    assert len(tally.pairs()) == 9
    assert len(tally.styles(1)) == 7
    tally.by_scale()
    tally.answered(np.zeros(n_people, dtype=np.uint32), 1)
    refused(lambda: tally.answered(np.ones(n_people, dtype=np.uint32), 1), IndexError)
    refused(lambda: tally.answered(np.zeros(1, dtype=np.uint32), 1), IndexError)
    assert len(core.places(ids, decisions, 6)) > 6
    assert core.nearest("Yess", ["No", "Yes"], 0.5)[0] == 1
    assert core.nearest("\u3042", ["No"], 0.5) is None
    assert core.lenient_form("1. YES!")
    assert core.bare_form("**yes**") == "yes"
    points = answers.scores(1)
    for policy in ("first", "last"):
        first_rows, matrix, _ = core.item_matrix(ids, points, people, 6, policy, 2)
        assert len(matrix) == len(first_rows) * 6
    refused(lambda: core.item_matrix(ids, points[:5], people, 6, "first", 1))
    refused(lambda: core.item_matrix(ids, points, people, 6, "no such thing", 1))
    column = core.encode_objects(objects(["No", None, "Yes"]))
    stacked = core.stack_columns([(0, column, [0, 1, 2]), (5, column, [0, 1, 2])], 3, 6, 2)
    assert [len(part) for part in stacked] == [6, 6, 6]
    refused(lambda: core.stack_columns([(0, column, [0, 1, 2])], 4, 6, 2))


def replies(core: Any) -> None:
    """Read replies."""
    levels = [(float(n), float(n), f"{n}: level {n}", f"level {n}") for n in range(5, 0, -1)]
    cells = ["Score: 4", '{"score": 3}', "<think>2", None, 4, 2.5, True, "\ud800", Odd(), 10**30]
    for others in (None, ["clarity"]):
        reader = core.ReplyReader(levels, ["accuracy"], others, "score", ["评分"])
        (points, reasons, _), odd = reader.read_cells(cells * 200, 3)
        assert odd[:2] == [8, 9]
        assert len(reasons) == 2000
        assert points[4] == 4.0
        assert (points[0] == 4.0) == (others is None)
        letters = np.frombuffer("Score: 4评分：3".encode(), dtype=np.uint8)
        offsets = np.array([0, 8, 18], dtype=np.int32)
        reader.read_texts([(offsets, letters, None, 0)], 1)
        bad = np.array([0, 99], dtype=np.int64)
        bad_column = [(bad, letters, None, 0)]
        refused(lambda reader=reader, column=bad_column: reader.read_texts(column, 1))


if __name__ == "__main__":
    loaded = load(sys.argv[1])
    for part in (columns, texts, scores, respondents, replies):
        part(loaded)
        gc.collect()
        print(f"{part.__name__}: done", flush=True)
