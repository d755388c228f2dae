"""Replies of judges: every rule by example, every kind of column, and the slow twin."""

from __future__ import annotations

import math
import time
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorekey as sk
from tests.reply_twin import twin_of

ACCURACY = sk.ScoringRubric.accuracy()
CLARITY = sk.ScoringRubric.clarity()
TEN = sk.ScoringRubric(
    "quality",
    "Quality",
    [
        {"score_range": (9, 10), "description": "Superb"},
        {"score_range": (5, 8), "description": "Fine"},
        {"score_range": (0, 4), "description": "Poor"},
    ],
)
UNIT = sk.ScoringRubric("share", "Share", [{"score_range": (0, 1), "description": "Any share"}])


def outcome(text, rubric=ACCURACY, **options):
    found = rubric.parse_reply(text, **options)
    assert (found.score is None) != (found.reason is None)
    return found.reason or found.score


# The rules, on a scale from 1 to 5

GIVEN = [
    ("<think>Maybe Score: 2</think>\n4", 4),
    ("Score: 4/10", "other_scale"),
    ("Score: 3-4", "several"),
    ("Score: 3 or 4", "several"),
    ("Score: 4%", "percent"),
    ("Score: 2. About 4/5 of the claims are supported.", 2),
    ("Evaluated 4/5/2026. I cannot rate this.", "none"),
    ("Score: 3\nConfidence score: 1", 3),
    ("Score (1-5): 4", 4),
    ('Return JSON such as {"score": 3}.\n\nScore: 5', 5),
    ('{"score": "4"}', 4),
    ('{"score": true}', "not_a_number"),
    ('{"score": null}', "not_a_number"),
    ('{"score": NaN}', "not_a_number"),
    ("Accuracy score: 5\nClarity score: 2", 5),
    ("Score: 4\n\nFinal score: N/A", "not_a_number"),
    ('{"score": 4, "reasoning": "The ans', "cut_off"),
    ("[RESULT] (an integer number between 1 and 5)\n[RESULT] 3", 3),
]
BLOCKS = [
    ("<THINKING>Score: 2</thinking >Score: 5", 5),
    ("<scratchpad>x</scratchpad><reasoning>Score: 1</reasoning>3", 3),
    ("Score: 4\n<think>but", "cut_off"),
    ("I think the score is 2.</think>\nScore: 4", 4),
    ("<think>a <think> b</think> Score: 2</think>\n4", 4),
    ("<think>Score: 2</think>", "none"),
    ('{"score": 3, "reasoning": "it leaves <think> open"}', 3),
]
JSON = [
    ('```json\n{"reasoning": "a \\"quoted\\" } brace", "score": 4}\n```', 4),
    ('Sure! {"score": 4.0, "reasoning": "ok"} Bye.', 4),
    ('{"reasoning": "line\nbreak, score: 2", "score": 4}', 4),
    ('{"sc\\u006fre": 4}', 4),
    ('{"Score": 4}', 4),
    ('{"final_score": 4}', 4),
    ('{"score": "4/5"}', 4),
    ('{"score": "4/10"}', "other_scale"),
    ('{"score": "80%"}', "percent"),
    ('{"score": "high"}', "not_a_number"),
    ('{"score": [4]}', "not_a_number"),
    ('{"score": 9}', "out_of_range"),
    ('{"score": 3.5}', "between_levels"),
    ('{"score": 4, "max_score": 10}', "other_scale"),
    ('{"score": 4, "max_score": 5}', 4),
    ('{"accuracy": 4, "clarity": 2}', 4),
    ('{"accuracy": {"score": 4}, "clarity": {"score": 2}}', 4),
    ('{"result": {"score": 4}}', 4),
    ('{"confidence": {"score": 4}}', "none"),
    ('{"criterion": "clarity", "score": 4}', "none"),
    ('{"score": 4, "score": 3}', "several"),
    ('{"score": 2}\n{"score": 3}', 3),
    ('{"score": 2} {"score": 3}', "several"),
    ('{"reasoning": "score: 4"}', "none"),
    ("{'score': 4, 'reasoning': 'single quotes'}", 4),
    ('{"score": 4, "reasoning": "He said "hi" to me"}', 4),
    ('{"score": 4,}', 4),
    ('Use {"score": <1-5>}, please.\n{"score": 2}', 2),
    ('{"reasoning": "not yet', "cut_off"),
    ('{"score"', "cut_off"),
    ("Score: 4 {", 4),
    ('{"score": 1e0}', 1),
    ('{"score": 1e999}', "out_of_range"),
]
LABELS = [
    ("**Score:** 4", 4),
    ("Score: **4**", 4),
    ("**Score: 4/5**", 4),
    ("### Final Score: 4", 4),
    ("- Overall rating = 4", 4),
    ("1. Grade: 4", 4),
    ("> *Score* : 4.", 4),
    ("| Score | 4 |", 4),
    ("## Score\n4", 4),
    ("**Score:**\n\n4/5", 4),
    ("Score:\n4 of the claims are wrong", "not_a_number"),
    ("Reasons follow.\nScore:", "cut_off"),
    ("<score>4</score>", 4),
    ("Rating: [[5]]", 5),
    ("[[4]]", 4),
    ("see [[Main Page]]", "none"),
    ("**[RESULT]** 3", 3),
    ("Feedback: fine. [RESULT] 5", 5),
    ("Score (out of 5): 4", 4),
    ("Score (1-10): 4", "other_scale"),
    ("Score (confidence): 4", "none"),
    ("Score out of 10: 4", "other_scale"),
    ("Score: 2\nScore: 4", 4),
    ("Score: 2, rating: 3", "several"),
    ("Score: 2, rating: 2", 2),
    ("Score: 4 (passing score: 3)", 4),
    ("Final score is 4.\nI had thought of a score of 3 first.", 4),
    ("Grade 4 reading level", "none"),
    ("Score 4", 4),
    ("Score 1\nScore 2", "several"),
    ("Accuracy: 4", 4),
    ("Accuracy: 3 errors found", "none"),
    ("Accuracy rating: 4", 4),
    ("Rating for accuracy: 4", 4),
    ("Score: four", "not_a_number"),
    ("Grade: A\n4 of 5", "not_a_number"),
    ("Scores: 4", "none"),
    ("Score: 6", "out_of_range"),
    ("Score: -4", "out_of_range"),
    ("Score: 0", "out_of_range"),
    ("Score: 4.5", "between_levels"),
]
NUMBERS = [
    ("Score: 4.", 4),
    ("Score: 4.0", 4),
    ("Score: +4", 4),
    ("Score: 4, mostly fine", 4),
    ("Score: 4 - mostly fine", 4),
    ("Score: 4 — mostly fine", 4),
    ("Score: 4 out of 5", 4),
    ("Score: 4 (out of 5)", 4),
    ("Score: 4 stars", 4),
    ("Score: 4 on a scale of 1 to 5", 4),
    ("Score: 4, 2 errors found", 4),
    ("Score: 4 to reflect the errors", 4),
    ("Score: 4 out of 10", "other_scale"),
    ("Score: 4 on a scale of 1 to 10", "other_scale"),
    ("Score: 4 on a 10-point scale", "other_scale"),
    ("Score: 4/5/2026", "not_a_number"),
    ("Score: 4 of the claims", "not_a_number"),
    ("Score: 4,5", "not_a_number"),
    ("Score: 4½", "not_a_number"),
    ("Score: 4e3", "not_a_number"),
    ("Score: 4th", "not_a_number"),
    ("Score: 4\\5", "not_a_number"),
    ("Score: 4 in 10", "other_scale"),
    ("Score: 4+", "not_a_number"),
    ("Score: 4 and a half", "not_a_number"),
    ("Score: 4.5.1", "not_a_number"),
    ("Score: ~4", 4),
    ("Score: >4", "not_a_number"),
    ("Score: 4 percent", "percent"),
    ("Score: 4 %", "percent"),
    ("Score: 3–4", "several"),
    ("Score: 3 - 4", "several"),
    ("Score: 3 to 4", "several"),
    ("Score: 3, 4", "several"),
    ("Score: 3 and 4", "several"),
    ("Score: 3 -> 4", "several"),
    ("Score: 3 (or 4)", "several"),
    ("Score: 3 or higher", "several"),
]
PROSE = [
    ("I give this a score of 4.", 4),
    ("So my final score is 4 out of 5.", 4),
    ("It deserves a rating of 4, nothing more.", 4),
    ("A score of 3, no, a score of 4.", "several"),
    ("The passing score is 4.", "none"),
    ("I have a confidence score of 4.", "none"),
    ("Its clarity score is 4.", "none"),
    ("Its accuracy score is 4.", 4),
    ("This does not deserve a score of 5.", "none"),
    ("If it were complete, I would give a score of 5.", "none"),
    ("A score of 5 means that nothing is wrong.", "none"),
    ("A score of 5 is reserved for perfection.", "none"),
    ("This is worth more than a score of 3.", "none"),
    ("It gets a score of 4/10.", "other_scale"),
    ("There are 4 errors.", "none"),
    ("4 errors", "none"),
    ("I give it a score of 2 for clarity.", "none"),
    ("I give it a score of 2 for its accuracy.", 2),
    ("Clarity: a note. Relevance - score: 2", "none"),
    ("In short, accuracy - score: 2", 2),
]
OTHERS = [
    ("Mostly accurate with minor imprecisions", 4),
    ("- 4: Mostly accurate with minor imprecisions", 4),
    ("I'd say:\n**Mostly accurate with minor imprecisions.**", 4),
    ("- 5: Completely accurate with no errors\n- 2: Significant inaccuracies present", "several"),
    ("It is not mostly accurate with minor imprecisions", "none"),
    ("I'd say 4/5.", 4),
    ("A clear 4 / 5!", 4),
    ("4/5 or 3/5", "several"),
    ("Maybe 3 or 4/5.", "none"),
    ("4/5 claims are right.", "none"),
    ("I give it 4/5 because of the dates.", 4),
    ("First 4/5, then 3/5.", "several"),
    ("About 4/5 of the claims are supported.", "none"),
    ("Seen on 4/5.", "none"),
    ("Date: 4/5. I cannot rate this.", "none"),
    ("Confidence: 4/5", "none"),
    ("Clarity: 4/5", "none"),
    ("Its clarity is 4/5.", "none"),
    ("It is 4/5 for clarity.", "none"),
    ("Verdict: 4/5", 4),
    ("In short, accuracy 4/5", 4),
    ("I'd say 8/10.", "none"),
    ("4", 4),
    ("**4**", 4),
    ("(4)\n", 4),
    ("4 out of 5", 4),
    ("8/10", "other_scale"),
    ("80%", "percent"),
    ("3-4", "several"),
    ("4.5", "between_levels"),
    ("7", "out_of_range"),
    ("four", "none"),
    ("4 5", "several"),
    ("", "missing"),
    (" \n\t\u3000", "missing"),
]
CONTRADICTIONS = [
    ("[[4]] or [[5]]", "several"),
    ("[[4]] / [[5]]", "several"),
    ("[RESULT] 4 or [RESULT] 5", "several"),
    ("Score: 3-4, rating: 5", "several"),
    ("Score: 3 or 4\nScore: 5", 5),
    ("A score of 3 is fair, but a score of 4 is too high.", "several"),
    ("A score of 4 is too high. I give it a score of 3.", "several"),
    ("A score of 3 is not too high; I give it a score of 3.", 3),
    ("A score of 4 is too high.", "none"),
    ("I give it a score of 4, as a score of 5 would need sources.", 4),
    ("Score: 3. A score of 4 is too high.", 3),
    ("Score of 4 is too high.\nScore: 3", 3),
]
OTHER_CHARACTERS = [
    *[(f"Score: 3{dash}4", "several") for dash in "\u2010\u2011\u2012–—―⁃⁓−∼─〜﹘﹣－～"],
    *[(f"Score: 3 {dash} 4", "several") for dash in "\u2010\u2011－～"],
    *[(f'{{"score": "3{dash}4"}}', "several") for dash in "\u2011－～"],
    *[(f"Score: 4{mark}5", "not_a_number") for mark in "．，、·：\u200b\u2009"],
    *[(f"Score: 4{mark} 5", "several") for mark in "，、;；"],
    *[(f"Score: 80{sign}", "percent") for sign in "﹪٪‰‱"],
    *[(f"Score: 4 {sign}", "percent") for sign in "﹪٪‱"],
    ("Score (1‑5): 4", 4),
    ("Score: 4 on a 10‑point scale", "other_scale"),
    ("Score: 4‑point", "not_a_number"),
    ("Score: 4。", 4),
    ("Score: 4，很好", 4),
    ("Score: 3;4", "several"),
    ("Score: 4; 2 errors found", 4),
    *[(f"Score: 4 {part}", "not_a_number") for part in "¼½¾⅐⅓⅞⅟↉"],
    *[(f"Score: 4{part}", "not_a_number") for part in "¼½¾⅐⅓⅞⅟↉"],
    ("Score: **4** ⅓", "not_a_number"),
    ("Score: 4 and ½", "not_a_number"),
    ("Score: 3-½", "several"),
    ("Score: 4 ５", "not_a_number"),
    ("Score: 4.５", "not_a_number"),
    ("Score：４", "not_a_number"),
    ("Score: 4 (⅓)", "not_a_number"),
    *[(f"Score: 3 {word} 4", "several") for word in ("或", "至", "到", "oder", "bis", "ou")],
    ("Score: 4 ou presque", 4),
    ("Score: 4 over 10", "other_scale"),
    ("Score: 4 over 5", 4),
    ("Score: 4 over the top", 4),
    *[(f"Score: 4 {word}", "not_a_number") for word in ("million", "k", "K", "tenths", "dozen")],
]
MARKUP = [
    ("\ufeffScore: 4", 4),
    ("\ufeff4", 4),
    ('\ufeff{"score": 4}', 4),
    ("\ufeff", "missing"),
    ("Score: <b>4</b>", 4),
    ("<b>Score:</b> 4", 4),
    ("<STRONG>Score</STRONG>: <em>4</em>/5", 4),
    ("<i>4</i>", 4),
    ('{"score": "<b>4</b>"}', 4),
    ("Score: <b>3</b>-<b>4</b>", "several"),
    ("<strong>Mostly accurate with minor imprecisions</strong>", 4),
    ("<think><b>Score:</b> 2</think><b>4</b>", 4),
    ("Score: <base>4</base>", "not_a_number"),
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *GIVEN,
        *BLOCKS,
        *JSON,
        *LABELS,
        *NUMBERS,
        *PROSE,
        *OTHERS,
        *CONTRADICTIONS,
        *OTHER_CHARACTERS,
        *MARKUP,
    ],
)
def test_on_one_to_five(text, expected):
    assert outcome(text) == expected
    assert twin_of(ACCURACY).parse(text) == expected


