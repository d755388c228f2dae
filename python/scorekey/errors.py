"""The package's own exceptions; everything else is a built-in type."""

from __future__ import annotations

__all__ = ["InternalError", "ItemMismatchError", "MissingColumnError", "QuestionnaireError"]


class QuestionnaireError(ValueError):
    """A questionnaire that cannot be read; the message names the path of each bad field."""


class ItemMismatchError(ValueError):
    """Results whose item texts are not those of the questionnaire; the message has both texts.

    Attributes
    ----------
    mismatches : tuple of (int, str, str)
        Item, text in the results and text in the questionnaire, for every text that differs.
    """

    def __init__(self, message: str, mismatches: tuple[tuple[int, str, str], ...] = ()) -> None:
        super().__init__(message)
        self.mismatches = mismatches


class MissingColumnError(ValueError):
    """A file without a column that is needed.

    Attributes
    ----------
    role : str
        What the column is needed for: "item id", "decision", "reply" or the like.
    """

    def __init__(self, message: str, role: str) -> None:
        super().__init__(message)
        self.role = role


class InternalError(RuntimeError):
    """A mistake in the compiled core, which is never the fault of the input: please report it."""
