"""One case in both packages: the same, different as documented, or a fault."""

from __future__ import annotations

import copy
import json
import re
from typing import Any, NamedTuple

import scorekey

from tests.conformance import fuzz
from tests.differential.allowed import DIFFERENCES, expected_errors, merges_respondents
from tests.differential.mutations import Case

run = fuzz.run
MERGED = {"category": "UserWarning", "match": "respondent"}


class Verdict(NamedTuple):
    """What a case showed: the differences that explain it, and what none of them explains."""

    reasons: tuple[str, ...]
    problems: tuple[str, ...]


class Comparison:
    """Both packages, ready to run cases."""

    def __init__(self) -> None:
        factory = "rupsycho.models.questionnaire.Questionnaire.model_validate"
        self.reference = run.Target("rupsycho.scoring", factory)
        self.target = run.Target(scorekey)

    def judge(self, case: Case) -> Verdict:
        """Run a case and compare the results.

        Where a documented difference applies, the result has to be the right one; it is no excuse
        to give rupsycho's or any other.
        """
        got = self.target.call(case)
        outcome, caught, problems = got
        if problems:
            return Verdict((), tuple(problems))
        if "raises" in outcome:
            text = str(outcome["raises"])
            if len(text) >= 1000:
                return Verdict((), (f"a message of {len(text)} characters",))
        long = [w for w in run.user_warnings(caught) if len(str(w.message)) >= 1000]
        if long:
            return Verdict((), ("a warning of more than 1,000 characters",))
        plain = self.expected(case, case)
        rewritten, reasons, restore = rewrite(case)
        right = self.expected(rewritten, case, restore) if reasons else plain
        wrong = run.check({**case, "expect": right}, *got)
        if wrong and "raises" in right and merges_respondents(case):
            # The warning comes before the errors of an aggregation and after all others.
            warned = {**right, "warns": [*right["warns"], MERGED]}
            wrong = run.check({**case, "expect": warned}, *got)
        if not wrong:
            same = not reasons or not run.check({**case, "expect": plain}, *got)
            merged = ("2 merged respondents",) if merges_respondents(case) else ()
            return Verdict((() if same else tuple(reasons)) + merged, ())
        for name, kind, fact in expected_errors(case):
            error = outcome.get("raises")
            kinds = run.type_names(type(error))
            if error and any(re.fullmatch(kind, k) for k in kinds) and fact in str(error):
                return Verdict((name,), ())
        return Verdict(tuple(reasons), tuple(wrong))

    def expected(
        self, case: Case, original: Case, restore: Any = lambda outcome, case: outcome
    ) -> Any:
        """Return what the reference says of a case, as a case's expectation."""
        outcome, caught, _ = self.reference.call(case)
        result = restore(json.loads(json.dumps(fuzz.expectation(outcome, caught))), original)
        if case is not original and original["call"] == "score_answers":
            own = own_columns(original)
            for found in result.get("columns", ()):
                found.update(own.get(found["name"], {}))
        for found in result.get("columns", ()):
            if not found["values"] and found["name"] not in ("score", "n_items", "n_missing"):
                del found["dtype"]  # it says nothing about a column without cells
        if "raises" not in result and merges_respondents(original):
            result["warns"] = [*result["warns"], MERGED]
        return result


def own_columns(case: Case) -> dict[str, Any]:
    """Return the columns of the frame that a result repeats, as a result describes them."""
    frame = run.build_frame(case["frame"], run.DEFAULT_ATTRS_KEY)
    described = run.describe_frame(frame, run.DEFAULT_ATTRS_KEY)["columns"]
    return {c["name"]: c for c in described if c["name"] not in ("score", "dimension")}


def rewrite(case: Case) -> tuple[Case, list[str], Any]:
    """Return the case with all documented differences taken out, their names, and the way back."""
    rewritten = copy.deepcopy(case)
    reasons = []
    backs = []
    for difference in DIFFERENCES:
        before = json.dumps(rewritten)
        difference.rewrite(rewritten)
        if json.dumps(rewritten) != before:
            reasons.append(difference.name)
            backs.append(difference.restore)

    def restore(outcome: Any, original: Case) -> Any:
        for back in reversed(backs):
            outcome = back(outcome, original)
        return outcome

    return rewritten, reasons, restore