@pytest.mark.parametrize(
    ("text", "expected", "rubric"),
    [
        ("There are 5 reasons why this is a score of 9", 9, TEN),
        ("[[90]]", "out_of_range", TEN),
        ("Score: 9.5", 9.5, TEN),
        ("Score: 8.5", "between_levels", TEN),
        ("Score: 4/5", "other_scale", TEN),
        ("7/10", 7, TEN),
        ("9-10: Superb", "several", TEN),
        ("0.8", 0.8, UNIT),
        ("2.0", "out_of_range", UNIT),
        ("Score: .25", 0.25, UNIT),
        ("Score: 80%", "percent", UNIT),
        ("Confidence score: 0.4", "none", UNIT),
    ],
)
def test_on_other_scales(text, expected, rubric):
    assert outcome(text, rubric) == expected
    assert twin_of(rubric).parse(text) == expected


def test_open_scales():
    rubric = sk.ScoringRubric(
        "n", "N", [{"score_range": (1, None), "description": "x"}, {"score": 0, "description": "y"}]
    )
    assert outcome("Score: 1000", rubric) == 1000
    assert outcome("Score: 0.5", rubric) == "between_levels"
    assert outcome("Score: 4/5", rubric) == "other_scale"
    assert outcome("Score: -1", rubric) == "out_of_range"
    scored = sk.score_replies(["Score: 7"], rubric)
    assert math.isnan(scored["normalized"][0])
    assert scored["level"].tolist() == ["1 or more"]
    assert scored["level"].cat.categories.tolist() == ["0", "1 or more"]


