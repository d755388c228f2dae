"""Random cases: those of the corpus' own generator, made odder by some mutations each."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pandas as pd

from tests.conformance import fuzz

Case = dict[str, Any]
MUTATIONS: list[tuple[float, Callable[[Case, Random], None]]] = []
FUNCTIONS = tuple(fuzz.run.CALLABLES)
HAS_STR = int(pd.__version__.partition(".")[0]) >= 3


def mutation(share: float) -> Callable[[Callable[[Case, Random], None]], Any]:
    """Let the function change this share of the cases."""

    def register(function: Callable[[Case, Random], None]) -> Any:
        MUTATIONS.append((share, function))
        return function

    return register


def generate(seed: int) -> Case:
    """Return the case of a seed, in the format of the corpus."""
    rng = Random(f"differential {seed}")
    case = fuzz.generate(seed)
    case["id"] = f"differential-{seed}"
    for share, change in MUTATIONS:
        if rng.random() < share:
            change(case, rng)
    return json.loads(json.dumps(case))  # type: ignore[no-any-return]


def column(case: Case, name: str) -> dict[str, Any] | None:
    return next((c for c in case["frame"]["columns"] if c["name"] == name), None)


def n_rows(case: Case) -> int:
    return len(case["frame"]["columns"][0]["values"])


def option_sets(questionnaire: Any) -> list[dict[str, Any]]:
    """Return all sets of options of a questionnaire that are not empty."""
    if questionnaire is None:
        return []
    parts = [questionnaire, *questionnaire["instruction_items"]]
    sets = [part.get(n) for part in parts for n in ("default_answer_options", "answer_options")]
    return [options for options in sets if options]


def put(case: Case, name: str, value: Any, rng: Random) -> None:
    """Put a value into a column of objects, at a random row."""
    found = column(case, name)
    if found is not None and found["dtype"] == "object" and found["values"]:
        found["values"][rng.randrange(n_rows(case))] = value


# ---------------------------------------------------------------------- sizes and layouts


@mutation(0.1)
def repeat(case: Case, rng: Random) -> None:
    times = rng.choice([2, 3, 20])
    for found in case["frame"]["columns"]:
        found["values"] = found["values"] * times
    case["frame"].pop("index", None)


@mutation(0.03)
def empty(case: Case, rng: Random) -> None:
    for found in case["frame"]["columns"]:
        found["values"] = []
    case["frame"].pop("index", None)


@mutation(0.1)
def attributes(case: Case, rng: Random) -> None:
    case["frame"].setdefault("attrs", {})["source"] = {"file": ["a.csv"], "n": 3}


@mutation(0.05)
def unused_columns_of_one_name(case: Case, rng: Random) -> None:
    note = {"name": "note", "dtype": "object", "values": ["x"] * n_rows(case)}
    case["frame"]["columns"] += [note, note]


@mutation(0.02)
def used_columns_of_one_name(case: Case, rng: Random) -> None:
    case["frame"]["columns"].append(rng.choice(case["frame"]["columns"]))


@mutation(0.05)
def labels(case: Case, rng: Random) -> None:
    n = n_rows(case)
    values = rng.choice([[7] * n, list(range(n, 0, -1)), [f"row {i}" for i in range(n)]])
    case["frame"]["index"] = {"values": values, "name": rng.choice([None, "row"])}


# ---------------------------------------------------------------------- types of columns

TEXT_TYPES = ["string[pyarrow]", "large_string[pyarrow]", "category", *["str"] * HAS_STR]
NUMBER_TYPES = {
    "int64": ["int64[pyarrow]", "int16", "int8", ">i4", "Int16", "float32", "Float64", "object"],
    "Int64": ["int64[pyarrow]", "Int8", "Float32", "Float64"],
    "float64": ["float32", ">f8", "double[pyarrow]", "Float32", "object"],
    "Float64": ["double[pyarrow]", "Float32"],
    "bool": ["bool[pyarrow]", "int8", "float64", "object"],
    "boolean": ["bool[pyarrow]", "Int8"],
}


@mutation(0.4)
def types(case: Case, rng: Random) -> None:
    for found in case["frame"]["columns"]:
        values = found["values"]
        if found["dtype"] in ("object", "string") and rng.random() < 0.5:
            if values and all(v is None or isinstance(v, str) for v in values) and any(values):
                found["dtype"] = rng.choice(TEXT_TYPES)
        elif found["dtype"] in NUMBER_TYPES and rng.random() < 0.5:
            wanted = rng.choice(NUMBER_TYPES[found["dtype"]])
            found["dtype"] = wanted
            if wanted.lower().startswith(("int", "float", "double", "bool")) and "[" in wanted:
                found["values"] = [None if isinstance(v, dict) else v for v in values]


# ---------------------------------------------------------------------- values


@mutation(0.08)
def truth_values(case: Case, rng: Random) -> None:
    for options in option_sets(case["questionnaire"]):
        for text in ("True", "False"):
            if rng.random() < 0.5:
                options[rng.choice(list(options))]["text"] = text
    for _ in range(3):
        put(case, "decision", rng.choice([True, False, 1, 0]), rng)


@mutation(0.08)
def values_alike(case: Case, rng: Random) -> None:
    alike = [
        {"$": kind, "v": value}
        for value in ("0", "1", "4")
        for kind in ("Decimal", "Fraction", "bytes")
    ]
    alike += [{"$": "tuple", "v": [4]}, {"$": "complex", "v": [4.0, 0.0]}, 4, 1, 0, 4.0, False]
    for name in ("decision", "valid"):
        for _ in range(2):
            put(case, name, rng.choice(alike), rng)


@mutation(0.08)
def beyond_a_character(case: Case, rng: Random) -> None:
    """Let texts differ only behind a NUL, or in a lone surrogate."""
    tail = rng.choice(["\0", "\0x", "\ud800", "\udc00y"])
    for options in option_sets(case["questionnaire"]):
        if rng.random() < 0.5:
            option = rng.choice(list(options.values()))
            case_of = rng.choice([str, str.upper])
            put(case, "decision", case_of(option["text"] + tail), rng)
            if rng.random() < 0.5:
                option["text"] += tail
    for name in ("decision", "dimension", "model_id", "profile_id"):
        found = column(case, name)
        if found is not None and found["dtype"] == "object":
            texts = [v for v in found["values"] if isinstance(v, str)]
            if texts:
                put(case, name, rng.choice(texts) + tail, rng)


@mutation(0.05)
def missing_names(case: Case, rng: Random) -> None:
    missing = [{"$": "nan"}, {"$": "NA"}, {"$": "NaT"}]
    questionnaire = case["questionnaire"]
    if questionnaire is not None:
        item = rng.choice(questionnaire["instruction_items"])
        item["attributes"] = {"dimension": rng.choice(missing)}
        declared = (questionnaire.get("attributes") or {}).get("dimension")
        if declared and rng.random() < 0.5:
            declared[rng.choice(list(declared))] = rng.choice(missing)
    put(case, "dimension", rng.choice(missing), rng)


@mutation(0.05)
def halves(case: Case, rng: Random) -> None:
    if case["call"] == "score_answers":
        for options in option_sets(case["questionnaire"]):
            for option in options.values():
                option["weight"] = option["weight"] / 2


@mutation(0.03)
def bad_ids(case: Case, rng: Random) -> None:
    found = column(case, "instruction_item_id")
    if found is not None and n_rows(case):
        value = rng.choice(
            [
                True,
                {"$": "bytes", "v": "0"},
                {"$": "complex", "v": [0.0, 0.0]},
                {"$": "Timestamp", "v": "1970-01-01"},
                {"$": "np.timedelta64", "v": [0, "ns"]},
            ]
        )
        values = [value] * n_rows(case)
        found.clear()
        found.update(name="instruction_item_id", dtype="object", values=values)


@mutation(0.02)
def bad_scores(case: Case, rng: Random) -> None:
    found = column(case, "score") if case["call"] == "scale_scores" else None
    if found is not None and n_rows(case):
        found["dtype"] = rng.choice(["datetime64[ns]", "timedelta64[ns]", "complex128"])
        found["values"] = [1] * n_rows(case)


# ---------------------------------------------------------------------- arguments


def aggregates(case: Case) -> bool:
    return case["call"] != "score_answers"


@mutation(0.12)
def functions(case: Case, rng: Random) -> None:
    if aggregates(case):
        case["kwargs"]["agg"] = rng.choice(
            [
                *({"$": "callable", "v": name} for name in FUNCTIONS),
                "size",
                "quantile",
                "skew",
                "any",
                "all",
                "idxmax",
                "cumsum",
                "unique",
                "nosuch",
            ]
        )


@mutation(0.03)
def bad_arguments(case: Case, rng: Random) -> None:
    choices: list[tuple[str, Any]] = []
    if case["call"] != "scale_scores":
        choices.append(("only_valid", rng.choice(["False", "", "yes"])))
    if aggregates(case):
        choices += [
            ("by", {"$": "bytes", "v": "model_id"}),
            ("by", rng.choice(["n_items", "n_missing"])),
        ]
    if case["call"] == "scale_scores":
        choices.append(("dimensions", rng.choice(["BA", "A", ""])))
    name, value = rng.choice(choices)
    case["kwargs"][name] = value
    if value in ("n_items", "n_missing"):
        key = {"name": value, "dtype": "int64", "values": [1] * n_rows(case)}
        case["frame"]["columns"].append(key)


@mutation(0.05)
def names_of_dimensions(case: Case, rng: Random) -> None:
    if case["call"] == "scale_scores":
        pool = ["A", " B ", "b ", 10, 9.0, "9", 1.0, "total", None, {"$": "nan"}, " "]
        case["kwargs"]["dimensions"] = rng.sample(pool, rng.randint(1, 6))


@mutation(0.04)
def a_respondent_in_the_index(case: Case, rng: Random) -> None:
    if aggregates(case):
        names = [c for c in case["frame"]["columns"] if c["name"] == "model_id"]
        if names and n_rows(case):
            case["frame"]["columns"].remove(names[0])
            values = [f"m{rng.randint(0, 2)}" for _ in range(n_rows(case))]
            case["frame"]["index"] = {"values": values, "name": "model_id"}


@mutation(0.02)
def bad_keys(case: Case, rng: Random) -> None:
    if aggregates(case) and n_rows(case):
        value = rng.choice(
            [{"$": "list", "v": [1]}, {"$": "dict", "v": []}, {"$": "set", "v": [1]}]
        )
        case["frame"]["columns"].append(
            {"name": "odd", "dtype": "object", "values": [value] * n_rows(case)}
        )
        case["kwargs"]["by"] = ["odd"]
