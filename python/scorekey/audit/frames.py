"""The frames of an audit, made from what the core counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey import _core
from scorekey.audit.counting import (
    ABSENT,
    CLASH,
    FATES,
    IGNORED,
    INVALID,
    MISSING,
    SCORED,
    SENTINEL,
    UNMATCHED,
    Counts,
)
from scorekey.audit.reasons import Explainer, Explanation
from scorekey.names import spread, text_array

_NOTHING = Explanation(None, None)

REASONS = (INVALID, MISSING, SENTINEL, UNMATCHED, CLASH, IGNORED, ABSENT)
"""Why an item is unanswered, in the order of the frames' columns."""

OWN_COLUMNS = (
    "dimension",
    "expected",
    "answered",
    "unanswered",
    *(FATES[fate] for fate in REASONS),
    *("chosen", "longest_run", "agreement", "straight_lining", "acquiescence"),
)
"""Columns of the frames by respondent, which no group column can be called."""


def texts_frame(counts: Counts, lenient: npt.NDArray[np.bool_]) -> pd.DataFrame:
    """Return one row for each item and distinct text; see `Audit.texts`.

    Parameters
    ----------
    counts : Counts
        What was counted.
    lenient : ndarray of bool
        Which of the pairs would match with ``matching="lenient"``.
    """
    pairs = counts.pairs
    order = np.lexsort((pairs.first_row, -pairs.rows, pairs.text < 0, pairs.item))
    described = Describer(counts)
    texts = [counts.texts[text] if text >= 0 else None for text in pairs.text[order].tolist()]
    items, fates = pairs.item[order].tolist(), pairs.fate[order].tolist()
    whats, explained = [], []
    for item, fate, text in zip(items, fates, texts, strict=True):
        whats.append(described.what(item, fate, text))
        explained.append(described.why(item, fate, text))
    invalid = (pairs.invalid == pairs.rows)[order] & counts.only_valid
    return pd.DataFrame(
        {
            "item": np.array(items, dtype=np.int64),
            "text": text_array(texts),
            "listed": pairs.text[order] >= 0,
            "count": pairs.rows[order],
            "invalid": pairs.invalid[order],
            "what": text_array(list(np.where(invalid, FATES[INVALID], whats))),
            "score": np.where(invalid, np.nan, pairs.score[order]),
            "nearest": text_array([explanation.nearest for explanation in explained]),
            "reason": text_array([explanation.reason for explanation in explained]),
            "lenient": lenient[order],
        }
    )


def explained_rows(
    counts: Counts, texts: list[str | None]
) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Return the score of each of a few rows, and what its decision is or why it is no option."""
    described = Describer(counts)
    plain = _core.Answers(counts.key._core, counts.ids, counts.decisions)
    scores = plain.scores(1)
    # The core numbers outcomes like fates, but for the one that no row has.
    fates = (plain.outcomes() + 1).tolist()
    reasons = []
    for item, fate, text in zip(counts.ids.positions().tolist(), fates, texts, strict=True):
        what, why = described.what(item, fate, text), described.why(item, fate, text).reason
        reasons.append(f"{what}: {why}" if why else what)
    if counts.only_valid:
        for row in np.flatnonzero(counts.answers.outcomes() + 1 == INVALID).tolist():
            scores[row], reasons[row] = np.nan, FATES[INVALID]
    return scores, reasons


class Describer:
    """Says what texts are, each of them once for all items with the same options."""

    def __init__(self, counts: Counts) -> None:
        self._sets = counts.key._specification.option_sets
        self._set_of = [options for options, _ in counts.key._specification.items]
        self._explainers: dict[int, Explainer] = {}
        self._known: dict[tuple[int, str], Explanation] = {}

    def what(self, item: int, fate: int, text: str | None) -> str:
        """Return what a text is: the name of its fate, or how it matches the option it is."""
        if fate != SCORED or text is None:
            return FATES[fate]
        options = [option for option, _, _ in self._sets[self._set_of[item]]]
        if text in options:
            return "exact"
        folded = _core.fold(text)
        return "folded" if any(folded == _core.fold(o) for o in options) else "lenient"

    def why(self, item: int, fate: int, text: str | None) -> Explanation:
        """Return why a text is no option; nothing for one that is."""
        if fate != UNMATCHED or text is None:
            return _NOTHING
        options = self._set_of[item]
        explanation = self._known.get((options, text))
        if explanation is None:
            explanation = self._known[options, text] = self._explainer(options).explain(text)
        return explanation

    def _explainer(self, options: int) -> Explainer:
        if options not in self._explainers:
            others = {option for members in self._sets for option, _, _ in members}
            texts = [option for option, _, _ in self._sets[options]]
            self._explainers[options] = Explainer(texts, others)
        return self._explainers[options]


def items_frame(counts: Counts, questions: Sequence[str] | None) -> pd.DataFrame:
    """Return one row for each item; see `Audit.items`."""
    key = counts.key
    n_items = key.n_items
    rows = np.bincount(counts.pairs.item, weights=counts.pairs.rows, minlength=n_items)
    fates = counts.fates
    expected = fates.sum(axis=1)
    data: dict[str, Any] = {"item": np.arange(n_items)}
    if questions is not None:
        data["question"] = text_array(list(questions))
    data["dimension"] = text_array(key.labels)
    data["reversed"] = np.array([reverse for _, reverse in key._specification.items], dtype=bool)
    data |= {"expected": expected, "answered": fates[:, SCORED]}
    data["unanswered"] = expected - fates[:, SCORED]
    data |= {FATES[fate]: fates[:, fate] for fate in REASONS}
    data |= {"rows": rows[:n_items].astype(np.int64)}
    data |= {"repeated": counts.repeated, "conflicting": counts.conflicting}
    return pd.DataFrame(data)


def respondents_frame(counts: Counts) -> pd.DataFrame:
    """Return one row for each respondent and scale with items; see `Audit.respondents`."""
    fates = counts.by_scale
    names = counts.key.scale_names[: fates.shape[1]]
    used = sorted(set(counts.key._scales))
    fates = fates[:, used, :]
    respondents = np.repeat(np.arange(counts.n_respondents), len(used))
    table = fates.reshape(len(respondents), len(FATES)).astype(np.int64)
    dimension = spread(
        text_array([names[scale] for scale in used]),
        np.tile(np.arange(len(used)), counts.n_respondents),
    )
    expected = table.sum(axis=1)
    columns: list[Any] = [values.take(respondents) for values in counts.values]
    columns += [dimension, expected, table[:, SCORED], expected - table[:, SCORED]]
    columns += [table[:, fate] for fate in REASONS]
    return framed(columns, [*counts.groups, *OWN_COLUMNS[: len(columns) - len(counts.groups)]])


def framed(columns: list[Any], names: list[Any]) -> pd.DataFrame:
    """Return a frame of columns, whose names may be any."""
    frame = pd.DataFrame(dict(enumerate(columns)), copy=False)
    frame.columns = pd.Index(names, tupleize_cols=False)
    return frame
