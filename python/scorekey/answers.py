"""Item scores: what every answer is worth, and which scale it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from scorekey import _core
from scorekey.arguments import Matching, check_column_names, is_true
from scorekey.columns import cell, checked_frame, copied_frame, frame_column
from scorekey.inputs import read_decisions, read_items, read_verdicts
from scorekey.item_record import ITEMS_ATTR
from scorekey.key import ScoringKey, key_of
from scorekey.messages import listed, shown, warn
from scorekey.names import spread
from scorekey.threads import get_num_threads
from scorekey.values import identifier

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["JUDGE_SENTINELS", "score_answers"]

JUDGE_SENTINELS: tuple[str, ...] = ("not present", "inconclusive")
"""Decisions by which a judge says that no option was chosen; they match no option but one whose
text is exactly that."""

DIMENSIONS_ATTR = "rupsycho_dimensions"
"""Where ``attrs`` of a scored frame holds the order of the scales, as rupsycho does it."""

FINGERPRINT_ATTR = "scorekey_fingerprint"
"""Where ``attrs`` of a scored frame, and a file's metadata, hold the fingerprint of the key."""


def score_answers(
    processed: DataFrame,
    experiment: Any,
    *,
    decision_column: str = "decision",
    item_column: str = "instruction_item_id",
    valid_column: str = "valid",
    only_valid: bool = True,
    matching: Matching | None = None,
) -> DataFrame:
    """Give every answer its item score and the scale (dimension) of its item.

    Parameters
    ----------
    processed : DataFrame of n rows
        One row per answer. It is not modified.
    experiment : Questionnaire, ScoringKey, experiment, mapping or path
        The questionnaire that the answers belong to, or anything that has it.
    decision_column : str, default "decision"
        Column with the text of the chosen answer option. A decision matches an option exactly, or
        else when both are equal after collapsing white space and folding case. Numbers and truth
        values are compared as text.
    item_column : str, default "instruction_item_id"
        Column with the position of the item in the questionnaire, from 0. A frame of
        `score_replies` may do without: its rubric's item is known by name.
    valid_column : str, default "valid"
        Column with the verdict on the answer: booleans, 0 and 1, or words such as "False" and
        "no". A missing verdict excludes nothing, and so does a missing column.
    only_valid : bool, default True
        Whether answers that are not valid have no score.
    matching : {"strict", "lenient"}, optional
        "strict" compares a decision and an option as above. "lenient" goes on where that fails:
        it ignores Unicode forms, invisible characters, kinds of apostrophes, quotation marks and
        dashes, how a number is written, punctuation at the end and Markdown's emphasis around the
        text, but never takes a part of a text for the whole. Default: that of `experiment` if it
        is a ScoringKey, else "strict". A key of the other matching is compiled anew at each call.

    Returns
    -------
    DataFrame of n rows
        The frame with two more columns (replaced if they exist): ``score`` (float64, NaN for an
        answer without score) and ``dimension`` (text, None for an item without one). The score of
        an option is its weight, or min + max - weight on a reverse-keyed item, min and max being
        taken over the item's options that are not ignored. ``attrs["rupsycho_dimensions"]`` is the
        order of the scales, ``attrs["scorekey_fingerprint"]`` the key's fingerprint, and
        ``attrs["scorekey_items"]`` the scales, range and direction of each item.

    Raises
    ------
    TypeError
        If `processed` is not a data frame, `experiment` has no questionnaire, `only_valid` is
        neither true nor false (a text, NA), `matching` is no text, the name of a column is a
        collection, or a column that is read holds collections.
    ValueError
        If a column is missing or occurs more than once, an item id is not the position of an item,
        or `matching` is another text.

    Warns
    -----
    UserWarning
        If no decision at all is the text of an option, or if options of an item share a text but
        not their score; in lenient matching, also if it makes options equal that score differently.

    Examples
    --------
    >>> import pandas as pd, scorekey as sk
    >>> questionnaire = {
    ...     "name": "Mini inventory",
    ...     "general_instruction": "Rate the statement.",
    ...     "attributes": {"dimension": {"1": "Extraversion"}},
    ...     "default_answer_options": {
    ...         "1": {"text": "Disagree", "weight": 1},
    ...         "2": {"text": "Neutral", "weight": 2},
    ...         "3": {"text": "Agree", "weight": 3},
    ...     },
    ...     "instruction_items": [
    ...         {"question": "I am talkative.", "attributes": {"dimension": "1"}},
    ...         {"question": "I am reserved.", "reversed": True, "attributes": {"dimension": "1"}},
    ...     ],
    ... }
    >>> processed = pd.DataFrame(
    ...     {"instruction_item_id": [0, 1, 1], "decision": ["Agree", " disagree", "not present"]}
    ... )
    >>> print(sk.score_answers(processed, questionnaire).to_string(index=False))
     instruction_item_id    decision  score    dimension
                       0       Agree    3.0 Extraversion
                       1    disagree    3.0 Extraversion
                       1 not present    NaN Extraversion
    """
    key = key_of(experiment, matching)
    frame = checked_frame(processed)
    rubric = processed.attrs.get("rubric")
    ids, answers = read_answers(
        frame, key, decision_column, item_column, valid_column, only_valid, rubric
    )
    return scored_frame(processed, key, ids, answers)


