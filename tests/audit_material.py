"""What the tests of the audit share: answers in which nothing is wrong, to be spoilt."""

from __future__ import annotations

import pandas as pd

import scorekey as sk
from tests.material import AGREEMENT, item, questionnaire

N_PEOPLE, N_ITEMS = 15, 10
REVERSED = (1, 3, 6, 8)
FORM = questionnaire(
    *(
        item("a" if i < 5 else "b", reverse=i in REVERSED, question=f"Statement {i}.")
        for i in range(N_ITEMS)
    ),
    dimensions={"a": "Alpha", "b": "Beta"},
)
"""Two scales of five items on five options; of each two are reverse-keyed."""


def clean(form=FORM):
    """Return answers by content: whoever agrees with an item disagrees with its reverse."""
    rows = []
    for person in range(N_PEOPLE):
        for i in range(N_ITEMS):
            level = (person + (0 if i < 5 else 2)) % 5
            chosen = 4 - level if i in REVERSED else level
            rows.append(
                {
                    "model_id": f"m{person % 3}",
                    "profile_id": f"p{person}",
                    "instruction_item_id": i,
                    "instruction_item": f"Statement {i}.",
                    "answer": f"I say {chosen + 1}.",
                    "decision": AGREEMENT[chosen],
                    "valid": True,
                }
            )
    return pd.DataFrame(rows)


def where(frame, people=None, items=None):
    """Return which rows are of these people (by number) and these items."""
    chosen = pd.Series(True, index=frame.index)
    if people is not None:
        chosen &= frame["profile_id"].isin([f"p{person}" for person in people])
    if items is not None:
        chosen &= frame["instruction_item_id"].isin(list(items))
    return chosen


def kinds(audit):
    """Return the kinds of the findings in their order."""
    return [finding.kind for finding in audit.findings]


def only(audit, kind):
    """Return the one finding of a kind."""
    (finding,) = [finding for finding in audit.findings if finding.kind == kind]
    return finding


def audited(frame, form=FORM, **arguments):
    """Return the audit of a frame."""
    return sk.audit_answers(frame, form, **arguments)
