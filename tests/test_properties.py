"""What holds for every questionnaire and every set of answers.

``SCOREKEY_PROFILE=1000`` (or 10000) tries more examples of each.
"""

from __future__ import annotations

import copy
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorekey as sk
from tests import strategies, twin
from tests.material import objects, plain, table

BY = ("model_id", "random_seed")
pytestmark = pytest.mark.filterwarnings("ignore:(None of the|Answer options with):UserWarning")


def frame_of(rows: list[twin.Answer]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "model_id": objects(row.respondent[0] for row in rows),
            "random_seed": np.array([row.respondent[1] for row in rows], dtype=np.int64),
            "instruction_item_id": np.array([row.item for row in rows], dtype=np.int64),
            "decision": objects(row.decision for row in rows),
            "valid": objects(row.valid for row in rows),
        }
    )


def points(frame: pd.DataFrame, key) -> list[float | None]:
    return plain(sk.score_answers(frame, key)["score"])


# ---------------------------------------------------------------------- the rules


@given(strategies.answered(), st.booleans(), st.booleans())
def test_the_result_is_that_of_the_twin(answered, only_valid, include_total):
    key, rows = answered
    frame = frame_of(rows)
    scored = sk.score_answers(frame, key, only_valid=only_valid)
    assert plain(scored["score"]) == [twin.score(key, row, only_valid=only_valid) for row in rows]
    assert plain(scored["dimension"]) == [twin.scale(key, row.item) for row in rows]
    expected = [
        (*row.respondent, *row[1:])
        for row in twin.scale_scores(key, rows, only_valid=only_valid, include_total=include_total)
    ]
    assert table(sk.scale_scores(scored, by=BY, include_total=include_total)) == expected
    assert (
        table(
            sk.score_experiment(
                key, frame, by=BY, only_valid=only_valid, include_total=include_total
            )
        )
        == expected
    )


@given(strategies.answered(strategies.DECIMAL))
def test_the_result_is_that_of_the_twin_with_decimal_weights(answered):
    key, rows = answered
    frame = frame_of(rows)
    assert points(frame, key) == [twin.score(key, row) for row in rows]
    got = table(sk.score_experiment(key, frame, by=BY, include_total=True))
    expected = twin.scale_scores(key, rows, include_total=True)
    assert [row[:3] for row in got] == [(*row.respondent, row.scale) for row in expected]
    assert [row[4:] for row in got] == [row[3:] for row in expected]
    for row, twins in zip(got, expected, strict=True):
        exact = twins.score
        assert row[3] == (None if exact is None else pytest.approx(exact, rel=1e-12, abs=1e-12))


@given(strategies.balanced(), st.integers(1, 3))
def test_who_agrees_with_everything_lands_in_the_middle_of_every_scale(balanced, times):
    key, ranges = balanced
    ids = list(range(len(key["instruction_items"]))) * times
    frame = pd.DataFrame({"instruction_item_id": ids, "decision": "agree"})
    result = sk.score_experiment(key, frame, by=[])
    assert set(result["dimension"]) == set(ranges)
    for scale, score in zip(result["dimension"], result["score"], strict=True):
        low, high = ranges[scale]
        assert score == (low + high) / 2


@given(strategies.answered())
def test_flipping_twice_changes_nothing(answered):
    key, rows = answered
    twice = copy.deepcopy(key)
    for number, item in enumerate(twice["instruction_items"]):
        options = twin.options_of(key, number)
        counting = [o.get("weight", 0) for o in options if not o.get("ignored_for_scale")] or [0]
        middle = min(counting) + max(counting)
        item["reversed"] = not item.get("reversed", False)
        item["answer_options"] = {
            str(n): {**o, "weight": middle - o.get("weight", 0)} for n, o in enumerate(options)
        }
    assert points(frame_of(rows), twice) == points(frame_of(rows), key)


@given(strategies.answered(), st.sampled_from([2, 3, 10, -1, -7, 1000]))
def test_scaling_the_weights_scales_the_means(answered, factor):
    key, rows = answered
    scaled = copy.deepcopy(key)
    for part in [scaled, *scaled["instruction_items"]]:
        for name in ("default_answer_options", "answer_options"):
            for option in (part.get(name) or {}).values():
                option["weight"] = option.get("weight", 0) * factor
    frame = frame_of(rows)
    before = table(sk.score_experiment(key, frame, by=BY, include_total=True))
    after = table(sk.score_experiment(scaled, frame, by=BY, include_total=True))
    assert [row[:3] + row[4:] for row in after] == [row[:3] + row[4:] for row in before]
    for old, new in zip(before, after, strict=True):
        assert new[3] == (None if old[3] is None else pytest.approx(old[3] * factor, rel=1e-12))


