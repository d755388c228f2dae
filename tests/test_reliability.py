"""`reliability`: alpha, omega and what the items do to them, with values worked out by hand."""

from __future__ import annotations

import math
import sys
import warnings

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from scorekey.consistency import find_loadings, omega_total

from .material import item, options, plain, questionnaire, refused

FIVE = options("1", "2", "3", "4", "5")
ROWS = [[5, 4, 5], [4, 4, 3], [2, 3, 2], [1, 2, 1]]
# One factor fits these.
FITTING = [[2, 3, 4], [2, 2, 2], [1, 3, 1], [2, 2, 2], [3, 3, 3], [4, 4, 4]]

FORM = questionnaire(*[item("S")] * 3, default=FIVE)


def form_of(*items):
    return questionnaire(*items, default=FIVE)


def scored(rows, form=None, **columns):
    """Return item scores of respondents 0, 1, ... whose answers are the rows."""
    form = form or form_of(*[item("S")] * len(rows[0]))
    n, k = len(rows), len(rows[0])
    decisions = [None if cell is None else str(cell) for row in rows for cell in row]
    frame = pd.DataFrame(
        {
            "person": np.repeat(np.arange(n), k),
            "instruction_item_id": np.tile(np.arange(k), n),
            "decision": pd.Series(decisions, dtype=object),
            **{name: np.repeat(values, k) for name, values in columns.items()},
        }
    )
    return sk.score_answers(frame, form)


def quietly(frame, **arguments):
    arguments = {"by": "person", **arguments}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return sk.reliability(frame, **arguments)


def only(found):
    (row,) = found.scales.to_dict("records")
    return row


def close(found, expected, tolerance=5e-7):
    pairs = zip(plain(found), plain(expected), strict=True)
    return all(a is b if a is None or b is None else abs(a - b) <= tolerance for a, b in pairs)


def test_the_values_of_the_example():
    pytest.importorskip("scipy")
    found = quietly(scored(ROWS))
    row = only(found)
    assert row["dimension"] == "S"
    assert (row["k"], row["n"]) == (3, 4)
    assert row["alpha"] == pytest.approx(219 / 232, abs=1e-15)
    assert row["alpha_low"] == pytest.approx(0.630240, abs=5e-7)
    assert row["alpha_high"] == pytest.approx(0.996197, abs=5e-7)
    assert row["mean_inter_item_r"] == pytest.approx(0.927334, abs=5e-7)
    assert close(found.items["item_total_r"], [0.989949, 0.920125, 0.939120])
    assert close(found.items["alpha_if_dropped"], [0.85, 0.979592, 0.879121])
    assert found.items["item"].tolist() == [0, 1, 2]
    assert found.items["n"].tolist() == [4, 4, 4]
    assert found.items["mean"].tolist() == [3, 3.25, 2.75]
    assert close(found.items["sd"], [math.sqrt(10 / 3), math.sqrt(11 / 12), math.sqrt(35 / 12)])
    assert found.scales.dtypes.astype(str).tolist()[1:] == ["int64"] * 2 + ["float64"] * 5
    names = ["dimension", "item", "reversed", "n", "mean", "sd", "item_total_r", "alpha_if_dropped"]
    assert found.items.columns.tolist() == names


def test_a_heywood_case_has_no_omega():
    with pytest.warns(UserWarning, match="omega_total is NaN .*'S'"):
        found = sk.reliability(scored(ROWS), by="person", confidence=None)
    assert math.isnan(only(found)["omega_total"])
    assert math.isnan(only(found)["alpha_low"])


def test_omega_of_known_loadings():
    correlations = np.array([[1, 0.56, 0.48], [0.56, 1, 0.42], [0.48, 0.42, 1]])
    assert close(find_loadings(correlations), [0.8, 0.7, 0.6], 1e-9)
    assert omega_total(correlations) == pytest.approx(0.744932, abs=5e-7)
    # An item that goes the other way: (0.8 + 0.7 - 0.6)^2 of 0.81 + 1.51.
    turned = correlations * np.outer([1, 1, -1], [1, 1, -1])
    assert close(find_loadings(turned), [0.8, 0.7, -0.6], 1e-9)
    assert omega_total(turned) == pytest.approx(0.81 / 2.32, abs=1e-9)


