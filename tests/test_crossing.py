"""Together with rupsycho: its experiments, objects and frames are taken, and it takes ours."""

from __future__ import annotations

import json
import warnings

import pandas as pd
import pytest

import scorekey as sk
from tests.material import AGREEMENT, answers, item, option, options, plain, questionnaire, table
from tests.test_rules_example import DECISIONS, KEY, REFUSED, ROWS, SCALES

rupsycho = pytest.importorskip("rupsycho")
scoring = pytest.importorskip("rupsycho.scoring")
models = pytest.importorskip("rupsycho.models.questionnaire")

ONE, TWO, THREE, FOUR, FIVE = AGREEMENT
CONFIG = {
    "name": "Mini Big Five",
    "parameters": {"seeds": ["1"]},
    "models": {},
    "demographic_profiles": {
        "Anna": {
            "attributes": {"name": "Anna", "age": 27},
            "template": "{name} is {age} years old and outgoing.",
        },
        "Ben": {
            "attributes": {"name": "Ben", "age": 64},
            "template": "{name} is {age} years old and reserved.",
        },
    },
    "questionnaire": {**KEY, "name": "Mini Big Five"},
}
RAW = [
    *("5", "2"),
    *("1", "I'd say 4"),
    *("4. Agree a little", "Sorry, but I'd say 4."),
    *("2", "1 or 2"),
    *("5", "As an AI language model I have no feelings."),
    *("2", "Answer: 5"),
]
BY = {"by": "profile_id", "include_total": True}


def run(responses, callbacks=()):
    from langchain_core.language_models.fake import FakeListLLM

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a scripted model cannot be seeded
        experiment = rupsycho.experiment_from_dict(CONFIG)
        experiment.add_model(FakeListLLM(responses=list(responses)), identifier="scripted-model")
        experiment.run(callbacks=list(callbacks), show_progress=False)
    return experiment


