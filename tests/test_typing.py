"""What the file of typed use claims also comes out when it is run."""

from __future__ import annotations

import numpy as np
import pandas as pd

import scorekey as sk

from .command_line import PACKAGE, ROOT
from .scripts import load_script

USAGE = "tests/typing/usage.py"


def test_typed_use_runs():
    usage = load_script(USAGE)
    assert usage.score_people().values.tolist() == [["Ann", "Certainty", 1.0, 2, 0]]
    assert usage.score_arrays().tolist() == [1.0, 0.0]
    assert usage.score_arrays().dtype == np.float64
    assert usage.score_judges() == sk.ReplyScore(1.0, None)
    assert usage.spread(pd.Series([1.0, 4.0])) == 3.0
    scales = usage.score_survey(ROOT / "examples").scales
    assert scales["k"].tolist() == [4] * 5  # four items for each of the Big Five
    assert all(isinstance(found, sk.Finding) for found in usage.audit(ROOT / "examples").findings)
    assert len(usage.read_files(ROOT / "examples")) == 720


def test_every_public_name_is_used():
    text = (ROOT / USAGE).read_text(encoding="utf-8")
    # Constants have no types to get wrong; options and items are made from the JSON form.
    left_out = {"QuestionnaireError", "InternalError", "ItemMismatchError", "set_num_threads"}
    left_out |= {"AnswerOption", "AnswerOptions", "InstructionItem"}
    names = {name for name in sk.__all__ if not name.isupper()} - left_out
    assert [name for name in sorted(names) if f"sk.{name}" not in text] == []


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "scorekey" / "py.typed").is_file()