def test_fields_and_markers():
    assert outcome('{"rating": 4, "score": 2}', score_field="rating") == 4
    assert outcome('{"score": 2}', score_field="rating") == "none"
    assert outcome("Overall quality: 4", score_field="overall_quality") == 4
    assert outcome("评分：4分", markers=["评分"]) == 4
    assert outcome("最终，评分: **4/5**。", markers="评分") == 4
    assert outcome("置信度评分：4", markers="评分") == "none"
    assert outcome("Note\u202f: 4", markers=["Note"]) == 4
    assert outcome("ÉVALUATION : 4", markers=["évaluation"]) == 4
    assert outcome("Please note: 4 claims are wrong", markers=["Note"]) == "none"
    for wrong in ("", "*", "  "):
        with pytest.raises(ValueError, match="letters"):
            outcome("4", markers=[wrong])
        with pytest.raises(ValueError, match="letters"):
            outcome("4", score_field=wrong)
    with pytest.raises(TypeError, match="marker"):
        outcome("4", markers=[5])


def test_several_scores_in_a_reply():
    replies = pd.Series(
        [
            "Accuracy: 5\nClarity: 2",
            "Accuracy score: 5, clarity score: 2",
            '{"accuracy": 5, "clarity": {"score": 2}}',
            '[{"criterion": "accuracy", "score": 5}, {"criterion": "clarity", "score": 2}]',
            "## Accuracy\nScore: 5\n\n## Clarity\nReason: so\nScore: 2\n\n## Overall\nScore: 1",
            "Score: 4",
            "Accuracy: 5\nOverall score: 2",
            "Clarity\nScore: 2\nScore: 3",
        ],
        index=list("abcdefgh"),
    )
    scored = sk.score_replies(replies, {"accuracy": ACCURACY, "clarity": CLARITY})
    assert scored.index.tolist() == list("abcdefgh")
    nan = None
    expected = {
        "accuracy": [5, 5, 5, 5, 5, nan, 5, nan],
        "clarity": [2, 2, 2, 2, 2, nan, nan, nan],
    }
    for name, scores in expected.items():
        found = scored[name]["score"]
        assert found.astype(object).where(found.notna(), None).tolist() == scores
    assert scored["clarity"]["reason"].tolist()[5:] == ["none", "none", "several"]
    assert scored.attrs["scale_high"] == {"accuracy": 5, "clarity": 5}
    for wrong in ({}, {"a": 5}, {5: ACCURACY}, "accuracy", None, [ACCURACY]):
        with pytest.raises(TypeError, match="rubric"):
            sk.score_replies(replies, wrong)


