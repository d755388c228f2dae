"""The words that the rules of replies name, as the twin knows them."""

from __future__ import annotations

KEYWORDS = """
    score rating grade
""".split()
QUALIFIERS = """
    final overall
""".split()
HARMLESS = """
    a an the this that my our your its his her their one is was be been being of as at
    with for to and or but so thus hence therefore then assign assigns assigned assigning
    give gives given giving gave award awards awarded awarding get gets got receive
    receives received earn earns earned deserve deserves deserved merit merits warrant
    warrants by from in on new revised adjusted updated corrected appropriate fair
    suitable reasonable correct proper resulting numeric numerical integer single moderate
    decent solid strong maybe perhaps possibly also still now here only just judge llm s
""".split()
DENIALS = """
    not no never cannot cant wont dont doesnt isnt t without neither nor unless if instead
    than avoid between whether versus
""".split()
CONDITIONS = """
    if unless
""".split()
TURNS = """
    so and but therefore thus hence yet which because
""".split()
EXPLAINING = """
    means mean meant requires require required would could might may should indicates
    represents denotes corresponds if when unless needs implies signifies
""".split()
EXPLAINED = """
    reserved for only too not given used assigned when if
""".split()
NOTHING = """
    n na none null nan not unknown undefined unavailable unscored
""".split()
UNITS = """
    star stars point points pts mark marks
""".split()
JOINING = """
    to and through vs versus until till
""".split()
BEFORE_TOP = """
    a an the possible maximum max total of
""".split()
SCALE_WORDS = """
    on a an the scale of from out to between and range integer number whole point points
    max maximum min minimum
""".split()
BEFORE_OTHERS = """
    or to and than not through on dated date since until by january february march april
    may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec
""".split()
AFTER_FRACTION = """
    because overall for since as with due given but on here in at rating score
""".split()
DROPPED = """
    think thinking reasoning scratchpad
""".split()
NEUTRAL_KEYS = """
    result results evaluation evaluations judgment judgement judgments output response
    answer data verdict assessment final overall
""".split()
TOP_KEYS = """
    max maximum max_score maximum_score out_of scale_max
""".split()
NAMING_KEYS = """
    criterion criteria rubric metric dimension aspect
""".split()
WITHIN_SECTION = """
    reasoning reason reasons rationale explanation justification comment comments feedback
    analysis evidence confidence note strengths weaknesses score rating grade
""".split()