def test_no_factor():
    correlations = np.eye(3)
    correlations[0, 1] = correlations[1, 0] = math.nan
    assert omega_total(correlations) is None
    # Three items that all go against each other: no real loadings have such products.
    assert omega_total(np.full((3, 3), -0.3) + 1.3 * np.eye(3)) is None


def test_a_wrong_key():
    pairs = [[1, 5], [2, 5], [4, 2], [5, 1]]
    with (
        pytest.warns(UserWarning, match=r"alpha is negative.*'S' \(-58.667; items 0, 1\)"),
        pytest.warns(UserWarning, match="omega_total is NaN for want of three items"),
    ):
        found = sk.reliability(scored(pairs), by="person", confidence=None)
    assert only(found)["alpha"] == pytest.approx(-58.667, abs=5e-4)
    right = scored(pairs, form_of(item("S"), item("S", reverse=True)))
    found = quietly(right)
    assert only(found)["alpha"] == pytest.approx(0.983240, abs=5e-7)
    assert found.items["reversed"].tolist() == [False, True]
    assert found.items["alpha_if_dropped"].isna().all()


def test_too_little():
    one_item = only(quietly(scored([[1], [2], [3]])))
    assert (one_item["k"], one_item["n"]) == (1, 3)
    assert math.isnan(one_item["alpha"])
    assert math.isnan(one_item["mean_inter_item_r"])
    one_person = only(quietly(scored([[1, 2, 3]])))
    assert (one_person["k"], one_person["n"]) == (3, 1)
    assert math.isnan(one_person["alpha"])
    opposite = quietly(scored([[1, 5], [2, 4], [5, 1]]))
    assert math.isnan(only(opposite)["alpha"]), "the covariances add up to 0"
    constant = quietly(scored([[3, 3, 3], [3, 3, 3]]))
    assert math.isnan(only(constant)["alpha"])
    assert constant.items["item_total_r"].isna().all()
    assert constant.items["sd"].tolist() == [0, 0, 0]
    nobody = quietly(scored([[1, 2, 3]]).iloc[:0])
    assert (only(nobody)["k"], only(nobody)["n"]) == (0, 0)
    assert nobody.items["n"].tolist() == [0, 0, 0]


def test_missing_answers():
    rows = [*FITTING, [None, 5, 4], [None, None, None], [1, 1, None]]
    pairwise, listwise = (
        quietly(scored(rows), nan_policy=policy) for policy in ("pairwise", "listwise")
    )
    complete = quietly(scored(FITTING))
    assert (only(pairwise)["n"], only(listwise)["n"]) == (8, 6)
    assert listwise.items["n"].tolist() == [6, 6, 6]
    assert pairwise.items["n"].tolist() == [7, 8, 7]
    assert close(listwise.scales.iloc[0, 1:], complete.scales.iloc[0, 1:], 1e-12)
    frame = pd.DataFrame(rows, dtype="float64")
    covariances, correlations = frame.cov().to_numpy(), frame.corr().to_numpy()
    alpha = 3 / 2 * (1 - np.trace(covariances) / covariances.sum())
    assert only(pairwise)["alpha"] == pytest.approx(alpha, abs=1e-12)
    mean = correlations[np.triu_indices(3, 1)].mean()
    assert only(pairwise)["mean_inter_item_r"] == pytest.approx(mean, abs=1e-12)
    assert close(pairwise.items["mean"], frame.mean(), 1e-12)
    assert close(pairwise.items["sd"], frame.std(), 1e-12)


def test_large_numbers_lose_no_digits():
    frame = scored(FITTING)
    far = frame.assign(score=frame["score"] + 1e6)
    assert only(quietly(far))["alpha"] == pytest.approx(only(quietly(frame))["alpha"], abs=1e-9)