# Columns

CELLS = ["Score: 4", None, "3 or 4", "é 🎉 Score: 2", "", "no"]
SCORES = [4.0, math.nan, math.nan, 2.0, math.nan, math.nan]
WHY = [None, "missing", "several", None, "missing", "none"]


def columns():
    yield "list", CELLS
    yield "objects", pd.Series(CELLS, dtype=object)
    yield "inferred", pd.Series(CELLS)
    yield "index", pd.Index(CELLS)
    yield "array", np.array(CELLS, dtype=object)
    yield "strided", pd.Series([x for cell in CELLS for x in (cell, "5")], dtype=object)[::2]
    yield "python", pd.Series(CELLS, dtype="string[python]")
    yield "categories", pd.Series(CELLS, dtype="category")
    try:
        import pyarrow as pa
    except ImportError:
        return
    yield "arrow", pa.array(CELLS)
    for name, kind in (("large", pa.large_string()), ("view", pa.string_view())):
        yield name, pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([CELLS], kind)))
    yield "sliced", pa.array(["x", *CELLS, "x"])[1:7]
    yield "chunked", pa.chunked_array([CELLS[:2], [], CELLS[2:]], pa.string())
    yield "dictionary", pa.array(CELLS).dictionary_encode()


@pytest.mark.parametrize(
    ("name", "column"), list(columns()), ids=lambda x: x if isinstance(x, str) else ""
)
def test_columns(name, column):
    scored = sk.score_replies(column, ACCURACY)
    assert scored.columns.tolist() == ["score", "normalized", "level", "reason", "decision"]
    np.testing.assert_array_equal(scored["score"], SCORES)
    np.testing.assert_array_equal(scored["normalized"], [(s - 1) / 4 for s in SCORES])
    reasons = scored["reason"]
    assert reasons.astype(object).where(reasons.notna(), None).tolist() == WHY
    assert reasons.cat.categories.tolist() == list(sk.REASONS)
    assert scored["level"].cat.categories.tolist() == list("12345")
    assert scored["level"].tolist()[3] == "2"
    assert scored["decision"].tolist() == [
        "4", "not present", "inconclusive", "2", "not present", "not present",
    ]  # fmt: skip
    assert scored.attrs == {"rubric": "accuracy", "scale_low": 1, "scale_high": 5}
    if isinstance(column, pd.Series):
        assert scored.index.equals(column.index)


