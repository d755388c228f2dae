"""An audit as a page of its own, and as a few lines for a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pandas as pd

from scorekey._core import __version__
from scorekey.audit.finding import Finding
from scorekey.audit.frames import by_text
from scorekey.audit.parts import (
    cell,
    fate_bar,
    fates_that_occur,
    legend,
    share_bar,
    table,
)
from scorekey.audit.plain import least_answered, records, scale_totals
from scorekey.audit.style import STYLE
from scorekey.audit.text import SHARES, heading, per_cent, shares, title

if TYPE_CHECKING:
    from scorekey.audit.report import Audit

MOST_ROWS = 200
"""The rows of a table that are shown; how many more there are stands below it."""
_SHOWN_AT_ONCE = 6
_WRONG, _CHECK = 90, 50


def page(audit: Audit) -> str:
    """Return a whole page."""
    name = cell(title(audit))
    body = "\n".join(
        section
        for section in (
            f"<h1>{name}</h1>",
            f'<p class="soft">{cell(heading(audit))}</p>',
            _quality(audit),
            "<h2>Findings</h2>",
            *map(_finding, audit.findings),
            "" if audit.findings else "<p>Nothing found that needs a look.</p>",
            *_sections(audit),
        )
        if section
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n"
        f"<footer>Made by scorekey {cell(__version__)}; key {cell(audit._counts.key.fingerprint)}."
        "</footer>\n</body>\n</html>\n"
    )


def excerpt(audit: Audit) -> str:
    """Return the heading and the findings, for a notebook."""
    rows = [
        (finding.weight, finding.kind, finding.what, finding.advice) for finding in audit.findings
    ]
    found = table(["weight", "kind", "what", "what to do"], rows, numeric=[0]) if rows else ""
    end = found or "<p>Nothing found that needs a look.</p>"
    lines = (f"<b>{cell(title(audit))}</b>", cell(heading(audit)), cell(shares(audit)))
    return f"<div><p>{'<br>'.join(lines)}</p>{end}</div>"


def _quality(audit: Audit) -> str:
    quality = audit.quality
    bars = "".join(
        f"<div><strong>{per_cent(quality[name])}</strong>{meaning}"
        f"{share_bar(quality[name], f'{per_cent(quality[name])} {meaning}')}</div>"
        for name, meaning in SHARES.items()
    )
    return f'<div class="shares">{bars}</div>'


def _finding(finding: Finding) -> str:
    grade = "wrong" if finding.weight >= _WRONG else "check" if finding.weight >= _CHECK else "note"
    where = [f"<li>{cell(place)}</li>" for place in finding.where]
    places = f"<ul>{''.join(where[:_SHOWN_AT_ONCE])}</ul>" if where else ""
    if len(where) > _SHOWN_AT_ONCE:
        rest = f"<ul>{''.join(where[_SHOWN_AT_ONCE:])}</ul>"
        more = f"<summary>{len(where) - _SHOWN_AT_ONCE} more</summary>"
        places += f"<details>{more}{rest}</details>"
    return (
        f'<div class="finding {grade}"><h3>{cell(_title(finding))}<code>{cell(finding.kind)}'
        f'</code></h3><p>{cell(finding.what)}</p>{places}<p class="advice">{cell(finding.advice)}'
        "</p></div>"
    )


def _title(finding: Finding) -> str:
    from scorekey.audit.finding import KINDS

    meaning = KINDS[finding.kind][1]
    return meaning[0].upper() + meaning[1:]


def _sections(audit: Audit) -> Iterator[str]:
    fates = fates_that_occur(audit._counts.fates)
    yield f"<h2>What became of the answers</h2>{legend(fates)}"
    yield _fates(scale_totals(audit), ["dimension"], [], fates)
    if "question" in audit.items:
        yield _fates(audit.items, ["item", "question"], ["dimension"], fates)
    else:
        yield _fates(audit.items, ["item"], ["dimension"], fates)
    yield from _texts(audit)
    yield from _people(audit, [name for name in fates if name != "scored"])
    if audit.n_rows:
        sample = audit.sample()
        yield (
            '<h2>A sample to read</h2><p class="soft">Is each decision what the answer says?</p>'
        )
        yield table(["row", *sample.columns], sample.itertuples(name=None))


def _fates(frame: pd.DataFrame, names: list[str], others: list[str], fates: list[str]) -> str:
    """Return what became of the answers to each scale or item."""
    counted = frame.rename(columns={"answered": "scored"}).head(MOST_ROWS)
    header = [*names, "answers", *others, "expected", *fates]
    rows = [
        [row[name] for name in names]
        + [fate_bar(row), *(row[name] for name in others), row["expected"]]
        + [row[name] or "" for name in fates]
        for row in records(counted)
    ]
    numeric = range(len(names) + len(others) + 1, len(header))
    return _cut(table(header, rows, numeric=numeric), len(frame))


def _texts(audit: Audit) -> Iterator[str]:
    texts = audit.texts
    unmatched = by_text(texts[texts["what"] == "unmatched"])
    if unmatched:
        header = ["text", "answers", "items", "reason", "nearest option", "matches leniently"]
        rows = [
            (t.text, t.answers, t.items, t.reason, t.nearest, "yes" if t.lenient else "")
            for t in unmatched[:MOST_ROWS]
        ]
        yield "<h2>Texts that are no option</h2>"
        yield _cut(table(header, rows, numeric=[1, 2]), len(unmatched))
    listed = texts[texts["listed"]]
    common = listed.sort_values("count", ascending=False, kind="stable")
    if len(common):
        names = ["item", "text", "count", "invalid", "what", "score"]
        shown = common[names].head(MOST_ROWS).itertuples(index=False, name=None)
        body = _cut(table(names, shown, numeric=[0, 2, 3, 5]), len(common))
        yield (
            "<h2>All texts by item</h2><details><summary>Show the most frequent ones</summary>"
            f"{body}</details>"
        )


def _people(audit: Audit, unscored: list[str]) -> Iterator[str]:
    names = [str(name) for name in audit.by]
    least = least_answered(audit)
    if len(least) and names:
        yield "<h2>Respondents and scales with the most unanswered items</h2>"
        rows = [
            [*map(_key, row[: len(names)]), *(value or "" for value in row[len(names) :])]
            for row in least[[*audit.by, "dimension", "expected", "unanswered", *unscored]]
            .head(MOST_ROWS)
            .itertuples(index=False, name=None)
        ]
        header = [*names, "dimension", "expected", "unanswered", *unscored]
        numeric = range(len(names) + 1, len(header))
        yield _cut(table(header, rows, numeric=numeric), len(least))
    styles = audit.styles
    odd = styles[styles["straight_lining"] | (styles["acquiescence"] != 0)]
    if len(odd) and names:
        yield (
            '<h2>How respondents answer</h2><p class="soft">Those who chose one option over and '
            "over, or answered reverse-keyed and ordinary items alike.</p>"
        )
        header = [*names, "chosen", "longest run", "agreement"]
        rows = [
            [*map(_key, row[: len(names)]), *row[len(names) :]]
            for row in odd[[*audit.by, "chosen", "longest_run", "agreement"]]
            .head(MOST_ROWS)
            .itertuples(index=False, name=None)
        ]
        yield _cut(table(header, rows, numeric=range(len(names), len(header))), len(odd))


def _key(value: Any) -> object:
    return None if pd.isna(value) else str(value)


def _cut(table: str, length: int) -> str:
    more = length - MOST_ROWS
    return table if more <= 0 else f'{table}<p class="soft">and {more} more rows</p>'
