"""`score_wide`: files with a column for each item, as survey programs export them."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

import scorekey as sk

from .material import item, option, options, plain, questionnaire, refused, table

FIVE = options("1", "2", "3", "4", "5")
# Two scales of two items, each with a reverse-keyed one.
FORM = questionnaire(
    item("e"), item("e", reverse=True), item("n"), item("n", reverse=True),
    default=FIVE, dimensions={"e": "E", "n": "N"},
)  # fmt: skip
SUS = questionnaire(*(item(reverse=n % 2 == 0) for n in range(1, 11)), default=FIVE)


@pytest.fixture
def survey():
    return pd.DataFrame(
        {
            "id": ["Ann", "Ben"],
            "q1": [5, 1],
            "q2": [1, 2],
            "q3": [3, np.nan],
            "q4": ["2", " 4 "],
        },
        index=[7, 9],
    )


def test_scales_beside_the_frame(survey):
    before = survey.copy()
    found = sk.score_wide(survey, FORM, columns="q")
    assert found.columns.tolist() == [*survey.columns, "E", "N"]
    assert found["E"].tolist() == [5, 2.5]
    assert found["N"].tolist() == [3.5, 2]
    assert (found["E"].dtype, found.index.tolist()) == ("float64", [7, 9])
    pd.testing.assert_frame_equal(survey, before)
    pd.testing.assert_frame_equal(found[survey.columns], survey)


def test_a_row_for_each_respondent_and_scale(survey):
    found = sk.score_wide(survey, FORM, columns="q", form="tidy", by="id")
    assert found.columns.tolist() == ["id", "dimension", "score", "n_items", "n_missing"]
    assert table(found) == [
        ("Ann", "E", 5, 2, 0), ("Ann", "N", 3.5, 2, 0),
        ("Ben", "E", 2.5, 2, 0), ("Ben", "N", 2, 1, 1),
    ]  # fmt: skip
    found = sk.score_wide(survey, FORM, columns="q", form="tidy")
    assert found["respondent"].tolist() == [7, 7, 9, 9]
    found = sk.score_wide(survey.rename_axis("row"), FORM, columns="q", form="tidy")
    assert found["row"].tolist() == [7, 7, 9, 9]


def test_a_row_for_each_respondent_and_item(survey):
    found = sk.score_wide(survey, FORM, columns="q", form="items", by=["id"])
    assert table(found[["id", "instruction_item_id", "score", "dimension"]]) == [
        ("Ann", 0, 5, "E"), ("Ann", 1, 5, "E"), ("Ann", 2, 3, "N"), ("Ann", 3, 4, "N"),
        ("Ben", 0, 1, "E"), ("Ben", 1, 4, "E"), ("Ben", 2, None, "N"), ("Ben", 3, 2, "N"),
    ]  # fmt: skip
    matrix = sk.item_matrix(found, by="id", values="raw")
    assert [plain(row) for row in matrix.to_numpy()] == [[5, 1, 3, 2], [1, 2, None, 4]]
    key = sk.ScoringKey(FORM)
    assert found.attrs["scorekey_fingerprint"] == key.fingerprint
    # What it holds is what the long form of the same answers has.
    long = survey.melt("id", ["q1", "q2", "q3", "q4"], "column", "decision")
    long["instruction_item_id"] = long["column"].map({"q1": 0, "q2": 1, "q3": 2, "q4": 3})
    scored = sk.score_answers(long, FORM).sort_values(["id", "instruction_item_id"])
    assert plain(found["score"]) == plain(scored["score"])
    assert found.attrs == scored.attrs


OPTIONS = [
    {}, {"agg": "sum", "include_total": True}, {"min_items": 2}, {"min_items": {"N": 2}},
    {"min_fraction": 0.75, "expected": True}, {"impute": "item_mean", "agg": "std"},
    {"agg": "pomp", "include_total": True}, {"agg": "prorated_sum", "impute": "midpoint"},
    {"agg": "median"}, {"agg": "count"}, {"agg": lambda scores: scores.iloc[0]},
]  # fmt: skip


@pytest.mark.parametrize("arguments", OPTIONS)
def test_it_scores_as_the_long_form_is_scored(arguments):
    random = np.random.default_rng(3)
    answers = random.integers(1, 7, (200, 4))
    wide = pd.DataFrame(answers, columns=["q1", "q2", "q3", "q4"]).rename_axis("id")
    items = pd.DataFrame(
        {
            "id": np.repeat(np.arange(200), 4),
            "instruction_item_id": np.tile(np.arange(4), 200),
            "decision": answers.ravel(),
        }
    )
    expected = sk.score_experiment(FORM, items, by="id", **arguments)
    found = sk.score_wide(wide, FORM, columns="q", form="tidy", **arguments)
    pd.testing.assert_frame_equal(found, expected)
    if "expected" not in arguments:
        beside = sk.score_wide(wide, FORM, columns="q", **arguments)
        for scale, rows in expected.groupby("dimension"):
            assert plain(beside[scale]) == plain(rows["score"])


def test_system_usability_scale():
    answers = [[4, 2] * 5, [5, 1] * 5, [3] * 10, [1, 5] * 5]
    # In an order that is not the items' own: q10 stands before q2.
    names = sorted(f"q{number}" for number in range(1, 11))
    frame = pd.DataFrame(answers, columns=[f"q{n}" for n in range(1, 11)])[names]
    found = sk.score_wide(frame, SUS, columns="q", agg="pomp")
    assert found["total"].tolist() == [75, 100, 50, 0]
    sums = sk.score_wide(frame, SUS, columns="q", agg="sum")["total"]
    assert ((sums - 10) * 2.5).tolist() == [75, 100, 50, 0]


class TestWhichColumns:
    def test_a_mapping(self, survey):
        names = {"q4": 3, "q1": 0, "q2": "1", "q3": 2.0}
        found = sk.score_wide(survey, FORM, columns=names)
        assert found["N"].tolist() == [3.5, 2]

    def test_a_mapping_of_some_items(self, survey):
        with pytest.warns(UserWarning, match=r"item\(s\) 2, 3"):
            found = sk.score_wide(survey, FORM, columns={"q2": 1, "q1": 0})
        assert found.columns.tolist()[-1:] == ["E"]
        assert found["E"].tolist() == [5, 2.5]

    def test_the_names_in_order(self, survey):
        found = sk.score_wide(survey, FORM, columns=["q3", "q2", "q1", "q4"])
        assert plain(found["E"]) == [4, 4]

    @pytest.mark.parametrize("names", [[0, 1, 2, 3], ["0", "1", "2", "3"], [3, "1", 0, "2"]])
    def test_positions(self, survey, names):
        frame = survey[[f"q{int(name) + 1}" for name in names]].set_axis(names, axis=1)
        assert sk.score_wide(frame, FORM)["E"].tolist() == [5, 2.5]
        refused(ValueError, lambda: sk.score_wide(survey, FORM), "0, 1, 2, 3", "'q1'")

    @pytest.mark.parametrize(
        ("prefix", "names", "others"),
        [
            ("G01Q01", ["G01Q01[SQ001]", "G01Q01[SQ002]", "G01Q01[SQ003]", "G01Q01[SQ004]"],
             ["G01Q01[other]", "G01Q011[SQ001]", "G01Q01Time"]),
            ("G01Q01_SQ", ["G01Q01_SQ001", "G01Q01_SQ002", "G01Q01_SQ003", "G01Q01_SQ010"], []),
            ("Q3", ["Q3_1", "Q3_2", "Q3_3", "Q3_4"], ["Q3_4_TEXT", "Q3_Page Submit", "Q30", "Q31"]),
            ("bfi_", ["bfi_1", "bfi_2", "bfi_9", "bfi_10"], ["bfi_complete", "bfi_1_time", "x"]),
            ("race___", ["race___1", "race___2", "race___3", "race___10"], ["race", 1]),
            ("Q", ["QA2", "QA10", "QB1", "QB2"], []),
        ],
    )  # fmt: skip
    def test_a_prefix(self, survey, prefix, names, others):
        frame = survey[["q4", "q3", "q2", "q1"]].set_axis(names[::-1], axis=1)
        frame[others] = "5"
        found = sk.score_wide(frame, FORM, columns=prefix)
        assert found[["E", "N"]].values.tolist() == [[5, 3.5], [2.5, 2]]

    @pytest.mark.parametrize(
        ("columns", "kind", "facts"),
        [
            ("x", ValueError, ("0 column(s) begin with 'x'", "4 item(s)", "'q1'")),
            ("", ValueError, ("0 column(s)",)),
            (["q1", "q2"], ValueError, ("2 column(s)", "4 item(s)")),
            (["q1", "q2", "q3", "q9"], ValueError, ("'q9'", "'q1'")),
            (["q1", "q2", "q3", "q1"], ValueError, ("'q1' more than once",)),
            (["q1", "q2", "q3", np.array([1, 2])], ValueError, ("no such column",)),
            ({"q1": 0, "q2": 0}, ValueError, ("0 more than once",)),
            ({"q1": 4}, ValueError, ("'q1' to 4", "0 to 3")),
            ({"q1": "first"}, ValueError, ("'first'",)),
            ({"q9": 0}, ValueError, ("'q9'",)),
            (b"q", TypeError, ("columns",)),
            (5, TypeError, ("columns", "5")),
        ],
    )  # fmt: skip
    def test_what_does_not_fit(self, survey, columns, kind, facts):
        refused(kind, lambda: sk.score_wide(survey, FORM, columns=columns), *facts)

    def test_too_many_columns_are_named(self, survey):
        survey["q5"] = 1
        refused(ValueError, lambda: sk.score_wide(survey, FORM, columns="q"), "5 column(s)", "'q5'")

    def test_a_name_of_two_columns(self, survey):
        survey.columns = ["id", "q1", "q2", "q3", "q3"]
        refused(
            ValueError, lambda: sk.score_wide(survey, FORM, columns=["q1", "q2", "q3", "id"]),
            "'q3', which occurs more than once",
        )  # fmt: skip


class TestWhatTheCellsHold:
    LABELS = questionnaire(
        item("e"), item("e", reverse=True),
        default={
            "A1": option("Never", 0), "A2": option("Sometimes", 1.5), "A3": option("Always", 4),
            "A9": option("No answer", 0, ignored=True),
        },
    )  # fmt: skip

    def scores(self, cells, **arguments):
        frame = pd.DataFrame(cells, columns=["q1", "q2"])
        found = sk.score_wide(frame, self.LABELS, columns="q", form="items", **arguments)
        return plain(found["score"])

    def test_labels(self):
        cells = [["Never", "always "], ["SOMETIMES", "No answer"]]
        assert self.scores(cells) == [0, 0, 1.5, None]

    def test_weights(self):
        assert self.scores([[0, 4], [1.5, None]], answers="weight") == [0, 0, 1.5, None]
        assert self.scores([["0", "4"], ["1.5", "99"]], answers="weight") == [0, 0, 1.5, None]
        # Numbers are compared by value, even as texts: one word in a column makes all cells text.
        assert self.scores([["0.0", "04"], ["1.50", "n/a"]], answers="weight") == [0, 0, 1.5, None]
        assert self.scores([["4e0", "1,5"], ["10", True]], answers="weight") == [4, *[None] * 3]
        # The key alone knows the weights, but not the ids.
        key = sk.ScoringKey(self.LABELS)
        frame = pd.DataFrame({"q1": [4], "q2": [4]})
        assert sk.score_wide(frame, key, columns="q", answers="weight")["e"].tolist() == [2]
        refused(TypeError, lambda: sk.score_wide(frame, key, columns="q", answers="id"), "'id'")

    def test_ids(self):
        cells = [["A1", "A3"], ["a2", "A9"]]
        assert self.scores(cells, answers="id") == [0, 0, 1.5, None]
        own = {"answer_options": {"y": option("Yes", 1), "n": option("No")}}
        form = questionnaire(item() | own, item(), default=None)
        frame = pd.DataFrame({"q1": ["y", "n"], "q2": ["y", "n"]})
        assert sk.score_wide(frame, form, columns="q", answers="id")["total"].tolist() == [1, 0]

    def test_values_that_stand_for_none(self):
        cells = [[0, -99], [4, 1.5]]
        assert self.scores(cells, answers="weight", missing=[0, -99]) == [None, None, 4, 2.5]
        assert self.scores([["0", "4"]], answers="weight", missing=["0"]) == [None, 0]

    def test_no_answer_is_an_option(self):
        with pytest.warns(
            UserWarning, match=r"None of the 3 answers is the text .*4.0 in column 'q1'"
        ):
            assert self.scores([[4, 1], [None, 1.5]]) == [None] * 4

    def test_lenient_matching(self):
        cells = [["never.", "**Always**"], ["“Sometimes”", "Never"]]
        assert self.scores(cells) == [None, None, None, 4]
        assert self.scores(cells, matching="lenient") == [0, 0, None, 4]
        numbers = [["00", "4,"], ["1.50", "x"]]
        assert self.scores(numbers, answers="weight", matching="lenient") == [0, 0, 1.5, None]
        ids = [["A1.", "A3"], ["*A2*", "x"]]
        assert self.scores(ids, answers="id", matching="lenient") == [0, 0, 1.5, None]

    def test_options_that_clash(self):
        form = questionnaire(item(), default={"1": option("x", 1), "2": option("x", 2)})
        with pytest.warns(UserWarning, match="same text but different scores"):
            found = sk.score_wide(pd.DataFrame({"q1": ["x"]}), form, columns="q")
        assert plain(found["total"]) == [None]

    def test_every_type_of_column(self):
        for dtype in ("int8", "float32", "Int64", "string", "category", "object", "str"):
            frame = pd.DataFrame({"q1": [1, 5], "q2": [5, 1]}).astype(dtype)
            form = questionnaire(item("e"), item("e", reverse=True), default=FIVE)
            assert sk.score_wide(frame, form, columns="q")["e"].tolist() == [1, 5]

    def test_collections(self):
        frame = pd.DataFrame({"q1": [[1]], "q2": ["1"]})
        refused(TypeError, lambda: sk.score_wide(frame, self.LABELS, columns="q"), "'q1'", "[1]")


class TestExports:
    QUALTRICS = (
        "StartDate,ResponseId,Q3_1,Q3_2\n"
        'Start Date,Response ID,I talk.,"Am I shy, perhaps?"\n'
        '"{""ImportId"":""startDate""}","{""ImportId"":""_recordId""}","{""ImportId"":""QID3_1""}",'
        '"{""ImportId"":""QID3_2""}"\n'
        "2026-01-02,R_1,5,1\n"
        "2026-01-03,R_2,2,\n"
    )
    TWO = questionnaire(item("e"), item("e", reverse=True), default=FIVE)

    def test_qualtrics(self):
        frame = pd.read_csv(io.StringIO(self.QUALTRICS))
        found = sk.score_wide(frame, self.TWO, columns="Q3")
        assert found["e"].tolist() == [5, 2]
        assert found["ResponseId"].tolist() == ["R_1", "R_2"]
        assert found.index.tolist() == [2, 3]
        tidy = sk.score_wide(frame, self.TWO, columns="Q3", form="tidy", by="ResponseId")
        assert tidy["ResponseId"].tolist() == ["R_1", "R_2"]
        # One header row was skipped already.
        again = sk.score_wide(frame.drop(index=0), self.TWO, columns="Q3")
        assert again["e"].tolist() == [5, 2]

    def test_import_ids_of_older_qualtrics_exports(self):
        for cell in ("{'ImportId': 'QID3_1'}", '{ "ImportId": "QID3_1"}'):
            frame = pd.DataFrame({"Q3_1": ["I talk.", cell, "5"], "Q3_2": ["Shy?", "", "1"]})
            assert sk.score_wide(frame, self.TWO, columns="Q3")["e"].tolist() == [5]
        frame = pd.DataFrame({"Q3_1": ["{'Other': 1}", "5"], "Q3_2": ["", "1"]})
        assert len(sk.score_wide(frame, self.TWO, columns="Q3")) == 2

    def test_header_rows_that_are_counted(self):
        frame = pd.DataFrame({"q1": ["I talk.", "5"], "q2": ["Am I shy?", "5"]})
        assert sk.score_wide(frame, self.TWO, columns="q", header_rows=1)["e"].tolist() == [3]
        assert len(sk.score_wide(frame, self.TWO, columns="q")) == 2
        assert len(sk.score_wide(frame, self.TWO, columns="q", header_rows=2)) == 0
        call = {"columns": "q"}
        for wrong in (-1, 3):
            refused(
                ValueError, lambda w=wrong: sk.score_wide(frame, self.TWO, header_rows=w, **call),
                "header_rows", "0 to 2",
            )  # fmt: skip
        for wrong in (True, "1", 1.5):
            refused(
                TypeError, lambda w=wrong: sk.score_wide(frame, self.TWO, header_rows=w, **call),
                "header_rows",
            )  # fmt: skip

    def test_openpsychometrics(self):
        # Tabs, and 0 for an answer that was not given.
        text = "Q1\tQ2\telapse\n5\t0\t31\n0\t0\t9\n1\t5\t20\n"
        frame = pd.read_csv(io.StringIO(text), sep="\t")
        found = sk.score_wide(frame, self.TWO, columns="Q", missing=[0])
        assert plain(found["e"]) == [5, None, 1]


def test_columns_of_several_levels(survey):
    names = pd.MultiIndex.from_product([survey.columns, ["answer"]])
    frame = survey.set_axis(names, axis=1)
    columns = [(f"q{n}", "answer") for n in range(1, 5)]
    found = sk.score_wide(frame, FORM, columns=columns)
    assert found.columns.tolist()[-2:] == [("E", ""), ("N", "")]
    assert found["E"].tolist() == [5, 2.5]
    refused(ValueError, lambda: sk.score_wide(found, FORM, columns=columns), "'E', 'N' already")


def test_row_labels_of_several_levels(survey):
    index = pd.MultiIndex.from_arrays([["x", "y"], [7, 9], [1, 1]], names=[1, None, "wave"])
    tidy = sk.score_wide(survey.set_index(index), FORM, columns="q", form="tidy")
    assert tidy.columns.tolist()[:3] == [1, "respondent_2", "wave"]
    assert table(tidy.iloc[:, :5])[::2] == [("x", 7, 1, "E", 5), ("y", 9, 1, "E", 2.5)]
    items = sk.score_wide(survey.set_index(index), FORM, columns="q", form="items")
    assert plain(items["respondent_2"]) == [7] * 4 + [9] * 4


def test_rows_without_respondents(survey):
    for form, shape in [("wide", (0, 7)), ("tidy", (0, 5)), ("items", (0, 4))]:
        found = sk.score_wide(survey.iloc[:0], FORM, columns="q", form=form)
        assert found.shape == shape
    found = sk.score_wide(survey.iloc[:0], FORM, columns="q", include_total=True)
    assert found.columns.tolist()[-3:] == ["E", "N", "total"]


def test_a_questionnaire_without_items(survey):
    form = questionnaire(default=FIVE) | {"instruction_items": []}
    assert sk.score_wide(survey, form, columns=[]).columns.tolist() == survey.columns.tolist()
    assert len(sk.score_wide(survey, form, columns=[], form="tidy")) == 0
    assert len(sk.score_wide(survey, form, columns=[], form="items")) == 0


def test_a_column_of_the_result_that_exists(survey):
    survey["N"] = 1
    refused(ValueError, lambda: sk.score_wide(survey, FORM, columns="q"), "'N'", "result_prefix")
    found = sk.score_wide(survey, FORM, columns="q", result_prefix="bfi_")
    assert found.columns.tolist()[-2:] == ["bfi_E", "bfi_N"]
    tidy = {"columns": "q", "form": "tidy"}
    named = survey.rename(columns={"id": "score"})
    refused(ValueError, lambda: sk.score_wide(named, FORM, by="score", **tidy), "'score'")
    refused(ValueError, lambda: sk.score_wide(survey, FORM, by="x", **tidy), "'x'")
    refused(TypeError, lambda: sk.score_wide(survey, FORM, by=b"id", **tidy), "by")


@pytest.mark.parametrize(
    ("arguments", "kind", "fact"),
    [
        ({"answers": "number"}, ValueError, "'number'"),
        ({"form": "long"}, ValueError, "'long'"),
        ({"missing": "0"}, TypeError, "missing"),
        ({"missing": 0}, TypeError, "missing"),
        ({"result_prefix": 1}, TypeError, "result_prefix"),
        ({"include_total": "no"}, TypeError, "include_total"),
        ({"agg": "rank"}, ValueError, "'rank'"),
        ({"min_items": 1, "min_fraction": 0.5}, ValueError, "min_fraction"),
        ({"min_items": {"X": 1}}, ValueError, "'X'"),
    ],
)
def test_arguments(survey, arguments, kind, fact):
    refused(kind, lambda: sk.score_wide(survey, FORM, columns="q", **arguments), fact)


def test_what_is_no_frame():
    refused(TypeError, lambda: sk.score_wide([[1]], FORM, columns="q"), "DataFrame")
