"""Published scoring keys, applied to invented answers whose scores follow by hand."""

from __future__ import annotations

import io

import pandas as pd
import pytest

import scorekey as sk

from .material import item, option, options, plain, questionnaire

# Humor Styles Questionnaire (Martin et al. 2003): 32 items in turn on four styles, from 1 to 7.
STYLES = ("Affiliative", "Self-enhancing", "Aggressive", "Self-defeating")
HSQ_REVERSED = {1, 9, 17, 25, 29, 22, 7, 15, 23, 31, 16}
HSQ = questionnaire(
    *(item(STYLES[(n - 1) % 4], reverse=n in HSQ_REVERSED) for n in range(1, 33)),
    default=options(*(str(n) for n in range(1, 8))),
)

# Narcissistic Personality Inventory (Raskin and Terry 1988): 40 pairs of statements, A and B.
NPI_A = {1, 2, 3, 6, 8, 11, 12, 13, 14, 16, 21, 24, 25, 27, 29, 30, 31, 33, 34, 36, 37, 38, 39}
NPI = questionnaire(
    *(
        item(own={"1": option(f"A{n}", int(n in NPI_A)), "2": option(f"B{n}", int(n not in NPI_A))})
        for n in range(1, 41)
    ),
    default=None,
)

# Autism-Spectrum Quotient (Baron-Cohen et al. 2001): 50 items of which 24 are scored for agreement,
# slightly or definitely, and the others for disagreement.
AQ_AGREE = {
    *(2, 4, 5, 6, 7, 9, 12, 13, 16, 18, 19, 20, 21, 22, 23, 26, 33, 35, 39, 41, 42, 43, 45, 46)
}
QUOTIENT = ("Definitely agree", "Slightly agree", "Slightly disagree", "Definitely disagree")
AQ = questionnaire(
    *(item(reverse=n not in AQ_AGREE) for n in range(1, 51)),
    default=options(*((text, int(n < 2)) for n, text in enumerate(QUOTIENT))),
)

TRUTH = questionnaire(
    item("S"), item("S", reverse=True), item("S"), default=options(("True", 1), ("False", 0))
)


def wide(rows, prefix="q"):
    return pd.DataFrame(rows, columns=[f"{prefix}{n}" for n in range(1, len(rows[0]) + 1)])


class TestHumorStyles:
    ROWS = ((7,) * 32, (2,) * 32, tuple((n - 1) % 7 + 1 for n in range(1, 33)), (-1, *(4,) * 31))

    def test_sums(self):
        found = sk.score_wide(wide(self.ROWS), HSQ, columns="q", agg="sum", missing=[-1])
        # Reversed are 5, 1, 4 and 1 of the eight items of a style.
        assert found[list(STYLES)].values.tolist() == [
            [5 * 1 + 3 * 7, 1 + 7 * 7, 4 * 1 + 4 * 7, 1 + 7 * 7],
            [5 * 6 + 3 * 2, 6 + 7 * 2, 4 * 6 + 4 * 2, 6 + 7 * 2],
            # Of 1 5 2 6 3 7 4 1 for instance the 1st, 3rd, 5th, 7th and 8th are reversed.
            [7 + 5 + 6 + 6 + 5 + 7 + 4 + 7, 2 + 6 + 3 + 7 + 4 + 7 + 5 + 2,
             3 + 1 + 4 + 7 + 5 + 6 + 6 + 5, 4 + 1 + 5 + 6 + 6 + 3 + 7 + 4],
            [7 * 4, 32, 32, 32],
        ]  # fmt: skip

    def test_a_missing_answer(self):
        arguments = {"columns": "q", "missing": [-1], "form": "tidy", "min_items": 8}
        last = sk.score_wide(wide(self.ROWS), HSQ, expected=True, **arguments).tail(4)
        assert plain(last["score"]) == [None, 4, 4, 4]
        assert last["n_items"].tolist() == [7, 8, 8, 8]
        assert last["n_expected"].tolist() == [8] * 4
        arguments |= {"min_items": 7, "agg": "prorated_sum"}
        assert sk.score_wide(wide(self.ROWS), HSQ, **arguments)["score"].tolist()[-4:] == [32] * 4


class TestNarcissism:
    def test_forced_choices(self):
        assert len(NPI_A) == 23
        right = [f"{'A' if n in NPI_A else 'B'}{n}" for n in range(1, 41)]
        wrong = [f"{'B' if n in NPI_A else 'A'}{n}" for n in range(1, 41)]
        frame = wide([right, wrong, [f"A{n}" for n in range(1, 41)], right[:10] + wrong[10:]])
        found = sk.score_wide(frame, NPI, columns="q", agg="sum")
        assert found["total"].tolist() == [40, 0, 23, 10]

    def test_numbers_of_the_statements(self):
        # As openpsychometrics.org writes them, 0 for an answer that was not given.
        text = "\t".join(f"Q{n}" for n in range(1, 41))
        for number in ("1", "2", "0"):
            text += "\n" + "\t".join([number] * 40)
        frame = pd.read_csv(io.StringIO(text), sep="\t")
        found = sk.score_wide(frame, NPI, columns="Q", answers="id", agg="sum", missing=[0])
        assert plain(found["total"]) == [23, 17, None]


