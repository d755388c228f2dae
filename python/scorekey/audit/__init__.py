"""The audit of a results file: how far its scores can be trusted, and what to look at first."""

from scorekey.audit.auditing import audit_answers
from scorekey.audit.finding import KINDS, Finding
from scorekey.audit.report import Audit

__all__ = ["KINDS", "Audit", "Finding", "audit_answers"]
