"""Lenient matching: every sentence of its rules, and that it never takes one answer for another."""

from __future__ import annotations

import copy
import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorekey as sk
from scorekey import _core
from scorekey.inputs import read_decisions
from tests import lenient_twin, strategies, twin
from tests.material import answers, item, objects, option, options, plain, questionnaire
from tests.test_configs import DATA, LABELS
from tests.test_properties import frame_of

MATCHES = {m["id"]: m for m in json.loads((DATA / "label_matches.json").read_text("utf-8"))}
AGREE = ("Strongly disagree", "Disagree", "Agree", "I'm sure", "4. Agree a little")


def key_of(*texts, matching="lenient", reverse=False):
    """Return the key of one item with these options."""
    form = questionnaire(item(reverse=reverse), default=options(*texts))
    return sk.ScoringKey(form, matching)


def score(key, decision):
    (points,) = plain(key.score([0], objects([decision])))
    return points


def kind(key, decision, number=0):
    """Return what decides about a decision, and the position of its option."""
    codes = read_decisions(objects([decision]), "decision")
    ids = _core.item_ids(np.array([0]), key.n_items, 1)
    answered = _core.Answers(key._core, ids, codes)
    kinds, found, scores = answered.decide([number], [min(codes.n_values, 1)])
    assert np.isnan(scores[0]) or _core.KINDS[kinds[0]] in ("exact", "folded", "lenient")
    return _core.KINDS[kinds[0]], found.tolist()[0]


# ---------------------------------------------------------------------- the labels


@pytest.mark.parametrize("case", LABELS, ids=lambda case: case["id"])
def test_labels(case):
    expected = MATCHES[case["id"]]
    form = questionnaire(
        item(reverse=case["reversed"]), default=dict(enumerate_options(case["options"]))
    )
    for matching in ("strict", "lenient"):
        key = sk.ScoringKey(form, matching)
        assert score(key, case["decision"]) == expected[matching], matching
    assert kind(sk.ScoringKey(form, "lenient"), case["decision"])[0] == expected["kind"]


def enumerate_options(listed):
    return ((str(number), one) for number, one in enumerate(listed))


def test_lenient_matching_loses_no_score_of_a_label():
    assert set(MATCHES) == {case["id"] for case in LABELS}
    assert len(MATCHES) == 89
    for match in MATCHES.values():
        assert match["strict"] is None or match["lenient"] == match["strict"]
    assert sum(match["strict"] != match["lenient"] for match in MATCHES.values()) == 14


# ---------------------------------------------------------------------- the ladder


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        ("Agree", ("exact", 2)),
        (" AGREE ", ("folded", 2)),
        ("Agree\u200b", ("lenient", 2)),
        ("I\u2019m sure", ("lenient", 3)),
        ("**Agree**", ("lenient", 2)),
        ("not present", ("sentinel", -1)),
        ("Inconclusive.", ("sentinel", -1)),
        ("**NOT  PRESENT**", ("sentinel", -1)),
        ("not\u00a0present\u200b!", ("sentinel", -1)),
        (None, ("missing", -1)),
        ("\t", ("missing", -1)),
        ("\ufeff \u200b", ("missing", -1)),
        (float("inf"), ("missing", -1)),
        ("Perhaps", ("unmatched", -1)),
        ("Agree a little", ("unmatched", -1)),
    ],
)
def test_what_decides(decision, expected):
    assert kind(key_of(*AGREE), decision) == expected


def test_kinds_are_named_in_their_order():
    assert _core.KINDS == (
        "exact", "folded", "lenient", "ignored option", "clash", "sentinel", "missing",
        "unmatched", "invalid",
    )  # fmt: skip


def test_an_ignored_option_and_a_clash_are_named():
    key = key_of("Yes", option("I don't know", 9, ignored=True), ("A", 1), ("a", 2))
    assert kind(key, "I don\u2019t know") == ("ignored option", 1)
    assert kind(key, "A\u200b") == ("clash", -1)
    assert kind(key, "A") == ("exact", 2)


def test_of_equal_options_the_first_is_named():
    key = key_of(("often", 2), ("Often", 2))
    assert kind(key, "OFTEN.") == ("lenient", 0)
    assert kind(key, "Often") == ("exact", 1)


def test_there_is_no_decision_of_what_is_not_there():
    key = key_of("A")
    codes = read_decisions(objects(["A"]), "decision")
    answered = _core.Answers(key._core, _core.item_ids(np.array([0]), 1, 1), codes)
    for items, decisions, match in (([1], [1], "item 1"), ([0], [2], "code 2")):
        with pytest.raises(ValueError, match=match):
            answered.decide(items, decisions)


