"""Questionnaire answers, of people or of language models, to item scores and scale scores."""

from scorekey._core import __version__
from scorekey.answers import JUDGE_SENTINELS, score_answers
from scorekey.errors import InternalError, QuestionnaireError
from scorekey.key import ScaleArrays, ScoringKey
from scorekey.questionnaire import AnswerOption, AnswerOptions, InstructionItem, Questionnaire
from scorekey.replies import REASONS, ReplyScore, score_replies
from scorekey.rubric import Scale, ScoringLevel, ScoringRubric
from scorekey.scales import DEFAULT_GROUPS, TOTAL_SCALE, scale_scores, score_experiment

__all__ = [
    "DEFAULT_GROUPS",
    "JUDGE_SENTINELS",
    "REASONS",
    "TOTAL_SCALE",
    "AnswerOption",
    "AnswerOptions",
    "InstructionItem",
    "InternalError",
    "Questionnaire",
    "QuestionnaireError",
    "ReplyScore",
    "Scale",
    "ScaleArrays",
    "ScoringKey",
    "ScoringLevel",
    "ScoringRubric",
    "__version__",
    "scale_scores",
    "score_answers",
    "score_experiment",
    "score_replies",
]
