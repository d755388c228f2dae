"""An audit as plain data, the material of its JSON."""

from __future__ import annotations

import math
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scorekey.audit.counting import FATES, SCORED
from scorekey.audit.frames import OWN_COLUMNS, REASONS

if TYPE_CHECKING:
    from scorekey.audit.report import Audit

MOST_ENTRIES = 2000
"""The longest list."""


def plain(audit: Audit) -> dict[str, Any]:
    """Return an audit as mappings, lists, texts, numbers and None."""
    scales = scale_totals(audit)
    least = least_answered(audit)
    texts = audit.texts.sort_values("count", ascending=False, kind="stable")
    lists = {
        "items": records(audit.items.head(MOST_ENTRIES)),
        "scales": records(scales.head(MOST_ENTRIES)),
        "texts": records(texts.head(MOST_ENTRIES)),
        "least_answered": records(least.head(MOST_ENTRIES)),
    }
    lengths = {
        "items": len(audit.items),
        "scales": len(scales),
        "texts": len(texts),
        "least_answered": len(least),
    }
    return {
        "questionnaire": audit.questionnaire,
        "fingerprint": audit._counts.key.fingerprint,
        "matching": audit.matching,
        "by": [str(name) for name in audit.by],
        "rows": audit.n_rows,
        "respondents": audit.n_respondents,
        "quality": {name: _plain(part) for name, part in audit.quality.items()},
        "findings": [finding.to_dict() for finding in audit.findings],
        **lists,
        "left_out": {name: lengths[name] - len(entries) for name, entries in lists.items()},
    }


def scale_totals(audit: Audit) -> pd.DataFrame:
    """Return the counts of each scale over all respondents."""
    counts = audit._counts
    names, used = counts.key.scale_names, sorted(set(counts.key._scales))
    of_item = np.array(counts.key._scales, dtype=np.int64)
    fates = np.array(
        [counts.fates[of_item == scale].sum(axis=0) for scale in used], dtype=np.int64
    ).reshape(len(used), len(FATES))
    columns = [np.array([names[scale] for scale in used], dtype=object), fates.sum(axis=1)]
    columns += [fates[:, SCORED], fates.sum(axis=1) - fates[:, SCORED]]
    columns += [fates[:, fate] for fate in REASONS]
    return pd.DataFrame(dict(zip(OWN_COLUMNS, columns, strict=False)))


def least_answered(audit: Audit) -> pd.DataFrame:
    """Return the respondents and scales with unanswered items, the most unanswered first."""
    frame = audit.respondents
    open_ones = frame[frame["unanswered"] > 0]
    share = open_ones["unanswered"] / open_ones["expected"]
    return open_ones.loc[share.sort_values(ascending=False, kind="stable").index]


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as mappings of plain values."""
    names = [str(name) for name in frame.columns]
    return [
        dict(zip(names, map(_plain, row), strict=True))
        for row in frame.itertuples(index=False, name=None)
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    return None if pd.isna(value) else str(value)