def test_strict_matching_ends_at_the_folded_form():
    key = key_of(*AGREE, matching="strict")
    assert [kind(key, text)[0] for text in ("Agree", "AGREE", "Agree.", "Inconclusive")] == [
        "exact", "folded", "unmatched", "unmatched",
    ]  # fmt: skip


def test_what_strict_matching_finds_comes_first():
    key = key_of(("I'm", 1), ("I\u2019m", 2), ("Agree!", 3), ("agree", 4), ("4.0", 5), ("4", 6))
    for decision, expected in [
        ("I'm", 1), ("I'M", 1), ("i\u2019m", 2), ("AGREE!", 3), ("Agree", 4), ("4.0", 5), (4, 6),
        ("I\u2018m", None), ("Agree.", None), ("04", None),
    ]:  # fmt: skip
        assert score(key, decision) == expected, decision


# ---------------------------------------------------------------------- sentinels


@pytest.mark.parametrize("sentinel", sk.JUDGE_SENTINELS)
@pytest.mark.parametrize("form", ["{}.", "**{}**", "{}\u200b", "_{}_ !", "\ufeff{}"])
def test_no_spelling_of_a_sentinel_becomes_an_option(sentinel, form):
    for text in (sentinel, sentinel.capitalize(), f"{sentinel}!"):
        key = key_of((text, 5), ("other", 1))
        assert score(key, form.format(sentinel)) is None
        assert score(key, form.format(sentinel.upper())) is None
        assert kind(key, form.format(sentinel))[0] == "sentinel"


def test_what_strict_matching_takes_for_an_option_stays_one():
    key = key_of(("Not present", 0), ("present", 1))
    assert score(key, "Not present") == score(key, " NOT PRESENT") == 0
    assert score(key, "not present") is None
    assert score(key_of(("not present", 3)), "not present") == 3
    assert score(key_of(("Not present.", 3)), "not  present.") == 3


# ---------------------------------------------------------------------- the lenient form


@pytest.mark.parametrize(
    ("option", "decision"),
    [
        # NFKC
        ("Überhaupt nicht", "U\u0308berhaupt nicht"),
        ("매우 그렇다", "\u1106\u1162\u110b\u116e \u1100\u1173\u1105\u1165\u11c2\u1103\u1161"),
        ("Agree", "Ａｇｒｅｅ"),
        ("2 kg", "2 ㎏"),
        ("スコア", "\uff7d\uff7a\uff71"),
        ("5", "⑤"),
        # case
        ("STRAßE", "strasse\u200b"),
        # format characters and variation selectors
        ("Agree", "\u2068A\u00adgr\u2060ee\u2069\u200e"),
        ("می‌خواهم", "میخواهم"),
        ("क्‍ष", "क्ष"),
        ("☹\ufe0f", "☹"),
        # apostrophes, quotation marks, dashes
        ("I'm", "I\u2018m"),
        ("I'm", "I\u00b4m"),
        ("I'm", "I`m"),
        ('"Yes"', "«Yes»"),
        ('"Yes"', "„Yes“"),
        ("1 - Never", "1 – Never"),
        ("1 - Never", "1 \u2011 Never"),
        ("-1", "\u22121"),
        # white space
        ("Not at all", "Not \u200b at\u2028all"),
        # numbers by value
        ("4", "4.0"),
        ("4", "04"),
        ("4", "+4"),
        ("4", "４"),
        ("4", "٤"),
        ("4", "४"),
        ("4.5", "٤٫٥"),
        ("4.0", 4),
        ("04", 4.0),
        ("0", "-0"),
        ("0.5", ".5"),
        ("0.00001", 1e-5),
        ("1000", "1e3"),
        ("-2", "\u22122.00"),
        ("9007199254740993", "9007199254740993.0"),
        ("9" * 5000, "0" + "9" * 5000 + ".0"),
        ("3 أيام", "٣ أيام"),
        # the end
        ("Agree", "Agree."),
        ("Agree.", "Agree"),
        ("Agree.", "Agree!"),
        ("Agree", "Agree ;:,!"),
        ("Agree", "__Agree__"),
        ("Agree", "***Agree.***,"),
        ("4", "4."),
        ("4", "**4.0**"),
        ("几乎每天", "几乎每天。"),
    ],
)
def test_the_same_answer(option, decision):
    key = key_of((option, 7), ("another", 1))
    assert score(key, decision) == 7
    assert score(key_of((str(decision), 7)), option) == 7
    strict = key_of((option, 7), matching="strict")
    assert score(strict, decision) is None


