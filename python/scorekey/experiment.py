"""What may be passed as the experiment, and what the scoring needs of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from scorekey.messages import shown
from scorekey.questionnaire import Questionnaire


def questionnaire_of(experiment: Any) -> Any:
    """Return the questionnaire of whatever stands for an experiment.

    Parameters
    ----------
    experiment : object
        A questionnaire (of this package, or an object with the same attributes), an object with a
        ``questionnaire``, a mapping in the JSON form of either, or the path of such a file.

    Returns
    -------
    Questionnaire or object
        Something with ``instruction_items``, ``default_answer_options`` and ``attributes``.

    Raises
    ------
    TypeError
        If it is nothing of that kind.
    ValueError
        If there is no questionnaire in it, or one that cannot be read.
    FileNotFoundError
        If it is a path object that names no file.
    """
    if isinstance(experiment, Questionnaire):
        return experiment
    if isinstance(experiment, Mapping):
        return Questionnaire.from_dict(experiment)
    if isinstance(experiment, os.PathLike):
        return Questionnaire.from_json(experiment)
    if isinstance(experiment, str):
        if not _is_file(experiment):
            raise TypeError(
                f"experiment is a str that names no file: {shown(experiment)}; expected an "
                "experiment, a questionnaire, a mapping or the path of a JSON file"
            )
        return Questionnaire.from_json(experiment)
    if not isinstance(experiment, (pd.DataFrame, pd.Series, type)):
        if _is_questionnaire(experiment):
            return experiment
        if hasattr(experiment, "questionnaire"):
            return _inner(experiment.questionnaire)
    raise TypeError(
        "experiment must be an experiment, a questionnaire, a mapping or the path of a JSON file, "
        f"got {type(experiment).__name__}"
    )


def _inner(questionnaire: Any) -> Any:
    if questionnaire is None:
        raise ValueError("there is no questionnaire in the experiment: its questionnaire is None")
    if isinstance(questionnaire, Mapping):
        return Questionnaire.from_dict(questionnaire)
    if isinstance(questionnaire, Questionnaire) or _is_questionnaire(questionnaire):
        return questionnaire
    raise TypeError(
        "the experiment's questionnaire must be a questionnaire or a mapping, got "
        f"{type(questionnaire).__name__}"
    )


def _is_questionnaire(value: object) -> bool:
    return all(
        hasattr(value, name)
        for name in ("instruction_items", "default_answer_options", "attributes")
    )


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # too long, or with a NUL
        return False