@given(strategies.answered(), st.booleans())
def test_counts_add_up_to_the_rows(answered, include_total):
    key, rows = answered
    result = sk.score_experiment(key, frame_of(rows), by=BY, include_total=include_total)
    counts = result["n_items"] + result["n_missing"]
    is_total = result["dimension"] == "total"
    with_scale = any(twin.scale(key, row.item) not in (None, "total") for row in rows)
    if include_total and with_scale:
        assert counts[is_total].sum() == len(rows)
    else:
        assert counts.sum() == len(rows)
    assert (result["score"].isna() == (result["n_items"] == 0)).all()


# ---------------------------------------------------------------------- what changes nothing


@given(strategies.answered(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_nothing(answered, random):
    key, rows = answered
    shuffled = list(range(len(rows)))
    random.shuffle(shuffled)
    frame = frame_of(rows)
    scored = sk.score_answers(frame, key)
    assert sk.score_answers(frame.iloc[shuffled], key).sort_index().equals(scored)
    by = {"by": BY, "include_total": True}
    expected = sk.scale_scores(scored, **by)
    assert sk.scale_scores(scored.iloc[shuffled], **by).equals(expected)
    assert sk.score_experiment(key, frame.iloc[shuffled], **by).equals(expected)


@given(strategies.answered(), st.data())
def test_a_part_of_the_rows_scores_as_it_does_in_the_whole(answered, data):
    key, rows = answered
    frame = frame_of(rows)
    cut = slice(
        data.draw(st.integers(0, 10)), data.draw(st.integers(0, 30)), data.draw(st.integers(1, 3))
    )
    assert points(frame[cut], key) == points(frame, key)[cut]
    again = pd.concat([frame[cut], frame])
    assert points(again, key) == points(frame, key)[cut] + points(frame, key)


@pytest.mark.parametrize("text", ["string[python]", "string[pyarrow]", "category"])
@given(strategies.answered(), st.sampled_from(["int8", "float32", "Int64", "category"]))
def test_the_type_of_a_column_changes_nothing(text, answered, number):
    if "pyarrow" in text:
        pytest.importorskip("pyarrow")
    key, rows = answered
    rows = [row._replace(decision=twin.written(row.decision)) for row in rows]
    frame = frame_of(rows)
    models = pd.CategoricalDtype(sorted(frame["model_id"].dropna().unique()))
    changed = frame.astype(
        {
            "decision": text,
            "model_id": models if text == "category" else text,
            "instruction_item_id": number,
            "random_seed": number,
        }
    )
    assert points(changed, key) == points(frame, key)
    assert table(sk.score_experiment(key, changed, by=BY)) == table(
        sk.score_experiment(key, frame, by=BY)
    )


@given(strategies.answered(), st.data())
def test_chunks_and_slices_of_a_column_change_nothing(answered, data):
    pa = pytest.importorskip("pyarrow")
    key, rows = answered
    texts = [twin.written(row.decision) for row in rows]
    ids = [row.item for row in rows]
    compiled = sk.ScoringKey(key)
    expected = plain(compiled.score(ids, objects(texts)))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=4)))
    kind = data.draw(st.sampled_from([pa.string(), pa.large_string(), pa.string_view()]))
    chunks = []
    for start, stop in zip([0, *cuts], [*cuts, len(rows)], strict=True):
        # A slice of a longer array, whose buffers hold more than its rows.
        before = data.draw(st.integers(0, 9))
        longer = pa.array(["x"] * before + texts[start:stop] + ["y"], type=kind)
        chunks.append(longer.slice(before, stop - start))
    column = pa.chunked_array(chunks, type=kind)
    assert plain(compiled.score(ids, column)) == expected
    assert plain(compiled.score(pa.chunked_array([pa.array(ids, pa.int64())]), column)) == expected


@given(strategies.answered(), st.randoms(use_true_random=False))
def test_the_order_of_the_items_changes_no_score(answered, random):
    key, rows = answered
    order = list(range(len(key["instruction_items"])))
    random.shuffle(order)
    moved = copy.deepcopy(key)
    moved["instruction_items"] = [key["instruction_items"][item] for item in order]
    frame = frame_of(rows)
    ids = [order.index(item) for item in frame["instruction_item_id"]]
    again = frame.assign(instruction_item_id=np.array(ids, dtype=np.int64))
    assert points(again, moved) == points(frame, key)
    by = {"by": BY, "include_total": True}
    before = table(sk.score_experiment(key, frame, **by))
    # The scales come in the order of the items, so only their order may differ.
    after = table(sk.score_experiment(moved, again, **by))
    assert sorted(map(str, after)) == sorted(map(str, before))