# ---------------------------------------------------------------------- end to end


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a real experiment, its post-processed answers and the file they were saved to."""
    callbacks = pytest.importorskip("rupsycho.callbacks")
    cleaners = pytest.importorskip("rupsycho.parsers.cleaners")
    judges = pytest.importorskip("rupsycho.parsers.judges")
    validators = pytest.importorskip("rupsycho.parsers.validators")
    postprocessing = pytest.importorskip("rupsycho.postprocessing")
    folder = tmp_path_factory.mktemp("experiment")
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    experiment = run(RAW, [callbacks.CSVCallback(str(folder / "results.csv"))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        processed = postprocessing.PostprocessingPipeline(
            config_file_path=folder / "config.json",
            results_file_patterns=[str(folder / "results.csv")],
            cleaner=cleaners.BasicCleaner(),
            validator=validators.ValidatorParser(),
            judge=judges.MultipleChoiceJudge(
                experiment.questionnaire.default_answer_options.get_options_as_list()
            ),
            output_path=folder / "processed.csv",
            show_progress=False,
        ).run()
    return experiment, processed, folder


def test_the_pipeline_decides_as_the_example_says(finished):
    _, processed, _ = finished
    assert processed["profile_id"].tolist() == ["Anna", "Ben"] * 6
    assert processed["instruction_item_id"].tolist() == [number for number, _ in ROWS]
    assert processed["decision"].tolist() == DECISIONS
    assert processed["valid"].tolist() == [row not in REFUSED for row in ROWS]


def test_its_frame_gets_every_number_of_the_example(finished):
    experiment, processed, _ = finished
    scored = sk.score_answers(processed, experiment)
    assert plain(scored["score"]) == [5, 2, 5, 2, 4, None, 4, None, 1, None, 2, 5]
    assert plain(scored["dimension"]) == (
        ["Extraversion"] * 4 + ["Agreeableness"] * 4 + ["Neuroticism"] * 4
    )
    scales = sk.scale_scores(scored, **BY)
    assert table(scales) == SCALES
    same = sk.score_experiment(experiment, processed, **BY)
    assert same.equals(scales)
    summary = sk.scale_scores(scored).groupby("dimension", sort=False)["score"]
    assert plain(summary.mean().round(2)) == [3.50, 4.00, 3.25]
    assert plain(summary.std().round(2)) == [2.12, None, 2.47]
    assert plain(summary.count()) == [2, 1, 2]
    judged = processed["decision"].isin(AGREEMENT)
    shares = 1 - processed["valid"].mean(), 1 - judged.mean(), scored["score"].isna().mean()
    assert [f"{share:.0%}" for share in shares] == ["17%", "17%", "25%"]


def test_its_frame_gets_the_very_frames_of_rupsycho(finished):
    experiment, processed, _ = finished
    scored = sk.score_answers(processed, experiment)
    theirs = scoring.score_answers(processed, experiment)
    pd.testing.assert_frame_equal(scored, theirs, check_exact=True)
    assert scored.attrs.pop("scorekey_items") == sk.ScoringKey(experiment).item_record
    fingerprint = scored.attrs.pop("scorekey_fingerprint")
    assert fingerprint == sk.ScoringKey(experiment).fingerprint
    assert scored.attrs == theirs.attrs
    pd.testing.assert_frame_equal(
        sk.score_experiment(experiment, processed, **BY),
        scoring.score_experiment(experiment, processed, **BY),
    )


@pytest.mark.parametrize("form", ["experiment", "questionnaire", "config", "path", "key"])
def test_its_saved_file_and_every_form_of_the_experiment(finished, form):
    experiment, _, folder = finished
    read = pd.read_csv(folder / "processed.csv")
    subject = {
        "experiment": experiment,
        "questionnaire": experiment.questionnaire,
        "config": CONFIG,
        "path": folder / "config.json",
        "key": sk.ScoringKey(experiment),
    }[form]
    assert table(sk.score_experiment(subject, read, **BY)) == SCALES
    assert table(sk.scale_scores(sk.score_answers(read, subject), **BY)) == SCALES
    assert sk.ScoringKey(subject).fingerprint == sk.ScoringKey(KEY).fingerprint


def test_stored_answers(finished):
    exact = run(
        [
            FIVE,
            TWO,
            ONE,
            FOUR,
            FOUR,
            "I would rather not say",
            TWO,
            FIVE,
            FIVE,
            "3. neither agree nor disagree",
            TWO,
            FIVE,
        ]
    )
    result = sk.score_experiment(exact, by="profile_id")
    assert table(result) == [
        ("Anna", "Extraversion", 5.0, 2, 0),
        ("Anna", "Agreeableness", 4.0, 2, 0),
        ("Anna", "Neuroticism", 1.5, 2, 0),
        ("Ben", "Extraversion", 2.0, 2, 0),
        ("Ben", "Agreeableness", 1.0, 1, 1),
        ("Ben", "Neuroticism", 4.0, 2, 0),
    ]
    pd.testing.assert_frame_equal(result, scoring.score_experiment(exact, by="profile_id"))
    pd.testing.assert_frame_equal(sk.score_experiment(exact), scoring.score_experiment(exact))


def test_stored_raw_answers_warn(finished):
    experiment, _, _ = finished
    # Only "4. Agree a little" is an option; without it nothing would be.
    result = sk.score_experiment(experiment, by="profile_id")
    assert result["n_items"].sum() == 1
    raw = run(["5", "I'd say 2"] * 6)
    with pytest.warns(UserWarning, match=r"^None of the 12 decisions"):
        assert sk.score_experiment(raw)["score"].isna().all()


# ---------------------------------------------------------------------- objects and frames

MIXED = questionnaire(
    item("2"),
    item(" 1", reverse=True),
    item(own=options(("1", 0), option("9", 9, ignored=True), ("4", 4)), reverse=True),
    item(4.0, {"options": options("Yes", "No"), "delimiter": "/"}),
    item("", {}),
    dimensions={"1": "Alpha", "2": " Beta "},
)
FRAME = answers(
    [FOUR, f" {TWO.upper()}", 4, "yes", ONE, "9", None, "not present", 1.0, FIVE],
    [0, 1, 2, 3, 4, 2, 1, 0, 2, 4],
    model_id=list("babababbaa"),
    random_seed=[1, 2] * 5,
    valid=[True, "no", None, "True", 1, 0, False, True, "x", True],
)


def test_objects_of_rupsycho_are_taken():
    questionnaire = models.Questionnaire.model_validate(MIXED)
    experiment = rupsycho.experiment_from_dict({**CONFIG, "questionnaire": MIXED})
    expected = sk.score_answers(FRAME, MIXED)
    assert plain(expected["score"]) == [4, None, 0, 1, 1, None, None, None, 4, 5]
    for subject in (questionnaire, experiment, experiment.questionnaire):
        pd.testing.assert_frame_equal(sk.score_answers(FRAME, subject), expected)
        assert sk.ScoringKey(subject) == sk.ScoringKey(MIXED)


def test_a_changed_object_of_rupsycho_is_compiled_anew():
    subject = models.Questionnaire.model_validate(MIXED)
    assert plain(sk.score_answers(FRAME, subject)["score"])[0] == 4
    subject.instruction_items[0].reversed = True
    assert plain(sk.score_answers(FRAME, subject)["score"])[0] == 2


def test_frames_cross_over():
    subject = models.Questionnaire.model_validate(MIXED)
    ours, theirs = sk.score_answers(FRAME, MIXED), scoring.score_answers(FRAME, subject)
    pd.testing.assert_frame_equal(ours, theirs, check_exact=True)
    assert ours.attrs.pop("scorekey_items")
    assert ours.attrs.pop("scorekey_fingerprint")
    assert ours.attrs == theirs.attrs == {"rupsycho_dimensions": ["Alpha", "Beta", "4"]}
    for by in ("model_id", ["model_id", "random_seed"], []):
        for arguments in ({}, {"include_total": True}, {"agg": "sum"}, {"agg": "count"}):
            expected = scoring.scale_scores(theirs, by=by, **arguments)
            for result in (
                sk.scale_scores(theirs, by=by, **arguments),
                sk.scale_scores(ours, by=by, **arguments),
                scoring.scale_scores(ours, by=by, **arguments),
            ):
                pd.testing.assert_frame_equal(result, expected)


def test_constants_are_those_of_rupsycho():
    for name in ("DEFAULT_GROUPS", "JUDGE_SENTINELS", "TOTAL_SCALE"):
        assert getattr(sk, name) == getattr(scoring, name)
