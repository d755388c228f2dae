"""Findings about the texts of items, answers and options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from scorekey.audit.counting import CLASH, IGNORED, MISSING, MOST_TEXTS, SCORED, UNMATCHED, Counts
from scorekey.audit.finding import Finding, item_names, numbered, places, share
from scorekey.audit.frames import TextCount, by_text
from scorekey.audit.reasons import difference, plainest
from scorekey.item_texts import collapsed, mismatches
from scorekey.messages import listed, shown

ANSWERS_PER_OPTION = 10
"""So many answers for each option are needed before an unused one is mentioned: an option that is
chosen half as often as the others is then unused by chance in less than one case of a hundred."""

READ_AS_MISSING = frozenset(
    {"#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"}
    | {"<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
)
"""Texts that ``pandas.read_csv`` takes for a missing cell."""

_ADVICE = {
    "leading label": "the answer has another label in front than the option, or none",
    "part of the option": "the answer is a part of an option's text",
    "longer text": "the option stands in a longer text",
    "several options": "several options stand in one text",
    "option of another item": "the answer is an option of another item",
    "truth value": "a reader of the file made truth values of texts such as 'yes' or '1'",
    "spelling": "the answer is misspelt",
    "other": "the answer resembles no option",
}


def item_texts(
    counts: Counts, texts: Any, text_column: Any, questions: Sequence[str]
) -> Iterator[Finding]:
    """Find item texts in the results that are not those of the questionnaire."""
    found = mismatches(counts.ids, texts, text_column, list(questions))
    place_of = {question: item for item, question in enumerate(questions)}
    forms = [plainest(question) for question in questions] if found else []
    item_of = {form: item for item, form in enumerate(forms)}
    moved, unknown, rewritten = [], [], set()
    for item, text, row, rows in found:
        text = collapsed(text)
        other, form = place_of.get(text), plainest(text)
        why = ""
        if other is None and form == forms[item]:
            rewritten.add(item)
            why = f": {difference(text, questions[item])}"
        elif other is None:
            other = item_of.get(form)
        if other is not None:
            moved.append((item, f"item {item} has the text of item {other}", rows))
        else:
            where = f"item {item}: {shown(text)}, expected {shown(questions[item])} (row {row})"
            unknown.append((item, f"{where}{why}", rows))
    if moved:
        n_items = len({item for item, _, _ in moved})
        yield Finding(
            "item_order",
            f"{numbered(n_items, 'item')} of the results "
            f"{'has the text' if n_items == 1 else 'have the texts'} of other items of the "
            f"questionnaire ({numbered(sum(rows for *_, rows in moved), 'row')}): the items are in "
            "another order, so answers are scored as those to another item.",
            places(where for _, where, _ in moved),
            n_items,
            "Score with the questionnaire that the results were made with, or renumber the column "
            "of item ids.",
        )
    if unknown:
        n_items = len({item for item, _, _ in unknown})
        n_alike = len(rewritten)
        alike = f"{n_alike} {'differs' if n_alike == 1 else 'differ'} only in how it is written"
        yield Finding(
            "item_texts",
            f"{numbered(n_items, 'item')} of the results "
            f"{'has a text' if n_items == 1 else 'have texts'} that the questionnaire does not "
            f"have ({numbered(sum(rows for *_, rows in unknown), 'row')})"
            f"{f'; {alike}' if n_alike else ''}.",
            places(where for _, where, _ in unknown),
            n_items,
            "Check that the results were made with this questionnaire and this version of it.",
        )


def answer_texts(counts: Counts, texts: pd.DataFrame) -> Iterator[Finding]:
    """Find texts that are no options, and what became of them.

    Parameters
    ----------
    counts : Counts
        What was counted.
    texts : DataFrame
        See `Audit.texts`.
    """
    matched = counts.rows_of(SCORED, IGNORED, CLASH)
    unmatched = counts.rows_of(UNMATCHED)
    if unmatched and not matched:
        yield Finding(
            "no_option_matched",
            f"None of the {numbered(unmatched, 'decision')} that are a text is an option of its "
            "item, so nothing is scored.",
            _top(texts[texts["what"] == "unmatched"]),
            unmatched,
            "Is this the column with the judge's choice (and not the raw answer), and is it the "
            "questionnaire of these results?",
        )
    unused = texts["count"] - texts["invalid"] if counts.only_valid else texts["count"]
    open_texts = texts.assign(count=unused)[(texts["what"] == "unmatched") & (unused > 0)]
    near = open_texts[open_texts["lenient"]]
    if len(near):
        rows = int(near["count"].sum())
        yield Finding(
            "near_matches",
            f"{numbered(rows, 'answer')} ({share(rows, counts.n_rows)}) "
            f"{'is an option' if rows == 1 else 'are options'} but for how they are written: "
            f"{_reasons(near)}.",
            _top(near),
            rows,
            "They have a score with matching='lenient'.",
        )
    others = open_texts[~open_texts["lenient"]]
    if len(others):
        rows = int(others["count"].sum())
        yield Finding(
            "unmatched_texts",
            f"{numbered(rows, 'answer')} ({share(rows, counts.n_rows)}) "
            f"{'is' if rows == 1 else 'are'} no option of the item: {_reasons(others)}.",
            _top(others),
            rows,
            "Let the judge answer with the options' own texts, or correct the decisions; "
            f"{_explained(others)}.",
        )
    if counts.tally.unlisted:
        more = counts.tally.unlisted
        yield Finding(
            "unlisted_texts",
            f"There are {len(counts.texts) + more} distinct decisions; the {MOST_TEXTS} most "
            f"frequent ones are listed, the other {more} are counted together.",
            (),
            more,
            "So many look like raw answers: is this the column with the judge's choice?",
        )


def options(counts: Counts) -> Iterator[Finding]:
    """Find options that share a text, that were lost on the way, and that nobody chose."""
    rows = np.where(counts.pairs.fate == CLASH, counts.valid_rows, 0)
    if rows.sum():
        pairs = counts.pairs
        found = np.flatnonzero((rows > 0) & (pairs.text >= 0))
        found = found[np.argsort(-rows[found], kind="stable")]
        yield Finding(
            "clashing_options",
            f"{numbered(int(rows.sum()), 'answer')} cannot be scored, because the text is that of "
            "several options, which score differently.",
            places(
                found.tolist(),
                lambda pair: (
                    f"item {pairs.item[pair]}: {shown(counts.texts[pairs.text[pair]])} "
                    f"({rows[pair]})"
                ),
            ),
            int(rows.sum()),
            "Give each option of an item a text of its own.",
        )
    yield from _lost(counts)
    yield from _unused(counts)


def _lost(counts: Counts) -> Iterator[Finding]:
    pairs = counts.pairs
    chosen = set(zip(pairs.item.tolist(), pairs.option.tolist(), strict=True))
    missing = np.bincount(
        pairs.item[pairs.fate == MISSING],
        weights=pairs.rows[pairs.fate == MISSING],
        minlength=counts.key.n_items,
    )
    lost: dict[str, list[int]] = {}
    for item in np.flatnonzero(missing).tolist():
        for option, text in enumerate(counts.option_texts(item)):
            if text in READ_AS_MISSING and (item, option) not in chosen:
                lost.setdefault(text, []).append(item)
    if lost:
        rows = int(missing[sorted({item for items in lost.values() for item in items})].sum())
        yield Finding(
            "lost_labels",
            f"Nobody chose {listed(lost)}, but {numbered(rows, 'decision')} on the same items "
            f"{'is' if rows == 1 else 'are'} missing: pandas.read_csv reads such a text as a "
            "missing cell.",
            places(
                f"option {shown(text)} of {', '.join(item_names(items))}"
                for text, items in lost.items()
            ),
            rows,
            "Read the file with scorekey.read_results, or with keep_default_na=False.",
        )


def _unused(counts: Counts) -> Iterator[Finding]:
    pairs, rows = counts.pairs, counts.valid_rows
    sets = np.array([options for options, _ in counts.key._specification.items], dtype=np.int64)
    chosen = (pairs.option >= 0) & (rows > 0)
    set_of = sets[pairs.item]
    found: list[tuple[str, str]] = []
    for number, options in enumerate(counts.key._specification.option_sets):
        here = chosen & (set_of == number)
        texts = {text: None for text, _, ignored in options if not ignored and text.strip()}
        if rows[here].sum() < ANSWERS_PER_OPTION * max(len(texts), 1):
            continue
        used = {options[option][0] for option in np.unique(pairs.option[here]).tolist()}
        items = np.flatnonzero(sets == number).tolist()
        where = "all items" if len(items) == len(sets) else ", ".join(item_names(items[:8]))
        found += [(text, where) for text in texts if text not in used]
    if found:
        yield Finding(
            "unused_options",
            f"Nobody chose {numbered(len(found), 'option')}.",
            places(f"{shown(text)} of {where}" for text, where in found),
            len(found),
            "That may be so; or the option never reached the respondents, or the judge does not "
            "recognise it.",
        )


def _top(texts: pd.DataFrame) -> tuple[str, ...]:
    """Return the most frequent texts with the reason and the option that may be meant."""
    return places(by_text(texts), _described)


def _described(text: TextCount) -> str:
    nearest = "" if text.nearest is None else f", nearest option {shown(text.nearest)}"
    return f"{shown(text.text)} ({text.answers}): {text.reason}{nearest}"


def _reasons(texts: pd.DataFrame) -> str:
    """Return the reasons with the number of rows of each."""
    reasons = texts["reason"].fillna("not listed")
    rows = texts.groupby(reasons)["count"].sum().sort_values(ascending=False, kind="stable")
    return ", ".join(f"{reason} ({count})" for reason, count in rows.items())


def _explained(texts: pd.DataFrame) -> str:
    """Return what the most frequent reason means."""
    rows = texts.groupby(texts["reason"].fillna("other"))["count"].sum()
    reason = str(rows.idxmax())
    return f"most of all, {_ADVICE.get(reason, f'they differ in: {reason}')}"