@given(strategies.answered())
def test_every_form_of_the_questionnaire_scores_alike(answered):
    key, rows = answered
    frame = frame_of(rows)
    expected = points(frame, key)
    nested = copy.deepcopy(key)
    for part in [nested, *nested["instruction_items"]]:
        for name in ("default_answer_options", "answer_options"):
            if part.get(name) is not None:
                part[name] = {"options": part[name], "delimiter": "\n"}
    questionnaire = sk.Questionnaire.from_dict(key)
    compiled = sk.ScoringKey(key)
    for form in (nested, {"questionnaire": key}, questionnaire, compiled):
        assert points(frame, form) == expected
    assert sk.ScoringKey(nested) == sk.ScoringKey(questionnaire) == compiled
    arrays = compiled.score(frame["instruction_item_id"], frame["decision"], frame["valid"])
    assert plain(arrays) == expected


# ---------------------------------------------------------------------- large frames

N = 300_000


@pytest.fixture(scope="module")
def large() -> pd.DataFrame:
    """Return item scores in which the order of additions matters."""
    rng = np.random.default_rng(5)
    scores = rng.normal(size=N) * 10.0 ** rng.integers(-8, 9, N)
    scores[rng.random(N) < 0.1] = np.nan
    return pd.DataFrame(
        {
            "model_id": rng.integers(0, 40, N),
            "profile_id": pd.Series(rng.choice(["b", "a", "c d", "é"], N), dtype=object),
            "dimension": pd.Series(rng.choice(["B", "A", "C"], N), dtype=object),
            "score": scores,
            "whole": rng.integers(-5, 6, N).astype(float),
        }
    )


@pytest.mark.parametrize("score", ["score", "whole"])
@pytest.mark.parametrize("agg", ["mean", "sum", "min", "max", "count", "median", "std", "first"])
def test_the_number_of_threads_changes_no_bit(large, agg, score, monkeypatch):
    results = []
    for threads in ("1", "2", "3", "8"):
        monkeypatch.setenv("SCOREKEY_NUM_THREADS", threads)
        results.append(sk.scale_scores(large, agg=agg, score_column=score, include_total=True))
    for other in results[1:]:
        pd.testing.assert_frame_equal(other, results[0], check_exact=True)


@pytest.mark.parametrize(
    "agg",
    [
        "mean",
        "sum",
        "std",
        "var",
        "sem",
        "min",
        "max",
        "median",
        "count",
        "nunique",
        "first",
        "last",
        "prod",
        "skew",
    ],
)
@pytest.mark.parametrize("score", ["score", "whole"])
def test_large_frames_agree_with_the_group_by_of_pandas(large, agg, score):
    got = sk.scale_scores(large, agg=agg, score_column=score, dimensions=["A", "B", "C"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # products overflow
        grouped = large.groupby(["model_id", "profile_id", "dimension"])[score]
        expected = getattr(grouped, agg)()
    keys = list(zip(got["model_id"], got["profile_id"], got["dimension"], strict=True))
    assert keys == expected.index.tolist()
    np.testing.assert_allclose(got[score], expected, rtol=1e-12, atol=0)
    assert got["n_items"].tolist() == grouped.count().tolist()
    assert (got["n_items"] + got["n_missing"]).tolist() == grouped.size().tolist()


def test_many_respondents_each_with_few_answers():
    rng = np.random.default_rng(6)
    respondents = rng.permutation(np.repeat(np.arange(60_000), 5)) * 7_919
    scores = rng.integers(0, 5, len(respondents)).astype(float)
    frame = pd.DataFrame({"model_id": respondents, "dimension": "A", "score": scores})
    got = sk.scale_scores(frame, agg="sum")
    expected = frame.groupby("model_id")["score"].sum()
    assert got["model_id"].tolist() == expected.index.tolist()
    assert got["score"].tolist() == expected.tolist()
    texts = frame.assign(model_id=("p" + frame["model_id"].astype(str)).astype(object))
    as_text = sk.scale_scores(texts, agg="sum").set_index("model_id")["score"]
    assert as_text.to_dict() == {f"p{k}": v for k, v in expected.items()}
    assert as_text.index.tolist() == sorted(as_text.index)
