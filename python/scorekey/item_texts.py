"""Whether results belong to a questionnaire: the texts of the items, one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekey import _core
from scorekey.arguments import check_column_names
from scorekey.columns import checked_frame, frame_column
from scorekey.errors import ItemMismatchError
from scorekey.experiment import questionnaire_of
from scorekey.inputs import read_decisions, read_items
from scorekey.key import ScoringKey
from scorekey.messages import shown
from scorekey.values import decision_text

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["check_items"]

_MOST = 5
_LONGEST = 60


def check_items(
    processed: DataFrame,
    questionnaire: Any,
    *,
    item_column: str = "instruction_item_id",
    text_column: str = "instruction_item",
) -> None:
    """Check that the item texts of results are those of a questionnaire.

    Another questionnaire with the same answer options, or the same items in another order, would
    score without any complaint. White space is compared collapsed, because a results file has
    spaces where the questionnaire has line breaks. Rows without a text are not checked.

    Parameters
    ----------
    processed : DataFrame
        One row per answer. It is not modified.
    questionnaire : Questionnaire, experiment, mapping or path
        The questionnaire, in any form that `score_answers` takes but a `ScoringKey`, which holds
        no item texts.
    item_column : str, default "instruction_item_id"
        Column with the position of the item in the questionnaire, from 0.
    text_column : str, default "instruction_item"
        Column with the text of the item.

    Raises
    ------
    ItemMismatchError
        A ValueError that shows both texts of up to five items that differ.
    ValueError
        If a column is missing or occurs more than once, or an item id is not the position of an
        item.
    TypeError
        If `processed` is not a data frame, there is no questionnaire, or the name of a column is a
        collection.

    Examples
    --------
    >>> import pandas as pd, scorekey as sk
    >>> questionnaire = {
    ...     "name": "Mini inventory",
    ...     "general_instruction": "Rate the statement.",
    ...     "instruction_items": [{"question": "I am talkative."}, {"question": "I am reserved."}],
    ... }
    >>> results = pd.DataFrame(
    ...     {"instruction_item_id": [0, 1], "instruction_item": ["I am  talkative.", "I worry."]}
    ... )
    >>> sk.check_items(results.head(1), questionnaire)
    >>> try:
    ...     sk.check_items(results, questionnaire)
    ... except sk.ItemMismatchError as error:
    ...     error.mismatches
    ((1, 'I worry.', 'I am reserved.'),)
    """
    frame = checked_frame(processed)
    check_column_names(item_column=item_column, text_column=text_column)
    items = frame_column(frame, item_column, "item id")
    texts = frame_column(frame, text_column, "item text")
    if isinstance(questionnaire, ScoringKey):
        raise TypeError("a ScoringKey holds no item texts: pass the questionnaire")
    questions = questions_of(questionnaire)
    found = mismatches(
        read_items(items, len(questions), item_column), texts, text_column, questions
    )
    if found:
        pairs = tuple((item, text, questions[item]) for item, text, _, _ in found)
        raise ItemMismatchError(_message(pairs, [row for _, _, row, _ in found]), pairs)


def questions_of(questionnaire: Any) -> list[str]:
    """Return the texts of the items, white space collapsed."""
    items = questionnaire_of(questionnaire).instruction_items or ()
    return [collapsed(item.question) for item in items]


def mismatches(
    ids: _core.ItemIds, texts: Any, text_column: Any, questions: list[str]
) -> list[tuple[int, str, int, int]]:
    """Return item, text, first row and number of rows of every text that is not its item's."""
    codes = read_decisions(texts, text_column, "item text")
    distinct = [None, *map(decision_text, codes.values())]
    return [
        (item, text, row, rows)
        for item, code, row, rows in sorted(_core.places(ids, codes, len(questions)))
        if (text := distinct[code]) is not None and collapsed(text) != questions[item]
    ]


def collapsed(text: str) -> str:
    """Return a text with each run of white space as one space."""
    return " ".join(text.split())


def _message(pairs: tuple[tuple[int, str, str], ...], rows: list[int]) -> str:
    differences = []
    for (item, text, question), row in zip(pairs[:_MOST], rows, strict=False):
        found, expected = _excerpts(text, question)
        differences.append(
            f"item {item} is {found} in the results (row {row}), but {expected} in the "
            "questionnaire"
        )
    more = len(pairs) - _MOST
    return (
        f"The results are not of this questionnaire: {'; '.join(differences)}"
        f"{f'; and {more} more' if more > 0 else ''}"
    )


def _excerpts(text: str, question: str) -> list[str]:
    """Return both texts, or of long ones the part in which they begin to differ."""
    start = 0
    if max(len(text), len(question)) > _LONGEST:
        pairs = enumerate(zip(text, question, strict=False))
        first = next((place for place, (a, b) in pairs if a != b), min(len(text), len(question)))
        start = max(0, first - _LONGEST // 3)
    cuts = (part[start : start + _LONGEST] for part in (text, question))
    return [shown(f"{'...' if start else ''}{cut}") for cut in cuts]
