"""What an audit counts, in one pass of the core over the codes of the answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey import _core
from scorekey.answers import item_ids_column
from scorekey.arguments import check_column_names, is_true
from scorekey.columns import contiguous, frame_column
from scorekey.inputs import read_decisions, read_items, read_key, read_verdicts
from scorekey.key import ScoringKey
from scorekey.scale_table import respondents
from scorekey.threads import get_num_threads

MOST_TEXTS = 2000
"""Distinct texts that are listed one by one; the rest is counted together."""

FATES = ("absent", "scored", "ignored", "clash", "unmatched", "sentinel", "missing", "invalid")
"""What can become of an answer, by the core's numbers."""

ABSENT, SCORED, IGNORED, CLASH, UNMATCHED, SENTINEL, MISSING, INVALID = range(len(FATES))


class Pairs(NamedTuple):
    """One entry for each item and distinct text that occur together.

    Attributes
    ----------
    item, text, fate, kind, score, option, first_row, rows, invalid : ndarray
        The item, the position of the text among those listed (-1: one of the others), the numbers
        of what becomes of it and of what decides that (in ``_core.KINDS``), its score, the position
        of the option that it is (-1: none), where it stands first, how many rows have it, and how
        many of these are not valid.
    """

    item: npt.NDArray[np.uint32]
    text: npt.NDArray[np.int64]
    fate: npt.NDArray[np.uint8]
    kind: npt.NDArray[np.uint8]
    score: npt.NDArray[np.float64]
    option: npt.NDArray[np.int64]
    first_row: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    invalid: npt.NDArray[np.int64]


class Styles(NamedTuple):
    """How each respondent answered, whatever the items say; see `Audit.styles`."""

    chosen: npt.NDArray[np.uint32]
    longest_run: npt.NDArray[np.uint32]
    agreement: npt.NDArray[np.float64]
    error: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Layout:
    """The columns of the answers and how they are read.

    Attributes
    ----------
    decision, item, valid : hashable
        The names of the columns.
    only_valid : bool
        Whether answers that are not valid have no score.
    """

    decision: Any
    item: Any
    valid: Any
    only_valid: bool

    def check(self) -> Layout:
        """Return the layout if its arguments can be what they are; else raise a TypeError."""
        check_column_names(
            item_column=self.item, decision_column=self.decision, valid_column=self.valid
        )
        is_true(self.only_valid, "only_valid")
        return self


class Counts:
    """The answers of a frame, counted.

    Parameters
    ----------
    frame : DataFrame
        The answers, without attrs.
    key : ScoringKey
        The key by which they are matched.
    layout : Layout
        The names of the columns.
    groups : list
        The columns that identify a respondent.
    rubric : object
        See `scorekey.answers.item_ids_column`.

    Raises
    ------
    TypeError, ValueError
        Those of `score_answers` and `scale_scores` for the columns.
    """

    def __init__(
        self, frame: pd.DataFrame, key: ScoringKey, layout: Layout, groups: list[Any], rubric: Any
    ) -> None:
        items = item_ids_column(frame, key.labels, layout.item, rubric)
        decisions = frame_column(frame, layout.decision, "decision")
        self.key = key
        self.groups = groups
        self.only_valid = bool(layout.only_valid)
        self.ids = read_items(items, key.n_items, layout.item)
        self.decisions = read_decisions(decisions, layout.decision)
        answers = _core.Answers(key._core, self.ids, self.decisions)
        self.has_verdicts = layout.valid in frame.columns
        if self.has_verdicts:
            verdicts = frame_column(frame, layout.valid, "valid")
            answers = answers.with_verdicts(*read_verdicts(verdicts, layout.valid))
        keys = [frame_column(frame, name, "group") for name in groups]
        encoded = [read_key(column, name) for column, name in zip(keys, groups, strict=True)]
        self.n_rows = len(frame)
        self.answers = answers
        self.tally = self.count(encoded)
        self.first_rows = self.tally.respondents()
        self.n_respondents = len(self.first_rows)
        values = [
            respondents(column, codes, self.first_rows)
            for column, (codes, _) in zip(keys, encoded, strict=True)
        ]
        # pandas cannot tell the values of a foreign byte order apart.
        self.values = [contiguous(v) if isinstance(v, np.ndarray) else v for v in values]
        self.encoded = encoded
        self.texts = self.tally.texts()
        self.pairs = Pairs(*self.tally.pairs())
        styles = self.tally.styles(get_num_threads())
        self.styles = Styles(*styles[:4])
        fates, repeated, conflicting = styles[4:]
        self.fates = fates.reshape(key.n_items, len(FATES)).astype(np.int64)
        self.repeated = repeated.astype(np.int64)
        self.conflicting = conflicting.astype(np.int64)

    def count(self, encoded: list[Any]) -> _core.Tally:
        """Return what the core counts if respondents are identified by these key columns."""
        return _core.tally(self.answers, encoded, MOST_TEXTS, self.only_valid, get_num_threads())

    @cached_property
    def by_scale(self) -> npt.NDArray[np.uint32]:
        """The items of each respondent and scale by fate, an array of three dimensions."""
        counts, n_scales = self.tally.by_scale()
        return counts.reshape(self.n_respondents, n_scales, len(FATES))

    def rows_of(self, *fates: int) -> int:
        """Return the number of rows whose decisions are one of these, valid or not."""
        return int(self.pairs.rows[np.isin(self.pairs.fate, fates)].sum())

    @property
    def has_reversed(self) -> bool:
        """Whether there are reverse-keyed items."""
        return any(reverse for _, reverse in self.key._specification.items)

    @property
    def valid_rows(self) -> npt.NDArray[np.int64]:
        """The rows of each pair that are not set aside because they are not valid."""
        return self.pairs.rows - self.pairs.invalid if self.only_valid else self.pairs.rows

    def option_texts(self, item: int) -> tuple[str, ...]:
        """Return the texts of an item's options."""
        options, _ = self.key._specification.items[item]
        return tuple(text for text, _, _ in self.key._specification.option_sets[options])

    def label(self, respondent: int) -> str:
        """Return what identifies a respondent, as text."""
        named = zip(self.groups, self.values, strict=True)
        return ", ".join(f"{name}={values[respondent]}" for name, values in named) or "everybody"