def test_items_that_nobody_answered_are_left_out():
    rows = [[*row, None] for row in FITTING]
    with pytest.warns(UserWarning, match=r"no score of any respondent .*'S': 3"):
        found = sk.reliability(scored(rows), by="person", confidence=None)
    assert only(found)["k"] == 3
    assert only(found)["alpha"] == only(quietly(scored(FITTING)))["alpha"]
    last = found.items.iloc[3]
    assert (last["item"], last["n"]) == (3, 0)
    assert last[["mean", "sd", "item_total_r", "alpha_if_dropped"]].isna().all()


def test_scales_in_the_order_of_the_questionnaire():
    form = questionnaire(
        *(item(scale) for scale in ("b", "a", "b", "a", ...)),
        default=FIVE,
        dimensions={"a": "Alpha", "b": "Beta", "c": "Nobody's"},
    )
    frame = scored([[1, 2, 3, 4, 5], [2, 3, 3, 5, 1], [5, 3, 5, 1, 2]], form)
    found = quietly(frame)
    assert found.scales["dimension"].tolist() == ["Alpha", "Beta"]
    assert found.items["item"].tolist() == [1, 3, 0, 2]
    frame.attrs.clear()
    again = quietly(frame, questionnaire=form)
    pd.testing.assert_frame_equal(again.scales, found.scales)
    refused(ValueError, lambda: sk.reliability(frame, by="person"), "questionnaire")


def test_without_scales_all_items_are_the_total():
    found = quietly(scored(FITTING, form_of(item(), item(), item())))
    assert only(found)["dimension"] == "total"
    assert only(found)["k"] == 3


def test_within_groups():
    frame = scored([*FITTING, *ROWS], model_id=["x"] * 6 + ["m"] * 4)
    with pytest.warns(UserWarning, match=r"'S' \('m'\)"):
        found = sk.reliability(frame, by="person", within="model_id", confidence=None)
    assert found.scales.columns.tolist()[:2] == ["model_id", "dimension"]
    assert found.scales["model_id"].tolist() == ["m", "x"]
    assert found.scales["n"].tolist() == [4, 6]
    assert close(found.scales["alpha"], [219 / 232, only(quietly(scored(FITTING)))["alpha"]], 1e-12)
    assert found.items["model_id"].tolist() == ["m"] * 3 + ["x"] * 3
    # A column of both is one, a missing group the last one.
    frame["model_id"] = frame["model_id"].where(frame["model_id"] == "m", None)
    again = quietly(frame, by=["person", "model_id"], within=["model_id"])
    assert plain(again.scales["model_id"]) == ["m", None]
    assert plain(again.scales["n"]) == [4, 6]
    alone = quietly(frame.assign(model_id=range(len(frame))), by=[], within="model_id")
    assert len(alone.scales) == 30
    empty = quietly(frame.iloc[:0], within="model_id")
    assert empty.scales.shape == (0, 9)
    assert empty.items.shape == (0, 9)


def test_groups_of_every_kind_of_column():
    rows = [*ROWS, *ROWS]
    groups = ["b"] * 4 + ["a"] * 4
    frame = scored(rows, group=groups)
    for values, order in [
        (frame["group"], ["a", "b"]),
        (frame["group"].astype(pd.CategoricalDtype(["b", "c", "a"])), ["b", "a"]),
        (frame["group"].astype("string"), ["a", "b"]),
    ]:
        frame["group"] = values
        found = quietly(frame, within="group").scales
        assert found["group"].tolist() == order
        assert found["group"].dtype == values.dtype
        assert close(found["alpha"], [219 / 232] * 2)
    # Names that are numbers are no places.
    numbered = frame.rename(columns={"person": 0, "group": 1})
    numbered.attrs = frame.attrs
    for by in ([0], [1, 0], [0, 1]):
        found = quietly(numbered, by=by, within=[1]).scales
        assert found[1].tolist() == ["a", "b"]
        assert close(found["alpha"], [219 / 232] * 2)


def test_many_scales_are_not_all_named():
    form = form_of(*(item(f"s{number}") for number in range(9)))
    with pytest.warns(UserWarning, match=r"'s3'; 's4', and 4 more"):
        sk.reliability(scored([[1] * 9], form), by="person", confidence=None)


