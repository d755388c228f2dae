"""Lenient forms of every Unicode scalar are those of a twin with the interpreter's own tables."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekey._core import bare_form, fold, lenient_form
from tests import lenient_twin as twin
from tests.test_unicode import SCALARS

ASSIGNED = [c for c in SCALARS if unicodedata.category(c) not in ("Cn", "Co")]
# Where text is decided about: marks, spaces, digits, quotes, dashes, letters with several forms.
LETTERS = st.one_of(
    st.sampled_from(
        "aAéEe\u0301\u0308\u0345ßẞſİiIıσςΣǰﬁ 　\t\u00a0\x1c\u200b\u200d\ufeff\u00ad\ufe0f\u200f"
        "0123４٤४²₂½①Ⅳ四٫.,;:!?*_+-−–—﹘e'’`´\"“«″「。、،।ᾳͅ㎡™\u1100\u1161\u11a8가ﾊﾟ\ud800"
    ),
    st.sampled_from(ASSIGNED),
)
TEXTS = st.text(LETTERS, max_size=8)


@pytest.mark.parametrize("pattern", ["{}", "a{0}\u0301{0} B", "*4{}*"])
def test_every_scalar(pattern):
    wrong = []
    for text in map(pattern.format, ASSIGNED):
        form, bare = lenient_form(text), bare_form(text)
        if form != twin.form(text) or bare != twin.bare(form):
            wrong.append(ascii(text))
        if lenient_form(form) != form or bare_form(bare) != bare:
            wrong.append(ascii(text))
    assert wrong == []


@given(TEXTS)
def test_forms_are_those_of_the_twin(text):
    form = twin.form(text)
    assert lenient_form(text) == form
    assert bare_form(text) == twin.bare(form)
    assert lenient_form(form) == form
    assert bare_form(twin.bare(form)) == twin.bare(form)


@given(TEXTS)
def test_what_is_equal_stays_equal(text):
    assert lenient_form(fold(text)) == lenient_form(text)
    assert bare_form(lenient_form(text)) == bare_form(text)
    for kind in ("NFC", "NFD"):
        # Folding comes first, and takes an iota below a letter before marks are put in order.
        if "\u0345" not in unicodedata.normalize("NFD", text):
            assert lenient_form(unicodedata.normalize(kind, text)) == lenient_form(text)


def test_a_long_text():
    text = "Ａ\u0301 “x”… " * 20_000
    assert lenient_form(text) == twin.form(text)
