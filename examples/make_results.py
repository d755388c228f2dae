"""Make ``results.csv``: the answers of three scripted models to ``questionnaire.json``.

Everything but the models is real: rupsycho runs the experiment, records the answers and
post-processes them. The models are scripts that answer as language models tend to (a number, a
label, a sentence, a scrap of JSON, a refusal), steered by the traits of the persona and by the
keying of the item, so the scale scores can be checked against the personas. Each answer depends
on model, persona, item and seed only: every run writes the same bytes.

With rupsycho 1.0.0 installed, run::

    python examples/make_results.py
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from string import Template
from typing import Any

import rupsycho as rup
from langchain_core.language_models.llms import LLM
from rupsycho.callbacks import CSVCallback
from rupsycho.models.questionnaire import DemographicProfile, InstructionItem
from rupsycho.parsers.cleaners import BasicCleaner
from rupsycho.parsers.judges import MultipleChoiceJudge
from rupsycho.parsers.validators import ValidatorParser
from rupsycho.postprocessing import PostprocessingPipeline

HERE = Path(__file__).resolve().parent
CONFIG = HERE / "questionnaire.json"
RESULTS = HERE / "results.csv"

# $n is the number of the chosen option, $label its words, $lower the same in lower case, and $m
# the number of a neighbouring option. A phrase that stands twice is said twice as often.
TERSE = ("$n", "$n", "$n.", " $n ", "$n. $label", "$label", "Answer: $n")
CHATTY = (
    "I would go with $n. $label.",
    "That is $lower in my case.",
    "**$n. $label**\n\nThis fits how I usually am.",
    '{"answer": $n}',
    '```json\n{"choice": "$n. $label"}\n```',
    "Honestly? $label – that’s me.",
)
FORMAL = ("$n. $label", "$n. $lower", "My answer is $n.", "Option $n: $label", "$lower")

# Answers that avoid the scale: the ignored option, nothing that the judge recognises, or two
# options at once ("3 out of 5" reads like two of them as well).
UNSURE = (
    "6. I do not know",
    "6",
    "I do not know.",
    "I don't know",
    "It depends on the day.",
    "$n or $m",
    "Somewhere between $n and $m.",
    "$n out of 5",
)

# Rejected by the validator. In the last two the judge still finds an option.
REFUSALS = (
    "As an AI language model, I have no feelings to rate.",
    "I cannot judge someone's emotional state.",
    "I’m sorry, but I can’t answer that question.",
    "I apologize, but this is too personal.",
    "Sorry, I am hesitant here. If I must choose: $n.",
    "I don't have moods of my own, but this persona would say: $label.",
)


@dataclass(frozen=True)
class Habits:
    """How a scripted model answers; the shares are probabilities.

    Attributes
    ----------
    phrases : tuple of str
        The wordings of its ordinary answers.
    agreement : float
        Points added to every answer, whatever the keying of the item (acquiescence).
    unsure, refuses, refuses_sensitive, fails : float
        Shares of undecided answers, of refusals (of items marked sensitive: the second) and of
        calls that end in an error.
    """

    phrases: tuple[str, ...]
    agreement: float = 0.0
    unsure: float = 0.0
    refuses: float = 0.0
    refuses_sensitive: float = 0.0
    fails: float = 0.0


MODELS = {
    "terse-1b": Habits(TERSE, unsure=0.05, fails=0.02),
    "agreeable-8b": Habits(CHATTY, agreement=1.1, unsure=0.03),
    "careful-70b": Habits(FORMAL, unsure=0.10, refuses=0.02, refuses_sensitive=0.6),
}


def pick(rng: Random, phrases: tuple[str, ...]) -> str:
    """Draw one of the phrases (with `random` alone: its numbers are the same in every Python)."""
    return phrases[int(rng.random() * len(phrases))]


class ScriptedModel(LLM):
    """A LangChain model that answers by script; rupsycho sets `seed`, as it does for real ones."""

    habits: Habits
    profiles: list[DemographicProfile]
    items: list[InstructionItem]
    labels: list[str]
    seed: int = 0

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _call(self, prompt: str, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> str:
        """Answer the one item that the prompt asks, as the one persona that it describes."""
        profile = next(p for p in self.profiles if p.get_profile_desc() in prompt)
        item = next(i for i in self.items if i.question in prompt)
        rng = Random(f"{self.name}|{self.seed}|{profile.attributes.name}|{item.question}")
        habits = self.habits

        if rng.random() < habits.fails:
            raise TimeoutError("the scripted model did not answer in time")

        # The trait decides, mirrored on reverse-keyed items, with up to one point of noise
        level = profile.traits[item.attributes["dimension"]]
        level = 6 - level if item.reversed else level
        noise = 2 * rng.random() - 1
        number = min(5, max(1, round(level + habits.agreement + noise)))

        refuses = habits.refuses_sensitive if "sensitive" in item.attributes else habits.refuses
        phrases = habits.phrases
        if rng.random() < refuses:
            phrases = REFUSALS
        elif rng.random() < habits.unsure:
            phrases = UNSURE
        label = self.labels[number - 1].split(". ")[1]
        return Template(pick(rng, phrases)).substitute(
            n=number, m=number + 1 if number < 5 else 4, label=label, lower=label.lower()
        )


class UntimedCSVCallback(CSVCallback):
    """Records a made-up time, since a measured one would differ from run to run."""

    def save_answer(self, *record: Any) -> None:
        """Save the answer; the last two parts of the record are the time and the text."""
        *start, _time, answer = record
        super().save_answer(*start, round(0.2 + 0.01 * len(answer or ""), 2), answer)


def main() -> None:
    """Run the experiment and post-process its answers."""
    experiment = rup.experiment_from_file(str(CONFIG))
    questionnaire = experiment.questionnaire
    options = questionnaire.default_answer_options.get_options_as_list()
    for name, habits in MODELS.items():
        model = ScriptedModel(
            name=name,
            habits=habits,
            profiles=list(experiment.demographic_profiles.values()),
            items=questionnaire.instruction_items,
            labels=options,
        )
        experiment.add_model(model, identifier=name)

    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "answers.csv"
        # Failed calls are part of the script: they leave a row without an answer
        experiment.run([UntimedCSVCallback(str(raw))], on_error="ignore", show_progress=False)
        processed = PostprocessingPipeline(
            config_file_path=experiment,
            results_file_patterns=raw,
            cleaner=BasicCleaner(),
            validator=ValidatorParser(),
            judge=MultipleChoiceJudge(options),
            output_path=RESULTS,
            show_progress=False,
        ).run()
    print(f"{len(processed)} answers written to {RESULTS}")


if __name__ == "__main__":
    main()
