"""Findings: what a person should look at before trusting a mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

__all__ = ["KINDS", "Finding"]

T = TypeVar("T")

_MOST_PLACES = 20

KINDS: dict[str, tuple[int, str]] = {
    "item_order": (100, "the results have the items in another order than the questionnaire"),
    "item_texts": (98, "item texts in the results are not those of the questionnaire"),
    "no_option_matched": (96, "no decision at all is the text of an option of its item"),
    "merged_respondents": (94, "answers of several respondents count as those of one"),
    "unknown_columns": (90, "columns that should identify a respondent are not there"),
    "lost_labels": (84, "options whose text is read as a missing cell"),
    "clashing_options": (80, "options of an item share a text, but not a score"),
    "unanswered_items": (78, "items that have no score from anybody"),
    "near_matches": (76, "texts that are options but for how they are written"),
    "duplicates": (74, "respondents answered an item more than once"),
    "uneven_missing": (70, "items on which answers are missing far more often than elsewhere"),
    "unmatched_texts": (66, "texts that are no option of their item"),
    "invalid_answers": (64, "many answers are not valid"),
    "judge_failures": (62, "the judge found no option in many valid answers"),
    "missing_answers": (60, "many decisions are missing, or have no row at all"),
    "straight_lining": (56, "respondents chose one option over and over"),
    "acquiescence": (54, "respondents agree with reverse-keyed and ordinary items alike"),
    "fillers_in_total": (48, "items without dimension count into the total"),
    "item_ranges": (44, "items of one scale have different ranges"),
    "scale_ranges": (36, "scales have different ranges"),
    "empty_scales": (32, "declared scales without items"),
    "unlisted_texts": (24, "more distinct texts than an audit lists"),
    "unused_options": (20, "options of which nobody made use"),
}
"""The weight of every kind of finding, from 100 (scores are wrong) to 0, and what it is."""


@dataclass(frozen=True)
class Finding:
    """Something that a person should look at.

    Attributes
    ----------
    kind : str
        One of the names in ``scorekey.audit.KINDS``.
    what : str
        What was found, in a sentence.
    where : tuple of str
        The items, scales, respondents, texts or columns concerned, the most important first.
    count : int
        How many rows, items, respondents, options or scales are concerned; `what` says of what.
    advice : str
        What to do, in a sentence.

    Examples
    --------
    >>> import scorekey as sk
    >>> finding = sk.Finding("empty_scales", "1 scale has no items.", ("Anger",), 1, "Check it.")
    >>> finding.weight
    32
    """

    kind: str
    what: str
    where: tuple[str, ...]
    count: int
    advice: str

    @property
    def weight(self) -> int:
        """How much it weighs, from 100 (scores are wrong) to 0."""
        return KINDS[self.kind][0]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the weight as plain data.

        Examples
        --------
        >>> import scorekey as sk
        >>> finding = sk.Finding("empty_scales", "1 scale is empty.", ("Anger",), 1, "Check it.")
        >>> finding.to_dict()["where"]
        ['Anger']
        """
        return asdict(self) | {"where": list(self.where), "weight": self.weight}

    def __str__(self) -> str:
        return f"{self.kind}: {self.what} {self.advice}"


def ranked(findings: list[Finding]) -> list[Finding]:
    """Return findings by weight, and among equal ones by how many are concerned."""
    return sorted(findings, key=lambda finding: (-finding.weight, -finding.count))


def numbered(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, such as ``"1 item"`` and ``"2 items"``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def share(part: int, whole: int) -> str:
    """Return a share in per cent; one below a half per cent is not rounded to nothing."""
    per_cent = 100 * part / whole
    return f"{per_cent:.1f}%" if 0 < per_cent < 1 else f"{per_cent:.0f}%"


def places(names: Iterable[T], name: Callable[[T], str] = str) -> tuple[str, ...]:
    """Return what the first ones are called, and how many more there are."""
    found = list(names)
    more = len(found) - _MOST_PLACES
    named = map(name, found[:_MOST_PLACES])
    return (*named, f"and {more} more") if more > 0 else tuple(named)


def item_names(items: Iterable[int]) -> tuple[str, ...]:
    """Return the names of items as `places`."""
    return places(items, lambda item: f"item {item}")
