"""What in a questionnaire is probably a mistake, although it can be scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scorekey.command.field_warnings import field_warnings, option_sets
from scorekey.command.tables import points
from scorekey.key import ScoringKey
from scorekey.messages import listed, shown
from scorekey.questionnaire import Questionnaire
from scorekey.specification import TOTAL_SCALE
from scorekey.values import identifier

_MOST_ITEMS = 8


def key_warnings(questionnaire: Questionnaire, key: ScoringKey) -> Iterator[str]:
    """Yield a sentence for everything that looks like a mistake.

    Parameters
    ----------
    questionnaire : Questionnaire
        The questionnaire.
    key : ScoringKey
        Its key.

    Yields
    ------
    str
        About clashing options, options that lenient matching cannot tell apart, items without
        options that count, weights that are not given, scales of items with different ranges, ids
        of scales that are not declared, declared scales without items, and fields that look
        misspelt.
    """
    yield from _clashes(key)
    yield from _look_alikes(key)
    yield from _unscorable(key)
    yield from missing_weights(questionnaire)
    yield from _mixed_ranges(key)
    yield from _scales(questionnaire, key)
    yield from field_warnings(questionnaire)


def _clashes(key: ScoringKey) -> Iterator[str]:
    by_texts: dict[tuple[str, ...], list[int]] = {}
    for item in range(key.n_items):
        if texts := tuple(key._core.clashes(item)):
            by_texts.setdefault(texts, []).append(item)
    for texts, items in by_texts.items():
        yield (
            f"{_items(items)}: options with the same text but different scores have no score: "
            f"{listed(texts)}"
        )


def _look_alikes(key: ScoringKey) -> Iterator[str]:
    by_texts: dict[tuple[str, ...], list[int]] = {}
    for item in range(key.n_items):
        for group in key._core.look_alikes(item):
            by_texts.setdefault(tuple(group), []).append(item)
    for texts, items in by_texts.items():
        yield (
            f"{_items(items)}: lenient matching cannot tell these options apart, although they "
            f"score differently: {listed(texts)}"
        )


def _unscorable(key: ScoringKey) -> Iterator[str]:
    items = [item for item in range(key.n_items) if key._core.range(item) is None]
    if items:
        yield f"{_items(items)}: no option that counts, so no answer has a score"


def missing_weights(questionnaire: Questionnaire) -> Iterator[str]:
    """Yield a sentence for every option that counts, but has no weight."""
    places: dict[str, list[str]] = {}
    for place, options in option_sets(questionnaire):
        for option in options.options.values():
            if "weight" not in option.model_fields_set and not option.ignored_for_scale:
                places.setdefault(option.text, []).append(place)
    for text, where in places.items():
        more = f" and {len(where) - _MOST_ITEMS} more" if len(where) > _MOST_ITEMS else ""
        yield (
            f"option {shown(text)} has no weight, which counts as 0 "
            f"({', '.join(where[:_MOST_ITEMS])}{more})"
        )


def _mixed_ranges(key: ScoringKey) -> Iterator[str]:
    ranges: dict[str, dict[tuple[float, float], list[int]]] = {}
    for item, label in enumerate(key.labels):
        bounds = key._core.range(item)
        if bounds is not None:
            ranges.setdefault(label or TOTAL_SCALE, {}).setdefault(bounds, []).append(item)
    for scale, items_of in ranges.items():
        if len(items_of) > 1:
            found = [
                f"{points(low)} to {points(high)} ({_items(items)})"
                for (low, high), items in items_of.items()
            ]
            more = f"; and {len(found) - 5} more" if len(found) > 5 else ""
            yield (
                f"scale {shown(scale)}: its items have different ranges: "
                f"{'; '.join(found[:5])}{more}"
            )


def _scales(questionnaire: Questionnaire, key: ScoringKey) -> Iterator[str]:
    declared = questionnaire.attributes.get("dimension")
    names = {}
    if isinstance(declared, Mapping):
        names = {identifier(known): identifier(name) for known, name in declared.items()}
    undeclared: dict[str, list[int]] = {}
    for number, item in enumerate(questionnaire.instruction_items or ()):
        known = identifier(item.attributes.get("dimension"))
        if known and known not in names:
            undeclared.setdefault(known, []).append(number)
    for known, items in undeclared.items():
        if known in names.values():
            meaning = "but is the name of a declared scale, so it stands for that one"
        else:
            meaning = "so the id is the name of the scale"
        yield f"{_items(items)}: the dimension id {shown(known)} is not declared, {meaning}"
    for name in key.dimensions:
        if name not in key.labels:
            yield f"scale {shown(name)} is declared but has no items"


def _items(items: list[int]) -> str:
    numbers = ", ".join(map(str, items[:_MOST_ITEMS]))
    more = f" and {len(items) - _MOST_ITEMS} more" if len(items) > _MOST_ITEMS else ""
    return f"item{'s' if len(items) > 1 else ''} {numbers}{more}"
