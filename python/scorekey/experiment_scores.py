"""From answers to scale scores in one pass, without a frame of item scores in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from scorekey.answers import item_ids_column, read_answers
from scorekey.arguments import Matching, is_true
from scorekey.columns import checked_frame, frame_column
from scorekey.completion import complete
from scorekey.grouping import DEFAULT_GROUPS, find_groups, group_names
from scorekey.key import key_of
from scorekey.scale_items import read_record
from scorekey.scale_table import scale_table
from scorekey.specification import TOTAL_SCALE
from scorekey.wishes import read_wishes

__all__ = ["score_experiment"]

_RAW_COLUMNS = {
    "Instruction ID": "instruction_item_id",
    "Instruction Question": "instruction_item",
    "Model ID": "model_id",
    "Persona ID": "profile_id",
    "Run Seed": "random_seed",
    "Answer": "answer",
}
"""The columns of an experiment's stored answers, and those of a results file."""


def score_experiment(
    experiment: Any,
    processed: pd.DataFrame | None = None,
    *,
    decision_column: str = "decision",
    item_column: str = "instruction_item_id",
    valid_column: str = "valid",
    only_valid: bool = True,
    by: str | Sequence[str] = DEFAULT_GROUPS,
    agg: str | Callable[[pd.Series[float]], float] = "mean",
    include_total: bool = False,
    matching: Matching | None = None,
    min_items: int | Mapping[str, int] | None = None,
    min_fraction: float | None = None,
    expected: bool = False,
    duplicates: str = "keep",
    impute: str | None = None,
) -> pd.DataFrame:
    """Score answers and aggregate them in one pass: `score_answers`, then `scale_scores`.

    Parameters
    ----------
    experiment : Questionnaire, ScoringKey, experiment, mapping or path
        See `score_answers`.
    processed : DataFrame, optional
        The answers. Default: those stored in the experiment, whose raw text is then taken as the
        decision, so they have to be the options' own texts. A call that failed has left no row, and
        ``n_missing`` does not know of it.
    decision_column, item_column, valid_column : str
        See `score_answers`; they refer to `processed`.
    only_valid : bool, default True
        See `score_answers`.
    by, agg, include_total, min_items, min_fraction, expected, duplicates, impute
        See `scale_scores`. Which items a scale has is known from the experiment.
    matching : {"strict", "lenient"}, optional
        See `score_answers`.

    Returns
    -------
    DataFrame
        See `scale_scores`.

    Raises
    ------
    TypeError, ValueError
        Those of `score_answers`, then those of `scale_scores`; ValueError too if there are no
        answers.

    Warns
    -----
    UserWarning
        Those of both functions.

    Examples
    --------
    >>> import pandas as pd, scorekey as sk
    >>> questionnaire = {
    ...     "name": "One item",
    ...     "general_instruction": "Answer.",
    ...     "default_answer_options": {"n": {"text": "No"}, "y": {"text": "Yes", "weight": 1}},
    ...     "instruction_items": [{"question": "Sure?"}],
    ... }
    >>> processed = pd.DataFrame(
    ...     {"model_id": ["a", "b"], "instruction_item_id": [0, 0], "decision": ["Yes", "no"]}
    ... )
    >>> print(sk.score_experiment(questionnaire, processed).to_string(index=False))
    model_id dimension  score  n_items  n_missing
           a     total    1.0        1          0
           b     total    0.0        1          0
    """
    wishes = read_wishes(
        agg,
        min_items=min_items,
        min_fraction=min_fraction,
        expected=expected,
        duplicates=duplicates,
        impute=impute,
    )
    key = key_of(experiment, matching)
    if processed is None:
        processed = _stored_answers(experiment)
        decision_column, item_column, valid_column = "decision", "instruction_item_id", "valid"
    frame = checked_frame(processed)
    rubric = processed.attrs.get("rubric")
    ids, answers = read_answers(
        frame, key, decision_column, item_column, valid_column, only_valid, rubric
    )
    wants_total = is_true(include_total, "include_total")
    more = () if wishes is None else wishes.columns
    groups = find_groups(frame, group_names(by, "dimension", "score", more), item_column)
    # Columns of these names would be replaced in a frame of item scores, where each may occur once.
    for name in ("dimension", "score"):
        if name in frame.columns:
            frame_column(frame, name, name)
    total = wants_total and any(
        key.labels[item] not in (None, TOTAL_SCALE) for item in ids.present(key.n_items)
    )
    completion = None
    if wishes is not None:
        completion = complete(
            wishes,
            item_ids_column(frame, key.labels, item_column, rubric),
            ids,
            read_record(key.item_record),
            key.scale_names,
            all_in_total=wants_total,
        )
    return scale_table(
        frame,
        answers,
        groups,
        key._scale_texts,
        agg,
        total=total,
        columns=("dimension", "score"),
        completion=completion,
    )


def _stored_answers(experiment: Any) -> pd.DataFrame:
    get_answers = getattr(experiment, "get_answers_as_dataframe", None)
    if get_answers is None:
        raise ValueError(
            "A questionnaire holds no answers of its own: give the results as "
            "`processed`, or pass an experiment after its run"
        )
    answers = checked_frame(get_answers()).rename(columns=_RAW_COLUMNS)
    raw = frame_column(answers, "answer", "stored answer")
    return answers.assign(decision=raw)
