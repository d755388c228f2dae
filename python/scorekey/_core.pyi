"""The compiled core. Not public: use the functions of `scorekey`."""

from collections.abc import Sequence
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

__all__ = [
    "KINDS",
    "Answers",
    "Codes",
    "ItemIds",
    "Key",
    "ReplyReader",
    "Responses",
    "Tally",
    "__version__",
    "aggregate",
    "bare_form",
    "encode_indices",
    "encode_numbers",
    "encode_objects",
    "encode_texts",
    "fold",
    "gather",
    "item_ids",
    "item_matrix",
    "lenient_form",
    "nearest",
    "panic_on_purpose",
    "places",
    "spread_texts",
    "stack_columns",
    "tally",
]

__version__: str
KINDS: tuple[str, ...]

_Chunk: TypeAlias = tuple[
    npt.NDArray[Any], npt.NDArray[np.uint8], npt.NDArray[np.uint8] | None, int
]
_Source: TypeAlias = Answers | tuple[Codes, Sequence[int], npt.NDArray[np.float64]] | Responses
_Keys: TypeAlias = Sequence[tuple[Codes, Sequence[int] | None]]
_Table: TypeAlias = tuple[
    npt.NDArray[np.int64],
    npt.NDArray[np.uint32],
    npt.NDArray[np.float64],
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
]
_Replies: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.uint8], npt.NDArray[np.int32]]

@final
class Codes:
    @property
    def n_values(self) -> int: ...
    @property
    def has_texts(self) -> bool: ...
    @property
    def has_only_texts(self) -> bool: ...
    def __len__(self) -> int: ...
    def values(self) -> list[Any]: ...
    def others(self) -> list[tuple[int, Any]]: ...
    def appearances(self, missing: bool) -> list[tuple[int, int]]: ...
    def count(self, codes: Sequence[int]) -> int: ...
    def take(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint32]: ...
    def spread(
        self, rows: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8], npt.NDArray[np.bool_]]: ...
    def replace_others(self, texts: Sequence[str | None]) -> Codes: ...
    def recode(self, table: Sequence[int]) -> Codes: ...

@final
class Key:
    def __new__(
        cls,
        option_sets: Sequence[Sequence[tuple[str, float, bool]]],
        items: Sequence[tuple[int, bool, int, tuple[float, float] | None]],
        lenient: bool = False,
    ) -> Key: ...
    @property
    def has_clashes(self) -> bool: ...
    def clashes(self, item: int) -> list[str]: ...
    def look_alikes(self, item: int) -> list[list[str]]: ...
    def range(self, item: int) -> tuple[float, float] | None: ...

@final
class ItemIds:
    def __len__(self) -> int: ...
    @staticmethod
    def from_codes(
        codes: Codes, positions: Sequence[int | None], n_items: int
    ) -> ItemIds | None: ...
    def present(self, n_items: int) -> list[int]: ...
    def codes(self) -> Codes: ...
    def positions(self) -> npt.NDArray[np.uint32]: ...

@final
class Answers:
    def __new__(cls, key: Key, item_ids: ItemIds, decisions: Codes) -> Answers: ...
    def with_verdicts(self, verdicts: Codes, is_invalid: Sequence[bool]) -> Answers: ...
    def unmatched(self) -> tuple[int, int] | None: ...
    def scores(self, threads: int) -> npt.NDArray[np.float64]: ...
    def decide(
        self, items: Sequence[int], codes: Sequence[int]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32], npt.NDArray[np.float64]]: ...
    def outcomes(self) -> npt.NDArray[np.uint8]: ...

