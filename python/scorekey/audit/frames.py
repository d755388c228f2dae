"""The frames of an audit, made from what the core counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

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
from scorekey.columns import as_column
from scorekey.inputs import read_decisions, read_items
from scorekey.key import ScoringKey
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
    texts = [counts.texts[text] if text >= 0 else None for text in pairs.text[order].tolist()]
    items, kinds = pairs.item[order].tolist(), pairs.kind[order].tolist()
    reasons = Reasons(counts.key)
    explained = [reasons.of(*pair) for pair in zip(items, kinds, texts, strict=True)]
    whats = [_core.KINDS[kind] for kind in kinds]
    invalid = (pairs.invalid == pairs.rows)[order] & counts.only_valid
    return pd.DataFrame(
        {
            "item": np.array(items, dtype=np.int64),
            "text": _text_column(texts),
            "listed": pairs.text[order] >= 0,
            "count": pairs.rows[order],
            "invalid": pairs.invalid[order],
            "what": _text_column(np.where(invalid, FATES[INVALID], whats).tolist()),
            "score": np.where(invalid, np.nan, pairs.score[order]),
            "nearest": _text_column([explanation.nearest for explanation in explained]),
            "reason": _text_column([explanation.reason for explanation in explained]),
            "lenient": lenient[order],
        }
    )


def _text_column(texts: list[str | None]) -> pd.Series[Any]:
    array: Any = text_array(texts)
    # As objects, what pandas could not store as text stays as it is.
    column: pd.Series[Any] = pd.Series(array, dtype=array.dtype)
    return column


class TextCount(NamedTuple):
    """A text that is no option, over all items on which it is none for the same reason."""

    text: str
    reason: str
    nearest: str | None
    lenient: bool
    answers: int
    items: int


def by_text(texts: pd.DataFrame) -> list[TextCount]:
    """Return the listed texts of some rows of `Audit.texts`, the most frequent first."""
    known: dict[tuple[Any, ...], list[int]] = {}
    listed = texts[texts["listed"]]
    # One by one, the values of a column of Arrow's text would take ten times as long.
    columns = [
        listed[name].astype(object).where(listed[name].notna(), None).tolist()
        for name in ("text", "reason", "nearest", "lenient", "count")
    ]
    for *explained, count in zip(*columns, strict=True):
        pair = known.setdefault(tuple(explained), [0, 0])
        pair[0] += count
        pair[1] += 1
    found = [TextCount(*key, *pair) for key, pair in known.items()]
    return sorted(found, key=lambda text: -text.answers)


def explained_rows(
    counts: Counts, texts: list[str | None]
) -> tuple[npt.NDArray[np.float64], list[str]]:
    """Return the score of each of a few rows, and what its decision is or why it is no option."""
    items = counts.ids.positions().tolist()
    codes = counts.decisions.take(np.arange(len(items)))
    kinds, _, scores = counts.answers.decide(items, codes.tolist())
    reasons = Reasons(counts.key)
    found = []
    for item, kind, text in zip(items, kinds.tolist(), texts, strict=True):
        why = reasons.of(item, kind, text).reason
        found.append(f"{_core.KINDS[kind]}: {why}" if why else _core.KINDS[kind])
    if counts.only_valid:
        for row in np.flatnonzero(np.isnan(counts.answers.scores(1)) & ~np.isnan(scores)).tolist():
            scores[row], found[row] = np.nan, FATES[INVALID]
    return scores, found


def lenient_matches(counts: Counts) -> npt.NDArray[np.bool_]:
    """Return which pairs are no option, but would be one in lenient matching."""
    pairs, key = counts.pairs, counts.key
    places = np.flatnonzero((pairs.fate == UNMATCHED) & (pairs.text >= 0))
    matches = np.zeros(len(pairs.item), dtype=np.bool_)
    if not len(places):
        return matches
    lenient = ScoringKey(key, "lenient")
    texts = as_column([counts.texts[text] for text in pairs.text[places].tolist()], "texts")
    ids = read_items(pairs.item[places], key.n_items, "items")
    outcomes = _core.Answers(lenient._core, ids, read_decisions(texts, "texts")).outcomes()
    # The core's outcomes are numbered like fates, but for the one that no row has.
    matches[places] = np.isin(outcomes + 1, (SCORED, IGNORED))
    return matches


class Reasons:
    """Why texts are no options, each of them found once for all items with the same options."""

    def __init__(self, key: ScoringKey) -> None:
        self._sets = key._specification.option_sets
        self._set_of = [options for options, _ in key._specification.items]
        self._explainers: dict[int, Explainer] = {}
        self._known: dict[tuple[int, str], Explanation] = {}

    def of(self, item: int, kind: int, text: str | None) -> Explanation:
        """Return why a text is no option; nothing for one that is, or that is not known."""
        if text is None or _core.KINDS[kind] != "unmatched":
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
        data["question"] = _text_column(list(questions))
    data["dimension"] = _text_column(list(key.labels))
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
