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

WIDTH = 96
"""The longest line."""


def per_cent(part: float) -> str:
    """Return a share in per cent; nothing of nothing is a dash."""
    return "–" if math.isnan(part) else f"{part:.0%}"


def heading(audit: Audit) -> str:
    """Return in one line how much was audited."""
    return (
        f"{numbered(audit.n_rows, 'answer')} of {numbered(audit.n_respondents, 'respondent')} to "
        f"{numbered(len(audit.items), 'item')}, {audit.matching} matching"
    )


def title(audit: Audit) -> str:
    """Return what was audited."""
    return f"Audit of {audit.questionnaire}" if audit.questionnaire else "Audit"


def shares(audit: Audit) -> str:
    """Return the shares of `Audit.quality` in one line."""
    quality = audit.quality
    return ", ".join(f"{per_cent(quality[name])} {title}" for name, title in SHARES.items())


def text(audit: Audit, width: int = WIDTH) -> str:
    """Return what was audited, the shares, and the findings, in lines of this width."""
    lines = [f"{title(audit)}: {heading(audit)}", f"Answers: {shares(audit)}"]
    if not audit.findings:
        lines.append("Nothing found that needs a look.")
    for finding in audit.findings:
        head = f"{finding.weight:>3} {finding.kind}: {finding.what}"
        lines += textwrap.wrap(head, width, subsequent_indent="    ")
        lines += textwrap.wrap(
            finding.advice, width, initial_indent="    -> ", subsequent_indent="       "
        )
    return "\n".join(lines)