@pytest.mark.parametrize(
    ("option", "decision"),
    [
        # superscripts, subscripts and fractions are not what they would be folded to
        ("102", "10²"),
        ("x2", "x₂"),
        ("1/2", "½"),
        ("1\u20442", "½"),
        ("31\u20442", "3½"),
        ("1/2", "1\u20442"),
        ("m2", "㎡"),
        ("0.5", "½"),
        # a part of the text
        ("4. Agree a little", "Agree a little"),
        ("4. Agree a little", "4"),
        ("4. Agree a little", "4."),
        ("0", "0: Yes"),
        ("0: Yes", "0"),
        ("Agree", "I agree"),
        ("Agree", "Agree (4)"),
        ("Agree", "> Agree"),
        ("Strongly agree", "agree"),
        ("5. Agree strongly", "5. Disagree strongly"),
        ("4", "4/5"),
        ("4", "4%"),
        # no numbers, or other ones
        ("4", "4,0"),
        ("15", "1,5"),
        ("1000", "1,000"),
        ("1000", "1 000"),
        ("1000", "1_000"),
        ("4", "四"),
        ("4", "Ⅳ"),
        ("4", "IV"),
        ("4", "four"),
        ("4", "40"),
        ("4", "-4"),
        ("4", 4.000001),
        ("9007199254740993", "9007199254740992"),
        ("1", True),
        ("inf", float("inf")),
        # letters that differ
        ("Hiçbir", "HİÇBİR"),
        ("Katılıyorum", "Katiliyorum"),
        ("résumé", "resume"),
        ("Mäßig", "Maessig"),
        ("完全不会", "完全不會"),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🏴"),
        # white space, signs and punctuation elsewhere
        ("Strongly agree", "Stronglyagree"),
        ("Strongly agree", "Strongly\u200bagree"),
        ("Strongly agree", "Strongly-agree"),
        ("Agree", "Agree?"),
        ("Agree", ".Agree"),
        ("Agree", "*Agree"),
        ("Agree", '"Agree"'),
        ("'Agree'", '"Agree"'),
        ("Agree", "(Agree)"),
        ("a*b", "ab"),
        ("Yes, sir", "Yes sir"),
        ("Strongly agree", "Strongly&nbsp;agree"),
        ("all areas", "<b>all</b> areas"),
    ],
)
def test_another_answer(option, decision):
    key = key_of((option, 7), ("another", 1))
    assert score(key, decision) is None
    assert kind(key, decision)[0] in ("unmatched", "missing")
    if isinstance(decision, str):
        assert score(key_of((decision, 7), ("another", 1)), option) is None


def test_turkish_capitals_are_folded_as_in_strict_matching():
    key = key_of("Hiçbir zaman", "Katılıyorum")
    assert score(key, "HİÇBİR ZAMAN") is score(key, "KATILIYORUM") is None
    assert score(key_of(("SINIR", 1), ("SİNİR", 2)), "SİNİR.") == 2


def test_a_lone_surrogate_equals_only_itself():
    key = key_of("\ud800 A", "\ud801 A")
    assert score(key, "\ud801  a.") == 2
    assert score(key, "\ud802 a") is None


# ---------------------------------------------------------------------- what options decide


def test_ends_mean_something_where_options_differ_by_just_them():
    key = key_of("Agree", "Agree!", "Disagree")
    expected = {"Agree": 1, "agree!": 2, "Agree.": None, "Disagree.": None, "DISAGREE\u200b": 3}
    assert {text: score(key, text) for text in expected} == expected
    stars = key_of("*", "**", "***")
    assert [score(stars, text) for text in ("*", "**", "***\u200b", "****")] == [1, 2, 3, None]
    assert score(key_of("1", "1."), "1!") is None


def test_each_item_decides_for_itself():
    form = questionnaire(
        item(own=options(("Agree", 1), ("Agree!", 2))), item(own=options(("Agree!", 3), ("No", 4)))
    )
    key = sk.ScoringKey(form, "lenient")
    assert plain(key.score([0, 1, 0, 1], ["Agree.", "Agree.", "Agree", "Agree"])) == [
        None, 3, 1, 3,
    ]  # fmt: skip


def test_another_items_options_are_ordinary_text():
    form = questionnaire(
        item(own=options(("I\u2019m", 1))),
        item(own=options(("i'm", 2))),
        item(own=options(("not present", 3), ("*I'm*", 4))),
        item(own=options("\u200b", "no")),
    )
    key = sk.ScoringKey(form, "lenient")
    texts = ["I\u2019m", "I'm", "*I'm*", "not present", "\u200b"]
    scores = [plain(key.score([number] * 5, texts)) for number in range(4)]
    assert scores == [
        [1, 1, 1, None, None],
        [2, 2, 2, None, None],
        [4, 4, 4, 3, None],
        [None, None, None, None, 1],
    ]
    assert kind(key, "\u200b", 3) == ("exact", 0)
    assert kind(key, "\u200b", 2) == ("missing", -1)


