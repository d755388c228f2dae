"""Which column of a wide file belongs to which item, and what its answers are compared with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pandas as pd

from scorekey import _core
from scorekey.experiment import questionnaire_of
from scorekey.key import ScoringKey
from scorekey.messages import listed, shown, warn
from scorekey.values import decision_text, item_positions

ANSWERS = ("text", "weight", "id")
"""What the cells of a wide file may hold: an option's text, its weight or its id."""

_HEADER = re.compile(r"""\{\s*["']ImportId["']""")
"""How a cell of Qualtrics' row of import ids begins; older exports have single quotation marks."""
_MOST_HEADERS = 3


def find_columns(frame: pd.DataFrame, columns: Any, n_items: int) -> dict[int, int]:
    """Return the item and the place of every column with answers.

    Parameters
    ----------
    frame : DataFrame
        The wide file.
    columns : mapping, str, sequence of str, or None
        See `score_wide`.
    n_items : int
        The number of items of the questionnaire.

    Returns
    -------
    dict of int to int
        For each item that has a column, in the order of the items, the column's place in the frame.

    Raises
    ------
    TypeError, ValueError
        If `columns` is nothing that it can be, or does not name one column for each item.
    """
    labels = list(frame.columns)
    if isinstance(columns, Mapping):
        return _mapped(labels, columns, n_items)
    if columns is None:
        names = _at_positions(labels, n_items)
    elif isinstance(columns, str):
        names = _with_prefix(labels, columns, n_items)
    elif isinstance(columns, Iterable) and not isinstance(columns, (bytes, bytearray)):
        names = list(columns)
        if len(names) != n_items:
            raise ValueError(
                f"columns names {len(names)} column(s), but the questionnaire has {n_items} "
                "item(s): name one for each, in the order of the items, or map names to items"
            )
    else:
        raise TypeError(
            "columns must map names to items, or be a prefix or a sequence of names, not "
            f"{shown(columns)}"
        )
    places = [_place(labels, name) for name in names]
    _refuse_repetitions(names)
    return dict(enumerate(places))


def _mapped(labels: list[Any], columns: Mapping[Any, Any], n_items: int) -> dict[int, int]:
    items = []
    for name, given, item in zip(
        columns, columns.values(), item_positions(list(columns.values())), strict=True
    ):
        if item is None or item >= n_items:
            raise ValueError(
                f"columns maps {shown(name)} to {shown(given)}, which is not the position of an "
                f"item (0 to {n_items - 1})"
            )
        items.append(item)
    _refuse_repetitions(items)
    places = {item: _place(labels, name) for name, item in zip(columns, items, strict=True)}
    without = [item for item in range(n_items) if item not in places]
    if without:
        warn(f"no column is mapped to the item(s) {listed(without)}, so nobody has answered them")
    return {item: places[item] for item in sorted(places)}


def _at_positions(labels: list[Any], n_items: int) -> list[Any]:
    known = {str(name): name for name in labels if isinstance(name, (int, str))}
    without = [item for item in range(n_items) if str(item) not in known]
    if without:
        raise ValueError(
            f"there are no columns named by the positions {listed(without)} of items; say with "
            f"columns which ones belong to the items. There are {listed(labels, most=8)}"
        )
    return [known[str(item)] for item in range(n_items)]


def _with_prefix(labels: list[Any], prefix: str, n_items: int) -> list[str]:
    # After the prefix comes one number, perhaps in brackets. A prefix that ends in a digit does
    # not end within a number: "q1" is not the prefix of "q10".
    start = r"(?![0-9])" if prefix[-1:].isdigit() else ""
    rest = re.compile(rf"{re.escape(prefix)}{start}([^0-9]*)([0-9]+)[^0-9A-Za-z]*")
    found = []
    for name in labels:
        match = rest.fullmatch(name) if isinstance(name, str) and prefix else None
        if match:
            found.append((match[1], int(match[2]), name))
    names = [name for *_, name in sorted(found)]
    if len(names) != n_items:
        there = f" ({listed(names, most=8)})" if names else ""
        raise ValueError(
            f"{len(names)} column(s){there} begin with {shown(prefix)} and end in a number, but "
            f"the questionnaire has {n_items} item(s)"
            f"{'' if names else f'; the columns are {listed(labels, most=8)}'}"
        )
    return names


def _place(labels: list[Any], name: Any) -> int:
    try:
        places = [place for place, label in enumerate(labels) if label == name]
    except (TypeError, ValueError):  # an array, which compares with each letter
        places = []
    if not places:
        raise ValueError(
            f"columns names {shown(name)}, but the frame has no such column; it has "
            f"{listed(labels, most=8)}"
        )
    if len(places) > 1:
        raise ValueError(f"columns names {shown(name)}, which occurs more than once")
    return places[0]


def _refuse_repetitions(names: Sequence[Any]) -> None:
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise ValueError(f"columns names {listed(twice)} more than once")


def find_headers(frame: pd.DataFrame) -> int:
    """Return how many rows belong to the header: those up to Qualtrics' row of import ids."""
    first = frame.head(_MOST_HEADERS).astype(object)
    for row in reversed(range(len(first))):
        cells = first.iloc[row]
        if any(isinstance(cell, str) and _HEADER.match(cell) for cell in cells):
            return row + 1
    return 0


def key_by(answers: str, questionnaire: Any, key: ScoringKey) -> ScoringKey:
    """Return a key that compares answers with the texts, the weights or the ids of options.

    Ignored options are left out where weights are compared, since theirs mean nothing.

    Raises
    ------
    TypeError
        If ids are to be compared, but there is only a key, which does not know them.
    """
    if answers == "text":
        return key
    if answers == "weight":
        sets = [
            [
                (str(decision_text(weight)), weight, False)
                for _, weight, ignored in options
                if not ignored
            ]
            for options in key._specification.option_sets
        ]
        # Numbers are compared by value: a column that holds a word too holds "4.0" as text.
        return key._with_options(sets, "lenient")
    if isinstance(questionnaire, ScoringKey):
        raise TypeError(
            "answers='id' needs the questionnaire: a ScoringKey knows no ids of options"
        )
    form = questionnaire_of(questionnaire)
    items = [
        SimpleNamespace(
            answer_options=_by_id(item.answer_options),
            reversed=item.reversed,
            attributes=item.attributes,
            range=bounds,
        )
        for item, bounds in zip(
            form.instruction_items or (), key._specification.ranges, strict=True
        )
    ]
    return ScoringKey(
        SimpleNamespace(
            instruction_items=items,
            default_answer_options=_by_id(form.default_answer_options),
            attributes=form.attributes,
        ),
        key.matching,
    )


def _by_id(options: Any) -> Any:
    """Return options whose texts are their ids."""
    if options is None:
        return None
    return SimpleNamespace(
        options={
            name: SimpleNamespace(
                text=str(name), weight=option.weight, ignored_for_scale=option.ignored_for_scale
            )
            for name, option in options.options.items()
        }
    )


def missing_codes(answers: _core.Codes, missing: Iterable[Any]) -> list[int]:
    """Return the codes of answers that stand for none."""
    texts = {decision_text(value) for value in missing}
    values = enumerate(answers.values(), start=1)
    return [code for code, value in values if decision_text(value) in texts] if texts else []
