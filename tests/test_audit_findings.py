"""What an audit finds: nothing where nothing is wrong, and all trouble where it is planted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from scorekey.audit import KINDS, check_missing, counting
from tests.audit_material import N_ITEMS, N_PEOPLE, audited, clean, kinds, only, where
from tests.material import AGREEMENT, answers, item, options, questionnaire

ROOT = Path(__file__).parent.parent
CONFIGS = ROOT / "tests" / "data" / "rupsycho_configs"
ONE, TWO, THREE, FOUR, FIVE = AGREEMENT


# ---------------------------------------------------------------------- where nothing is wrong


@pytest.mark.parametrize("matching", ["strict", "lenient"])
def test_nothing_is_found_in_clean_answers(matching):
    audit = audited(clean(), matching=matching)
    assert audit.findings == []
    assert str(audit).endswith("Nothing found that needs a look.")


def by_content(form, people, seed):
    """Return answers to any questionnaire by respondents with a level on each scale, and luck."""
    key = sk.ScoringKey(form)
    draw = np.random.default_rng(seed)
    rows = []
    for person in range(people):
        levels = draw.normal(0, 0.6, len(key.scale_names))
        for number, (options_of, reverse) in enumerate(key._specification.items):
            texts = [o for o in key._specification.option_sets[options_of] if not o[2]]
            texts.sort(key=lambda option: option[1])
            level = levels[key._scales[number]] + draw.normal(0, 0.8)
            place = 1 / (1 + np.exp(1.5 * level if reverse else -1.5 * level))
            text = texts[int(place * len(texts))][0]
            rows.append((f"m{person % 2}", f"p{person}", number, text))
    columns = ["model_id", "profile_id", "instruction_item_id", "decision"]
    return pd.DataFrame(rows, columns=columns)


@pytest.mark.parametrize("people", [1, 12, 40])
@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("bfi_five_items.json", []),
        ("bfi_small_and_mid.json", []),
        ("gsdb_new_qwen.json", []),
        ("rfq_small.json", []),
        # Two items have weights of their own; a scale is declared that no item uses.
        ("bdi_qwen72.json", ["item_ranges"]),
        ("trolley_qwen72.json", ["empty_scales"]),
    ],
)
def test_real_questionnaires(config, expected, people):
    form = sk.Questionnaire.from_json(CONFIGS / config)
    for seed in range(3):
        assert kinds(audited(by_content(form, people, seed), form)) == expected


def test_the_example():
    """Its models were written to refuse the items of one scale, and to agree with all items."""
    form = ROOT / "examples" / "questionnaire.json"
    audit = audited(sk.read_results(ROOT / "examples" / "results.csv", form), form)
    assert kinds(audit) == ["uneven_missing", "invalid_answers", "acquiescence"]
    uneven, invalid, alike = audit.findings
    assert [place.partition(":")[0] for place in uneven.where] == [
        "item 3", "item 8", "item 13", "item 18",
    ]  # fmt: skip
    assert "model_id=careful-70b (77% against 6%)" in uneven.what
    assert (invalid.count, alike.count) == (48, 4)
    assert "4 of them have model_id=agreeable-8b" in alike.what


# ---------------------------------------------------------------------- texts of items


def test_swapped_items():
    frame = clean()
    swap = {2: "Statement 5.", 5: "Statement  2."}
    frame["instruction_item"] = [
        swap.get(i, text)
        for i, text in zip(frame["instruction_item_id"], frame["instruction_item"], strict=True)
    ]
    audit = audited(frame)
    (finding,) = audit.findings
    assert (finding.kind, finding.count, finding.weight) == ("item_order", 2, 100)
    assert finding.where == ("item 2 has the text of item 5", "item 5 has the text of item 2")
    assert f"({2 * N_PEOPLE} rows)" in finding.what


def test_texts_of_another_questionnaire():
    frame = clean()
    frame.loc[where(frame, items=[4]), "instruction_item"] = "Something\nelse"
    frame.loc[where(frame, items=[5], people=[0]), "instruction_item"] = None
    finding = only(audited(frame), "item_texts")
    assert (finding.count, finding.where) == (
        1, ("item 4: 'Something else', expected 'Statement 4.' (row 4)",)
    )  # fmt: skip
    assert "1 item of the results has a text" in finding.what
    assert kinds(audited(frame, text_column="nothing")) == []


def test_item_texts_that_are_only_written_otherwise():
    frame = clean()
    frame["instruction_item"] = frame["instruction_item"].str.replace(".", "\u200b…", regex=False)
    frame.loc[where(frame, items=[4]), "instruction_item"] = "Something else"
    frame.loc[where(frame, items=[7]), "instruction_item"] = "STATEMENT 8."
    audit = audited(frame)
    finding = only(audit, "item_order")
    assert finding.where == ("item 7 has the text of item 8",)
    finding = only(audit, "item_texts")
    n_items = frame["instruction_item_id"].nunique()
    assert finding.count == n_items - 1
    assert f"; {n_items - 2} differ only in how it is written" in finding.what
    assert finding.where[0].endswith("(row 0): invisible character, Unicode form, punctuation")
    frame["instruction_item"] = [
        "statement 1!" if i == 1 else f"Statement {i}." for i in frame["instruction_item_id"]
    ]
    finding = only(audited(frame), "item_texts")
    assert "; 1 differs only in how it is written." in finding.what
    assert finding.where == (
        "item 1: 'statement 1!', expected 'Statement 1.' (row 1): punctuation",
    )


# ---------------------------------------------------------------------- texts of answers


def test_nothing_matches():
    frame = clean().assign(decision="I agree")
    audit = audited(frame)
    assert kinds(audit)[0] == "no_option_matched"
    assert audit.findings[0].count == N_PEOPLE * N_ITEMS
    assert "unmatched_texts" in kinds(audit)


def test_texts_that_are_nearly_options():
    frame = clean()
    frame.loc[where(frame, people=[0], items=range(4)), "decision"] = "4. Agree a little."
    frame.loc[where(frame, people=[1], items=[0]), "decision"] = "5. Agree strongly\u200b"
    frame.loc[where(frame, people=[2], items=[0, 1]), "decision"] = "Agree a little"
    frame.loc[where(frame, people=[3], items=[7]), "decision"] = "4. Agree a little."
    frame.loc[where(frame, people=[3], items=[7]), "valid"] = False
    audit = audited(frame)
    assert kinds(audit) == ["near_matches", "unmatched_texts"]
    near, other = audit.findings
    assert near.count == 5, "the answer that is not valid is lost for another reason"
    assert "punctuation (4), invisible character (1)" in near.what
    assert near.where == (
        "'4. Agree a little.' (4): punctuation, nearest option '4. Agree a little'",
        "'5. Agree strongly\\u200b' (1): invisible character, nearest option '5. Agree strongly'",
    )
    assert "matching='lenient'" in near.advice
    assert (other.count, other.where) == (
        2, ("'Agree a little' (2): leading label, nearest option '4. Agree a little'",)
    )  # fmt: skip
    assert "another label in front" in other.advice
    assert kinds(audited(frame, matching="lenient")) == ["unmatched_texts"]
    assert only(audited(frame, only_valid=False), "near_matches").count == 6


def test_the_most_frequent_reason_is_explained_even_if_it_is_a_list_of_steps():
    frame = clean()
    frame.loc[where(frame, people=[0], items=[0]), "decision"] = "4.Agree a litt1e"
    frame.loc[where(frame, people=[1], items=[0, 1]), "decision"] = "4.Agree a little"
    assert "they differ in: white space" in only(audited(frame), "unmatched_texts").advice


def test_many_texts_are_named_up_to_twenty():
    frame = clean()
    frame.loc[:24, "decision"] = [f"text {number}" for number in range(25)]
    finding = only(audited(frame), "unmatched_texts")
    assert len(finding.where) == 21
    assert finding.where[-1] == "and 5 more"


def test_texts_that_are_not_listed(monkeypatch):
    monkeypatch.setattr(counting, "MOST_TEXTS", 6)
    frame = clean()
    frame.loc[:9, "decision"] = [f"text {number}" for number in range(10)]
    audit = audited(frame)
    finding = only(audit, "unlisted_texts")
    assert finding.count == 9
    assert "There are 15 distinct decisions" in finding.what
    assert "not listed (9)" in only(audit, "unmatched_texts").what


def test_labels_read_as_missing():
    form = questionnaire(*[item(own=options("None", "Some", "N/A")) for _ in range(3)], item())
    decisions = [None, "Some", "N/A", None, "Some", None, "Some", None]
    audit = audited(
        answers(decisions, [0, 1, 2, 0, 1, 2, 0, 3], who=[1, 1, 1, 2, 2, 2, 3, 3]), form, by="who"
    )
    finding = only(audit, "lost_labels")
    assert finding.count == 3, "two on item 0 and one on item 2; item 3 has no such label"
    assert finding.where == ("option 'None' of item 0, item 2", "option 'N/A' of item 0")
    assert "read_results" in finding.advice


def test_options_with_the_same_text():
    form = questionnaire(*[item() for _ in range(2)], default=options("Yes", ("yes", 5), "No"))
    frame = answers(["YES", "YES", "No", "Yes", "YES"], [0, 0, 0, 1, 1], who=[1, 2, 3, 1, 2])
    finding = only(audited(frame, form, by="who"), "clashing_options")
    assert (finding.count, finding.where) == (3, ("item 0: 'YES' (2)", "item 1: 'YES' (1)"))


def test_options_that_nobody_chose():
    frame = clean()
    frame["decision"] = frame["decision"].replace({TWO: ONE})
    finding = only(audited(frame), "unused_options")
    assert (finding.count, finding.where) == (1, (f"{TWO!r} of all items",))
    few = frame[frame["profile_id"].isin(["p0", "p1", "p2", "p3"])]
    assert kinds(audited(few)) == [], "40 answers say nothing about five options"
    mixed = questionnaire(
        *[
            item("a", own=options("Yes", "No", {"text": "?", "ignored_for_scale": True}))
            for _ in range(2)
        ],
        item("a", own={}),
        default={},
    )
    many = answers(["Yes"] * 40, [0, 1] * 20, who=[number // 2 for number in range(40)])
    finding = only(audited(many, mixed, by="who"), "unused_options")
    assert finding.where == ("'No' of item 0, item 1",)


# ---------------------------------------------------------------------- respondents


@pytest.mark.parametrize("columns", [["profile_id"], ["profile_id", "model_id"]])
def test_merged_respondents(columns):
    frame = clean().drop(columns=columns)
    audit = audited(frame)
    finding = audit.findings[0]
    assert finding.kind == "merged_respondents"
    assert "merged" not in finding.advice
    assert "would do" not in finding.advice, "no column is left that tells them apart"
    assert "straight_lining" not in kinds(audit)
    assert ("nothing" in finding.what) == (len(columns) == 2)


def test_merged_respondents_that_a_column_would_tell_apart():
    frame = clean().assign(
        name="X",
        time=np.arange(150.0),
        tags=[[1]] * 150,
        run=[number // 10 for number in range(150)],
    )
    audit = audited(frame, by="model_id")
    finding = only(audit, "merged_respondents")
    assert finding.count == 3 * N_ITEMS
    assert finding.where == ("'model_id'",)
    assert "adding 'profile_id' would do" in finding.advice
    nobody = audited(frame.drop(columns=["model_id", "profile_id"]))
    assert "'run' would do" in only(nobody, "merged_respondents").advice
    twice = pd.concat([frame, frame[["run"] * 2].set_axis(["x", "x"], axis=1)], axis=1)
    assert kinds(audited(twice, by="model_id"))[0] == "merged_respondents"
    frame["profile_id"] = frame["profile_id"].map({f"p{p}": f"q{p // 3 % 3}" for p in range(15)})
    two = only(audited(frame, by="model_id"), "merged_respondents").advice
    assert "adding 'profile_id', 'run' would do" in two
    # Together these have a value of their own in every row, which is no respondent's.
    frame["first"], frame["second"] = np.arange(150) % 30, np.arange(150) // 30
    alone = frame[["instruction_item_id", "decision", "first", "second"]]
    assert "would do" not in only(audited(alone), "merged_respondents").advice
    assert kinds(audited(frame, by=[])) == [], "whoever wants one respondent gets one"


def test_respondents_in_the_index():
    frame = clean().drop(columns="model_id").set_index("profile_id")
    finding = only(audited(frame), "merged_respondents")
    assert "reset_index()" in finding.advice
    audit = audited(frame.rename_axis("person"), by="person")
    assert kinds(audit) == ["merged_respondents", "unknown_columns"]
    assert "reset_index()" in only(audit, "unknown_columns").advice


def test_columns_that_are_not_there():
    audit = audited(clean(), by=["model", "profile_id"])
    (finding,) = audit.findings
    assert (finding.kind, finding.where, finding.count) == ("unknown_columns", ("'model'",), 1)
    assert "spelling" in finding.advice


def test_duplicates():
    frame = clean()
    again = frame[where(frame, people=[3], items=[2, 7])]
    other = frame[where(frame, people=[4], items=[7])].assign(decision="not present")
    audit = audited(pd.concat([frame, again, other, other]))
    (finding,) = audit.findings
    assert (finding.kind, finding.count) == ("duplicates", 3)
    assert finding.where == ("item 7", "item 2"), "two respondents on item 7, one on item 2"
    assert "(4 rows too many); 1 of them with different answers" in finding.what


def test_straight_lining():
    frame = clean()
    frame.loc[where(frame, people=[4, 7]), "decision"] = THREE
    frame.loc[where(frame, people=[8], items=range(7)), "decision"] = TWO
    audit = audited(frame)
    (finding,) = audit.findings
    assert (finding.kind, finding.count) == ("straight_lining", 2)
    assert finding.where[0] == "model_id=m1, profile_id=p4: 10 of 10 items in a row"
    assert "contradicts itself" in finding.advice
    assert "2 of them have model_id=m1" in finding.what
    assert audit.styles.set_index("profile_id")["straight_lining"].sum() == 2


@pytest.mark.parametrize(
    ("items", "run", "reverse", "found"),
    [
        (5, 5, True, False),
        (6, 6, True, True),
        (10, 7, True, False),
        (10, 8, True, True),
        (14, 9, True, False),
        (14, 10, True, True),
        (44, 21, True, False),
        (44, 22, True, True),
        (20, 18, False, False),
        (20, 19, False, True),
    ],
)
def test_how_long_a_run_has_to_be(items, run, reverse, found):
    form = questionnaire(*[item(reverse=reverse and number == 0) for number in range(items)])
    rest = [AGREEMENT[number % 2] for number in range(items - run)]
    frame = answers([THREE] * run + rest, list(range(items)), who="x")
    audit = audited(frame, form, by="who")
    assert (kinds(audit) == ["straight_lining"]) is found
    assert found is bool(audit.styles["straight_lining"][0])
    if found and not reverse:
        assert "may be honest" in audit.findings[0].advice


def test_the_same_position_is_the_same_answer_among_as_many_options():
    sets = [options(*(f"{number}{letter}" for letter in "abc")) for number in range(8)]
    form = questionnaire(item(own=sets[0], reverse=True), *[item(own=own) for own in sets[1:]])
    audit = audited(answers([f"{n}a" for n in range(8)], list(range(8)), who="x"), form, by="who")
    assert audit.styles["longest_run"].tolist() == [8]
    assert kinds(audit) == ["straight_lining"]


def test_acquiescence():
    frame = clean()
    for person in (3, 6, 9):
        frame.loc[where(frame, people=[person]), "decision"] = [FOUR, FIVE] * 5
    frame.loc[where(frame, people=[1]), "decision"] = [ONE, TWO] * 5
    audit = audited(frame)
    (finding,) = audit.findings
    assert (finding.kind, finding.count) == ("acquiescence", 4)
    assert "3 agreed with both, 1 disagreed; 3 of them have model_id=m0" in finding.what
    assert finding.where[0] == "model_id=m0, profile_id=p3: agrees, index 1.00"
    one = clean()
    one.loc[where(one, people=[3]), "decision"] = [FOUR, FIVE] * 5
    assert kinds(audited(one)) == [], "one of fifteen on ten items may be chance"


def test_one_respondent_of_few_who_agrees_with_everything():
    form = questionnaire(*[item("a", reverse=number % 2 == 1) for number in range(40)])
    content = [FIVE, ONE, FOUR, TWO] * 10
    frame = answers([FOUR, FIVE] * 20 + content, [*range(40)] * 2, who=[1] * 40 + [2] * 40)
    audit = audited(frame, form, by="who")
    assert kinds(audit) == ["acquiescence", "unused_options"]


@pytest.mark.parametrize(("agreeing", "found"), [(1, False), (2, True)])
def test_acquiescence_of_a_few_on_a_short_scale(agreeing, found):
    # On six items of each direction, agreement with all is 0.5 / sqrt((1/6 + 1/6) / 16) = 3.46
    # standard errors from the middle. Of forty, chance puts one there in 2.1 cases of a hundred,
    # but two of them in 0.02.
    form = questionnaire(*[item("a", reverse=number % 2 == 1) for number in range(12)])
    content = [FIVE, ONE, FOUR, TWO] * 3
    said = [FOUR, FIVE] * 6 * agreeing + content * (40 - agreeing)
    who = [number // 12 for number in range(480)]
    audit = audited(answers(said, [*range(12)] * 40, who=who), form, by="who")
    assert ("acquiescence" in kinds(audit)) is found


def test_one_who_agrees_with_a_thousand_items():
    # Sixty standard errors from the middle: so unlikely that the chance is 0 as a float.
    form = questionnaire(*[item("a", reverse=number % 2 == 1) for number in range(3600)])
    frame = answers([FOUR, FIVE] * 1800, [*range(3600)], who="x")
    assert "acquiescence" in kinds(audited(frame, form, by="who"))


def test_merged_respondents_are_not_judged():
    frame = clean().assign(decision=THREE)
    assert "straight_lining" in kinds(audited(frame))
    assert "straight_lining" not in kinds(audited(frame, by="model_id"))


# ---------------------------------------------------------------------- what is missing


def test_refusals_on_one_item():
    frame = clean()
    frame.loc[where(frame, people=range(8), items=[4]), "decision"] = "not present"
    audit = audited(frame)
    assert kinds(audit) == ["uneven_missing", "judge_failures"]
    uneven, judge = audit.findings
    assert uneven.where == ("item 4: 8 of 15 missing, mostly sentinel",)
    assert "(53% against 0%)" in uneven.what
    assert (judge.count, uneven.count) == (8, 1)


def test_refusals_of_one_model_on_one_scale():
    frame = clean()
    beta = range(5, 10)
    frame.loc[where(frame, items=beta) & (frame["model_id"] == "m2"), "valid"] = False
    audit = audited(frame)
    assert kinds(audit) == ["uneven_missing", "invalid_answers"]
    assert "those of model_id=m2 (100% against 0%)" in audit.findings[0].what
    assert audit.findings[0].count == 5
    scored = audited(frame, only_valid=False)
    assert kinds(scored) == ["invalid_answers"]
    assert "scored all the same" in scored.findings[0].what


def test_answers_that_are_missing_by_chance_are_not_uneven():
    draw = np.random.default_rng(5)
    form = sk.Questionnaire.from_json(CONFIGS / "bfi_small_and_mid.json")
    for seed in range(5):
        frame = by_content(form, 40, seed)
        frame.loc[draw.random(len(frame)) < 0.04, "decision"] = None
        assert kinds(audited(frame, form)) == []


def test_the_exact_test_of_an_item():
    # Of 30 answers 4 are missing, all on the first of five items:
    # C(6, 4) / C(30, 4) = 15 / 27405, below 0.01 / 6.
    missing = np.array([4, 0, 0, 0, 0])
    assert check_missing._tail(4, 6, 4, 30) == pytest.approx(15 / 27405)
    one = np.zeros(5, dtype=np.int64)
    assert check_missing.uneven_items(missing, 6, one, 0.01).tolist() == [True] + [False] * 4
    assert not check_missing.uneven_items(missing, 6, one, 0.001).any()
    # For many respondents the normal distribution takes over, and gives the same.
    many = check_missing._tail(550, 5001, 5000, 50010)
    few = check_missing._tail(550, 5000, 5000, 50000)
    assert many == pytest.approx(few, rel=0.1)
    # All of the missing answers beyond one item's respondents have to be somewhere.
    assert check_missing._tail(0, 3, 9, 10) == pytest.approx(1)


def test_unanswered_items():
    frame = clean()
    frame.loc[where(frame, items=[9]), "decision"] = None
    frame = frame[~where(frame, items=[3])]
    audit = audited(frame)
    assert kinds(audit) == ["unanswered_items", "missing_answers"]
    items, missing = audit.findings
    assert items.where == (
        "item 3: 15 of 15 missing, mostly absent", "item 9: 15 of 15 missing, mostly missing",
    )  # fmt: skip
    assert "1 of them has no row at all" in items.what
    assert missing.count == 15, "an item that nobody was asked is no missing answer"


def test_missing_rows_and_decisions():
    frame = clean()
    frame.loc[where(frame, people=[2], items=[0, 6]), "decision"] = None
    frame = frame[~where(frame, people=[8, 9], items=range(2, 6))]
    (finding,) = audited(frame).findings
    assert (finding.kind, finding.count) == ("missing_answers", 10)
    assert (
        "10 of 150 expected answers (7%) are missing: 2 empty decisions and 8 without"
        in finding.what
    )


# ---------------------------------------------------------------------- scales


def test_fillers_in_the_total():
    form = questionnaire(
        item("a"),
        item("a"),
        item(),
        item(),
        item(own={"x": {"text": "?", "ignored_for_scale": True}}),
    )
    finding = only(
        audited(answers([THREE] * 2, [0, 1], who="x"), form, by="who"), "fillers_in_total"
    )
    assert (finding.count, finding.where) == (2, ("item 2", "item 3"))
    assert "2 items without a dimension stand next to 2 with one: they count" in finding.what
    one = questionnaire(item("a"), item("total"))
    what = only(audited(answers([THREE], [0]), one, by=[]), "fillers_in_total").what
    assert "1 item without a dimension stands next to 1 with one: it counts" in what
    assert "fillers_in_total" not in kinds(audited(answers([THREE]), questionnaire(), by=[]))


def test_ranges_and_empty_scales():
    wide = options("0", ("10", 10))
    form = questionnaire(
        item("a"), item("a", wide), item("b"), item("c", wide), dimensions={"a": "A", "z": "Anger"}
    )
    audit = audited(answers([THREE, "0", THREE, "0"], [0, 1, 2, 3]), form, by=[])
    assert only(audit, "item_ranges").where == ("A: 1 to 5 (item 0)", "A: 1 to 10 (item 1)")
    # The range of a scale is the mean of those of its items.
    assert only(audit, "scale_ranges").where == ("A: 1 to 7.5", "b: 1 to 5", "c: 1 to 10")
    assert "agg='pomp'" in only(audit, "scale_ranges").advice
    assert only(audit, "empty_scales").where == ("'Anger'",)
    assert "1 declared scale has no items" in only(audit, "empty_scales").what


# ---------------------------------------------------------------------- the list


def test_findings_are_sorted_and_documented():
    frame = clean().assign(decision=THREE, instruction_item="x")
    audit = audited(frame)
    weights = [finding.weight for finding in audit.findings]
    assert weights == sorted(weights, reverse=True)
    assert len(set(KINDS)) == len({weight for weight, _ in KINDS.values()})
    page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    for kind, (weight, meaning) in KINDS.items():
        assert f"| `{kind}` | {weight} | {meaning}" in page
    for finding in audit.findings:
        assert finding.what.endswith(".")
        assert finding.advice.endswith(".")
        assert str(finding) == f"{finding.kind}: {finding.what} {finding.advice}"
        assert json.loads(json.dumps(finding.to_dict()))["weight"] == finding.weight
