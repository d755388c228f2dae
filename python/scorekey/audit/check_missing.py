"""Findings about answers that are not there: by reason, and by item."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, lgamma
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey.audit.counting import (
    ABSENT,
    FATES,
    MISSING,
    SCORED,
    SENTINEL,
    Counts,
)
from scorekey.audit.finding import Finding, numbered, places, share

LEAST_SHARE = 0.05
"""Up to five per cent of missing values are held to be of little consequence (Schafer 1999)."""
LEAST_ROWS = 3
"""Fewer answers are not many, whatever their share."""
LEAST_EXCESS = 0.1
"""An item has to lack so many more answers than the others, as a share, to be named."""
ALPHA = 0.01
"""How seldom items of a file in which answers are missing by chance may be named."""

_MOST_GROUPS = 20


def by_reason(counts: Counts) -> Iterator[Finding]:
    """Find that many answers are not valid, undecided by the judge, or missing."""
    rows = counts.n_rows
    invalid = int(counts.pairs.invalid.sum())
    if _many(invalid, rows):
        yield Finding(
            "invalid_answers",
            f"{numbered(invalid, 'answer')} ({share(invalid, rows)}) "
            f"{'is' if invalid == 1 else 'are'} not valid: refusals, apologies and the like"
            f"{'' if counts.only_valid else ', which are scored all the same'}.",
            (),
            invalid,
            "Report the share next to every score, and compare it between models.",
        )
    failed = int(counts.valid_rows[counts.pairs.fate == SENTINEL].sum())
    if _many(failed, rows):
        yield Finding(
            "judge_failures",
            f"In {numbered(failed, 'valid answer')} ({share(failed, rows)}) the judge found no "
            "option, or several.",
            (),
            failed,
            "Read a sample of these answers (Audit.sample); another judge or a stricter prompt may "
            "help.",
        )
    asked = counts.fates[counts.fates[:, ABSENT] < counts.n_respondents]
    expected = int(asked.sum())
    absent, missing = int(asked[:, ABSENT].sum()), int(asked[:, MISSING].sum())
    if _many(absent + missing, expected):
        yield Finding(
            "missing_answers",
            f"{absent + missing} of {expected} expected answers "
            f"({share(absent + missing, expected)}) are missing: "
            f"{numbered(missing, 'empty decision')} and {absent} without any row.",
            (),
            absent + missing,
            "A failed call leaves an empty decision or no row: run it again, or ask for a minimum "
            "of answered items.",
        )


def _many(part: int, whole: int) -> bool:
    return part >= LEAST_ROWS and part >= LEAST_SHARE * whole


def by_item(counts: Counts) -> Iterator[Finding]:
    """Find items without any score, and those on which missing answers pile up."""
    fates = counts.fates
    n = counts.n_respondents
    if not n:
        return
    unscored = fates[:, SCORED] == 0
    items = np.flatnonzero(unscored).tolist()
    if items:
        absent = np.flatnonzero(fates[:, ABSENT] == n).tolist()
        some = f"{len(absent)} of them {'has' if len(absent) == 1 else 'have'} no row at all"
        yield Finding(
            "unanswered_items",
            f"{numbered(len(items), 'item')} of {len(fates)} "
            f"{'has' if len(items) == 1 else 'have'} no score from anybody"
            f"{f'; {some}' if absent else ''}.",
            places(items, lambda item: _with_reason(item, fates[item])),
            len(items),
            "Every scale with such an item rests on the others; check the options of the item and "
            "whether it was asked.",
        )
    yield from _uneven(counts, ~unscored)


def _uneven(counts: Counts, asked: npt.NDArray[np.bool_]) -> Iterator[Finding]:
    """Find items on which missing answers pile up, with all respondents or with a group of them."""
    groups = list(respondent_groups(counts))
    missing = counts.n_respondents - counts.fates[asked, SCORED]
    scales = np.array(counts.key._scales, dtype=np.int64)[asked]
    uneven = uneven_items(missing, counts.n_respondents, scales, ALPHA / 2)
    lacking = []
    for _, number, size in groups:
        lacking.append(size - number[asked])
        uneven |= uneven_items(lacking[-1], size, scales, ALPHA / 2 / len(groups))
    items = np.flatnonzero(asked)[uneven].tolist()
    if not items:
        return
    n, named = counts.n_respondents, int(missing[uneven].sum())
    text = (
        f"Answers to {numbered(len(items), 'item')} are missing far more often than to the others "
        f"({share(named, n * len(items))} against "
        f"{share(int(missing[~uneven].sum()), n * max(int((~uneven).sum()), 1))}): respondents "
        "differ in what is missing"
    )
    best = LEAST_EXCESS
    who = ""
    for (label, _, size), less in zip(groups, lacking, strict=True):
        here = int(less[uneven].sum())
        inside = here / (size * len(items))
        outside = (named - here) / ((n - size) * len(items))
        if inside - outside > best:
            best = inside - outside
            who = f", most of all those of {label} ({inside:.0%} against {outside:.0%})"
    yield Finding(
        "uneven_missing",
        f"{text}{who}.",
        places(items, lambda item: _with_reason(item, counts.fates[item])),
        len(items),
        "Refusals are not random: compare respondents on the items that all of them answered, and "
        "report n_items with every score.",
    )


def respondent_groups(counts: Counts) -> Iterator[tuple[str, npt.NDArray[np.int64], int]]:
    """Yield the groups that share a value of a key column, of columns with a few values.

    Yields
    ------
    label : str
        The column and the value.
    answered : ndarray of int
        For each item how many of the group have a score.
    size : int
        The number of respondents in the group.
    """
    for name, values in zip(counts.groups, counts.values, strict=True):
        codes, uniques = pd.factorize(pd.Series(values), use_na_sentinel=False)
        sizes = np.bincount(codes)
        if not 2 <= len(uniques) <= _MOST_GROUPS or sizes.min() < LEAST_ROWS:
            continue
        answered = counts.tally.answered(codes.astype(np.uint32), len(uniques))
        by_group = answered.reshape(len(uniques), -1).astype(np.int64)
        for value, row, size in zip(uniques, by_group, sizes.tolist(), strict=True):
            yield f"{name}={value}", row, size


def _with_reason(item: int, fates: Any) -> str:
    """Return an item with the most frequent reason for which answers are missing."""
    unscored = fates.copy()
    unscored[SCORED] = 0
    reason = FATES[int(unscored.argmax())]
    return f"item {item}: {unscored.sum()} of {fates.sum()} missing, mostly {reason}"


def uneven_items(
    missing: npt.NDArray[np.int64], n: int, scales: npt.NDArray[np.int64], alpha: float
) -> npt.NDArray[np.bool_]:
    """Return which items lack more answers than chance would have it.

    The more of all missing answers fall on one item, the less likely they fell at random (Fisher's
    exact test of the item against all others, one-sided). The items of a scale are also tested
    together, since it is sensitive topics that are refused.

    Parameters
    ----------
    missing : ndarray of int
        For each item how many of the respondents have no score.
    n : int
        The number of respondents.
    scales : ndarray of int
        The scale of each item.
    alpha : float
        How likely it may be that any item is named if answers are missing at random; it is shared
        among all tests.
    """
    n_items = len(missing)
    units = [np.arange(n_items) == item for item in range(n_items)]
    units += [scales == scale for scale in np.unique(scales)]
    uneven = np.zeros(n_items, dtype=bool)
    for unit in units:
        size, others = int(unit.sum()), int((~unit).sum())
        if not others:
            continue
        rest = missing[~unit].sum() / (others * n)
        ahead = unit & (missing / n - rest >= LEAST_EXCESS)
        lacking = int(missing[unit].sum())
        if ahead.any() and lacking / (size * n) - rest >= LEAST_EXCESS:
            chance = _tail(lacking, size * n, int(missing.sum()), n_items * n)
            uneven |= ahead & (chance < alpha / len(units))
    return uneven


def _tail(least: int, n: int, marked: int, cells: int) -> float:
    """Return how likely at least so many of n cells are marked if so many of all cells are."""
    if n > 5000:  # the normal distribution is as good, and as fast for any n
        mean = n * marked / cells
        variance = mean * (1 - marked / cells) * (cells - n) / max(cells - 1, 1)
        return 1 - NormalDist().cdf((least - 0.5 - mean) / max(variance, 1e-12) ** 0.5)

    def log_choose(a: int, b: int) -> float:
        return lgamma(a + 1) - lgamma(b + 1) - lgamma(a - b + 1)

    whole = log_choose(cells, n)
    first = max(least, n - (cells - marked))
    return sum(
        exp(log_choose(marked, k) + log_choose(cells - marked, n - k) - whole)
        for k in range(first, min(n, marked) + 1)
    )
