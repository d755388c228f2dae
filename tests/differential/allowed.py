"""Where scorekey differs from rupsycho on purpose, and what is right there.

Each difference is a rewriting of the case: rupsycho's answer to the rewritten case is the right
answer to the case as it was. Where no rewriting can give it, `expected_error` says which error is
due. The names of the differences are the numbers of the list "Decided" in the corpus' notes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tests.conformance import fuzz
from tests.differential.mutations import Case, column, n_rows, option_sets

CALLABLES = fuzz.run.CALLABLES
ALIKE = ("Decimal", "Fraction", "bytes", "complex")
COLLECTIONS = ("list", "dict", "set")
NAMES = [
    "mean",
    "sum",
    "min",
    "max",
    "median",
    "std",
    "var",
    "sem",
    "prod",
    "first",
    "last",
    "count",
    "size",
    "nunique",
    "skew",
    "quantile",
    "kurt",
]
RESULTS = ("score", "dimension")
NATIVE = {">i4": "int32", ">f8": "float64"}
STAND_INS = {"\0": "\x01", "\ud800": "\ue000", "\udc00": "\uf000"}  # noqa: F601
"""For characters that rupsycho compares wrongly: others that the cases do not use, in order."""


class Difference(NamedTuple):
    """A rewriting of cases, and the way back for the result."""

    name: str
    rewrite: Callable[[Case], None]
    restore: Callable[[Any, Case], Any] = lambda outcome, case: outcome


def tag(value: Any) -> str | None:
    return value.get("$") if isinstance(value, dict) else None


def is_missing(value: Any) -> bool:
    return value is None or tag(value) in ("nan", "NA", "NaT")


# ---------------------------------------------------------------------- rewritings


def truth_values_as_text(case: Case) -> None:
    name = case["kwargs"].get("decision_column", "decision")
    found = column(case, name)
    if found is None or case["questionnaire"] is None:
        return
    if any(isinstance(value, bool) for value in found["values"]):
        found["dtype"] = "object"
        found["values"] = [str(v) if isinstance(v, bool) else v for v in found["values"]]


def values_alike(case: Case) -> None:
    """Let what is equal to a number, but none, be a tuple, which means nothing anywhere."""
    for name in ("decision", "valid"):
        found = column(case, name)
        if found is not None:
            found["values"] = [
                {"$": "tuple", "v": ["other"]} if tag(v) in ALIKE else v for v in found["values"]
            ]
            if name == "valid" and found["dtype"] == "object":
                found["values"] = [
                    v if not isinstance(v, bool) else str(v) for v in found["values"]
                ]


def names_that_are_missing(case: Case) -> None:
    questionnaire = case["questionnaire"]
    if questionnaire is None:
        return
    for item in questionnaire["instruction_items"]:
        attributes = item.get("attributes") or {}
        if is_missing(attributes.get("dimension")):
            attributes["dimension"] = None
    declared = (questionnaire.get("attributes") or {}).get("dimension") or {}
    for key, name in declared.items():
        declared[key] = None if is_missing(name) else name


def double_weights(case: Case) -> None:
    if case["call"] == "score_answers" and has_halves(case):
        for options in option_sets(case["questionnaire"]):
            for option in options.values():
                option["weight"] = int(option["weight"] * 2)


def has_halves(case: Case) -> bool:
    weights = [o["weight"] for s in option_sets(case["questionnaire"]) for o in s.values()]
    return any(isinstance(weight, float) and weight % 1 for weight in weights)


def existing_scores(case: Case) -> None:
    agg = case["kwargs"].get("agg")
    if agg == "size":
        case["kwargs"]["agg"] = "count"
    elif tag(agg) == "callable":
        case["kwargs"]["agg"] = {"$": "callable", "v": f"existing {agg['v']}"}


def on_existing(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return the function as it should be called: with the scores that exist, if there are any."""

    def call(series: Any) -> Any:
        scores = series.dropna().astype("float64").rename("score")
        return function(scores) if len(scores) else math.nan

    return call


CALLABLES.update({f"existing {name}": on_existing(f) for name, f in list(CALLABLES.items())})


def identifiers_in_dimensions(case: Case) -> None:
    names = case["kwargs"].get("dimensions")
    if isinstance(names, list):
        case["kwargs"]["dimensions"] = [n for n in map(identifier, names) if n]


def identifier(value: Any) -> str:
    if is_missing(value):
        return ""
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return str(value).strip()


