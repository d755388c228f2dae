"""Columns of names in a result: what pandas makes of texts and None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd


def names_column(names: Sequence[str | None], positions: Any) -> Any:
    """Return the column whose row i holds ``names[positions[i]]``.

    On pandas 2 it is an object array; on pandas 3 it is of type ``str``, unless all names are None
    or one cannot be stored there.
    """
    table = np.empty(len(names), dtype=object)
    table[:] = names
    column = infer_texts(table)
    return column.take(np.asarray(positions, dtype=np.intp))


def infer_texts(values: Any) -> Any:
    """Return the values in the type that pandas infers, or as objects where it cannot."""
    try:
        return pd.Series(values).infer_objects().array
    except UnicodeEncodeError:  # a lone surrogate has no place in Arrow's text
        return np.asarray(values, dtype=object)