def test_cells_that_are_no_text():
    cells = [4, 4.0, np.float32(3), np.int8(2), 10**400, math.inf, 2.5, True, Decimal(4),
             b"Score: 4", pd.NA, pd.NaT, math.nan, np.str_("Score: 5"), 1e-5]  # fmt: skip
    scored = sk.score_replies(cells, ACCURACY)
    scores = scored["score"]
    assert scores.astype(object).where(scores.notna(), None).tolist() == [
        4, 4, 3, 2, None, None, None, None, None, None, None, None, None, 5, None,
    ]  # fmt: skip
    assert scored["reason"].tolist()[4:13] == [
        "out_of_range", "out_of_range", "between_levels", "none", "not_a_number", "not_a_number",
        "missing", "missing", "missing",
    ]  # fmt: skip
    assert scored["reason"].tolist()[14] == "out_of_range"
    numbers = sk.score_replies(pd.Series([4, 9], dtype="int64"), ACCURACY)
    assert numbers["score"].tolist()[0] == 4
    gaps = sk.score_replies(pd.Series([4, None], dtype="Int64"), ACCURACY)
    assert gaps["reason"].tolist()[1] == "missing"


@pytest.mark.parametrize("cell", [["Score: 4"], {"score": 4}, {4}, np.array([4])])
def test_collections_are_refused(cell):
    column = pd.Series(["Score: 4", None], dtype=object, name="judged")
    column[1] = cell
    with pytest.raises(TypeError, match=r"column 'judged' must hold single values.*row 1 holds"):
        sk.score_replies(column, ACCURACY)


