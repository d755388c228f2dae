"""Lenient matching once more, slowly: plain Python with the interpreter's Unicode tables."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from decimal import Context, Decimal
from itertools import groupby
from typing import Any

from tests.twin import SENTINELS, Answer, folded, is_valid, worth, written

APOSTROPHES = "'`´‘’‚‛′‵‹›ʹʻʼʽ՚׳"
QUOTATION_MARKS = '"«»“”„‟″‶ʺ״⹂「」『』〝〞〟'
MINUS = "−˗"
ENDS = ".,;:!։،؛۔।、。"
EMPHASIS = "*_"
# Format characters that can be seen: signs before numbers, controls of hieroglyphs, flags' tags.
SEEN = "ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN", "TAG ", "CANCEL TAG"
UNSEEN = "ARABIC LETTER MARK"
NUMBER = re.compile(r"[+-]?([0-9]+([.٫][0-9]+)?|[.٫][0-9]+)(e([+-]?[0-9]+))?")


def is_invisible(c: str) -> bool:
    name = unicodedata.name(c, "")
    if unicodedata.category(c) == "Cf":
        return name == UNSEEN or not name.startswith(SEEN)
    return "VARIATION SELECTOR" in name


def is_raised(c: str) -> bool:
    """Return whether a superscript, a subscript or a fraction is in a character."""
    parts = unicodedata.decomposition(c).split()
    if parts and parts[0] in ("<super>", "<sub>", "<fraction>"):
        return True
    return any(is_raised(chr(int(part, 16))) for part in parts if not part.startswith("<"))


def plain(c: str) -> str:
    if is_invisible(c):
        return ""
    if c in APOSTROPHES:
        return "'"
    if c in QUOTATION_MARKS:
        return '"'
    if c in MINUS or unicodedata.category(c) == "Pd":
        return "-"
    digit = unicodedata.decimal(c, None)
    return c if digit is None else str(digit)


def normal(text: str) -> str:
    groups = groupby("".join(map(plain, text)), is_raised)
    return "".join(
        "".join(run) if raised else unicodedata.normalize("NFKC", "".join(run))
        for raised, run in groups
    )


def by_value(text: str) -> str:
    found = NUMBER.fullmatch(text)
    if not found or abs(int(found[4] or 0)) > 400:
        return text
    context = Context(prec=len(text) + 1000)
    number = context.normalize(Decimal(text.replace("٫", ".")))
    return format(number, "f") if number else "0"


def form(text: str) -> str:
    for _ in range(2):
        text = folded(normal(folded(text)))
    return by_value(text)


def bare(text: str) -> str:
    kept = text
    while kept and (kept[-1] in ENDS + EMPHASIS or kept[-1].isspace()):
        kept = kept[:-1]
    if any(c in EMPHASIS for c in text[len(kept) :]):
        while kept and (kept[0] in EMPHASIS or kept[0].isspace()):
            kept = kept[1:]
    return by_value(kept) if kept else text


def one(weights: Iterable[float | None]) -> float | None:
    found = set(weights)
    return found.pop() if len(found) == 1 else None


def score(key: dict[str, Any], answer: Answer) -> float | None:
    """Return the item score of an answer in lenient matching, None if it has none."""
    text = written(answer.decision)
    if text is None or not is_valid(answer.valid):
        return None
    options = [(t, w) for t, w in worth(key, answer.item) if t.strip()]
    exact = [w for t, w in options if t == text]
    if exact or text in SENTINELS or not text.strip():
        return one(exact)
    alike = [w for t, w in options if folded(t) == folded(text)]
    if alike:
        return one(alike)
    if bare(form(text)) in SENTINELS or not form(text):
        return None
    # Those that are a sentinel in another spelling take no part in what follows.
    options = [(form(t), w) for t, w in options if bare(form(t)) not in SENTINELS and form(t)]
    alike = [w for t, w in options if t == form(text)]
    if alike:
        return one(alike)
    if len({t for t, _ in options}) > len({bare(t) for t, _ in options}):
        return None
    return one(w for t, w in options if bare(t) == bare(form(text)))
