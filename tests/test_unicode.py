"""Every Unicode scalar is folded and split as the running interpreter folds and splits it."""

from __future__ import annotations

import unicodedata

import pytest
import scorekey as sk
from scorekey._core import fold

from tests.material import answers, options, questionnaire, scores

SURROGATES = range(0xD800, 0xE000)
SCALARS = [chr(code) for code in range(0x110000) if code not in SURROGATES]
AT_ONCE = 4096


def expected(text: str) -> str:
    return " ".join(text.split()).casefold()


def differing(characters: list[str], form) -> list[str]:
    """Return the characters that are folded otherwise in texts of the given form."""
    found = []
    for start in range(0, len(characters), AT_ONCE):
        chunk = characters[start : start + AT_ONCE]
        text = "|".join(map(form, chunk))
        if fold(text) != expected(text):
            found += [c for c in chunk if fold(form(c)) != expected(form(c))]
    return found


@pytest.mark.parametrize(
    "form",
    [
        lambda c: f"A{c}B",
        lambda c: f" {c}{c} Σ{c}",
        lambda c: f"{c} ΑΣ{c}",
    ],
    ids=["inside", "doubled", "after-a-final-sigma"],
)
def test_every_scalar(form, record_property, capsys):
    assert len(SCALARS) == 1_112_064
    found = differing(SCALARS, form)
    assigned = [c for c in found if unicodedata.category(c) != "Cn"]
    record_property("unassigned", len(found))
    with capsys.disabled():
        print(
            f"[{len(found)} unassigned characters fold otherwise than in Unicode "
            f"{unicodedata.unidata_version}]",
            end="",
        )
    assert [f"U+{ord(c):04X}" for c in assigned] == []


@pytest.mark.parametrize("form", ["{}", " {}", "{} ", "{}A", "A{}", "{}{}A {}"])
def test_white_space_at_the_edge_of_a_text(form):
    spaces = [c for c in SCALARS if c.isspace()]
    texts = [form.replace("{}", c) for c in spaces]
    assert list(map(fold, texts)) == list(map(expected, texts))


def test_white_space_is_what_split_splits_on():
    spaces = {c for c in SCALARS if not c.split()}
    assert {c for c in SCALARS if not fold(c)} == spaces
    assert {ord(c) for c in spaces} == {
        *range(0x09, 0x0E),
        *range(0x1C, 0x21),
        0x85,
        0xA0,
        0x1680,
        *range(0x2000, 0x200B),
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
    }


def test_a_surrogate_is_an_ordinary_character():
    for code in SURROGATES:
        text = f" A{chr(code)}\n B "
        assert fold(text) == f"a{chr(code)} b"
    assert fold("\ud83d\ude00") != fold("\U0001f600")


@pytest.mark.parametrize("text", ["", " ", "\0", "a\0 B", "\U0010ffff", "x" * 100_000, "ﬃ" * 5000])
def test_texts_of_every_length(text):
    assert fold(text) == expected(text)


def test_folding_decides_matching():
    """A sample of what changes when it is folded goes through the whole package."""
    changing = [c for c in SCALARS[::7] if c != c.casefold() and c.strip()][:400]
    key = sk.ScoringKey(questionnaire(default=options(*(f"{c} {c}" for c in changing))))
    groups: dict[str, set[int]] = {}
    for position, c in enumerate(changing, 1):
        groups.setdefault(expected(f"{c} {c}"), set()).add(position)
    got = scores(answers([f"{c.casefold()}\t{c} " for c in changing]), key)
    for c, score in zip(changing, got, strict=True):
        alike = groups[expected(f"{c} {c}")]
        assert score == (next(iter(alike)) if len(alike) == 1 else None)
