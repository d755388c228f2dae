"""Scale scores: one score for each respondent and scale, from item scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from scorekey.answers import DIMENSIONS_ATTR, item_ids_column
from scorekey.arguments import check_column_names, is_true
from scorekey.columns import checked_frame, frame_column
from scorekey.completion import complete, complete_rows
from scorekey.grouping import DEFAULT_GROUPS, find_groups, group_names
from scorekey.inputs import read_items, read_names, read_scores
from scorekey.item_record import ITEMS_ATTR
from scorekey.key import key_of
from scorekey.messages import shown
from scorekey.names import text_array
from scorekey.scale_items import read_record
from scorekey.scale_table import scale_table
from scorekey.specification import TOTAL_SCALE
from scorekey.values import identifier
from scorekey.wishes import read_wishes

__all__ = ["scale_scores"]


def scale_scores(
    scored: pd.DataFrame,
    *,
    by: str | Sequence[str] = DEFAULT_GROUPS,
    dimension_column: str = "dimension",
    score_column: str = "score",
    agg: str | Callable[[pd.Series[float]], float] = "mean",
    include_total: bool = False,
    dimensions: Sequence[str] | None = None,
    min_items: int | Mapping[str, int] | None = None,
    min_fraction: float | None = None,
    expected: bool = False,
    duplicates: str = "keep",
    impute: str | None = None,
    questionnaire: Any = None,
    item_column: str = "instruction_item_id",
) -> pd.DataFrame:
    """Aggregate item scores to one score for each respondent and scale.

    Parameters
    ----------
    scored : DataFrame
        Item scores, as `score_answers` returns them. It is not modified.
    by : str or sequence of str, default ("model_id", "profile_id", "random_seed")
        The columns that identify a respondent, as far as the frame has them. Rows with a missing
        value are a respondent of their own, who comes last.
    dimension_column : str, default "dimension"
        Column with the scale of each row; a missing or blank one means "no dimension".
    score_column : str, default "score"
        Column with the item scores.
    agg : str or callable, default "mean"
        What the scores that exist are turned into: mean, sum, min, max, median, std, var, sem,
        prod, first, last, count, size, nunique, skew, quantile (the median), on pandas 3 kurt; or a
        function from a float64 Series to a number. Sums and means are exact for whole scores, else
        compensated (Neumaier 1974). std, var and sem divide by n - 1.

        Three more need the questionnaire: ``"prorated_sum"`` is the mean times the number of items
        of the scale; ``"pomp"`` is the percent of maximum possible (Cohen et al. 1999),
        100 (s - low) / (high - low) with the means s, low and high of the scores and of the lowest
        and highest possible scores of the answered items; ``"pomp_items"`` is the mean of the same
        percentage of each item. The latter two are NaN where nothing but one score is possible.
    include_total : bool, default False
        Whether to add the scale ``total`` over all item scores. Without any dimension there is no
        other scale anyway.
    dimensions : sequence of str, optional
        The order of the scales. Default: the questionnaire's, recorded in ``scored.attrs``; scales
        that are not listed follow in the order of their first rows, ``total`` comes last.
    min_items : int or mapping of str to int, optional
        A scale has a score only if at least so many of its items are answered (what SPSS calls
        ``MEAN.n``): one number for all scales, or one for each of some. Items count, not rows.
    min_fraction : float, optional
        The same as a share of the items that the questionnaire has in the scale, from 0 to 1: with
        0.5 a scale of five items needs three.
    expected : bool, default False
        Whether to add the column ``n_expected``, the number of items that the questionnaire has in
        the scale.
    duplicates : {"keep", "error", "first", "last", "unique"}, default "keep"
        What several rows of a respondent for one item count as: each as a score of its own; an
        error; the first or the last of them; or, with ``"unique"``, one if all have the same score
        and else one without a score.
    impute : {"item_mean", "item_median", "midpoint"}, optional
        What an item without a score counts as, in a scale of which enough is answered: the mean or
        the median of the item over all respondents in `scored`, or the middle of its range.
    questionnaire : Questionnaire, ScoringKey, experiment, mapping or path, optional
        Which items a scale has, and their ranges. Default: what ``scored.attrs["scorekey_items"]``
        says.
    item_column : str, default "instruction_item_id"
        Column with the position of the item; it is read only for what is about items.

    Returns
    -------
    DataFrame
        One row for each respondent and scale that occur together, sorted by the `by` columns and
        then by scale: the `by` columns that exist, the scale's name, its score (float64, or int64
        for counts; NaN for a scale without any score), ``n_items`` (how many scores there are) and
        ``n_missing`` (how many rows have none). Then, if asked for: ``n_expected``; with `impute`
        ``n_imputed``, how many items were filled in; with ``duplicates="unique"``
        ``n_conflicting``, how many of ``n_missing`` were answered differently.

    Raises
    ------
    TypeError
        If `scored` is not a data frame, an argument is of a type that it cannot have (a text as
        `include_total`, a list as `score_column`), or a column holds collections.
    ValueError
        If a column is missing, occurs twice or clashes with another one of the result, the scores
        are no numbers, or `agg` does not give one number per scale. If what is asked for needs the
        questionnaire, but ``attrs`` have lost it or the rows are not of its items; if two arguments
        do not go together; or if there are repeated answers and must not be.

    Warns
    -----
    UserWarning
        If `by` names an unknown column, or if answers of several respondents are merged because
        none of its columns is there. If `min_items` is more than a scale has items.

    Examples
    --------
    >>> import pandas as pd, scorekey as sk
    >>> scored = pd.DataFrame({
    ...     "model_id": ["a", "a", "a", "b"],
    ...     "dimension": ["Extraversion", "Extraversion", "Neuroticism", "Neuroticism"],
    ...     "score": [5.0, 3.0, None, 1.0],
    ... })
    >>> print(sk.scale_scores(scored, by="model_id").to_string(index=False))
    model_id    dimension  score  n_items  n_missing
           a Extraversion    4.0        2          0
           a  Neuroticism    NaN        0          1
           b  Neuroticism    1.0        1          0
    """
    frame = checked_frame(scored)
    check_column_names(
        dimension_column=dimension_column, score_column=score_column, item_column=item_column
    )
    wishes = read_wishes(
        agg,
        min_items=min_items,
        min_fraction=min_fraction,
        expected=expected,
        duplicates=duplicates,
        impute=impute,
    )
    key = None if questionnaire is None else key_of(questionnaire)
    dimension = frame_column(frame, dimension_column, "dimension")
    scores = frame_column(frame, score_column, "score")
    points = read_scores(scores, score_column)
    total = is_true(include_total, "include_total")
    more = () if wishes is None else wishes.columns
    wanted = group_names(by, dimension_column, score_column, more)
    groups = find_groups(frame, wanted, item_column)
    order = _order(scored.attrs, dimensions, () if key is None else key.dimensions)
    rank = {name: place for place, name in enumerate(order)}
    codes, names = read_names(dimension, dimension_column)
    # Rows without a dimension and those of a scale called "total" are one scale.
    named = [name if name != TOTAL_SCALE else "" for name in names]
    present = [named[code] for code, _ in codes.appearances(missing=False)]
    for name in filter(None, present):
        rank.setdefault(name, len(rank))
    scale_of = [rank.get(name, len(rank)) for name in named]
    order = [*rank, TOTAL_SCALE]
    completion = None
    if wishes is not None and wishes.needs_questionnaire:
        known = read_record(scored.attrs.get(ITEMS_ATTR) if key is None else key.item_record)
        items = item_ids_column(frame, known.labels, item_column, scored.attrs.get("rubric"))
        ids = read_items(items, len(known.labels), item_column)
        completion = complete(
            wishes, items, ids, known, order, all_in_total=total, dimension=dimension
        )
    elif wishes is not None:
        items = frame_column(frame, item_column, "item id")
        completion = complete_rows(wishes, items, item_column)
    return scale_table(
        frame,
        (codes, scale_of, points),
        groups,
        text_array(order),
        agg,
        total=total and any(present),
        columns=(dimension_column, score_column),
        completion=completion,
    )


def _order(attrs: Any, dimensions: Any, default: Sequence[str]) -> list[str]:
    """Return the names of the scales that have a place, without the total."""
    given = dimensions is not None
    if dimensions is None:
        dimensions = attrs.get(DIMENSIONS_ATTR, default)
        if not isinstance(dimensions, (list, tuple)):
            raise TypeError(
                f"attrs[{DIMENSIONS_ATTR!r}] must be a list of the names of scales, not "
                f"{shown(dimensions)}"
            )
    elif isinstance(dimensions, (str, bytes)) or not isinstance(dimensions, Iterable):
        raise TypeError(
            f"dimensions must be a sequence of the names of scales, not {shown(dimensions)}"
        )
    dimensions = list(dimensions)
    for name in dimensions:
        if isinstance(name, (Mapping, list, set, frozenset)):
            where = "dimensions" if given else f"attrs[{DIMENSIONS_ATTR!r}]"
            raise TypeError(f"{where} must hold names of scales, not {shown(name)}")
    names = dict.fromkeys(identifier(name) for name in dimensions)
    return [name for name in names if name not in ("", TOTAL_SCALE)]
