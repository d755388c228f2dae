"""The words that the rules of replies name, as the twin knows them."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KEYWORDS = _words(
    """
    score rating grade
    """
)
QUALIFIERS = _words(
    """
    final overall
    """
)
HARMLESS = _words(
    """
    a an the this that my our your its his her their one is was be been being of as at
    with for to and or but so thus hence therefore then assign assigns assigned assigning
    give gives given giving gave award awards awarded awarding get gets got receive
    receives received earn earns earned deserve deserves deserved merit merits warrant
    warrants by from in on new revised adjusted updated corrected appropriate fair
    suitable reasonable correct proper resulting numeric numerical integer single moderate
    decent solid strong maybe perhaps possibly also still now here only just judge llm s
    """
)
DENIALS = _words(
    """
    not no never cannot cant wont dont doesnt isnt t without neither nor unless if instead
    than avoid between whether versus
    """
)
CONDITIONS = _words(
    """
    if unless
    """
)
TURNS = _words(
    """
    so and but therefore thus hence yet which because
    """
)
EXPLAINING = _words(
    """
    means mean meant requires require required would could might may should indicates
    represents denotes corresponds if when unless needs implies signifies
    """
)
EXPLAINED = _words(
    """
    reserved for only given used assigned when if
    """
)
WEIGHED = _words(
    """
    too not
    """
)
NOTHING = _words(
    """
    n na none null nan not unknown undefined unavailable unscored
    """
)
UNITS = _words(
    """
    star stars point points pts mark marks
    """
)
MULTIPLES = _words(
    """
    k m bn dozen hundred thousand million millions billion billions trillion thirds quarters
    fifths tenths hundredths
    """
)
JOINING = _words(
    """
    to and through vs versus until till oder bis ou 或 或者 至 到
    """
)
BEFORE_TOP = _words(
    """
    a an the possible maximum max total of
    """
)
SCALE_WORDS = _words(
    """
    on a an the scale of from out to between and range integer number whole point points
    max maximum min minimum
    """
)
BEFORE_FRACTION = _words(
    """
    a an clear solid strong decent fair say it this that give gives given gave deserve
    deserves merits earns gets receives rated response answer reply overall final so
    therefore thus at as first then maybe perhaps probably
    """
)
VERDICTS = _words(
    """
    overall final verdict judgment judgement result evaluation assessment conclusion
    answer response reply
    """
)
AFTER_FRACTION = _words(
    """
    because overall since as with due given but here rating score
    """
)
CRITERIA = _words(
    """
    accuracy clarity helpfulness relevance coherence fluency completeness correctness
    consistency conciseness style grammar tone safety creativity depth readability
    engagement confidence faithfulness factuality groundedness usefulness harmlessness
    toxicity bias
    """
)
DROPPED = _words(
    """
    think thinking reasoning scratchpad
    """
)
NEUTRAL_KEYS = _words(
    """
    result results evaluation evaluations judgment judgement judgments output response
    answer data verdict assessment final overall
    """
)
TOP_KEYS = _words(
    """
    max maximum max_score maximum_score out_of scale_max
    """
)
NAMING_KEYS = _words(
    """
    criterion criteria rubric metric dimension aspect
    """
)
WITHIN_SECTION = _words(
    """
    reasoning reason reasons rationale explanation justification comment comments feedback
    analysis evidence confidence note strengths weaknesses score rating grade
    """
)
