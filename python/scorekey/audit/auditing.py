"""`audit_answers`: a results file is read, counted and looked through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from scorekey.arguments import Matching, check_column_names
from scorekey.audit import check_missing, check_respondents, check_scales, check_texts
from scorekey.audit.counting import Counts, Layout
from scorekey.audit.finding import Finding, ranked
from scorekey.audit.frames import OWN_COLUMNS, items_frame, lenient_matches, texts_frame
from scorekey.audit.report import Audit, Source
from scorekey.columns import checked_frame, frame_column
from scorekey.experiment import questionnaire_of
from scorekey.grouping import DEFAULT_GROUPS, group_names
from scorekey.item_texts import questions_of
from scorekey.key import ScoringKey, key_of
from scorekey.messages import shown

__all__ = ["audit_answers"]


def audit_answers(
    processed: pd.DataFrame,
    experiment: Any,
    *,
    decision_column: str = "decision",
    item_column: str = "instruction_item_id",
    valid_column: str = "valid",
    only_valid: bool = True,
    by: str | Sequence[str] = DEFAULT_GROUPS,
    matching: Matching | None = None,
    text_column: str = "instruction_item",
    answer_column: str = "answer",
) -> Audit:
    """Look through answers for what a person should know before trusting their scores.

    Everything is counted in one pass, which takes about as long as scoring. Nothing is warned of:
    what the scoring functions warn of is a finding here.

    Parameters
    ----------
    processed : DataFrame of n rows
        One row per answer. It is not modified.
    experiment : Questionnaire, ScoringKey, experiment, mapping or path
        The questionnaire that the answers belong to. A `ScoringKey` holds no item texts, so they
        are not compared.
    decision_column, item_column, valid_column : str
        See `score_answers`.
    only_valid : bool, default True
        Whether answers that are not valid have no score. They are counted in any case.
    by : str or sequence of str, default ("model_id", "profile_id", "random_seed")
        The columns that identify a respondent; those that are not there are left out.
    matching : {"strict", "lenient"}, optional
        See `score_answers`. Texts that only lenient matching takes for an option are told from the
        others in any case.
    text_column : str, default "instruction_item"
        Column with the text of the item, which is compared with the questionnaire's, if it exists.
    answer_column : str, default "answer"
        Column with the answer that the decision was made from, shown in samples, if it exists.

    Returns
    -------
    Audit
        Findings, frames, shares and samples, and the forms to read them in.

    Raises
    ------
    TypeError, ValueError
        Those of `score_answers` and `scale_scores` for these arguments and columns; ValueError too
        if `by` names a column that the audit's frames have for their own.

    Examples
    --------
    >>> import pandas as pd, scorekey as sk
    >>> options = {str(i): {"text": str(i), "weight": i} for i in range(1, 6)}
    >>> questionnaire = {
    ...     "name": "Two items",
    ...     "general_instruction": "From 1 to 5?",
    ...     "default_answer_options": options,
    ...     "instruction_items": [{"question": "I am calm."}, {"question": "I am merry."}],
    ... }
    >>> results = pd.DataFrame({
    ...     "model_id": ["a", "a", "b", "b", "c", "c"],
    ...     "instruction_item_id": [0, 1, 0, 1, 0, 1],
    ...     "decision": ["4", "4.0", "2", "five", "3", "5"],
    ... })
    >>> audit = sk.audit_answers(results, questionnaire)
    >>> for finding in audit.findings:
    ...     print(finding.kind, finding.where)
    near_matches ("'4.0' (1): number form, nearest option '4'",)
    unmatched_texts ("'five' (1): other",)
    >>> f"{audit.quality['without_score']:.0%}"
    '33%'
    """
    layout = Layout(decision_column, item_column, valid_column, only_valid).check()
    check_column_names(text_column=text_column, answer_column=answer_column)
    frame = checked_frame(processed)
    wanted = group_names(by, "dimension", "score")
    clash = [name for name in wanted if isinstance(name, str) and name in OWN_COLUMNS]
    if clash:
        raise ValueError(
            f"by names the column {shown(clash[0])}, which the audit has for its own counts; "
            "rename the column"
        )
    form = None if isinstance(experiment, ScoringKey) else questionnaire_of(experiment)
    key = key_of(experiment if form is None else form, matching)
    groups = [name for name in wanted if name in frame.columns]
    rubric = processed.attrs.get("rubric")
    counts = Counts(frame, key, layout, groups, rubric)
    questions = None if form is None else questions_of(form)
    texts = texts_frame(counts, lenient_matches(counts))
    findings: list[Finding] = []
    if questions is not None and text_column in frame.columns:
        item_texts = frame_column(frame, text_column, "item text")
        findings += check_texts.item_texts(counts, item_texts, text_column, questions)
    findings += check_texts.answer_texts(counts, texts)
    findings += check_texts.options(counts)
    findings += check_missing.by_reason(counts)
    findings += check_missing.by_item(counts)
    used = {decision_column, item_column, valid_column, text_column, answer_column, *groups}
    about_groups, merged = check_respondents.groups(counts, frame, wanted, used)
    findings += about_groups
    if not merged:
        findings += check_respondents.answering(counts)
    findings += check_scales.scales(key)
    name = str(getattr(form, "name", "") or "")
    source = Source(frame, layout, answer_column, rubric, name)
    return Audit(counts, source, texts, items_frame(counts, questions), ranked(findings))
