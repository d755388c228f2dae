"""The rubrics that come with the package: description and levels, word for word those of Raif.

They are Raif's (MIT) interface: scores of judges are comparable only under the same prompt.
"""

from __future__ import annotations

Definition = tuple[str, list[dict[str, object]]]


def _five(description: str, *levels: str) -> Definition:
    """Return the definition of a rubric whose levels go from 5 down to 1."""
    return description, [
        {"score": 5 - position, "description": level} for position, level in enumerate(levels)
    ]


ACCURACY = _five(
    "Evaluates factual correctness and precision",
    "Completely accurate with no errors",
    "Mostly accurate with minor imprecisions",
    "Generally accurate but some notable errors",
    "Significant inaccuracies present",
    "Mostly or entirely inaccurate",
)
HELPFULNESS = _five(
    "Evaluates how well the response addresses user needs",
    "Extremely helpful, fully addresses the need",
    "Very helpful with good coverage",
    "Moderately helpful but missing some aspects",
    "Somewhat helpful but significant gaps",
    "Not helpful or misleading",
)
CLARITY = _five(
    "Evaluates clarity and comprehensibility",
    "Crystal clear and easy to understand",
    "Clear with minor ambiguities",
    "Generally clear but some confusion",
    "Unclear in significant ways",
    "Very unclear or incomprehensible",
)
