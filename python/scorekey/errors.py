"""The package's own exceptions; everything else is a built-in type."""

from __future__ import annotations

__all__ = ["InternalError", "QuestionnaireError"]


class QuestionnaireError(ValueError):
    """A questionnaire that cannot be read; the message names the path of each bad field."""


class InternalError(RuntimeError):
    """A mistake in the compiled core, which is never the fault of the input: please report it."""