def test_options_that_become_equal_and_score_alike_still_match():
    key = key_of(("4", 3), ("4.0", 3), ("I'm", 1), ("I\u2019m", 1))
    assert [score(key, text) for text in ("04", "I`m")] == [3, 1]


def test_options_that_become_equal_and_score_differently_warn_and_give_none():
    form = questionnaire(
        item(own=options("A", "B")),
        item(own=options(("I'm", 1), ("I\u2019m", 2), ("4", 3), ("4.0", 4), ("No", 5))),
    )
    frame = answers(["A", "I'm", "I\u2018m", "04", "no."], [0, 1, 1, 1, 1])
    with pytest.warns(UserWarning, match="cannot tell apart") as caught:
        scored = sk.score_answers(frame, form, matching="lenient")
    (warning,) = caught
    assert warning.filename == __file__
    assert "item 1: \"I'm\", 'I\u2019m'; item 1: '4', '4.0'" in str(warning.message)
    assert plain(scored["score"]) == [1, 1, None, None, 5]
    with pytest.warns(UserWarning, match="cannot tell apart"):
        sk.score_experiment(form, frame, matching="lenient", by=[])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sk.score_answers(frame, form)
        sk.score_answers(frame[:1], form, matching="lenient")


def test_options_of_one_text_are_warned_of_as_in_strict_matching():
    form = questionnaire(default=options(("A", 1), ("A", 2), ("B", 3)))
    with pytest.warns(UserWarning, match="with the same text but different scores") as caught:
        scored = sk.score_answers(answers(["a.", "B."]), form, matching="lenient")
    assert len(caught) == 1
    assert plain(scored["score"]) == [None, 3]


def test_no_more_than_five_groups_are_named():
    pairs = [[(str(n), n), (f"{n}.0", -n)] for n in range(1, 8)]
    form = questionnaire(default=options(*(one for pair in pairs for one in pair)))
    with pytest.warns(UserWarning, match=r"'5', '5\.0'; and 2 more$"):
        sk.score_answers(answers(["1"]), form, matching="lenient")


def test_reversed_items_and_ignored_options():
    key = key_of(("No", 1), ("Yes", 5), option("Don't know", 9, ignored=True), reverse=True)
    assert [score(key, text) for text in ("No.", "**yes**", "Don\u2019t know")] == [5, 1, None]


# ---------------------------------------------------------------------- how it is asked for


def test_strict_is_the_default():
    form = questionnaire(default=options("Agree"))
    assert sk.ScoringKey(form).matching == "strict"
    assert plain(sk.score_answers(answers(["agree", "Agree."]), form)["score"]) == [1, None]


def test_every_function_takes_it():
    form = questionnaire(default=options("Agree"))
    frame = answers(["Agree.", "**agree**"])
    for experiment in (form, sk.Questionnaire.from_dict(form), sk.ScoringKey(form)):
        scored = sk.score_answers(frame, experiment, matching="lenient")
        assert plain(scored["score"]) == [1, 1]
        scales = sk.score_experiment(experiment, frame, by=[], matching="lenient")
        assert plain(scales["n_items"]) == [2]
        assert scored.attrs["scorekey_fingerprint"] == sk.ScoringKey(form, "lenient").fingerprint


def test_a_key_keeps_its_matching_unless_another_is_asked_for():
    form = questionnaire(default=options("Agree"))
    frame = answers(["Agree."])
    lenient = sk.ScoringKey(form, "lenient")
    assert plain(sk.score_answers(frame, lenient)["score"]) == [1]
    assert plain(sk.score_answers(frame, lenient, matching="lenient")["score"]) == [1]
    with pytest.warns(UserWarning, match="None of the"):
        assert plain(sk.score_answers(frame, lenient, matching="strict")["score"]) == [None]
    assert sk.ScoringKey(lenient) == lenient
    assert sk.ScoringKey(lenient, "strict") == sk.ScoringKey(form)
    assert sk.ScoringKey(sk.ScoringKey(form), matching="lenient") == lenient


def test_keys_of_other_matching_are_other_keys():
    form = questionnaire(default=options("Agree"))
    strict, lenient = sk.ScoringKey(form), sk.ScoringKey(form, "lenient")
    assert strict != lenient
    assert strict.fingerprint != lenient.fingerprint
    assert len({strict, lenient, sk.ScoringKey(form, "lenient")}) == 2
    assert "lenient" in repr(lenient)
    assert "lenient" not in repr(strict)
    for again in (pickle.loads(pickle.dumps(lenient)), copy.deepcopy(lenient)):
        assert again == lenient
        assert again.matching == "lenient"
        assert score(again, "Agree.") == 1


