"""The worked example: two personas, six items, and every number that is printed of them."""

from __future__ import annotations

import pandas as pd
import pytest

import scorekey as sk
from tests.material import AGREEMENT, item, options, plain, questionnaire, table

KEY = questionnaire(
    item("1", question="I am talkative."),
    item("1", reverse=True, question="I am reserved."),
    item("2", question="I am helpful to others."),
    item("2", reverse=True, question="I start quarrels."),
    item("3", reverse=True, question="I am relaxed."),
    item("3", question="I get nervous easily."),
    dimensions={"1": "Extraversion", "2": "Agreeableness", "3": "Neuroticism"},
)
ONE, TWO, THREE, FOUR, FIVE = AGREEMENT
DECISIONS = [
    *(FIVE, TWO),
    *(ONE, FOUR),
    *(FOUR, FOUR),
    *(TWO, "inconclusive"),
    *(FIVE, "not present"),
    *(TWO, FIVE),
]
REFUSED = {(2, "Ben"), (4, "Ben")}
SCALES = [
    ("Anna", "Extraversion", 5.0, 2, 0),
    ("Anna", "Agreeableness", 4.0, 2, 0),
    ("Anna", "Neuroticism", 1.5, 2, 0),
    ("Anna", "total", 3.5, 6, 0),
    ("Ben", "Extraversion", 2.0, 2, 0),
    ("Ben", "Agreeableness", None, 0, 2),
    ("Ben", "Neuroticism", 5.0, 1, 1),
    ("Ben", "total", 3.0, 3, 3),
]


@pytest.fixture
def processed() -> pd.DataFrame:
    rows = [(number, name) for number in range(6) for name in ("Anna", "Ben")]
    return pd.DataFrame(
        {
            "model_id": "scripted-model",
            "profile_id": [name for _, name in rows],
            "random_seed": "1",
            "instruction_item_id": [number for number, _ in rows],
            "decision": DECISIONS,
            "valid": [row not in REFUSED for row in rows],
        }
    )


def test_item_scores(processed):
    scored = sk.score_answers(processed, KEY)
    assert list(scored.columns) == [*processed.columns, "score", "dimension"]
    assert plain(scored["score"]) == [5, 2, 5, 2, 4, None, 4, None, 1, None, 2, 5]
    assert plain(scored["dimension"]) == (
        ["Extraversion"] * 4 + ["Agreeableness"] * 4 + ["Neuroticism"] * 4
    )
    assert scored[processed.columns.tolist()].equals(processed)


def test_scale_scores(processed):
    scored = sk.score_answers(processed, KEY)
    scales = sk.scale_scores(scored, by="profile_id", include_total=True)
    assert list(scales.columns) == ["profile_id", "dimension", "score", "n_items", "n_missing"]
    assert table(scales) == SCALES


def test_both_steps_in_one_give_an_equal_frame(processed):
    scales = sk.scale_scores(sk.score_answers(processed, KEY), by="profile_id", include_total=True)
    same = sk.score_experiment(KEY, processed, by="profile_id", include_total=True)
    assert same.equals(scales)


def test_both_steps_take_their_arguments_in_opposite_order(processed):
    with pytest.raises(TypeError):
        sk.score_answers(KEY, processed)
    with pytest.raises(TypeError):
        sk.score_experiment(processed, KEY)


def test_a_summary_of_the_respondents(processed):
    per_respondent = sk.scale_scores(sk.score_answers(processed, KEY))
    summary = per_respondent.groupby("dimension", sort=False)["score"].agg(["mean", "std", "count"])
    assert summary.index.tolist() == ["Extraversion", "Agreeableness", "Neuroticism"]
    assert plain(summary["mean"].round(2)) == [3.50, 4.00, 3.25]
    assert plain(summary["std"].round(2)) == [2.12, None, 2.47]
    assert summary["count"].tolist() == [2, 1, 2]


def test_the_quality_of_the_scores(processed):
    scored = sk.score_answers(processed, KEY)
    judged = processed["decision"].isin(AGREEMENT)
    assert f"{1 - processed['valid'].mean():.0%}" == "17%"
    assert f"{1 - judged.mean():.0%}" == "17%"
    assert f"{scored['score'].isna().mean():.0%}" == "25%"


def test_a_file_that_was_read_back(processed, tmp_path):
    processed.to_csv(tmp_path / "processed.csv", index=False)
    read = pd.read_csv(tmp_path / "processed.csv")
    assert table(sk.score_experiment(KEY, read, by="profile_id", include_total=True)) == SCALES
    as_text = pd.read_csv(tmp_path / "processed.csv", dtype=str)
    assert table(sk.score_experiment(KEY, as_text, by="profile_id", include_total=True)) == SCALES


# ---------------------------------------------------------------------- stored answers