@final
class Tally:
    @property
    def unlisted(self) -> int: ...
    def texts(self) -> list[str | None]: ...
    def pairs(
        self,
    ) -> tuple[
        npt.NDArray[np.uint32],
        npt.NDArray[np.int64],
        npt.NDArray[np.uint8],
        npt.NDArray[np.uint8],
        npt.NDArray[np.float64],
        npt.NDArray[np.int64],
        npt.NDArray[np.int64],
        npt.NDArray[np.int64],
        npt.NDArray[np.int64],
    ]: ...
    def respondents(self) -> npt.NDArray[np.int64]: ...
    def by_scale(self) -> tuple[npt.NDArray[np.uint32], int]: ...
    def answered(self, groups: npt.NDArray[np.uint32], n_groups: int) -> npt.NDArray[np.uint32]: ...
    def styles(
        self, threads: int
    ) -> tuple[
        npt.NDArray[np.uint32],
        npt.NDArray[np.uint32],
        npt.NDArray[np.float64],
        npt.NDArray[np.float64],
        npt.NDArray[np.uint32],
        npt.NDArray[np.uint32],
        npt.NDArray[np.uint32],
    ]: ...

def tally(
    answers: Answers, keys: _Keys, most_texts: int, only_valid: bool, threads: int
) -> Tally: ...
def places(ids: ItemIds, codes: Codes, n_items: int) -> list[tuple[int, int, int, int]]: ...
def nearest(text: str, options: Sequence[str], least: float) -> tuple[int, float] | None: ...
def item_ids(array: npt.NDArray[Any], n_items: int, threads: int) -> ItemIds | None: ...
def encode_objects(array: npt.NDArray[np.object_]) -> Codes: ...

@final
class ReplyReader:
    def __new__(
        cls,
        levels: Sequence[tuple[float, float, str, str]],
        names: Sequence[str],
        others: Sequence[str] | None,
        field: str,
        markers: Sequence[str],
    ) -> ReplyReader: ...
    def read_texts(self, chunks: Sequence[_Chunk], threads: int) -> _Replies: ...
    def read_cells(self, cells: list[Any], threads: int) -> tuple[_Replies, list[int]]: ...

@final
class Responses:
    def __new__(cls, source: _Source, keys: _Keys, items: Codes, n_items: int) -> Responses: ...
    def first_rows(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]: ...
    def first_misplaced(self, scale_of: Sequence[int]) -> int | None: ...
    def first_repetition(self) -> tuple[int, int] | None: ...
    def resolve(self, policy: str) -> tuple[Responses, Responses]: ...
    def distinct(self) -> Responses | None: ...
    def measured(self, measure: str, ranges: Sequence[tuple[float, float]]) -> Responses: ...
    def item_scores(self, median: bool, threads: int) -> npt.NDArray[np.float64]: ...
    def impute(
        self,
        rows: npt.NDArray[np.int64],
        scales: npt.NDArray[np.uint32],
        items_of: Sequence[Sequence[int]],
        fills: Sequence[float],
        total: int | None,
    ) -> Responses: ...

def encode_texts(chunks: Sequence[_Chunk], threads: int) -> Codes: ...
def encode_numbers(
    array: npt.NDArray[Any],
    threads: int,
    mask: npt.NDArray[np.bool_] | None = None,
    sentinel: int | None = None,
) -> Codes: ...
def encode_indices(
    array: npt.NDArray[Any], categories: Codes, mask: npt.NDArray[np.bool_] | None = None
) -> Codes: ...
def spread_texts(
    texts: Sequence[str], positions: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]: ...
def aggregate(
    source: _Source, keys: _Keys, n_scales: int, total: bool, name: str, threads: int
) -> _Table: ...
def gather(
    source: _Source, keys: _Keys, n_scales: int, total: bool, threads: int
) -> tuple[_Table, npt.NDArray[np.float64], npt.NDArray[np.int64]]: ...
def item_matrix(
    items: ItemIds,
    scores: npt.NDArray[np.float64],
    keys: _Keys,
    n_items: int,
    duplicates: str,
    threads: int,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], tuple[int, int]]: ...
def stack_columns(
    columns: Sequence[tuple[int, Codes, Sequence[int]]], rows: int, n_items: int, threads: int
) -> tuple[ItemIds, Codes, Codes]: ...
def fold(text: str) -> str: ...
def lenient_form(text: str) -> str: ...
def bare_form(text: str) -> str: ...
def panic_on_purpose() -> None: ...
