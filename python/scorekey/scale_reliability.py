"""How far the items of a scale measure the same: alpha, omega, and what each item does to them."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from scorekey.answers import DIMENSIONS_ATTR
from scorekey.arguments import read_column_names
from scorekey.columns import checked_frame, frame_column, index_levels
from scorekey.grouping import DEFAULT_GROUPS, group_names
from scorekey.key import key_of
from scorekey.matrix import read_matrix
from scorekey.messages import shown
from scorekey.reliability_report import Report
from scorekey.specification import TOTAL_SCALE

__all__ = ["Reliability", "reliability"]

_POLICIES = ("pairwise", "listwise")


class Reliability(NamedTuple):
    """What `reliability` found.

    Attributes
    ----------
    scales : DataFrame
        One row for each scale (within each group): ``dimension``, ``k`` (items), ``n``
        (respondents), ``alpha``, ``alpha_low``, ``alpha_high``, ``omega_total`` and
        ``mean_inter_item_r``.
    items : DataFrame
        One row for each item of each scale: ``dimension``, ``item`` (its position), ``reversed``,
        ``n`` (answers), ``mean``, ``sd`` (n - 1), ``item_total_r`` (its correlation with the sum of
        the others) and ``alpha_if_dropped``.

    Examples
    --------
    >>> import scorekey as sk
    >>> sk.Reliability._fields  # the examples of `reliability` have both
    ('scales', 'items')
    """

    scales: pd.DataFrame
    items: pd.DataFrame


def reliability(
    scored: pd.DataFrame,
    *,
    by: str | Sequence[str] = DEFAULT_GROUPS,
    within: str | Sequence[str] | None = None,
    nan_policy: str = "pairwise",
    confidence: float | None = 0.95,
    item_column: str = "instruction_item_id",
    score_column: str = "score",
    duplicates: str = "error",
    impute: str | None = None,
    questionnaire: Any = None,
) -> Reliability:
    """Estimate the reliability of every scale from item scores.

    Parameters
    ----------
    scored : DataFrame of item scores
        As `score_answers` returns it, reverse-keyed items flipped. It is not modified.
    by : str or sequence of str, default ("model_id", "profile_id", "random_seed")
        The columns that identify a respondent; see `scale_scores`.
    within : str or sequence of str, optional
        Columns of groups to look at one by one, such as ``"model_id"``: alpha over the respondents
        of several models mixes populations. They need not be in `by`.
    nan_policy : {"pairwise", "listwise"}, default "pairwise"
        Whether a covariance is taken over all who answered both items, or over those who answered
        all items of the scale.
    confidence : float or None, default 0.95
        The confidence of alpha's interval (Feldt 1965); None for no interval.
    item_column, score_column : str, default "instruction_item_id" and "score"
        Columns with the position of the item in the questionnaire, and with the item scores.
    duplicates, impute, questionnaire
        See `item_matrix`.

    Returns
    -------
    Reliability
        Two frames, `scales` and `items`, scales in the questionnaire's order. Items without a scale
        are left out, unless no item has any: then all are the scale ``total``.

    Raises
    ------
    TypeError, ValueError
        See `item_matrix`. ValueError too if a column of `within` is missing, `nan_policy` is
        unknown, or `confidence` is not between 0 and 1.

    Warns
    -----
    UserWarning
        As `item_matrix` does; and if a scale has a negative alpha (with the items whose item-total
        correlation is negative: mostly a wrong key), items that nobody answered (they are left out
        of k), or no omega; and once if scipy is missing.

    Notes
    -----
    * alpha = k / (k - 1) * (1 - tr C / sum C), C the covariances of the items; NaN for fewer than
      two items or respondents, or if sum C is 0. The same algebra gives ``item_total_r`` and
      ``alpha_if_dropped``.
    * n is the number of respondents who answered all items of the scale with "listwise", and any of
      them with "pairwise". The interval takes this n, and needs scipy (``pip install
      "scorekey[stats]"``); without it, its bounds are NaN and a warning says so.
    * ``omega_total`` is that of one factor, fitted to the correlations by least squares (minres);
      NaN for fewer than three items, a Heywood case (a communality above 0.995), or correlations to
      which no factor could be fitted.

    Examples
    --------
    >>> import pandas as pd, scorekey as sk
    >>> options = {str(i): {"text": str(i), "weight": i} for i in range(1, 6)}
    >>> questionnaire = {
    ...     "name": "Three items",
    ...     "general_instruction": "From 1 to 5?",
    ...     "default_answer_options": options,
    ...     "instruction_items": [{"question": text} for text in ("One?", "Two?", "Three?")],
    ... }
    >>> answers = pd.DataFrame({
    ...     "person": [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5],
    ...     "instruction_item_id": [0, 1, 2] * 6,
    ...     "decision": [2, 3, 4, 2, 2, 2, 1, 3, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4],
    ... })
    >>> scored = sk.score_answers(answers, questionnaire)
    >>> found = sk.reliability(scored, by="person", confidence=None)
    >>> columns = ["dimension", "k", "n", "alpha", "omega_total"]
    >>> print(found.scales[columns].round(3).to_string(index=False))
    dimension  k  n  alpha  omega_total
        total  3  6  0.833        0.849
    >>> columns = ["item", "item_total_r", "alpha_if_dropped"]
    >>> print(found.items[columns].round(3).to_string(index=False))
     item  item_total_r  alpha_if_dropped
        0         0.770             0.688
        1         0.633             0.848
        2         0.756             0.727
    """
    if nan_policy not in _POLICIES:
        raise ValueError(f"nan_policy must be 'pairwise' or 'listwise', not {shown(nan_policy)}")
    _check_confidence(confidence)
    groups = [] if within is None else read_column_names(within, "within")
    for name in groups:
        frame_column(checked_frame(scored), name, "group")
    matrix = read_matrix(
        scored,
        list(dict.fromkeys([*groups, *group_names(by, "dimension", score_column)])),
        item_column=item_column,
        score_column=score_column,
        duplicates=duplicates,
        impute=impute,
        questionnaire=questionnaire,
        function="reliability",
    )
    scales = _find_scales(scored.attrs, questionnaire, matrix.record.labels)
    levels = index_levels(matrix.respondents)[: len(groups)]
    starts = _starts(levels)
    report = Report(nan_policy == "listwise", confidence)
    for start, stop in zip(starts, [*starts[1:], len(matrix.cells)], strict=False):
        here = [level[start] for level in levels]
        for name, items in scales.items():
            reverse = [matrix.record.reverse[item] for item in items]
            answers = matrix.cells[start:stop, items]
            report.add(name, answers, matrix.labels[items].tolist(), reverse, here)
    report.warn()
    frames = []
    for frame in report.frames():
        times = len(frame) // max(len(starts), 1)
        for place, level in enumerate(levels):
            frame.insert(place, groups[place], level.take(starts).repeat(times))
        frames.append(frame)
    return Reliability(*frames)


def _check_confidence(confidence: Any) -> None:
    if confidence is None:
        return
    if isinstance(confidence, bool) or not isinstance(confidence, numbers.Real):
        raise TypeError(f"confidence must be a number or None, not {shown(confidence)}")
    if not 0 < float(confidence) < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {shown(confidence)}")


def _find_scales(
    attrs: Any, questionnaire: Any, labels: Sequence[str | None]
) -> dict[str, list[int]]:
    """Return the items of each scale, scales in the questionnaire's order."""
    known = attrs.get(DIMENSIONS_ATTR, ())
    order = known if questionnaire is None else key_of(questionnaire).dimensions
    scales: dict[str, list[int]] = {name: [] for name in order}
    for position, name in enumerate(labels):
        if name is not None:
            scales.setdefault(name, []).append(position)
    if not any(scales.values()):
        return {TOTAL_SCALE: list(range(len(labels)))}
    return {name: members for name, members in scales.items() if members}


def _starts(levels: list[pd.Index[Any]]) -> list[int]:
    """Return where each group begins; the respondents are sorted by their groups first."""
    if not levels:
        return [0]
    columns = pd.DataFrame(dict(enumerate(levels)))
    groups = columns.groupby(list(columns.columns), sort=False, dropna=False, observed=True)
    return np.flatnonzero(np.diff(groups.ngroup().to_numpy(), prepend=-1)).tolist()