def test_a_questionnaire_keeps_a_key_of_each_matching():
    form = sk.Questionnaire.from_dict(questionnaire(default=options("Agree")))
    frame = answers(["Agree"])
    for matching in ("lenient", "strict", "lenient", None):
        sk.score_answers(frame, form, matching=matching)
    assert set(form._compiled) == {"strict", "lenient"}
    kept = form._compiled["lenient"]
    sk.score_answers(frame, form, matching="lenient")
    assert form._compiled["lenient"] is kept
    changed = form.model_copy(update={"name": "Other"})
    assert changed._compiled == {}
    assert set(form._compiled) == {"strict", "lenient"}


@pytest.mark.parametrize(
    ("matching", "error"),
    [("loose", ValueError), ("", ValueError), ("Strict", ValueError), (1, TypeError),
     (True, TypeError), (["strict"], TypeError), (pd.NA, TypeError)],
)  # fmt: skip
def test_another_matching_is_refused(matching, error):
    form = questionnaire(default=options("Agree"))
    frame = answers(["Agree"])
    for experiment in (form, sk.ScoringKey(form)):
        for call in (
            lambda experiment: sk.ScoringKey(experiment, matching),
            lambda experiment: sk.score_answers(frame, experiment, matching=matching),
            lambda experiment: sk.score_experiment(experiment, frame, matching=matching),
        ):
            with pytest.raises(error, match="matching must be 'strict' or 'lenient'"):
                call(experiment)


def test_a_file_is_read_alike_whatever_the_matching(tmp_path):
    form = questionnaire(default=options("4", "5"))
    path = tmp_path / "results.csv"
    path.write_text("instruction_item_id,decision\n0,4.0\n0,5.00\n", encoding="utf-8")
    for key in (sk.ScoringKey(form), sk.ScoringKey(form, "lenient")):
        assert sk.read_results(path, key)["decision"].tolist() == ["4", "5"]


# ---------------------------------------------------------------------- what always holds


@pytest.mark.filterwarnings("ignore:(None of the|Answer options ):UserWarning")
@given(strategies.answered())
def test_the_result_is_that_of_the_twin(answered):
    key, rows = answered
    frame = frame_of(rows)
    lenient = plain(sk.score_answers(frame, key, matching="lenient")["score"])
    assert lenient == [lenient_twin.score(key, row) for row in rows]
    strict = plain(sk.score_answers(frame, key)["score"])
    assert strict == [twin.score(key, row) for row in rows]
    for one, other in zip(strict, lenient, strict=True):
        assert one is None or one == other


ALIKE = st.one_of(
    st.text("aA4.0!*_'\u2019-\u2013 \u00b2\u200b\uff14\u0664", max_size=5),
    st.sampled_from(
        ["not present", "Not present.", "*not present*", "NOT PRESENT", "inconclusive", "4", "04.0"]
    ),
)


@pytest.mark.filterwarnings("ignore:(None of the|Answer options ):UserWarning")
@given(
    st.lists(st.lists(st.tuples(ALIKE, st.integers(0, 2), st.booleans()), max_size=5), min_size=1),
    st.lists(ALIKE, max_size=10),
    st.booleans(),
)
def test_texts_that_are_nearly_alike(sets, texts, reverse):
    items = [
        item(own=options(*(option(t, w, ignored=i) for t, w, i in one)), reverse=reverse)
        for one in sets
    ]
    form = questionnaire(*items, default={})
    # Each item's own texts, and those of the others.
    texts = [*texts, *(text for one in sets for text, *_ in one)]
    rows = [twin.Answer((), number, text) for number in range(len(sets)) for text in texts]
    for matching, expected in (("strict", twin.score), ("lenient", lenient_twin.score)):
        key = sk.ScoringKey(form, matching)
        got = plain(key.score([row.item for row in rows], [row.decision for row in rows]))
        assert got == [expected(form, row) for row in rows]


@pytest.mark.parametrize("dtype", ["object", "string", "category"])
def test_every_column_type(dtype):
    frame = answers(["Agree.", "**4**", "no", None] * 3)
    frame["decision"] = frame["decision"].astype(dtype)
    form = questionnaire(default=options("Agree", "4", "5"))
    assert plain(sk.score_answers(frame, form, matching="lenient")["score"]) == [
        1, 2, None, None,
    ] * 3  # fmt: skip
