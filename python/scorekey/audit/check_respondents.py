"""Findings about respondents: whether they are told apart, and how they answer."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey.audit.counting import ABSENT, FATES, Counts, Styles
from scorekey.audit.finding import Finding, item_names, numbered, places, share
from scorekey.columns import frame_column
from scorekey.grouping import DEFAULT_GROUPS
from scorekey.inputs import read_key
from scorekey.messages import listed, shown
from scorekey.threads import get_num_threads

SHORTEST_RUN = 6
"""Shorter runs of one answer are common among attentive respondents (Johnson 2005)."""
SHARE_OF_FEW, FEW, SHARE_OF_MANY = 0.8, 10, 0.5
"""A run has to cover four fifths of the answered items; ten of twelve and more; and half of them
from twenty on (Curran 2016)."""
NEARLY_ALL = 0.95
"""Without reverse-keyed items, which contradict it, a run has to cover nearly all of them."""
AGREEMENT = 0.25
"""Agreement has to be so far from one half ..."""
ALPHA = 0.01
"""... and so many of its largest standard errors that chance gets there in one case of a hundred.
In a large file some always do: they are only mentioned if they are more than chance would have it
(at the same level), or one of them is far beyond."""
MERGED = 0.5
"""From this share of items that are answered more than once on, respondents are merged."""

_MOST_CANDIDATES = 8
_FIRST_ROWS = 50_000
_MOSTLY = 2 / 3
_CONTRADICTION = "with reverse-keyed items such a series contradicts itself"
_HONEST = "without reverse-keyed items such a series may be honest"


def straight_lining(counts: Counts) -> npt.NDArray[np.bool_]:
    """Return who chose one option on so many items in a row that it is hardly by content."""
    styles = counts.styles
    chosen = styles.chosen.astype(np.float64)
    many = NEARLY_ALL * chosen
    if counts.has_reversed:
        many = np.minimum(SHARE_OF_FEW * chosen, np.maximum(FEW, SHARE_OF_MANY * chosen))
    return styles.longest_run >= np.maximum(SHORTEST_RUN, many)


def acquiescence(styles: Styles) -> npt.NDArray[np.int8]:
    """Return 1 for who agrees with items of both directions alike, -1 for who disagrees, else 0."""
    excess = styles.agreement - 0.5
    bar = np.maximum(AGREEMENT, NormalDist().inv_cdf(1 - ALPHA) * styles.error)
    # NaN, where there are no scales with items of both directions, is not above the bar.
    return np.where(np.abs(excess) >= bar, np.sign(excess), 0).astype(np.int8)


def groups(
    counts: Counts, frame: pd.DataFrame, wanted: list[Any], used: set[Any]
) -> tuple[list[Finding], bool]:
    """Find group columns that are not there, merged respondents, and repeated answers.

    Parameters
    ----------
    counts : Counts
        What was counted.
    frame : DataFrame
        The answers.
    wanted : list
        The columns that should identify a respondent.
    used : set
        The columns that hold something else.

    Returns
    -------
    findings : list of Finding
        The findings.
    merged : bool
        Whether respondents are merged, so that nothing can be said of how each answered.
    """
    findings: list[Finding] = []
    absent = [name for name in wanted if name not in frame.columns]
    unknown = [name for name in absent if name not in DEFAULT_GROUPS]
    levels = [name for name in absent if name in frame.index.names]
    if unknown:
        findings.append(
            Finding(
                "unknown_columns",
                f"There is no column {listed(unknown)}, which by names, so it tells no respondents "
                "apart.",
                places(map(shown, unknown)),
                len(unknown),
                "Use reset_index(): the name is a level of the index."
                if levels
                else "Check the spelling of by.",
            )
        )
    present = int(counts.fates[:, ABSENT + 1 :].sum())
    repeated = int(counts.repeated.sum())
    if not repeated or not wanted:
        return findings, False
    merged = repeated >= MERGED * present
    extra = counts.n_rows - present
    conflicting = int(counts.conflicting.sum())
    items = np.flatnonzero(counts.repeated)
    if merged:
        apart = _columns_apart(counts, frame, used)
        by = listed(counts.groups) if counts.groups else "nothing, since no such column is there"
        remedy = f"Name the columns that identify a respondent in by; {apart} would do."
        if not apart:
            remedy = "Name the columns that identify a respondent in by."
        if levels:
            remedy += f" {listed(levels)} is a level of the index: use reset_index()."
        findings.append(
            Finding(
                "merged_respondents",
                f"{share(repeated, present)} of the items are answered more than once by what "
                f"counts as one respondent (identified by {by}): {counts.n_rows} rows for "
                f"{numbered(counts.n_respondents, 'respondent')} with "
                f"{numbered(len(items), 'item')}.",
                places(map(shown, counts.groups)),
                repeated,
                remedy,
            )
        )
    else:
        findings.append(
            Finding(
                "duplicates",
                f"{numbered(repeated, 'item')} {'was' if repeated == 1 else 'were'} answered more "
                f"than once by the same respondent ({numbered(extra, 'row')} too many); "
                f"{conflicting} of them with different answers.",
                item_names(items[np.argsort(-counts.repeated[items], kind="stable")].tolist()),
                repeated,
                "All rows count in the mean: remove those that are not meant, or add the column "
                "that tells the runs apart to by.",
            )
        )
    return findings, merged


def _columns_apart(counts: Counts, frame: pd.DataFrame, used: set[Any]) -> str:
    """Return the columns with which every respondent answers each item once."""
    candidates = [name for name in DEFAULT_GROUPS if name in frame.columns and name not in used]
    candidates += [name for name in frame.columns if name not in used and name not in candidates]
    tried, named = list(counts.encoded), []
    extra = counts.n_rows - int(counts.fates[:, ABSENT + 1 :].sum())
    for name in candidates[:_MOST_CANDIDATES]:
        try:
            column = frame_column(frame, name, "group")
            start, _ = read_key(column.iloc[:_FIRST_ROWS], name)
            # A column with a value of its own in every row tells rows apart, not respondents.
            if start.n_values * 2 > len(start):
                continue
            key = read_key(column, name)
        except (TypeError, ValueError):  # no column that could identify anybody
            continue
        tally = counts.count([*tried, key])
        fates = tally.styles(get_num_threads())[4].reshape(-1, len(FATES))
        left = counts.n_rows - int(fates[:, ABSENT + 1 :].sum())
        if left < extra and len(tally.respondents()) * 2 <= counts.n_rows:
            tried.append(key)
            named.append(name)
            extra = left
        if not extra:
            return f"{'adding ' if counts.groups else ''}{listed(named)}"
    return ""


def answering(counts: Counts) -> Iterator[Finding]:
    """Find respondents who chose one option over and over, or agreed with everything."""
    straight = np.flatnonzero(straight_lining(counts))
    n = counts.n_respondents
    if len(straight):
        runs, chosen = counts.styles.longest_run, counts.styles.chosen
        worst = straight[np.argsort(-(runs[straight] / chosen[straight]), kind="stable")]
        yield Finding(
            "straight_lining",
            f"{numbered(len(straight), 'respondent')} ({share(len(straight), n)}) chose the same "
            "option on item after item, far more often than content would have it"
            f"{_most_of(counts, straight)}.",
            places(
                worst.tolist(),
                lambda row: f"{counts.label(row)}: {runs[row]} of {chosen[row]} items in a row",
            ),
            len(straight),
            "Look at these answers before they count; "
            f"{_CONTRADICTION if counts.has_reversed else _HONEST}.",
        )
    direction = acquiescence(counts.styles)
    alike = np.flatnonzero(direction)
    if len(alike) and _beyond_chance(counts.styles, alike):
        agree = int((direction > 0).sum())
        yield Finding(
            "acquiescence",
            f"{numbered(len(alike), 'respondent')} ({share(len(alike), n)}) answered reverse-keyed "
            f"and ordinary items alike: {agree} agreed with both, {len(alike) - agree} disagreed"
            f"{_most_of(counts, alike)}.",
            places(
                alike.tolist(),
                lambda row: (
                    f"{counts.label(row)}: {'agrees' if direction[row] > 0 else 'disagrees'}, "
                    f"index {counts.styles.agreement[row]:.2f}"
                ),
            ),
            len(alike),
            "Their scale scores sit near the middle whatever they think: leave them out or report "
            "the index (Audit.styles).",
        )


def _most_of(counts: Counts, found: npt.NDArray[np.intp]) -> str:
    """Return the value of a key column that most of these respondents share, but few others."""
    for name, values in zip(counts.groups, counts.values, strict=True):
        codes, uniques = pd.factorize(pd.Series(values), use_na_sentinel=False)
        here = np.bincount(codes[found], minlength=len(uniques))
        top = int(here.argmax())
        everywhere = int((codes == top).sum())
        many = here[top] > 1 and here[top] >= _MOSTLY * len(found)
        if many and everywhere <= counts.n_respondents / 2:
            return f"; {here[top]} of them have {name}={uniques[top]}"
    return ""


def _beyond_chance(styles: Styles, alike: npt.NDArray[np.intp]) -> bool:
    """Return whether chance would hardly have named these respondents of all."""
    n = int(np.isfinite(styles.agreement).sum())
    errors = np.sort(np.abs(styles.agreement[alike] - 0.5) / styles.error[alike])[::-1]
    # One that is far beyond, two that are nearly so far beyond, and so on until all of them.
    numbers = [1 << power for power in range((len(alike) - 1).bit_length())]
    return any(_chance(k, n, float(errors[k - 1])) < ALPHA for k in [*numbers, len(alike)])


def _chance(least: int, n: int, errors: float) -> float:
    """Return how likely at least so many of n are as many errors from the middle, by chance."""
    mean = max(2 * n * NormalDist().cdf(-errors), sys.float_info.min)  # a logarithm is taken of it
    fewer = (math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(least))
    return 1 - sum(fewer)
