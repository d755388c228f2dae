"""Questionnaire answers, of people or of language models, to item scores and scale scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekey._core import __version__
from scorekey.answers import JUDGE_SENTINELS, score_answers
from scorekey.errors import InternalError, ItemMismatchError, QuestionnaireError
from scorekey.experiment_scores import score_experiment
from scorekey.files.results import read_results
from scorekey.grouping import DEFAULT_GROUPS
from scorekey.item_texts import check_items
from scorekey.key import ScaleArrays, ScoringKey
from scorekey.matrix import item_matrix
from scorekey.questionnaire import AnswerOption, AnswerOptions, InstructionItem, Questionnaire
from scorekey.reverse import reverse_code
from scorekey.rubrics.levels import Scale, ScoringLevel
from scorekey.rubrics.replies import REASONS, ReplyScore, score_replies
from scorekey.rubrics.rubric import ScoringRubric
from scorekey.scale_reliability import Reliability, reliability
from scorekey.scales import scale_scores
from scorekey.specification import TOTAL_SCALE
from scorekey.threads import get_num_threads, set_num_threads
from scorekey.wide import score_wide

if TYPE_CHECKING:
    from scorekey.audit import Audit, Finding, audit_answers

__all__ = [
    "DEFAULT_GROUPS",
    "JUDGE_SENTINELS",
    "REASONS",
    "TOTAL_SCALE",
    "AnswerOption",
    "AnswerOptions",
    "Audit",
    "Finding",
    "InstructionItem",
    "InternalError",
    "ItemMismatchError",
    "Questionnaire",
    "QuestionnaireError",
    "Reliability",
    "ReplyScore",
    "Scale",
    "ScaleArrays",
    "ScoringKey",
    "ScoringLevel",
    "ScoringRubric",
    "__version__",
    "audit_answers",
    "check_items",
    "get_num_threads",
    "item_matrix",
    "read_results",
    "reliability",
    "reverse_code",
    "scale_scores",
    "score_answers",
    "score_experiment",
    "score_replies",
    "score_wide",
    "set_num_threads",
]

_IN_AUDIT = ("Audit", "Finding", "audit_answers")


def __getattr__(name: str) -> Any:
    if name in _IN_AUDIT:
        # Not before it is asked for: most who import the package never audit.
        import scorekey.audit

        return getattr(scorekey.audit, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