def scored_frame(
    processed: DataFrame, key: ScoringKey, ids: _core.ItemIds, answers: _core.Answers
) -> DataFrame:
    """Return the frame with the scores and scales of answers that were read from it."""
    result = copied_frame(processed)
    scores = answers.scores(get_num_threads())
    for name, column in (
        # A series is taken as it is, an array copied.
        ("score", pd.Series(scores, index=result.index, copy=False)),
        ("dimension", spread(key._item_texts, ids.positions())),
    ):
        levels = result.columns.nlevels
        label = name if levels == 1 else (name, *[""] * (levels - 1))
        if label in result.columns:
            result[label] = column
        else:  # cheaper than setting it, which shows on a small frame
            result.insert(result.shape[1], label, column)
    note_key(result, key)
    return result


def note_key(scored: DataFrame, key: ScoringKey) -> None:
    """Write into the attrs of item scores what later steps need to know of their key."""
    scored.attrs[DIMENSIONS_ATTR] = list(key.dimensions)
    scored.attrs[ITEMS_ATTR] = key.item_record
    scored.attrs[FINGERPRINT_ATTR] = key.fingerprint


def read_answers(
    frame: DataFrame,
    key: ScoringKey,
    decision_column: Any,
    item_column: Any,
    valid_column: Any,
    only_valid: Any,
    rubric: object = None,
) -> tuple[_core.ItemIds, _core.Answers]:
    """Read and check the columns of the answers, in the order of the reference's complaints."""
    check_column_names(
        item_column=item_column, decision_column=decision_column, valid_column=valid_column
    )
    items = item_ids_column(frame, key.labels, item_column, rubric)
    decisions = frame_column(frame, decision_column, "decision")
    only_valid = is_true(only_valid, "only_valid")
    ids = read_items(items, key.n_items, item_column)
    codes = read_decisions(decisions, decision_column)
    answers = _core.Answers(key._core, ids, codes)
    unmatched = answers.unmatched()
    if unmatched is not None:
        rows, example = unmatched
        warn(
            f"None of the {rows} decisions in column {shown(decision_column)} is the text of an "
            f"answer option of its item (for instance {shown(cell(decisions, example))}), so none "
            "is scored. Is this the column with the judge's choice, and the right questionnaire?"
        )
    if only_valid and valid_column in frame.columns:
        verdicts = frame_column(frame, valid_column, "valid")
        answers = answers.with_verdicts(*read_verdicts(verdicts, valid_column))
    if key._core.has_clashes:
        warn_of_clashes(key, ids)
    return ids, answers


def item_ids_column(
    frame: DataFrame, labels: tuple[str | None, ...], item_column: Any, rubric: object
) -> Any:
    """Return the item ids; a frame of `score_replies` holds one rubric's item, by its name."""
    if isinstance(rubric, str) and item_column not in frame.columns:
        name = identifier(rubric)
        if labels.count(name) == 1:
            return pd.Series(labels.index(name), index=frame.index, dtype="int64")
    return frame_column(frame, item_column, "item id")


def warn_of_clashes(key: ScoringKey, ids: _core.ItemIds) -> None:
    """Warn of options of the items that occur whose texts do not say which of them is meant."""
    present = ids.present(key.n_items)
    clashes = [(item, text) for item in present for text in key._core.clashes(item)]
    if clashes:
        first = clashes[:5]
        named = "; ".join(
            f"item {item}: {listed(text for other, text in first if other == item)}"
            for item in dict.fromkeys(item for item, _ in first)
        )
        warn(
            "Answer options with the same text but different scores leave decisions with that text "
            f"without a score: {named}{_more(clashes)}. Each option of an item needs a text of its "
            "own."
        )
    alike = [(item, texts) for item in present for texts in key._core.look_alikes(item)]
    if alike:
        named = "; ".join(f"item {item}: {listed(texts)}" for item, texts in alike[:5])
        warn(
            "Answer options that lenient matching cannot tell apart, although they score "
            f"differently, leave decisions that are only like them without a score: {named}"
            f"{_more(alike)}"
        )


def _more(found: list[Any]) -> str:
    return f"; and {len(found) - 5} more" if len(found) > 5 else ""
