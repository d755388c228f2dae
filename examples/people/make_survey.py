"""Make ``survey.csv``: invented answers of 300 people to the items of ``../questionnaire.json``.

Nobody was asked. Each person has five traits, drawn from a normal distribution; an answer is the
trait, turned round on reverse-keyed items, with noise, rounded to 1 to 5. Some people skip items,
and some stop halfway. The numbers are those of `random.Random`, which are the same in every Python,
so every run writes the same bytes::

    python examples/people/make_survey.py
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
PEOPLE = 300
LOADING = 0.7
"""How closely an answer follows the trait; the rest is noise."""
SKIPPED = 0.02
STOPPED = 0.06


def answers(random: Random, items: list[dict[str, object]]) -> list[str]:
    """Return the answers of one person, numbers as text, empty where there is none."""
    traits: dict[object, float] = {}
    last = int(random.random() * len(items)) if random.random() < STOPPED else len(items)
    cells = []
    for position, item in enumerate(items):
        scale = item["attributes"]["dimension"]  # type: ignore[index]
        trait = traits.setdefault(scale, random.gauss(0, 1))
        noise = random.gauss(0, 1)
        skipped = random.random() < SKIPPED
        level = LOADING * trait + (1 - LOADING**2) ** 0.5 * noise
        level = -level if item.get("reversed") else level
        number = min(5, max(1, round(3.2 + 1.1 * level)))
        cells.append("" if skipped or position >= last else str(number))
    return cells


def main() -> None:
    """Write the file beside this script."""
    text = (HERE.parent / "questionnaire.json").read_text(encoding="utf-8")
    items = json.loads(text)["questionnaire"]["instruction_items"]
    with (HERE / "survey.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        names = [f"ipip_{number}" for number in range(1, len(items) + 1)]
        writer.writerow(["person", "age", "group", *names])
        for number in range(1, PEOPLE + 1):
            random = Random(number)
            age = 18 + int(random.random() * 50)
            group = ("online", "laboratory")[number % 2]
            writer.writerow([f"P{number:03d}", age, group, *answers(random, items)])
    print(f"{PEOPLE} people written to survey.csv")


if __name__ == "__main__":
    main()