@pytest.mark.parametrize(
    "replies", ["Score: 4", b"4", None, 4, {"a": "4"}, pd.DataFrame({"a": ["4"]})]
)
def test_what_is_no_column(replies):
    with pytest.raises(TypeError, match="replies must be a column"):
        sk.score_replies(replies, ACCURACY)


def test_no_replies():
    for column in ([], pd.Series([], dtype=object), pd.Series([], dtype="category")):
        scored = sk.score_replies(column, ACCURACY)
        assert len(scored) == 0
        assert scored["score"].dtype == "float64"


def test_decisions_are_options():
    scored = sk.score_replies(["Score: 9.5", "Score: 9"], TEN)
    assert scored["decision"].tolist() == ["not present", "9"]
    assert sk.score_replies(
        ["0.5"], sk.ScoringRubric("u", "U", [{"score": 0.5, "description": "x"}])
    )["decision"].tolist() == ["0.5"]


def test_threads_and_batches_change_nothing(monkeypatch):
    texts = [f"{'word ' * (number % 300)}\nScore: {number % 7}" for number in range(40_000)]
    monkeypatch.setenv("SCOREKEY_NUM_THREADS", "1")
    one = sk.score_replies(texts, ACCURACY)
    monkeypatch.setenv("SCOREKEY_NUM_THREADS", "3")
    pd.testing.assert_frame_equal(sk.score_replies(texts, ACCURACY), one)
    pd.testing.assert_frame_equal(sk.score_replies(pd.Series(texts), ACCURACY), one)
    expected = [number % 7 if number % 7 in range(1, 6) else None for number in range(40_000)]
    assert one["score"].astype(object).where(one["score"].notna(), None).tolist() == expected


# The twin

