"""Wide files: one row for each respondent, one column for each item, as surveys are exported."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from scorekey import _core
from scorekey.aggregation import Aggregation
from scorekey.answers import warn_of_clashes
from scorekey.arguments import Matching, is_true
from scorekey.columns import cell, checked_frame, copied_frame
from scorekey.completion import complete
from scorekey.inputs import read_decisions
from scorekey.key import key_of
from scorekey.messages import listed, shown, warn
from scorekey.scale_items import read_record
from scorekey.threads import get_num_threads
from scorekey.wide_columns import ANSWERS, find_columns, find_headers, key_by, missing_codes
from scorekey.wide_results import item_rows, scale_columns, scale_rows
from scorekey.wishes import read_wishes

__all__ = ["score_wide"]

_FORMS = ("wide", "tidy", "items")


def score_wide(
    frame: pd.DataFrame,
    questionnaire: Any,
    *,
    columns: Mapping[Hashable, int] | str | Sequence[Hashable] | None = None,
    answers: str = "text",
    missing: Sequence[Any] = (),
    header_rows: int | None = None,
    form: str = "wide",
    by: str | Sequence[str] | None = None,
    result_prefix: str = "",
    agg: str | Callable[[pd.Series[float]], float] = "mean",
    include_total: bool = False,
    min_items: int | Mapping[str, int] | None = None,
    min_fraction: float | None = None,
    expected: bool = False,
    impute: str | None = None,
    matching: Matching | None = None,
) -> pd.DataFrame:
    """Score a file that has one row for each respondent and one column for each item.

    Parameters
    ----------
    frame : DataFrame of n rows
        The file, as Qualtrics, LimeSurvey, REDCap or a spreadsheet export it. It is not modified.
    questionnaire : Questionnaire, ScoringKey, experiment, mapping or path
        The questionnaire that the answers belong to; see `score_answers`.
    columns : mapping, str, sequence or None, default None
        Which columns hold the answers. A mapping from the names of columns to the positions of
        items; the beginning that the names have in common before a number (``"q"`` for q1, q2, ...,
        q10, which are taken in this order; ``"G01Q01"`` for G01Q01[SQ001]); their names in the
        order of the items; or None for columns named by the positions of the items, 0, 1, and so
        on. Every item needs a column, except with a mapping, where those without one count as not
        answered by anybody.
    answers : {"text", "weight", "id"}, default "text"
        What the cells hold: the text of the chosen option, matched as in `score_answers`; its
        weight (before items are flipped), compared by value, so that "4.0" and "04" are 4; or
        its id in the questionnaire, such as LimeSurvey's A1.
    missing : sequence, default ()
        Values that stand for no answer, such as 0 or -99.
    header_rows : int, optional
        How many rows at the top are not of respondents. Default: those up to Qualtrics' row of
        import ids, if there is one among the first three.
    form : {"wide", "tidy", "items"}, default "wide"
        What is returned: the frame with a column for each scale, a row for each respondent and
        scale, or a row for each respondent and item.
    by : str or sequence of str, optional
        The columns that identify a respondent in the other two forms. Default: the label of the
        row, in a column that has the name of the index, or ``respondent`` (of a MultiIndex one for
        each level).
    result_prefix : str, default ""
        What the names of the scales' columns begin with.
    agg, include_total, min_items, min_fraction, expected, impute
        See `scale_scores`. Columns of counts such as ``n_expected`` are only in the tidy form, and
        the items' form heeds none of these.
    matching : {"strict", "lenient"}, optional
        See `score_answers`.

    Returns
    -------
    DataFrame
        * "wide": the rows of the respondents with their columns and, behind them, a float64 column
          for each scale.
        * "tidy": what `scale_scores` returns, respondents in the order of their rows.
        * "items": what `score_answers` returns (without the answers), for `scale_scores`,
          `item_matrix` and `reliability`.

    Raises
    ------
    TypeError
        If `frame` is not a data frame, or an argument is of a type that it cannot have.
    ValueError
        If a column is missing or occurs twice, the columns do not fit the items, a column of the
        result is there already, or an argument is nothing that it can be.

    Warns
    -----
    UserWarning
        If no answer at all is an option of its item, or if a mapping leaves out items; and as
        `score_answers` and `scale_scores` do.

    Examples
    --------
    >>> import pandas as pd, scorekey as sk
    >>> options = {str(i): {"text": str(i), "weight": i} for i in range(1, 6)}
    >>> questionnaire = {
    ...     "name": "Two items",
    ...     "general_instruction": "From 1 to 5?",
    ...     "attributes": {"dimension": {"e": "Extraversion"}},
    ...     "default_answer_options": options,
    ...     "instruction_items": [
    ...         {"question": "I talk.", "attributes": {"dimension": "e"}},
    ...         {"question": "Shy?", "reversed": True, "attributes": {"dimension": "e"}},
    ...     ],
    ... }
    >>> survey = pd.DataFrame({"id": ["Ann", "Ben"], "q1": [5, 2], "q2": [2, None]})
    >>> print(sk.score_wide(survey, questionnaire, columns="q").to_string(index=False))
     id  q1  q2  Extraversion
    Ann   5 2.0           4.5
    Ben   2 NaN           2.0
    >>> tidy = sk.score_wide(survey, questionnaire, columns="q", form="tidy", by="id", min_items=2)
    >>> print(tidy.to_string(index=False))
     id    dimension  score  n_items  n_missing
    Ann Extraversion    4.5        2          0
    Ben Extraversion    NaN        1          1
    """
    if answers not in ANSWERS:
        raise ValueError(f"answers must be one of {listed(ANSWERS)}, not {shown(answers)}")
    if form not in _FORMS:
        raise ValueError(f"form must be one of {listed(_FORMS)}, not {shown(form)}")
    if isinstance(missing, (str, bytes)) or not isinstance(missing, Sequence):
        raise TypeError(f"missing must be a list of values, not {shown(missing)}")
    if not isinstance(result_prefix, str):
        raise TypeError(f"result_prefix must be a text, not {shown(result_prefix)}")
    wishes = read_wishes(
        agg, min_items=min_items, min_fraction=min_fraction, expected=expected, impute=impute
    )
    wants_total = is_true(include_total, "include_total")
    key = key_of(questionnaire, matching)
    rows = checked_frame(frame)
    rows = rows.iloc[_count_headers(rows, header_rows) :]
    places = find_columns(rows, columns, key.n_items)
    matcher = key_by(answers, questionnaire, key)
    ids, decisions, respondents = _stack(rows, places, key.n_items, missing)
    scored = _core.Answers(matcher._core, ids, decisions)
    _warn_if_unmatched(scored, rows, places, answers)
    if matcher._core.has_clashes:
        warn_of_clashes(matcher, ids)
    if form == "items":
        return item_rows(rows, by, places, scored, key)
    scales = sorted({key._scales[item] for item in places})
    total = wants_total and scales != [len(key.scale_names) - 1]
    numbered = respondents, [len(rows), *range(len(rows))]
    counts: list[Any] = []
    if wishes is None:
        cells = Aggregation(agg).over(scored, [numbered], len(key.scale_names), total=total)
    else:
        completion = complete(
            wishes,
            None,
            ids,
            read_record(key.item_record),
            key.scale_names,
            all_in_total=wants_total,
        )
        keys = [("", None, numbered)]
        cells, counts = completion.over(scored, keys, agg, len(key.scale_names), total=total)
    if form == "tidy":
        names = () if wishes is None else wishes.columns
        return scale_rows(rows, by, key, cells, dict(zip(names, counts, strict=True)))
    if total:
        scales.append(len(key.scale_names) - 1)
    named = [f"{result_prefix}{key.scale_names[scale]}" for scale in dict.fromkeys(scales)]
    return scale_columns(
        copied_frame(frame.iloc[-len(rows) :] if len(rows) else frame[:0]), named, cells
    )


def _count_headers(frame: pd.DataFrame, header_rows: Any) -> int:
    if header_rows is None:
        return find_headers(frame)
    if isinstance(header_rows, bool) or not isinstance(header_rows, (int, np.integer)):
        raise TypeError(f"header_rows must be a whole number, not {shown(header_rows)}")
    if not 0 <= header_rows <= len(frame):
        raise ValueError(
            f"header_rows must be from 0 to {len(frame)}, the number of rows, not "
            f"{shown(header_rows)}"
        )
    return int(header_rows)


def _stack(
    rows: pd.DataFrame, places: dict[int, int], n_items: int, missing: Sequence[Any]
) -> tuple[_core.ItemIds, _core.Codes, _core.Codes]:
    """Return the item, the answer and the respondent of every answer, respondent by respondent."""
    columns = []
    for item, place in places.items():
        decisions = read_decisions(rows.iloc[:, place], rows.columns[place], "answer")
        columns.append((item, decisions, missing_codes(decisions, missing)))
    return _core.stack_columns(columns, len(rows), n_items, get_num_threads())


def _warn_if_unmatched(
    scored: _core.Answers, rows: pd.DataFrame, places: dict[int, int], answers: str
) -> None:
    unmatched = scored.unmatched()
    if unmatched is None:
        return
    number, example = unmatched
    row, column = divmod(example, len(places))
    item, place = list(places.items())[column]
    warn(
        f"None of the {number} answers is the {answers} of an option of its item (for instance "
        f"{shown(cell(rows.iloc[:, place], row))} in column {shown(rows.columns[place])}, item "
        f"{item}), so none is scored. Are these the columns of the answers, in the order of the "
        f"items? What the cells hold is said with answers: {listed(ANSWERS)}"
    )
