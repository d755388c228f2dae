"""Mappings and sequences that cannot be changed, so that what is compiled from them stays true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


def _refuse(_self: object, *_args: object, **_kwargs: object) -> NoReturn:
    raise TypeError("this is part of a questionnaire, which cannot be changed")


class FrozenDict(dict[K, V]):
    """A dictionary whose items are set once, when it is made."""

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)

    def __copy__(self) -> FrozenDict[K, V]:
        return self

    def __deepcopy__(self, _memo: object) -> FrozenDict[K, V]:
        return self


class FrozenRecord(FrozenDict[K, V]):
    """A dictionary that cannot be changed here, but is an ordinary one where it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class FrozenList(list[V]):
    """A list that cannot be changed, where JSON is expected, which has no tuples.

    Where it is unpickled it is an ordinary one.
    """

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = pop = remove = clear = sort = reverse = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)

    def __copy__(self) -> FrozenList[V]:
        return self

    def __deepcopy__(self, _memo: object) -> FrozenList[V]:
        return self


def freeze(value: Any) -> Any:
    """Return the value with all mappings and lists in it, at any depth, made unchangeable."""
    if isinstance(value, Mapping):
        return FrozenDict({key: freeze(item) for key, item in value.items()})
    if isinstance(value, (list, tuple)):
        return tuple(freeze(item) for item in value)
    if isinstance(value, (set, frozenset)):
        return frozenset(value)
    return value