PIECES = [
    'Score', 'score', 'Rating', 'final', 'Final', 'overall', 'grade', 'accuracy', 'Accuracy',
    'clarity', 'confidence', 'passing', '评分', 'Note', 'rating', ': ', ':', '：', '=', '->',
    ' is ', ' of ', 'is', ' was ', ' - ', '-', '–', '4', '3', '5', '2.5', '10', '1', '0.8',
    '4/5', '4/10', '/5', '/', '5/5', 'out of 5', ' out of ', '(1-5)', '(1-10)', '(out of 5)',
    ' (', ')', '[', ']', '[[4]]', '[[', '[RESULT]', '<think>', '</think>', '<reasoning>',
    '</reasoning>', '<score>', '</score>', '**', '*', '_', '`', '#', '\n', '\n\n', '\r', '- ',
    '1. ', ' ', '  ', ',', ', ', '.', '. ', '!', '%', '½', '+', 'e', '分', 'or', ' or ', ' to ',
    ' and ', 'a ', 'half', 'point', 'stars', 'percent', 'on a scale of 1 to 5',
    'on a 10-point scale', 'means', 'would', 'not', 'if', 'than', 'the ', 'my ', 'a',
    'in May ', 'on ', 'n/a', 'none', 'null', '{', '}', '{"score": 4}', '{"score": ', '"4"',
    '{"accuracy": 3}', '{"result": {"score": 2}}', '{"criterion": "clarity", ', '"score": ',
    '"accuracy": ', '"max_score": 5', '"x": ', '[1, ', '\\', '\\u0034', '\\"', 'true', 'NaN',
    '1e0', '-4', '−4', 'Mostly accurate with minor imprecisions', '- 4: ', 'é', '🎉', '\u3000',
    '\ud800', 'Reasoning', '## Clarity', '## Accuracy', 'for the accuracy', 'I give ', '…',
    '..', '→', '&', '}}', '\u2011', '～', '．', '，', '、', ';', '；', '⅓', '５', ' over ', 'k',
    'million', 'is too', 'is not', 'a score of 3 ', '<b>', '</b>', '\ufeff', '[[5]]', '\u200b',
    ',"', "'", '"', '|', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
]  # fmt: skip
REPLIES = st.one_of(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.text())


@given(REPLIES)
def test_the_twin_agrees(text):
    for rubric in (ACCURACY, TEN, UNIT):
        assert outcome(text, rubric) == twin_of(rubric).parse(text)
    markers = ["评分", "Note", "note", "NOTE"]
    twin = twin_of(ACCURACY, field="rating", markers=markers)
    assert outcome(text, score_field="rating", markers=["评分", "Note"]) == twin.parse(text)


@given(REPLIES)
def test_the_twin_agrees_on_several_rubrics(text):
    scored = sk.score_replies([text], {"accuracy": ACCURACY, "clarity": CLARITY})
    for name, other in (("accuracy", "clarity"), ("clarity", "accuracy")):
        rubric = ACCURACY if name == "accuracy" else CLARITY
        score, reason = scored[name]["score"][0], scored[name]["reason"][0]
        found = twin_of(rubric, names=(name,), others=(other,)).parse(text)
        assert found == (score if pd.isna(reason) else reason)


BYTES = st.sampled_from(PIECES).map(lambda piece: piece.encode("utf-8", "surrogatepass"))


@given(st.lists(st.binary(max_size=40) | BYTES, max_size=10))
def test_any_bytes_are_read(parts):
    text = b"".join(parts).decode("utf-8", "surrogateescape")
    assert outcome(text, TEN) is not None


# Time


@pytest.mark.parametrize(
    "piece",
    [
        "{", '{"a":', '{"a":{"score":', "[", '{"a":[', "Score ", "Score: ", "Score:\n", "score of ",
        "<think>", "<think></think>", "</think>", "</", "[[", "[RESULT] ", "4/5 ", "/", "4", "\\",
        '"', '{"', "*", " ", "accuracy ", "score (", "score (1 ", "not a score of 4 ", "word ", "é",
        "{}", "\n", "final ", "<b>", "<", "</b", "\ufeff", "a score of 4 is too ",
    ],
)  # fmt: skip
def test_time_is_linear(piece):
    def seconds(repeats: int) -> float:
        text = "x " + piece * repeats
        best = math.inf
        for _ in range(3):
            start = time.process_time()
            ACCURACY.parse_reply(text)
            best = min(best, time.process_time() - start)
        return best

    # Ten times the text may take twenty times as long; quadratic work would take a hundred times.
    assert seconds(100_000) < 20 * seconds(10_000) + 0.02


def test_a_long_reply():
    text = "The answer is long. " * 500_000
    start = time.process_time()
    assert outcome(text + "\nScore: 4") == 4
    assert time.process_time() - start < 5
