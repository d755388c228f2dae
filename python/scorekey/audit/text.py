"""An audit as a few lines for the terminal."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from scorekey.audit.finding import numbered

if TYPE_CHECKING:
    from scorekey.audit.report import Audit

SHARES = {
    "invalid": "not valid",
    "without_option": "without a clear option",
    "without_score": "without a score",
}
"""What the shares of ``Audit.quality`` are called."""

_WIDTH = 96


def per_cent(part: float) -> str:
    """Return a share in per cent; nothing of nothing is a dash."""
    return "–" if math.isnan(part) else f"{100 * part:.0f} %"


def heading(audit: Audit) -> str:
    """Return what was audited in one line."""
    name = f" of {audit.questionnaire}" if audit.questionnaire else ""
    return (
        f"Audit{name}: {numbered(audit.n_rows, 'answer')} of "
        f"{numbered(audit.n_respondents, 'respondent')} to {numbered(len(audit.items), 'item')}, "
        f"{audit.matching} matching"
    )


def text(audit: Audit) -> str:
    """Return what was audited, the shares, and the findings."""
    quality = audit.quality
    shares = ", ".join(f"{per_cent(quality[name])} {title}" for name, title in SHARES.items())
    lines = [heading(audit), f"Answers: {shares}"]
    if not audit.findings:
        lines.append("Nothing found that needs a look.")
    for finding in audit.findings:
        head = f"{finding.weight:>3} {finding.kind}: {finding.what}"
        lines += textwrap.wrap(head, _WIDTH, subsequent_indent="    ")
        lines += textwrap.wrap(
            finding.advice, _WIDTH, initial_indent="    -> ", subsequent_indent="       "
        )
    return "\n".join(lines)
