"""Fields of a questionnaire that are probably misspelt: they are kept, but change no score."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches

from scorekey.messages import shown
from scorekey.questionnaire import AnswerOption, AnswerOptions, InstructionItem, Questionnaire

_MOST_PLACES = 8
_SHORTEST_START = 4  # of "ignored_for_scale", "ignore" is a start, but hardly alike


def option_sets(questionnaire: Questionnaire) -> Iterator[tuple[str, AnswerOptions]]:
    """Yield the answer options that items have, with the place where they stand."""
    items = questionnaire.instruction_items or ()
    own = [item.answer_options for item in items]
    defaults = questionnaire.default_answer_options
    if defaults and not all(options and options.options for options in own):
        yield "default options", defaults
    for number, options in enumerate(own):
        if options:
            yield f"item {number}", options


def field_warnings(questionnaire: Questionnaire) -> Iterator[str]:
    """Yield a sentence for every field that looks like a misspelt one.

    A field that is there cannot be what another one was meant to be, so names like ``"text_de"``
    beside ``"text"`` are not mentioned, and neither are those that resemble no field.

    Parameters
    ----------
    questionnaire : Questionnaire
        The questionnaire.

    Yields
    ------
    str
        What the field is called, what may be meant, and where.
    """
    places: dict[tuple[str, str, str], dict[str, None]] = {}
    for part, place, names, known in _parts(questionnaire):
        for name in names:
            meant = None if name in known else _meant(name, set(known).difference(names))
            if meant is not None:
                places.setdefault((part, name, meant), {})[place] = None
    for (part, name, meant), found in places.items():
        where = [place for place in found if place]
        more = f" and {len(where) - _MOST_PLACES} more" if len(where) > _MOST_PLACES else ""
        listed = f" ({', '.join(where[:_MOST_PLACES])}{more})" if where else ""
        yield (
            f"the field {shown(name)} of {part} is not known and changes no score; is "
            f"{shown(meant)} meant?{listed}"
        )


def _parts(
    questionnaire: Questionnaire,
) -> Iterator[tuple[str, str, Collection[str], Collection[str]]]:
    """Yield each part's kind, place, names of the fields that it has, and of those it may have."""
    yield (
        "the questionnaire", "",
        questionnaire.model_fields_set, Questionnaire.model_fields,
    )  # fmt: skip
    yield "the questionnaire's attributes", "", _texts(questionnaire.attributes), ("dimension",)
    for number, item in enumerate(questionnaire.instruction_items or ()):
        place = f"item {number}"
        yield "an item", place, item.model_fields_set, InstructionItem.model_fields
        yield "an item's attributes", place, _texts(item.attributes), ("dimension",)
    for place, options in option_sets(questionnaire):
        for option in options.options.values():
            yield "an option", place, option.model_fields_set, AnswerOption.model_fields


def _texts(names: Iterable[object]) -> list[str]:
    return [name for name in names if isinstance(name, str)]


def _meant(name: str, missing: Iterable[str]) -> str | None:
    """Return the one of the missing fields that a name looks like."""
    plain = name.strip().replace("-", "_").replace(" ", "_").casefold()
    if len(plain) >= _SHORTEST_START:
        for field in missing:
            if field.startswith(plain):
                return field
    return next(iter(get_close_matches(plain, missing, n=1)), None)