class TestQuotient:
    """Several options of the same weight."""

    @pytest.mark.parametrize("answers", ["text", "weight", "id"])
    def test_tied_weights(self, answers):
        cells = {"text": QUOTIENT, "weight": (1, 1, 0, 0), "id": (1, 2, 3, 4)}[answers]
        frame = wide([[cell] * 50 for cell in cells])
        found = sk.score_wide(frame, AQ, columns="q", agg="sum", answers=answers)
        assert found["total"].tolist() == [24, 24, 26, 26]
        percent = sk.score_wide(frame, AQ, columns="q", agg="pomp", answers=answers)
        assert percent["total"].tolist() == [48, 48, 52, 52]

    def test_reliability_of_keyed_scores(self):
        # Who scores on all items or on none: the items are one.
        high = [QUOTIENT[n % 2] if n in AQ_AGREE else QUOTIENT[2 + n % 2] for n in range(1, 51)]
        low = [QUOTIENT[3 - n % 2] if n in AQ_AGREE else QUOTIENT[n % 2] for n in range(1, 51)]
        frame = wide([high, low, high, low])
        scored = sk.score_wide(frame, AQ, columns="q", form="items")
        with pytest.warns(UserWarning, match="omega_total"):
            found = sk.reliability(scored, by="respondent", confidence=None).scales
        assert found[["k", "n", "alpha", "mean_inter_item_r"]].round(12).values.tolist() == [
            [50, 4, 1, 1]
        ]


class TestTrueFalse:
    """1, then 1 reversed to 0, then none: 0.5; 0, 1, 1: 2/3."""

    EXPECTED = (0.5, 2 / 3)

    @pytest.mark.parametrize(
        "cells",
        [
            [[True, True, None], [False, False, True]],
            [["True", "True", None], ["False", "False", "True"]],
            [["TRUE", "true", ""], ["FALSE", " false ", "TRUE"]],
        ],
    )
    @pytest.mark.parametrize("dtype", ["object", "category"])
    def test_cells(self, cells, dtype):
        found = sk.score_wide(wide(cells).astype(dtype), TRUTH, columns="q")
        assert found["S"].tolist() == pytest.approx(self.EXPECTED)

    @pytest.mark.parametrize(
        ("text", "answers"),
        [
            ("q1,q2,q3\nTrue,True,\nFalse,False,True\n", "text"),
            ("q1,q2,q3\nTRUE,TRUE,\nFALSE,FALSE,TRUE\n", "text"),
            ("q1,q2,q3\n1,1,\n0,0,1\n", "weight"),
            ("q1,q2,q3\n1,1,\n2,2,1\n", "id"),
        ],
    )
    def test_files(self, text, answers):
        frame = pd.read_csv(io.StringIO(text))
        found = sk.score_wide(frame, TRUTH, columns="q", answers=answers)
        assert found["S"].tolist() == pytest.approx(self.EXPECTED)

    def test_results(self, tmp_path):
        path = tmp_path / "results.csv"
        path.write_text(
            "profile_id,instruction_item_id,decision\nAnn,0,TRUE\nAnn,1,TRUE\nBen,0,False\n"
            "Ben,1,false\nBen,2,True\n",
            encoding="utf-8",
        )
        for frame in (sk.read_results(path, TRUTH), pd.read_csv(path)):
            found = sk.score_experiment(TRUTH, frame, by="profile_id")
            assert found["score"].tolist() == pytest.approx(self.EXPECTED)


class TestPercentOfBodilyPain:
    """SF-36: item 7 from 6 to 1 in decimal weights, item 8 from 5 to 1 in a range up to 6."""

    WEIGHTS = (6, 5.4, 4.2, 3.1, 2.2, 1)
    FORM = questionnaire(
        item("BP", own=options(*zip("123456", WEIGHTS, strict=True))),
        {**item("BP", own=options(*zip("12345", (5, 4, 3, 2, 1), strict=True))), "range": [1, 6]},
    )

    @pytest.mark.parametrize("agg", ["pomp", "pomp_items"])
    def test_published_values(self, agg):
        # 3.1 and 2: 100 (5.1 - 2) / 10; 5.4 and 5: 100 (10.4 - 2) / 10; 2.2 and no answer.
        frame = wide([[4, 4], [2, 1], [5, None]])
        found = sk.score_wide(frame, self.FORM, columns="q", agg=agg)["BP"]
        assert found.tolist() == pytest.approx([31, 84, 24], abs=1e-12)
        half = sk.score_wide(frame, self.FORM, columns="q", agg=agg, min_items=2)["BP"]
        assert plain(half.round(9)) == [31, 84, None]
