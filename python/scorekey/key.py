"""The scoring key: a compiled questionnaire that scores arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from scorekey import _core
from scorekey.aggregation import Aggregation
from scorekey.arguments import Matching, check_matching
from scorekey.columns import as_column
from scorekey.completion import complete
from scorekey.experiment import questionnaire_of
from scorekey.inputs import read_decisions, read_items, read_key, read_scores, read_verdicts
from scorekey.item_record import record_items
from scorekey.names import text_array
from scorekey.questionnaire import Questionnaire
from scorekey.scale_items import read_record
from scorekey.specification import Option, Specification, specify
from scorekey.threads import get_num_threads
from scorekey.wishes import read_wishes

__all__ = ["ScaleArrays", "ScoringKey"]


class ScaleArrays(NamedTuple):
    """Scale scores as equally long arrays, sorted by respondent and then by scale.

    Attributes
    ----------
    respondent : ndarray or ExtensionArray
        The respondents, in the type in which they were given.
    scale : ndarray of object
        The names of the scales.
    score : ndarray of float64 (or int64 for counts)
        The aggregate of the item scores; NaN for a scale without any.
    n_items, n_missing : ndarray of int64
        How many answers have a score, and how many have none.

    Examples
    --------
    >>> import scorekey as sk
    >>> rubric = sk.ScoringRubric.accuracy()
    >>> key = sk.ScoringKey(sk.Questionnaire.from_rubrics([rubric]))
    >>> scales = key.aggregate([4.0, 5.0, None], [0, 0, 0], ["small", "large", "large"])
    >>> scales.respondent.tolist(), scales.score.tolist(), scales.n_missing.tolist()
    (['large', 'small'], [5.0, 4.0], [1, 0])
    """

    respondent: Any
    scale: npt.NDArray[np.object_]
    score: npt.NDArray[Any]
    n_items: npt.NDArray[np.int64]
    n_missing: npt.NDArray[np.int64]


class ScoringKey:
    """Which answer of which item is worth what: a questionnaire, compiled once.

    A key cannot be changed, can be pickled, and may be used by several threads at once. It is taken
    wherever an experiment is.

    Parameters
    ----------
    experiment : Questionnaire, experiment, mapping or path
        A questionnaire in any form that `score_answers` takes.
    matching : {"strict", "lenient"}, optional
        How alike a decision and its option have to be; see `score_answers`. Default: that of
        `experiment` if it is a key, else "strict".

    Attributes
    ----------
    fingerprint : str
        A short hash of everything that decides scores (texts, weights, flags, directions,
        dimensions and their order, ranges that items declare, and the matching unless it is
        strict). Equal keys have equal fingerprints.
    matching : {"strict", "lenient"}
        How alike a decision and its option have to be.
    scale_names : tuple of str
        The names of the scales in the order of a result, the total last.

    Raises
    ------
    TypeError, ValueError
        If there is no questionnaire, or one that cannot be read (see `Questionnaire.from_dict`), or
        `matching` is something else.

    Examples
    --------
    >>> import scorekey as sk
    >>> options = {str(i): {"text": text, "weight": i} for i, text in enumerate(["No", "Yes"])}
    >>> key = sk.ScoringKey({
    ...     "name": "Two items",
    ...     "general_instruction": "Answer.",
    ...     "default_answer_options": options,
    ...     "instruction_items": [{"question": "Sure?"}, {"question": "Unsure?", "reversed": True}],
    ... })
    >>> points = key.score([0, 1, 1], ["Yes", "yes", "perhaps"])
    >>> points.tolist()
    [1.0, 0.0, nan]
    >>> key.aggregate(points, [0, 1, 1], ["Ann", "Ann", "Ben"]).score.tolist()
    [0.5, nan]
    >>> sk.ScoringKey(key, "lenient").score([0, 1, 1], ["Yes!", "**yes**", "perhaps"]).tolist()
    [1.0, 0.0, nan]
    """

    __slots__ = (
        "_core",
        "_item_texts",
        "_record",
        "_scale_texts",
        "_scales",
        "_specification",
        "fingerprint",
        "matching",
        "scale_names",
    )

    _core: _core.Key
    _specification: Specification
    # The scale of each item, and the scales with the total last, in the type that pandas gives to
    # text: made once and not at every call.
    _item_texts: Any
    _scale_texts: Any
    # The number of each item's scale.
    _scales: tuple[int, ...]
    # What the frames of item scores say of the items, once it has been asked for.
    _record: Mapping[str, Any] | None
    fingerprint: str
    matching: Matching
    scale_names: tuple[str, ...]

    def __init__(self, experiment: Any, matching: Matching | None = None) -> None:
        if matching is not None:
            check_matching(matching)
        if isinstance(experiment, ScoringKey):
            self._compile(experiment._specification, matching or experiment.matching)
        else:
            self._compile(specify(questionnaire_of(experiment)), matching or "strict")

    def _compile(self, specification: Specification, matching: Matching) -> None:
        names, scales = specification.scales()
        items = [
            (options, reverse, scale, bounds)
            for (options, reverse), scale, bounds in zip(
                specification.items, scales, specification.ranges, strict=True
            )
        ]
        core = _core.Key(specification.option_sets, items, matching == "lenient")
        for name, value in (
            ("_core", core),
            ("_specification", specification),
            ("fingerprint", specification.fingerprint(matching)),
            ("matching", matching),
            ("_item_texts", text_array(specification.labels)),
            ("_record", None),
            ("_scale_texts", text_array(names)),
            ("_scales", tuple(scales)),
            ("scale_names", tuple(names)),
        ):
            object.__setattr__(self, name, value)

    def _with_options(
        self, option_sets: Iterable[Iterable[Option]], matching: Matching
    ) -> ScoringKey:
        """Return a key of the same items with other options, a set for each that there is."""
        sets = tuple(map(tuple, option_sets))
        return _restore(tuple(self._specification._replace(option_sets=sets)), matching)

    @property
    def n_items(self) -> int:
        """The number of items of the questionnaire."""
        return len(self._specification.items)

    @property
    def labels(self) -> tuple[str | None, ...]:
        """The name of each item's scale; None for an item without dimension."""
        return self._specification.labels

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The names of the scales in the order of the questionnaire."""
        return self._specification.order

    @property
    def item_record(self) -> Mapping[str, Any]:
        """The scales, range and direction of each item by its id, as ``attrs`` of a frame hold it.

        The mapping is plain JSON and cannot be changed.
        """
        if self._record is None:
            ranges = [self._core.range(item) for item in range(self.n_items)]
            reverse = [reverse for _, reverse in self._specification.items]
            record = record_items(self.labels, ranges, reverse)
            object.__setattr__(self, "_record", record)
        return self._record  # type: ignore[return-value]

    def score(self, item_ids: Any, decisions: Any, valid: Any = None) -> npt.NDArray[np.float64]:
        """Score answers, by the rules of `score_answers`, without a data frame.

        Parameters
        ----------
        item_ids : array-like of int, shape (n,)
            The position of each answer's item in the questionnaire.
        decisions : array-like, shape (n,)
            The chosen answer options: texts, or numbers that stand for their text.
        valid : array-like, shape (n,), optional
            The verdicts; an answer that is not valid has no score. Default: all are valid.

        Returns
        -------
        ndarray of float64, shape (n,)
            The item scores; NaN where an answer has none. Nothing is warned of.

        Raises
        ------
        ValueError
            If an item id is not the position of an item, or the arrays differ in length.
        TypeError
            If decisions or verdicts are collections.

        Examples
        --------
        >>> import scorekey as sk
        >>> key = sk.ScoringKey({
        ...     "name": "Two items",
        ...     "general_instruction": "Answer.",
        ...     "attributes": {"dimension": {"c": "Certainty"}},
        ...     "default_answer_options": {"n": {"text": "No"}, "y": {"text": "Yes", "weight": 1}},
        ...     "instruction_items": [
        ...         {"question": "Sure?", "attributes": {"dimension": "c"}},
        ...         {"question": "Unsure?", "reversed": True, "attributes": {"dimension": "c"}},
        ...     ],
        ... })
        >>> key.score([0, 1, 1], ["Yes", " yes ", "perhaps"]).tolist()
        [1.0, 0.0, nan]
        >>> key.score([0, 0], ["Yes", "Yes"], valid=[True, False]).tolist()
        [1.0, nan]
        """
        ids = read_items(as_column(item_ids, "item_ids"), self.n_items, "item_ids")
        answers = _core.Answers(
            self._core, ids, read_decisions(as_column(decisions, "decisions"), "decisions")
        )
        if valid is not None:
            answers = answers.with_verdicts(*read_verdicts(as_column(valid, "valid"), "valid"))
        return answers.scores(get_num_threads())

    def aggregate(self, scores: Any, item_ids: Any, groups: Any, agg: Any = "mean") -> ScaleArrays:
        """Aggregate item scores to one score for each respondent and scale.

        Parameters
        ----------
        scores : array-like of float, shape (n,)
            Item scores, NaN where there is none.
        item_ids : array-like of int, shape (n,)
            The position of each score's item in the questionnaire.
        groups : array-like, shape (n,)
            The respondent of each score.
        agg : str or callable, default "mean"
            See `scale_scores`.

        Returns
        -------
        ScaleArrays
            One entry for each respondent and scale that occur together, sorted by respondent and
            then in the order of the questionnaire.

        Raises
        ------
        ValueError
            If an item id is not the position of an item, scores are no numbers, `agg` is unknown,
            or the arrays differ in length.

        Examples
        --------
        >>> import scorekey as sk
        >>> key = sk.ScoringKey({
        ...     "name": "Two items",
        ...     "general_instruction": "Answer.",
        ...     "attributes": {"dimension": {"c": "Certainty"}},
        ...     "default_answer_options": {"n": {"text": "No"}, "y": {"text": "Yes", "weight": 1}},
        ...     "instruction_items": [
        ...         {"question": "Sure?", "attributes": {"dimension": "c"}},
        ...         {"question": "Unsure?", "reversed": True, "attributes": {"dimension": "c"}},
        ...     ],
        ... })
        >>> scores, items = [1.0, 0.0, float("nan")], [0, 1, 0]
        >>> scales = key.aggregate(scores, items, ["Ben", "Ben", "Ann"])
        >>> scales.respondent.tolist(), scales.scale.tolist(), scales.score.tolist()
        (['Ann', 'Ben'], ['Certainty', 'Certainty'], [nan, 0.5])
        >>> key.aggregate(scores, items, ["Ben", "Ben", "Ann"], agg="sum").score.tolist()
        [nan, 1.0]
        """
        ids = read_items(as_column(item_ids, "item_ids"), self.n_items, "item_ids")
        points = read_scores(as_column(scores, "scores"), "scores")
        respondents = as_column(groups, "groups")
        aggregation = Aggregation(agg)
        wishes = read_wishes(agg)
        source = (ids.codes(), self._scales, points)
        key = read_key(respondents, "groups")
        n_scales = len(self.scale_names)
        if wishes is None:
            table = aggregation.over(source, [key], n_scales, total=False)
        else:
            record = read_record(self.item_record)
            completion = complete(wishes, ids, ids, record, self.scale_names, all_in_total=False)
            named = [("groups", respondents, key)]
            table, _ = completion.over(source, named, agg, n_scales, total=False)
        array: Any = getattr(respondents, "array", respondents)
        names = np.array(self.scale_names, dtype=object)
        respondent = array.take(table.first_rows)
        if isinstance(respondent, pd.arrays.NumpyExtensionArray):
            respondent = respondent.to_numpy()
        return ScaleArrays(
            respondent, names[table.scales], table.scores, table.n_items, table.n_missing
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a ScoringKey cannot be changed, so {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a ScoringKey cannot be changed, so {name!r} cannot be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (tuple(self._specification), self.matching)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoringKey):
            return NotImplemented
        return (self._specification, self.matching) == (other._specification, other.matching)

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        return (
            f"<ScoringKey of {self.n_items} items in {len(self.dimensions)} scales, "
            f"{'' if self.matching == 'strict' else f'{self.matching}, '}{self.fingerprint}>"
        )


def _restore(specification: tuple[Any, ...], matching: Matching) -> ScoringKey:
    key = ScoringKey.__new__(ScoringKey)
    key._compile(Specification(*specification), matching)
    return key


def key_of(experiment: Any, matching: Matching | None = None) -> ScoringKey:
    """Return the key of an experiment: a questionnaire of this package keeps those it had to make.

    Parameters
    ----------
    experiment : Questionnaire, ScoringKey, experiment, mapping or path
        The experiment, or its key.
    matching : {"strict", "lenient"}, optional
        How the key has to match. Default: as it does, or strictly.
    """
    if matching is not None:
        check_matching(matching)
    if isinstance(experiment, ScoringKey):
        if matching in (None, experiment.matching):
            return experiment
        return ScoringKey(experiment, matching)
    matching = matching or "strict"
    questionnaire = questionnaire_of(experiment)
    if not isinstance(questionnaire, Questionnaire):
        return ScoringKey(questionnaire, matching)
    keys: dict[str, ScoringKey] = questionnaire._compiled
    if matching not in keys:
        keys[matching] = ScoringKey(questionnaire, matching)
    return keys[matching]
