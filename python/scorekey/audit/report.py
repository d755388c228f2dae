"""The audit of a results file: what was counted, what was found, and the forms to read it in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from scorekey.audit.check_respondents import acquiescence, straight_lining
from scorekey.audit.counting import (
    CLASH,
    MISSING,
    SCORED,
    SENTINEL,
    UNMATCHED,
    Counts,
    Layout,
)
from scorekey.audit.finding import Finding
from scorekey.audit.frames import explained_rows, framed, respondents_frame
from scorekey.columns import frame_column
from scorekey.messages import shown
from scorekey.names import text_array
from scorekey.values import decision_text

__all__ = ["Audit"]


@dataclass(frozen=True)
class Source:
    """What was audited: the answers, how they are read, and the name of the questionnaire."""

    frame: pd.DataFrame
    layout: Layout
    answer_column: Any
    rubric: Any
    questionnaire: str


class Audit:
    """How far the scores of a results file can be trusted; made by `audit_answers`.

    Attributes
    ----------
    findings : list of Finding
        What a person should look at, the most important first.
    texts : DataFrame
        One row for each ``item`` and distinct ``text``: its ``count``, how many of these rows are
        ``invalid``, ``what`` it is (exact, folded, lenient, ignored option, clash, unmatched,
        sentinel, missing; invalid if all its rows are), its ``score``, the ``nearest`` option of a
        text that is none and the ``reason`` why it is none, and whether it would match with
        ``matching="lenient"`` (``lenient``). The 2,000 most frequent texts are listed; the others
        are one row for each item and ``what``, in which ``listed`` is False.
    items : DataFrame
        One row for each item: ``expected`` answers (one of each respondent), ``answered`` ones
        (with a score), and the ``unanswered`` ones by reason: ``invalid``, ``missing`` (no
        decision), ``sentinel`` (the judge found no option), ``unmatched``, ``clash``, ``ignored``
        (an option that is no point on the scale) and ``absent`` (no row). Then the ``rows``, and
        the respondents who answered more than once (``repeated``) and differently
        (``conflicting``). Of several answers, the first with a score counts here.
    respondents : DataFrame
        The same counts for each respondent and scale.
    styles : DataFrame
        How each respondent answers: on how many items an option was ``chosen``, the
        ``longest_run`` of one option in the order of the items, the ``agreement`` with ordinary and
        reverse-keyed items of the same scales (0.5 for answers by content, 1 for agreement with
        all), and whether that is called ``straight_lining`` and ``acquiescence`` (1 agrees, -1
        disagrees, 0 neither).
    quality : dict of str to float
        The shares of rows that are ``invalid``, of those ``without_option`` (the decision is not
        the text of just one option), and ``without_score``; NaN without rows.
    by : list
        The columns that identify a respondent.
    matching : str
        How decisions were matched.
    n_rows, n_respondents : int
        How many there are.

    Examples
    --------
    >>> import pandas as pd, scorekey as sk
    >>> options = {"n": {"text": "No", "weight": 0}, "y": {"text": "Yes", "weight": 1}}
    >>> questionnaire = sk.Questionnaire.from_dict({
    ...     "name": "One item",
    ...     "general_instruction": "Answer.",
    ...     "default_answer_options": options,
    ...     "instruction_items": [{"question": "Sure?"}],
    ... })
    >>> answers = pd.DataFrame(
    ...     {"model_id": ["a", "b"], "instruction_item_id": [0, 0], "decision": ["Yes", "well"]}
    ... )
    >>> audit = sk.audit_answers(answers, questionnaire)
    >>> audit.texts[["text", "count", "what"]].values.tolist()
    [['Yes', 1, 'exact'], ['well', 1, 'unmatched']]
    >>> audit.quality["without_option"]
    0.5
    """

    def __init__(
        self,
        counts: Counts,
        source: Source,
        texts: pd.DataFrame,
        items: pd.DataFrame,
        findings: Sequence[Finding],
    ) -> None:
        self._counts = counts
        self._source = source
        self.texts = texts
        self.items = items
        self.findings = list(findings)
        self.matching = counts.key.matching
        self.by = counts.groups
        self.n_rows = counts.n_rows
        self.n_respondents = counts.n_respondents

    @cached_property
    def respondents(self) -> pd.DataFrame:
        """See `Audit`; made when it is first asked for."""
        return respondents_frame(self._counts)

    @cached_property
    def styles(self) -> pd.DataFrame:
        """See `Audit`; made when it is first asked for."""
        styles = self._counts.styles
        columns = {
            "chosen": styles.chosen.astype(np.int64),
            "longest_run": styles.longest_run.astype(np.int64),
            "agreement": styles.agreement,
            "straight_lining": straight_lining(self._counts),
            "acquiescence": acquiescence(styles),
        }
        return framed([*self._counts.values, *columns.values()], [*self.by, *columns])

    @property
    def quality(self) -> dict[str, float]:
        """See `Audit`."""
        counts = self._counts
        scored = int(counts.valid_rows[counts.pairs.fate == SCORED].sum())
        parts = {
            "invalid": int(counts.pairs.invalid.sum()),
            "without_option": counts.rows_of(CLASH, UNMATCHED, SENTINEL, MISSING),
            "without_score": counts.n_rows - scored,
        }
        rows = counts.n_rows or np.nan
        return {name: float(part / rows) for name, part in parts.items()}

    @property
    def questionnaire(self) -> str:
        """The name of the questionnaire; empty for a `ScoringKey`, which has none."""
        return self._source.questionnaire

    def sample(self, n: int = 20, random_state: int | None = 0) -> pd.DataFrame:
        """Draw answers to be read by a person.

        Parameters
        ----------
        n : int, default 20
            How many, at most as many as there are.
        random_state : int or None, default 0
            The same number draws the same rows; None draws others at every call.

        Returns
        -------
        DataFrame
            The rows in the order of the file, with their labels: item, answer (if there is such a
            column), decision, score, and the reason: what the decision is, and of a text that is no
            option why it is none.

        Raises
        ------
        ValueError
            If `n` is negative.

        Examples
        --------
        >>> import pandas as pd, scorekey as sk
        >>> options = {"n": {"text": "No", "weight": 0}, "y": {"text": "Yes", "weight": 1}}
        >>> questionnaire = sk.Questionnaire.from_dict({
        ...     "name": "One item",
        ...     "general_instruction": "Answer.",
        ...     "default_answer_options": options,
        ...     "instruction_items": [{"question": "Sure?"}],
        ... })
        >>> answers = pd.DataFrame(
        ...     {"model_id": ["a", "b"], "instruction_item_id": [0, 0], "decision": ["Yes", "well"]}
        ... )
        >>> audit = sk.audit_answers(answers, questionnaire)
        >>> audit.sample(2)[["decision", "reason"]].values.tolist()
        [['Yes', 'exact'], ['well', 'unmatched: other']]
        """
        if n < 0:
            raise ValueError(f"n must not be negative, got {shown(n)}")
        draw = np.random.default_rng(random_state)
        size = min(n, self.n_rows)
        rows = np.sort(draw.choice(max(self.n_rows, 1), size, replace=False))
        source = self._source
        part = source.frame.iloc[rows].reset_index(drop=True)
        counts = Counts(part, self._counts.key, source.layout, [], source.rubric)
        decisions = frame_column(part, source.layout.decision, "decision")
        scores, reasons = explained_rows(counts, [decision_text(value) for value in decisions])
        columns: dict[str, Any] = {"item": counts.ids.positions().astype(np.int64)}
        if source.answer_column in part.columns:
            columns["answer"] = frame_column(part, source.answer_column, "answer")
        columns |= {"decision": decisions, "score": scores, "reason": text_array(reasons)}
        sample = pd.DataFrame(columns)
        sample.index = source.frame.index[rows]
        return sample

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data: see `to_json`.

        Examples
        --------
        >>> import pandas as pd, scorekey as sk
        >>> options = {"n": {"text": "No", "weight": 0}, "y": {"text": "Yes", "weight": 1}}
        >>> questionnaire = sk.Questionnaire.from_dict({
        ...     "name": "One item",
        ...     "general_instruction": "Answer.",
        ...     "default_answer_options": options,
        ...     "instruction_items": [{"question": "Sure?"}],
        ... })
        >>> answers = pd.DataFrame(
        ...     {"model_id": ["a", "b"], "instruction_item_id": [0, 0], "decision": ["Yes", "well"]}
        ... )
        >>> audit = sk.audit_answers(answers, questionnaire)
        >>> audit.to_dict()["rows"]
        2
        """
        from scorekey.audit.plain import plain

        return plain(self)

    def to_json(self) -> str:
        """Return the audit as JSON.

        Returns
        -------
        str
            An object with ``rows``, ``respondents``, ``by``, ``matching``, ``questionnaire``,
            ``fingerprint``, ``quality``, ``findings``, ``items``, ``scales`` (the counts of all
            respondents together), ``texts`` and ``least_answered`` (the respondents and scales with
            the most unanswered items). Lists of more than 2,000 entries are cut, and
            ``left_out`` says how many are missing. NaN and missing texts are null.

        Examples
        --------
        >>> import pandas as pd, scorekey as sk
        >>> options = {"n": {"text": "No", "weight": 0}, "y": {"text": "Yes", "weight": 1}}
        >>> questionnaire = sk.Questionnaire.from_dict({
        ...     "name": "One item",
        ...     "general_instruction": "Answer.",
        ...     "default_answer_options": options,
        ...     "instruction_items": [{"question": "Sure?"}],
        ... })
        >>> answers = pd.DataFrame(
        ...     {"model_id": ["a", "b"], "instruction_item_id": [0, 0], "decision": ["Yes", "well"]}
        ... )
        >>> audit = sk.audit_answers(answers, questionnaire)
        >>> import json
        >>> json.loads(audit.to_json())["questionnaire"]
        'One item'
        """
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=1)

    def to_html(self) -> str:
        """Return the audit as one HTML page that needs nothing else.

        Returns
        -------
        str
            A whole page without scripts, fonts or images from elsewhere, for screens of any width
            and for paper. All texts of the data are escaped.

        Examples
        --------
        >>> import pandas as pd, scorekey as sk
        >>> options = {"n": {"text": "No", "weight": 0}, "y": {"text": "Yes", "weight": 1}}
        >>> questionnaire = sk.Questionnaire.from_dict({
        ...     "name": "One item",
        ...     "general_instruction": "Answer.",
        ...     "default_answer_options": options,
        ...     "instruction_items": [{"question": "Sure?"}],
        ... })
        >>> answers = pd.DataFrame(
        ...     {"model_id": ["a", "b"], "instruction_item_id": [0, 0], "decision": ["Yes", "well"]}
        ... )
        >>> audit = sk.audit_answers(answers, questionnaire)
        >>> audit.to_html().splitlines()[0]
        '<!DOCTYPE html>'
        """
        from scorekey.audit.page import page

        return page(self)

    def _repr_html_(self) -> str:
        from scorekey.audit.page import excerpt

        return excerpt(self)

    def __str__(self) -> str:
        from scorekey.audit.text import text

        return text(self)

    def __repr__(self) -> str:
        return (
            f"<Audit of {self.n_rows} rows of {self.n_respondents} respondents: "
            f"{len(self.findings)} findings>"
        )