def test_gaps_can_be_filled():
    rows = [*FITTING, [None, 4, 5]]
    median = only(quietly(scored(rows), impute="item_median"))
    filled = only(quietly(scored([*FITTING, [2, 4, 5]])))
    assert median["alpha"] == pytest.approx(filled["alpha"], abs=1e-12)
    assert median["n"] == 7


def test_the_interval_needs_scipy(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.warns(UserWarning, match=r"scorekey\[stats\]"):
        found = sk.reliability(scored(FITTING), by="person")
    assert math.isnan(only(found)["alpha_high"])
    assert only(found)["omega_total"] == pytest.approx(0.848969, abs=5e-7)


def test_a_higher_confidence_is_wider():
    pytest.importorskip("scipy")
    frame = scored(FITTING)
    wide, narrow = (only(sk.reliability(frame, by="person", confidence=c)) for c in (0.99, 0.5))
    assert wide["alpha_low"] < narrow["alpha_low"] < narrow["alpha"]
    assert narrow["alpha"] < narrow["alpha_high"] < wide["alpha_high"]


def test_arguments():
    frame = scored(FITTING)
    call = {"by": "person"}
    refused(ValueError, lambda: sk.reliability(frame, nan_policy="drop", **call), "'drop'")
    for confidence in (0, 1, 95):
        refused(
            ValueError,
            lambda c=confidence: sk.reliability(frame, confidence=c, **call),
            "confidence",
        )
    for confidence in ("0.95", True):
        refused(
            TypeError,
            lambda c=confidence: sk.reliability(frame, confidence=c, **call),
            "confidence",
        )
    for within in (b"model_id", 5, [["a"]]):
        refused(TypeError, lambda w=within: sk.reliability(frame, within=w, **call), "within")
    refused(ValueError, lambda: sk.reliability(frame, within="model", **call), "'model'")
    refused(TypeError, lambda: sk.reliability([1], **call), "DataFrame")
    doubled = pd.concat([frame, frame])
    refused(
        ValueError, lambda: sk.reliability(doubled, questionnaire=FORM, **call), "Rows 0 and 18"
    )
    refused(
        ValueError, lambda: sk.reliability(doubled, questionnaire=form_of(item()), **call), "id"
    )


class TestBesideOtherPrograms:
    @pytest.fixture(params=[0, 0.1])
    def answers(self, request):
        """Return answers of 200 respondents to 6 items, some missing."""
        random = np.random.default_rng(11)
        factor = random.normal(size=(200, 1)) * np.linspace(0.4, 1.1, 6)
        answers = np.clip(np.round(3 + factor + random.normal(size=(200, 6))), 1, 5)
        answers[random.random(answers.shape) < request.param] = np.nan
        return answers

    @pytest.fixture
    def frame(self, answers):
        return scored([[None if np.isnan(c) else int(c) for c in row] for row in answers])

    @pytest.mark.parametrize("policy", ["pairwise", "listwise"])
    def test_alpha_of_pingouin(self, frame, policy):
        pingouin = pytest.importorskip("pingouin")
        matrix = sk.item_matrix(frame, by="person")
        found = only(sk.reliability(frame, by="person", nan_policy=policy))
        alpha, interval = pingouin.cronbach_alpha(matrix, nan_policy=policy)
        assert found["alpha"] == pytest.approx(alpha, abs=1e-12)
        if policy == "pairwise":
            assert [found["alpha_low"], found["alpha_high"]] == pytest.approx(interval, abs=5.01e-4)

    def test_omega_of_factor_analyzer(self, frame):
        factor_analyzer = pytest.importorskip("factor_analyzer")
        matrix = sk.item_matrix(frame, by="person")
        analysis = factor_analyzer.FactorAnalyzer(1, rotation=None, is_corr_matrix=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of scikit-learn, which it calls
            analysis.fit(matrix.corr().to_numpy())
        loadings = analysis.loadings_[:, 0]
        omega = loadings.sum() ** 2 / (loadings.sum() ** 2 + (1 - loadings**2).sum())
        found = only(sk.reliability(frame, by="person", confidence=None))
        assert found["omega_total"] == pytest.approx(omega, abs=1e-4)