class Experiment:
    """Stands for an experiment that has been run."""

    questionnaire = sk.Questionnaire.from_dict(KEY)

    def __init__(self, stored):
        self.stored = stored

    def get_answers_as_dataframe(self) -> pd.DataFrame:
        return pd.DataFrame(
            [
                {
                    "Instruction ID": number,
                    "Instruction Question": KEY["instruction_items"][number]["question"],
                    "Model ID": "exact-model",
                    "Persona ID": name,
                    "Run Seed": "1",
                    "Answer": answer,
                }
                for (number, name), answer in self.stored
            ]
        )


ROWS = [(number, name) for number in range(6) for name in ("Anna", "Ben")]
EXACT = [
    *(FIVE, TWO),
    *(ONE, FOUR),
    *(FOUR, "I would rather not say"),
    *(TWO, FIVE),
    *(FIVE, "3. neither agree nor disagree"),
    *(TWO, FIVE),
]


def test_answers_stored_in_the_experiment():
    result = sk.score_experiment(Experiment(zip(ROWS, EXACT, strict=True)), by="profile_id")
    assert table(result) == [
        ("Anna", "Extraversion", 5.0, 2, 0),
        ("Anna", "Agreeableness", 4.0, 2, 0),
        ("Anna", "Neuroticism", 1.5, 2, 0),
        ("Ben", "Extraversion", 2.0, 2, 0),
        ("Ben", "Agreeableness", 1.0, 1, 1),
        ("Ben", "Neuroticism", 4.0, 2, 0),
    ]


def test_stored_answers_are_of_the_default_respondents():
    result = sk.score_experiment(Experiment(zip(ROWS, EXACT, strict=True)))
    assert list(result.columns)[:3] == list(sk.DEFAULT_GROUPS)
    assert set(result["model_id"]) == {"exact-model"}


def test_a_failed_call_is_missing_in_a_frame_and_not_counted_among_stored_answers(processed):
    processed.loc[0, "decision"] = None
    counted = sk.score_experiment(KEY, processed, by="profile_id")
    assert table(counted)[0] == ("Anna", "Extraversion", 5.0, 1, 1)
    stored = list(zip(ROWS, EXACT, strict=True))[1:]
    assert table(sk.score_experiment(Experiment(stored), by="profile_id"))[0] == (
        "Anna",
        "Extraversion",
        5.0,
        1,
        0,
    )


def test_stored_answers_that_are_no_options_warn():
    stored = zip(ROWS, ["5", "I'd say 4"] * 6, strict=True)
    with pytest.warns(UserWarning, match=r"^None of the 12 decisions"):
        result = sk.score_experiment(Experiment(stored), by="profile_id")
    assert result["score"].isna().all()


@pytest.mark.parametrize("experiment", [KEY, sk.Questionnaire.from_dict(KEY), sk.ScoringKey(KEY)])
def test_a_questionnaire_holds_no_answers(experiment):
    with pytest.raises(ValueError, match=r"^A questionnaire holds no answers"):
        sk.score_experiment(experiment)


# ---------------------------------------------------------------------- troubleshooting


def test_symptom_raw_answers(processed):
    with pytest.warns(
        UserWarning, match=r"^None of the 12 decisions .* is the text of an answer option"
    ):
        sk.score_answers(processed.assign(decision="I think I would say 4"), KEY)


def test_symptom_another_questionnaire(processed):
    other = questionnaire(*KEY["instruction_items"], default=options("Never", "Always"))
    with pytest.warns(UserWarning, match=r"^None of the 10 decisions"):
        sk.score_answers(processed, other)


def test_symptom_too_few_items(processed):
    with pytest.raises(
        ValueError, match=r"^Column 'instruction_item_id' has 4 invalid item id\(s\).* 4.* 0 to 3"
    ):
        sk.score_answers(processed, questionnaire(*KEY["instruction_items"][:4]))


def test_symptom_scores_missing_because_the_validator_rejected_them(processed):
    rejected = processed.assign(valid=False)
    assert sk.score_answers(rejected, KEY)["score"].isna().all()
    assert sk.score_answers(rejected, KEY, only_valid=False)["score"].notna().sum() == 10


def test_symptom_options_with_the_same_text(processed):
    same = questionnaire(*KEY["instruction_items"], default=options((FIVE, 5), (FIVE, 4), TWO))
    with pytest.warns(
        UserWarning, match=r"^Answer options with the same text but different scores .*item 0"
    ):
        sk.score_answers(processed, same)


def test_symptom_the_column_of_validation_details(processed):
    processed["validation_status"] = [{"refusal": False}] * 12
    with pytest.raises(
        TypeError, match=r"^The valid column 'validation_status' must hold single values"
    ):
        sk.score_answers(processed, KEY, valid_column="validation_status")


def test_symptom_a_typo_in_by(processed):
    scored = sk.score_answers(processed, KEY)
    with pytest.warns(
        UserWarning, match=r"^scale_scores ignores the unknown group column\(s\).*'profil_id'"
    ):
        sk.scale_scores(scored, by="profil_id")
