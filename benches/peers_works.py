"""Who does which work: the contestants of each line of the table."""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import peers_loop
from peers_contest import Contestant, same_array, same_frame, same_points, same_scales
from peers_frames import Material

import scorekey as sk

THREADS = (1, 2)
EXACT = ", exact matching only"
PEERS = ("rupsycho", "Polars", "DuckDB", "loop", "copy")

# Polars reads it when it is imported, which is why the engines are imported only where they run.
os.environ["POLARS_MAX_THREADS"] = str(max(THREADS))


def score_experiment(material: Material, peers: Sequence[str]) -> Iterator[Contestant]:
    frame, questionnaire = material.frame, material.questionnaire
    expected = sk.score_experiment(questionnaire, frame, include_total=True)
    judge = same_frame(expected)
    yield from _ours(lambda: sk.score_experiment(questionnaire, frame, include_total=True), judge)
    if reference := _rupsycho(material, peers):
        scoring, theirs = reference
        run = lambda: scoring.score_experiment(theirs, frame, include_total=True)  # noqa: E731
        yield Contestant("rupsycho", run, judge)
    if _engines_run(material, peers):
        expected = sk.score_experiment(questionnaire, material.exactly_spelled, include_total=True)
        yield from _engines(material, peers, "score_experiment", same_scales(expected, EXACT))
    if "loop" in peers and material.kind == "object":
        look = same_scales(expected)
        yield Contestant(
            "plain Python loop",
            lambda: peers_loop.score_experiment(frame, material.specification),
            lambda result: look(peers_loop.table(result)),
        )


def score_answers(material: Material, peers: Sequence[str]) -> Iterator[Contestant]:
    frame, questionnaire = material.frame, material.questionnaire
    expected = sk.score_answers(frame, questionnaire)
    judge = same_frame(expected)
    yield from _ours(lambda: sk.score_answers(frame, questionnaire), judge)
    if reference := _rupsycho(material, peers):
        scoring, theirs = reference
        yield Contestant("rupsycho", lambda: scoring.score_answers(frame, theirs), judge)
    if "copy" in peers and pd.__version__ < "3":  # where the result needs a copy of the frame
        added = expected[["score", "dimension"]]

        def copied() -> pd.DataFrame:
            new = {name: column.copy(deep=True) for name, column in added.items()}
            return frame.copy(deep=True).assign(**new)

        yield Contestant("copy of the frame and the new columns", copied, judge)
    if _engines_run(material, peers):
        exact = sk.score_answers(material.exactly_spelled, questionnaire)
        yield from _engines(material, peers, "score_answers", same_points(exact, EXACT))


def scale_scores(material: Material, peers: Sequence[str]) -> Iterator[Contestant]:
    scored = material.scored
    judge = same_frame(sk.scale_scores(scored, include_total=True))
    yield from _ours(lambda: sk.scale_scores(scored, include_total=True), judge)
    if reference := _rupsycho(material, peers):
        scoring, _ = reference
        run = lambda: scoring.scale_scores(scored, include_total=True)  # noqa: E731
        yield Contestant("rupsycho", run, judge)
    if _engines_run(material, peers):
        exact = sk.score_answers(material.exactly_spelled, material.questionnaire)
        expected = sk.scale_scores(exact, include_total=True)
        yield from _engines(material, peers, "scale_scores", same_scales(expected, EXACT))


def key_score(material: Material, peers: Sequence[str]) -> Iterator[Contestant]:
    """Arrays in, an array out, against NumPy copying the bytes of both."""
    key = sk.ScoringKey(material.questionnaire)
    ids, valid = (material.frame[name].to_numpy() for name in ("instruction_item_id", "valid"))
    decisions = material.frame["decision"].array
    if material.kind in ("object", "distinct"):
        decisions = np.asarray(decisions)
    expected = key.score(ids, decisions, valid)
    judge = same_array(expected)
    yield from _ours(lambda: key.score(ids, decisions, valid), judge)
    if "copy" not in peers:
        return
    sources = [ids, valid, expected, *_buffers(decisions)]
    targets = [np.zeros_like(source) for source in sources]
    yield Contestant(
        "NumPy, a copy of input and output",
        lambda: [source.copy() for source in sources][2],
        judge,
    )

    def into() -> Any:
        for target, source in zip(targets, sources, strict=True):
            np.copyto(target, source)
        return targets[2]

    yield Contestant("NumPy, the same copy into memory that exists", into, judge)


def small_frame(material: Material, peers: Sequence[str]) -> Iterator[Contestant]:
    """Both steps on the answers of one respondent, as a script that scores one by one has them."""
    frame, questionnaire = material.frame, material.questionnaire

    def by(module: Any, theirs: Any) -> Callable[[], pd.DataFrame]:
        return lambda: module.scale_scores(module.score_answers(frame, theirs), include_total=True)

    run = by(sk, questionnaire)
    judge = same_frame(run())
    yield from _ours(run, judge)
    if reference := _rupsycho(material, peers):
        yield Contestant("rupsycho", by(*reference), judge)


WORKS: dict[str, Callable[[Material, Sequence[str]], Iterator[Contestant]]] = {
    "score_experiment": score_experiment,
    "score_answers": score_answers,
    "scale_scores": scale_scores,
    "key.score": key_score,
}


def _ours(run: Callable[[], Any], judge: Callable[[Any], str]) -> Iterator[Contestant]:
    def with_threads(number: int) -> Callable[[], Any]:
        def call() -> Any:
            sk.set_num_threads(number)
            return run()

        return call

    for number in THREADS:
        yield Contestant(f"scorekey, {number}", with_threads(number), judge)


def _rupsycho(material: Material, peers: Sequence[str]) -> tuple[Any, Any] | None:
    """Return rupsycho's scoring module and its questionnaire, if it is there and wanted."""
    if "rupsycho" not in peers or not importlib.util.find_spec("rupsycho"):
        return None
    models = importlib.import_module("rupsycho.models.questionnaire")
    scoring = importlib.import_module("rupsycho.scoring")
    return scoring, models.Questionnaire.model_validate(material.specification)


def _engines_run(material: Material, peers: Sequence[str]) -> bool:
    """Return whether engines are wanted: they have text and categories, so only these compare."""
    return material.kind in ("str", "category") and bool({"Polars", "DuckDB"} & set(peers))


def _engines(
    material: Material, peers: Sequence[str], work: str, judge: Callable[[Any], str]
) -> Iterator[Contestant]:
    made: list[Any] = []
    if "Polars" in peers and importlib.util.find_spec("polars"):
        made.append(importlib.import_module("peers_polars").Polars(material))
    if "DuckDB" in peers and importlib.util.find_spec("duckdb"):
        made.append(importlib.import_module("peers_duckdb").DuckDB(material, max(THREADS)))
    for engine in made:
        yield Contestant(
            engine.name,
            getattr(engine, work),
            lambda result, table=engine.table: judge(table(result)),
        )


def _buffers(values: Any) -> list[Any]:
    """Return the bytes that hold the values, as arrays; of an object array the addresses."""
    if isinstance(values, np.ndarray):
        return [values.view(np.intp)] if values.dtype != object else [_addresses(values)]
    if isinstance(values, pd.Categorical):
        return [values.codes]
    chunks = values._pa_array.chunks
    return [np.frombuffer(b, np.uint8) for c in chunks for b in c.buffers() if b is not None]


def _addresses(objects: Any) -> Any:
    """Return as many bytes as the addresses of the objects take."""
    return np.arange(len(objects), dtype=np.intp)
