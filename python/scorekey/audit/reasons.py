"""Why a text is no option of its item, and which option it may have been meant to be."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from scorekey import _core
from scorekey.answers import JUDGE_SENTINELS

LEAST_LIKENESS = 0.6
"""Less like an option than this (by Levenshtein's distance), a text is like none."""
SPELLING = 0.8
"""At least as like an option as this, a text is a misspelt one."""

_MOST_LETTERS = 2000
_SHORTEST_PART = 3
_APOSTROPHES = dict.fromkeys(map(ord, "‘’‚‛ʼʹ′`´＇"), "'")
_QUOTES = dict.fromkeys(map(ord, "“”„‟«»″"), '"')
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_RAISED = ("<super>", "<sub>", "<fraction>")
_TURKISH = str.maketrans({"İ": "i", "ı": "i", "\u0307": None})
_NUMBER = re.compile(r"[+-]?0*([0-9]+)(?:[.,]([0-9]*))?")
_TAG = re.compile(r"<[^<>]{1,60}>")
_LABEL = re.compile(r"[(\[]?([0-9]{1,3}|[a-z])\s*[]).:=-]+\s*(?=\S)|[0-9]{1,3}\s+(?=[^\W\d])")
_TRUTHS = ("true", "false")


class Explanation(NamedTuple):
    """Why a text is no option.

    Attributes
    ----------
    reason : str or None
        One or several words, such as ``"apostrophe"`` or ``"number form, white space"``; None for a
        text that is an option.
    nearest : str or None
        The option that may have been meant.
    """

    reason: str | None
    nearest: str | None


def _visible(text: str) -> str:
    if text.isascii():
        return text
    return "".join(letter for letter in text if unicodedata.category(letter) != "Cf")


def _unescaped(text: str) -> str:
    return _TAG.sub("", html.unescape(text))


def _normal(text: str) -> str:
    if text.isascii():
        return text
    raised = any(unicodedata.decomposition(letter).startswith(_RAISED) for letter in text)
    return unicodedata.normalize("NFC" if raised else "NFKC", text)


def _unaccented(text: str) -> str:
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _plain_number(text: str) -> str:
    stripped = text.strip()
    number = _NUMBER.fullmatch(stripped)
    if number is None or not stripped.isascii():
        return text
    decimals = (number[2] or "").rstrip("0")
    sign = "-" if stripped.startswith("-") else ""
    return f"{sign}{number[1]}{'.' if decimals else ''}{decimals}"


def _bare(text: str) -> str:
    stripped = text.strip()
    bare = stripped.strip("*_\"'").rstrip(".,;:! ")
    return text if bare == stripped else bare


def _unspaced(text: str) -> str:
    return "".join(text.split())


_Step = tuple[str, Callable[[str], str]]
_STEPS: tuple[_Step, ...] = (
    ("HTML", _unescaped),
    ("invisible character", _visible),
    ("Unicode form", _normal),
    ("apostrophe", lambda text: text.translate(_APOSTROPHES)),
    ("quotation mark", lambda text: text.translate(_QUOTES)),
    ("hyphen or dash", lambda text: text.translate(_DASHES)),
    ("number form", _plain_number),
    ("punctuation", _bare),
    ("accent", _unaccented),
    ("case", lambda text: text.translate(_TURKISH)),
    ("white space", _unspaced),
)
_SPACED = _STEPS[:-1]
_OF_SENTINELS = (*_STEPS[:-2], ("case", str.casefold), _STEPS[-1])


def _form(text: str, steps: Iterable[_Step], finish: Callable[[str], str] = _core.fold) -> str:
    for _, change in steps:
        text = change(text)
    return finish(text)


_SENTINELS = {_form(sentinel, _OF_SENTINELS, str): sentinel for sentinel in JUDGE_SENTINELS}


def _needed(text: str, option: str, steps: Sequence[_Step], finish: Callable[[str], str]) -> str:
    """Return the steps without which two texts differ; with all of them they are equal.

    The last ones take most away, so they are given up first.
    """
    kept = list(steps)
    for step in reversed(steps):
        fewer = [other for other in kept if other is not step]
        if _form(text, fewer, finish) == _form(option, fewer, finish):
            kept = fewer
    return ", ".join(name for name, _ in kept)


def plainest(text: str) -> str:
    """Return the form that texts have in common if they differ only in how they are written."""
    return _form(text, _STEPS)


def difference(text: str, other: str) -> str:
    """Return what two texts of the same plainest form differ in, such as ``"apostrophe"``."""
    return _needed(text, other, _STEPS, _core.fold)


class Explainer:
    """Explains why texts are none of the options of an item.

    Parameters
    ----------
    options : sequence of str
        The texts of the item's options.
    others : iterable of str
        The options of the questionnaire's other items.
    """

    def __init__(self, options: Sequence[str], others: Iterable[str] = ()) -> None:
        self._options = list(options)
        self._spaced = [_form(option, _SPACED) for option in options]
        self._alike = _first(_form(option, _STEPS) for option in options)
        self._others = {_core.fold(option) for option in others}

    def explain(self, text: str) -> Explanation:
        """Return why a text is no option, as `score_answers` compares them."""
        if len(text) > _MOST_LETTERS:
            return Explanation("longer text", None)
        sentinel = _SENTINELS.get(_form(text, _OF_SENTINELS, str))
        if sentinel is not None:
            return Explanation(_needed(text, sentinel, _OF_SENTINELS, str), sentinel)
        alike = self._alike.get(_form(text, _STEPS))
        if alike is not None:
            option = self._options[alike]
            return Explanation(_needed(text, option, _STEPS, _core.fold), option)
        if _core.fold(text) in self._others:
            return Explanation("option of another item", None)
        return self._by_part(_form(text, _SPACED)) or self._by_likeness(text)

    def _by_part(self, text: str) -> Explanation | None:
        """Explain a text that shares a part with an option."""
        labels = [_LABEL.match(option) for option in self._spaced]
        rests = [
            option[label.end() :] if label else option
            for option, label in zip(self._spaced, labels, strict=True)
        ]
        own = _LABEL.match(text)
        rest = text[own.end() :] if own else text
        if own and own[1] != rest and {own[1], rest} <= set(self._spaced):
            return Explanation("several options", None)
        if rest in rests:
            return Explanation("leading label", self._options[rests.index(rest)])
        whole = [
            place
            for place, (option, label) in enumerate(zip(self._spaced, labels, strict=True))
            if (label and label[1] == text.strip("([])."))
            or (len(text) >= _SHORTEST_PART and _contains(option, text))
        ]
        if whole:
            nearest = self._options[whole[0]] if len(whole) == 1 else None
            return Explanation("part of the option", nearest)
        inside = [option for option in rests if option and _contains(text, option)]
        longest = {
            option
            for option in inside
            if not any(other != option and _contains(other, option) for other in inside)
        }
        if len(longest) == 1:
            place = rests.index(longest.pop())
            return Explanation("longer text", self._options[place])
        return Explanation("several options", None) if longest else None

    def _by_likeness(self, text: str) -> Explanation:
        folded = _core.fold(text)
        if folded in _TRUTHS:
            return Explanation("truth value", None)
        found = _core.nearest(folded, [_core.fold(o) for o in self._options], LEAST_LIKENESS)
        if found is None:
            return Explanation("other", None)
        place, likeness = found
        reason = "spelling" if likeness >= SPELLING else "other"
        return Explanation(reason, self._options[place])


def _contains(text: str, part: str) -> bool:
    """Return whether a text has the words of another one, one after the other."""
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def _first(forms: Iterable[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    for place, form in enumerate(forms):
        if form:
            places.setdefault(form, place)
    return places
