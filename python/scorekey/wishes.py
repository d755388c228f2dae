"""What may be asked of scale scores beyond an aggregate of the rows, checked and put together."""

from __future__ import annotations

from typing import Any, NamedTuple

from scorekey.aggregation import SCALED
from scorekey.arguments import is_true
from scorekey.completeness import Minimum, read_minimum
from scorekey.imputation import IMPUTATIONS
from scorekey.messages import listed, shown

DUPLICATES = ("keep", "error", "first", "last", "unique")
"""What `duplicates` may be."""

_OF_GIVEN_ANSWERS = ("first", "last", "count", "size")


class Wishes(NamedTuple):
    """What a call asks for.

    Attributes
    ----------
    minimum : Minimum or None
        How much has to be answered.
    expected : bool
        Whether the number of items of each scale is wanted.
    duplicates : str
        One of `DUPLICATES`.
    impute : str or None
        One of `IMPUTATIONS`.
    is_scaled : bool
        Whether the aggregate depends on the items of the scale.
    """

    minimum: Minimum | None
    expected: bool
    duplicates: str
    impute: str | None
    is_scaled: bool

    @property
    def needs_questionnaire(self) -> bool:
        """Whether it takes the questionnaire, and not just the rows."""
        return bool(self.minimum or self.expected or self.impute or self.is_scaled)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that the result has more, in their order."""
        asked = {
            "n_expected": self.expected,
            "n_imputed": self.impute is not None,
            "n_conflicting": self.duplicates == "unique",
        }
        return tuple(name for name, wanted in asked.items() if wanted)


def read_wishes(
    agg: Any,
    *,
    min_items: Any = None,
    min_fraction: Any = None,
    expected: Any = False,
    duplicates: Any = "keep",
    impute: Any = None,
) -> Wishes | None:
    """Return what the arguments of `scale_scores` ask for; None if nothing but an aggregate.

    Raises
    ------
    TypeError, ValueError
        If an argument is nothing that it can be, or two of them do not go together.
    """
    wishes = Wishes(
        read_minimum(min_items, min_fraction),
        is_true(expected, "expected"),
        _choice("duplicates", duplicates, DUPLICATES),
        None if impute is None else _choice("impute", impute, IMPUTATIONS),
        isinstance(agg, str) and agg in SCALED,
    )
    if not wishes.needs_questionnaire and wishes.duplicates == "keep":
        return None
    if wishes.impute is not None and isinstance(agg, str) and agg in _OF_GIVEN_ANSWERS:
        raise ValueError(
            f"agg={agg!r} is about the answers that were given, so it does not go with "
            f"impute={impute!r}"
        )
    return wishes


def _choice(argument: str, value: Any, known: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{argument} must be one of {listed(known)}, not {shown(value)}")
    return value
