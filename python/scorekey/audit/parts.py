"""The pieces of an audit's page: escaped text, tables, and bars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import pandas as pd

from scorekey.audit.counting import FATES

FATE_TITLES = {
    "scored": "answered (has a score)",
    "ignored": "option that is no point on the scale",
    "clash": "several options share the text",
    "unmatched": "no option of the item",
    "sentinel": "the judge found no option",
    "missing": "no decision",
    "invalid": "not valid",
    "absent": "no row",
}
"""What becomes of an answer, in words, in the order of the bars."""

_LONGEST = 240


class Html(str):
    """Markup that is not escaped again."""

    __slots__ = ()


def cell(value: object) -> str:
    """Return a value as the content of a cell: markup as it is, everything else escaped and cut."""
    if isinstance(value, Html):
        return str(value)
    if value is None or value is pd.NA or value != value:  # NaN alone differs from itself
        return '<span class="none">–</span>'
    if isinstance(value, float):
        return f"{value:.4g}"
    text = str(value)
    text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    # Letters that nobody sees, and those that no file can hold, are written as Python writes them.
    visible = (
        letter if letter.isprintable() or letter == "\n" else repr(letter)[1:-1] for letter in text
    )
    return escape("".join(visible))


def table(
    header: Sequence[str], rows: Iterable[Sequence[object]], *, numeric: Iterable[int] = ()
) -> str:
    """Return a table that scrolls by itself where the page is narrow."""
    right = set(numeric)

    def line(values: Sequence[object], tag: str) -> str:
        kinds = (' class="n"' if place in right else "" for place in range(len(values)))
        cells = (
            f"<{tag}{kind}>{cell(value)}</{tag}>" for kind, value in zip(kinds, values, strict=True)
        )
        return f"<tr>{''.join(cells)}</tr>"

    body = "".join(line(row, "td") for row in rows)
    return (
        f'<div class="scroll" tabindex="0"><table><thead>{line(header, "th")}</thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def share_bar(part: float, title: str) -> Html:
    """Return a bar that is filled up to a share."""
    width = 0.0 if part != part else 100 * part
    return Html(
        f'<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(title)}"><rect class="ground" width="100" height="6"/>'
        f'<rect class="share" width="{width:.2f}" height="6"/></svg>'
    )


def fate_bar(counts: Mapping[str, Any]) -> Html:
    """Return a bar of the expected answers by what became of them."""
    total = sum(int(counts[name]) for name in FATE_TITLES)
    start, pieces, spoken = 0.0, [], []
    for name in FATE_TITLES:
        number = int(counts[name])
        if not number:
            continue
        width = 100 * number / total
        pieces.append(
            f'<rect class="{name}" x="{start:.2f}" width="{width:.2f}" height="6">'
            f"<title>{name}: {number}</title></rect>"
        )
        spoken.append(f"{name} {number}")
        start += width
    return Html(
        '<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" '
        f'aria-label="{", ".join(spoken)}">{"".join(pieces)}</svg>'
    )


def legend(names: Iterable[str]) -> str:
    """Return what the colours of the bars mean."""
    entries = "".join(
        f'<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect class="{name}" width="10" '
        f'height="10"/></svg>{name}: {FATE_TITLES[name]}</li>'
        for name in names
    )
    return f'<ul class="legend">{entries}</ul>'


def fates_that_occur(fates: Any) -> list[str]:
    """Return what became of any answer, in the order of the bars, given counts by item and fate."""
    present = {name for name, number in zip(FATES, fates.sum(axis=0), strict=True) if number}
    return [name for name in FATE_TITLES if name in present]
