"""The questionnaire: items, answer options and scales, as a JSON configuration declares them."""

from __future__ import annotations

import copy
import math
import os
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Any

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from scorekey.errors import QuestionnaireError
from scorekey.frozen import FrozenDict, freeze
from scorekey.item_range import check_range, read_range
from scorekey.questionnaire_form import explained, read_form

__all__ = ["AnswerOption", "AnswerOptions", "InstructionItem", "Questionnaire"]

_WHOLE = TypeAdapter(int)
_DECIMAL = re.compile(r"\s*[+-]?[0-9]+\.[0-9]+\s*")


def _weight(value: Any) -> int | float:
    """Read a weight: whatever pydantic takes for an int, or a plain decimal number."""
    try:
        number: int | float = _WHOLE.validate_python(value)
    except ValidationError:
        is_text = isinstance(value, str) and _DECIMAL.fullmatch(value)
        if not (is_text or isinstance(value, (float, Decimal, np.floating))):
            raise ValueError("a weight is a whole or a decimal number such as 3 or 4.4") from None
        number = float(value)
    try:
        finite = math.isfinite(number)
    except OverflowError:
        finite = False
    if not finite:
        raise ValueError("a weight is a finite number that fits into 64 bits")
    return number


Weight = Annotated[int | float, BeforeValidator(_weight)]
Range = Annotated[tuple[float, float], BeforeValidator(read_range)]
Attributes = Annotated[dict[Any, Any], AfterValidator(freeze)]


class _Part(BaseModel):
    """What all parts of a questionnaire are: frozen, and open to fields of other programs."""

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)


class AnswerOption(_Part):
    """One answer option of an item.

    Attributes
    ----------
    text : str
        What a decision has to be to match the option.
    ignored_for_scale : bool
        Whether the option is no point on the scale ("I do not know"): it gives no score and does
        not widen the range in which reverse-keyed items are flipped. Default: False.
    weight : int or float
        What the option is worth. Default: 0.

    Examples
    --------
    >>> import scorekey as sk
    >>> sk.AnswerOption.model_validate({"text": "Agree", "weight": "2"}).weight
    2
    """

    text: str = "Choose an option"
    ignored_for_scale: bool = False
    weight: Weight = 0


class AnswerOptions(_Part):
    """The answer options of an item, by id.

    Read from ``{id: option}`` or from ``{"options": {id: option}, "delimiter": ...}``.

    Attributes
    ----------
    options : mapping of str to AnswerOption
        The options in their order.
    delimiter : str
        What a prompt puts between them; scores do not depend on it. Default: ``", "``.
    prepend_delimiter : bool
        Whether a prompt puts the delimiter before the first option too. Default: False.

    Examples
    --------
    >>> import scorekey as sk
    >>> options = sk.AnswerOptions.model_validate(
    ...     {"y": {"text": "Yes", "weight": 1}, "n": {"text": "No"}}
    ... )
    >>> options.options["n"].weight
    0
    """

    options: Annotated[dict[str, AnswerOption], AfterValidator(FrozenDict)] = Field(
        default_factory=FrozenDict
    )
    delimiter: str = ", "
    prepend_delimiter: bool = False

    @model_validator(mode="before")
    @classmethod
    def _from_either_form(cls, value: Any) -> Any:
        if isinstance(value, Mapping) and not isinstance(value.get("options"), Mapping):
            return {"options": dict(value)}
        return value


class InstructionItem(_Part):
    """One item of a questionnaire.

    Attributes
    ----------
    question : str
        The item's text.
    reversed : bool
        Whether the item is reverse-keyed: its scores are min + max - weight. Default: False.
    answer_options : AnswerOptions or None
        The item's own options; without any, the questionnaire's defaults are used.
    attributes : mapping
        ``attributes["dimension"]`` is the id of the item's scale.
    range : tuple of two numbers or None
        The lowest and the highest score that the item can have, where this is more than its answer
        options show. Default: the smallest and the largest weight of those that are not ignored.

    Examples
    --------
    >>> import scorekey as sk
    >>> item = sk.InstructionItem.model_validate({"question": "I am reserved.", "reversed": True})
    >>> item.reversed, item.answer_options
    (True, None)
    """

    question: str = "Enter question text here"
    reversed: bool = False
    answer_options: AnswerOptions | None = None
    attributes: Attributes = Field(default_factory=FrozenDict)
    range: Range | None = None


