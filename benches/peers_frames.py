"""The frames that the peers are timed on: one shape, in several orders and kinds of text column."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

import scorekey as sk

BY = ("model_id", "profile_id", "random_seed")
TEXTS = ("model_id", "profile_id", "decision")
ORDERS = {
    "items": "item by item, as an experiment writes them",
    "respondents": "respondent by respondent",
    "shuffled": "in random order",
}
KINDS = {
    "object": "object, equal texts are one object",
    "distinct": "object, every cell an object of its own",
    "str": "pandas 3 str",
    "category": "category",
}


@dataclass(frozen=True)
class Material:
    """Answers, and what is needed to score them."""

    frame: pd.DataFrame
    specification: dict[str, Any]
    kind: str

    @cached_property
    def questionnaire(self) -> sk.Questionnaire:
        return sk.Questionnaire.from_dict(self.specification)

    @cached_property
    def scored(self) -> pd.DataFrame:
        """The frame with item scores; the names of the scales are of the frame's kind."""
        return with_kind(sk.score_answers(self.frame, self.questionnaire), ["dimension"], self.kind)

    @cached_property
    def exactly_spelled(self) -> pd.DataFrame:
        """The frame for whoever matches exactly: other spellings of an option are not valid."""
        exact = self.frame["decision"].isin(list(self.weights))
        return self.frame.assign(valid=self.frame["valid"] & exact)

    @property
    def text_frame(self) -> pd.DataFrame:
        """The frame with texts as ``str``, out of which engines make tables of their own."""
        return with_kind(self.frame, TEXTS, "str")

    @property
    def weights(self) -> dict[str, float]:
        options = self.specification["default_answer_options"].values()
        return {option["text"]: float(option["weight"]) for option in options}

    @property
    def items(self) -> pd.DataFrame:
        """For each item its scale, and ``score = offset + factor * weight``."""
        names = self.specification["attributes"]["dimension"]
        items = self.specification["instruction_items"]
        ends = min(self.weights.values()) + max(self.weights.values())
        reverse = np.array([item["reversed"] for item in items])
        return pd.DataFrame(
            {
                "instruction_item_id": np.arange(len(items)),
                "dimension": [names[item["attributes"]["dimension"]] for item in items],
                "offset": np.where(reverse, ends, 0.0),
                "factor": np.where(reverse, -1.0, 1.0),
            }
        )


def answers(rows: int, kind: str, order: str) -> Material:
    """Return ``rows`` answers: 44 items, 10 models, 5 seeds, as many personas as it takes."""
    frame, specification = _in_order(rows, order)
    return Material(with_kind(frame, TEXTS, kind), specification, kind)


def one_respondent(kind: str) -> Material:
    """Return the 44 answers of one respondent."""
    frame, specification = _big().make(44, n_models=1, n_seeds=1, objects="shared")
    return Material(with_kind(frame, TEXTS, kind), specification, kind)


def with_kind(frame: pd.DataFrame, columns: Any, kind: str) -> pd.DataFrame:
    """Return the frame with the columns as texts of a kind."""
    converted = {name: _text_column(frame[name], kind) for name in columns}
    return frame.assign(**converted)


def _text_column(column: pd.Series[Any], kind: str) -> pd.Series[Any]:
    if kind in ("str", "category"):
        return column.astype(kind)
    codes, texts = pd.factorize(column)
    how = "shared" if kind == "object" else kind
    objects: npt.NDArray[np.object_] = _big().objects_of(list(texts), codes, how)
    return pd.Series(objects, index=column.index, dtype=object)


# Making ten million rows takes longer than scoring them: all kinds share what is made.
@lru_cache(maxsize=1)
def _in_order(rows: int, order: str) -> tuple[pd.DataFrame, dict[str, Any]]:
    how = "shuffled" if order == "shuffled" else "run"
    frame, specification = _big().make(rows, objects="shared", order=how)
    if order == "respondents":
        keys = ("instruction_item_id", *reversed(BY))
        frame = frame.iloc[np.lexsort([pd.factorize(frame[key])[0] for key in keys])]
        frame = frame.reset_index(drop=True)
    return frame, specification


@lru_cache
def _big() -> ModuleType:
    """Return the module of the conformance corpus that makes large frames."""
    path = Path(__file__).parents[1] / "tests" / "conformance" / "big.py"
    found = importlib.util.spec_from_file_location("big", path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module