def stand_ins(case: Case) -> None:
    replaced = replace_all(json.dumps(case), STAND_INS)
    case.clear()
    case.update(json.loads(replaced))


def characters_back(outcome: Any, case: Case) -> Any:
    back = {stand_in: char for char, stand_in in STAND_INS.items()}
    return json.loads(replace_all(json.dumps(outcome), back))


def replace_all(text: str, characters: dict[str, str]) -> str:
    for old, new in characters.items():
        text = text.replace(json.dumps(old)[1:-1], json.dumps(new)[1:-1])
    return text


def halve_scores(outcome: Any, case: Case) -> Any:
    for found in outcome.get("columns", ()):
        if found["name"] == "score":
            found["values"] = [v / 2 if isinstance(v, float) else v for v in found["values"]]
    return outcome


def native_order(case: Case) -> None:
    for found in case["frame"]["columns"]:
        found["dtype"] = NATIVE.get(found["dtype"], found["dtype"])


def own_order(outcome: Any, case: Case) -> Any:
    """Give key columns the type that they have in the frame, where pandas may have changed it."""
    frame = fuzz.run.build_frame(case["frame"], fuzz.run.DEFAULT_ATTRS_KEY)
    types = {name: str(dtype) for name, dtype in zip(frame.columns, frame.dtypes, strict=True)}
    for found in outcome.get("columns", ()):
        if types.get(found["name"], "").startswith(">") and found["name"] not in RESULTS:
            found["dtype"] = types[found["name"]]
    return outcome


DIFFERENCES = [
    Difference("big-endian keys", native_order, own_order),
    Difference("1 truth values", truth_values_as_text),
    Difference("3 decimal weights", double_weights, halve_scores),
    Difference("5 names in dimensions", identifiers_in_dimensions),
    Difference("6 values alike", values_alike),
    Difference("7 NUL and surrogates", stand_ins, characters_back),
    Difference("8 missing names", names_that_are_missing),
    Difference("9 existing scores", existing_scores),
]


# ---------------------------------------------------------------------- errors that are due


def expected_errors(case: Case) -> Iterator[tuple[str, str, str]]:
    """Give the difference, the type and a fact of each error that only scorekey raises."""
    kwargs = case["kwargs"]
    for name, kind in (("only_valid", str), ("dimensions", str)):
        if isinstance(kwargs.get(name), kind):
            yield "5 texts as arguments", "TypeError", name
    if tag(kwargs.get("by")) == "bytes":
        yield "5 texts as arguments", "TypeError", "by"
    if kwargs.get("by") in ("n_items", "n_missing"):
        yield "11 clashing names", "ValueError", kwargs["by"]
    ids = column(case, "instruction_item_id")
    if ids is not None and case["questionnaire"] is not None:
        kinds = ("bytes", "complex", "Timestamp", "np.timedelta64")
        if any(isinstance(v, bool) or tag(v) in kinds for v in ids["values"]):
            yield "4 item ids", "ValueError", "instruction_item_id"
    points = column(case, "score") if case["call"] == "scale_scores" else None
    if points is not None and points.get("dtype", "").startswith(("date", "time", "complex")):
        yield "scores that are no numbers", "ValueError", "score"
    agg = kwargs.get("agg")
    if isinstance(agg, str) and agg not in NAMES:
        yield "10 names of aggregates", "ValueError", "agg"
    if tag(agg) == "callable" and agg["v"] in ("true", "none", "text", "list", "series", "str"):
        yield "10 results of functions", "ValueError", "agg"
    odd = column(case, "odd")
    if odd is not None and any(tag(v) in COLLECTIONS for v in odd["values"]):
        yield "11 keys", "(Type|Value)Error", "odd"


# ---------------------------------------------------------------------- the added warning


def merges_respondents(case: Case) -> bool:
    """Return whether the warning is due that answers of several respondents are merged."""
    by = case["kwargs"].get("by", list(fuzz.run.API["DEFAULT_GROUPS"]))
    by = [by] if isinstance(by, str) else by
    if case["call"] == "score_answers" or not isinstance(by, list) or not by:
        return False
    present = [found["name"] for found in case["frame"]["columns"]]
    if any(name in present or name not in fuzz.run.API["DEFAULT_GROUPS"] for name in by):
        return False
    if (case["frame"].get("index") or {}).get("name") in by:
        return True
    ids = column(case, "instruction_item_id")
    if ids is None or not n_rows(case):
        return False
    spelled = [json.dumps(value) for value in ids["values"]]
    return len(set(spelled)) < len(spelled)