class Questionnaire(_Part):
    """A questionnaire with everything that decides scores.

    It is frozen, so its scoring key is compiled once and kept. Fields that it does not know are
    kept as they are.

    Attributes
    ----------
    name : str
        The questionnaire's name.
    general_instruction : str
        What respondents are told before the first item.
    attributes : mapping
        ``attributes["dimension"]`` maps the ids of the scales to their names, in the order in
        which scales are reported.
    default_answer_options : AnswerOptions or None
        The options of items that have none of their own.
    instruction_items : tuple of InstructionItem or None
        The items; an item's id is its position.

    Examples
    --------
    >>> import scorekey as sk
    >>> questionnaire = sk.Questionnaire.from_dict({
    ...     "name": "Mini inventory",
    ...     "general_instruction": "Rate the statement.",
    ...     "attributes": {"dimension": {"1": "Extraversion"}},
    ...     "default_answer_options": {
    ...         "1": {"text": "Disagree", "weight": 1},
    ...         "2": {"text": "Agree", "weight": 2},
    ...     },
    ...     "instruction_items": [
    ...         {"question": "I am talkative.", "attributes": {"dimension": "1"}},
    ...         {"question": "I am reserved.", "reversed": True, "attributes": {"dimension": "1"}},
    ...     ],
    ... })
    >>> len(questionnaire.instruction_items)
    2
    """

    name: str
    general_instruction: str
    attributes: Attributes = Field(default_factory=FrozenDict)
    default_answer_options: AnswerOptions | None = None
    instruction_items: tuple[InstructionItem, ...] | None = None

    _source: Any = PrivateAttr(default=None)
    # Its scoring keys by their matching.
    _compiled: dict[str, Any] = PrivateAttr(default_factory=dict)

    @model_validator(mode="after")
    def _covers_weights(self) -> Questionnaire:
        for number, item in enumerate(self.instruction_items or ()):
            if item.range is not None:
                own = item.answer_options
                options = own if own is not None and own.options else self.default_answer_options
                found = options.options.values() if options is not None else ()
                weights = [(o.text, o.weight) for o in found if not o.ignored_for_scale]
                check_range(item.range, weights, number)
        return self

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Questionnaire:
        """Read a questionnaire, or the one in an experiment, from the JSON form.

        Parameters
        ----------
        data : mapping
            A questionnaire, or an experiment with the key ``"questionnaire"``. It is not modified
            and may be changed afterwards.

        Returns
        -------
        Questionnaire

        Raises
        ------
        TypeError
            If `data` is not a mapping.
        QuestionnaireError
            A ValueError that names the path of every bad field, such as
            ``instruction_items.3.answer_options.2.weight``.

        Examples
        --------
        >>> import scorekey as sk
        >>> form = {"name": "One item", "general_instruction": "Answer.",
        ...         "instruction_items": [{"question": "Sure?", "reversed": "perhaps"}]}
        >>> try:
        ...     sk.Questionnaire.from_dict(form)
        ... except sk.QuestionnaireError as error:
        ...     print(str(error).partition(":")[0])
        instruction_items.0.reversed
        >>> form["instruction_items"][0]["reversed"] = "yes"
        >>> sk.Questionnaire.from_dict({"questionnaire": form}).instruction_items[0].reversed
        True
        """
        if not isinstance(data, Mapping):
            raise TypeError(
                f"a questionnaire is read from a mapping, got {type(data).__name__}; "
                "use Questionnaire.from_json for a file"
            )
        inner = data.get("questionnaire", data)
        if inner is None:
            raise QuestionnaireError(
                "there is no questionnaire in the experiment: its field is null"
            )
        if not isinstance(inner, Mapping):
            raise QuestionnaireError(
                f"questionnaire: expected a mapping, got {type(inner).__name__}"
            )
        try:
            result = cls.model_validate(dict(inner))
        except ValidationError as error:
            raise QuestionnaireError(explained(error, inner)) from None
        result._source = copy.deepcopy(dict(inner))
        return result

    @classmethod
    def from_json(cls, path: str | os.PathLike[str]) -> Questionnaire:
        """Read a questionnaire, or the one in an experiment, from a JSON file.

        Parameters
        ----------
        path : str or path-like
            The file, in UTF-8 (a byte order mark is skipped).

        Returns
        -------
        Questionnaire

        Raises
        ------
        OSError
            If the file is not there or cannot be opened.
        QuestionnaireError
            If it is not JSON in UTF-8, or not a questionnaire; the message names the file.

        Examples
        --------
        >>> import json, tempfile
        >>> from pathlib import Path
        >>> import scorekey as sk
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "config.json"
        ...     _ = path.write_text(json.dumps({"name": "Empty", "general_instruction": "Answer."}))
        ...     sk.Questionnaire.from_json(path).name
        'Empty'
        """
        data = read_form(path)
        try:
            return cls.from_dict(data)
        except QuestionnaireError as error:
            raise QuestionnaireError(f"{os.fspath(path)}: {error}") from None

    @classmethod
    def from_rubrics(cls, rubrics: Iterable[Any], *, name: str = "Rubrics") -> Questionnaire:
        """Return a questionnaire whose items are rubrics, so that replies are scored as answers.

        Parameters
        ----------
        rubrics : iterable of ScoringRubric
            The rubrics. Each is an item, in this order, and its name is the item's dimension.
        name : str, default "Rubrics"
            The questionnaire's name.

        Returns
        -------
        Questionnaire
            The answer options of an item are the rubric's whole scores.

        Raises
        ------
        TypeError
            If one of them is no ScoringRubric.
        ValueError
            If a rubric has no name, or that of another one, or scores that are no options; see
            `ScoringRubric.answer_options`.

        Examples
        --------
        >>> import scorekey as sk
        >>> rubric = sk.ScoringRubric.accuracy()
        >>> scored = sk.score_answers(
        ...     sk.score_replies(["Score: 4", "Score: 2"], rubric),
        ...     sk.Questionnaire.from_rubrics([rubric]),
        ... )
        >>> scored[["decision", "score", "dimension"]].values.tolist()
        [['4', 4.0, 'accuracy'], ['2', 2.0, 'accuracy']]
        """
        from scorekey.rubrics.forms import to_questionnaire

        return cls.from_dict(to_questionnaire(rubrics, name))

    def to_dict(self) -> dict[str, Any]:
        """Return the questionnaire in the JSON form, as it was read, without added defaults.

        Returns
        -------
        dict
            A copy, which may be changed.

        Examples
        --------
        >>> import scorekey as sk
        >>> form = {"name": "Empty", "general_instruction": "Answer.", "source": "a field"}
        >>> sk.Questionnaire.from_dict(form).to_dict() == form
        True
        """
        if self._source is not None:
            source: dict[str, Any] = copy.deepcopy(self._source)
            return source
        return self.model_dump(mode="json", exclude_unset=True)

    def model_copy(
        self, *, update: Mapping[str, Any] | None = None, deep: bool = False
    ) -> Questionnaire:
        """Return a copy with other values of some fields; as in pydantic, these are not checked."""
        result = super().model_copy(update=update, deep=deep)
        if update:  # what was read and what was compiled belong to the original
            result._source, result._compiled = None, {}
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Questionnaire):
            return NotImplemented
        return dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash((self.name, self.general_instruction, self.instruction_items))
