"""The table of scale scores: cells aggregated by the core, and the columns built from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey import _core
from scorekey.aggregation import Aggregation
from scorekey.columns import frame_column
from scorekey.completion import Completion
from scorekey.grouping import COUNTS
from scorekey.inputs import read_key
from scorekey.names import infer, spread, spread_codes


def scale_table(
    frame: pd.DataFrame,
    source: Any,
    groups: list[Any],
    names: Any,
    agg: Any,
    *,
    total: bool,
    columns: tuple[Any, Any],
    completion: Completion | None = None,
) -> pd.DataFrame:
    """Aggregate rows by respondent and scale.

    Parameters
    ----------
    frame : DataFrame
        Where the group columns are.
    source : Answers or tuple
        The rows, as `_core.aggregate` takes them.
    groups : list
        The names of the group columns.
    names : array of text
        The names of the scales in the order of the result, the total last.
    agg : str or callable
        See `scale_scores`.
    total : bool
        Whether the last scale covers the rows of all scales.
    columns : tuple
        The names of the result's columns for the scale and its score.
    completion : Completion, optional
        What is asked for beyond an aggregate of the rows.
    """
    keys = [frame_column(frame, name, "group") for name in groups]
    encoded = [read_key(key, name) for key, name in zip(keys, groups, strict=True)]
    more: tuple[str, ...] = ()
    counts: list[Any] = []
    if completion is None:
        cells = Aggregation(agg).over(source, encoded, len(names), total=total)
    else:
        more = completion.wishes.columns
        known = list(zip(groups, keys, encoded, strict=True))
        cells, counts = completion.over(source, known, agg, len(names), total=total)
    data = [
        *(
            respondents(key, codes, cells.first_rows)
            for key, (codes, _) in zip(keys, encoded, strict=True)
        ),
        spread(names, cells.scales),
        cells.scores,
        cells.n_items,
        cells.n_missing,
        *counts,
    ]
    index = pd.RangeIndex(len(cells.scores))  # given, so that pandas need not look for one
    # As a Series, objects stay objects: of an array pandas tries to make Arrow's text or numbers.
    objects = {n: c for n, c in enumerate(data) if c.dtype == object}
    kept = {n: pd.Series(c, index=index, dtype=object, copy=False) for n, c in objects.items()}
    result = pd.DataFrame(dict(enumerate(data)) | kept, index=index, copy=False)
    result.columns = pd.Index([*groups, *columns, *COUNTS, *more], tupleize_cols=False)
    return result


def respondents(key: pd.Series[Any], codes: _core.Codes, first_rows: npt.NDArray[np.int64]) -> Any:
    """Return the key's values in these rows, in its type; objects in the type pandas infers.

    Rows of the same respondent have to follow each other.
    """
    dtype: Any = key.dtype
    is_string = isinstance(dtype, pd.StringDtype)
    if (is_string or key.dtype == object) and codes.has_only_texts:
        return spread_codes(key, codes, first_rows)
    if str(dtype) == "string_view[pyarrow]":
        # Arrow can neither take from such an array nor print it, so its texts are kept as others.
        import pyarrow as pa

        texts = np.array([None, *codes.values()], dtype=object)
        text: Any = pd.ArrowDtype(pa.large_string())
        return pd.array(texts.take(codes.take(first_rows)), dtype=text)
    if not (isinstance(dtype, np.dtype) and dtype.kind == "O"):
        if isinstance(dtype, np.dtype):
            return key.to_numpy()[first_rows]  # pandas cannot take from foreign byte orders
        return key.array.take(first_rows)
    # A respondent's cells follow each other, so each respondent is looked at once.
    starts = np.flatnonzero(np.diff(first_rows, prepend=-1))
    values = key.to_numpy()[first_rows[starts]]
    values[pd.isna(values)] = np.nan
    return infer(values).repeat(np.diff(starts, append=len(first_rows)))
