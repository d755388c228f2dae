"""What the package does to the process that it runs in: panics, forks, threads, signals, memory."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import scorekey as sk
from scorekey import _core

OPTIONS = {str(i): {"text": f"{i}. option", "weight": i} for i in range(1, 6)}
QUESTIONNAIRE = {
    "name": "Four items",
    "general_instruction": "Answer.",
    "attributes": {"dimension": {"1": "A", "2": "B"}},
    "default_answer_options": OPTIONS,
    "instruction_items": [
        {"question": "q", "reversed": i % 2 == 1, "attributes": {"dimension": str(i // 2 + 1)}}
        for i in range(4)
    ],
}


def frame(rows: int) -> pd.DataFrame:
    position = np.arange(rows)
    texts = np.array([option["text"] for option in OPTIONS.values()], dtype=object)
    return pd.DataFrame(
        {
            "profile_id": (position // 4 % 1000).astype(str).astype(object),
            "instruction_item_id": position % 4,
            "decision": texts[position * 7 % 5],
        }
    )


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process of its own; a watchdog ends it after five minutes."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_panic_is_an_ordinary_exception(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(sk.InternalError, match="on purpose") as caught:
        _core.panic_on_purpose()
    assert isinstance(caught.value, RuntimeError)
    assert "on purpose" in capfd.readouterr().err


def test_a_pickled_key_works_in_another_process() -> None:
    key = sk.ScoringKey(QUESTIONNAIRE)
    code = f"""
        import pickle
        key = pickle.loads({pickle.dumps(key)!r})
        print(key.fingerprint, key.score([0, 1], ["4. option", "4. option"]).tolist())
    """
    assert run(code).stdout.split(maxsplit=1) == [key.fingerprint, "[4.0, 2.0]\n"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_after_first_use_does_not_hang() -> None:
    code = """
        import os, warnings
        import numpy as np, pandas as pd, scorekey as sk
        warnings.simplefilter("ignore")
        key = sk.ScoringKey({
            "name": "q", "general_instruction": "g",
            "default_answer_options": {"1": {"text": "a", "weight": 1}},
            "instruction_items": [{"question": "q"}],
        })
        items = np.zeros(300_000, dtype=int)
        decisions = pd.Series(["a"] * 300_000, dtype="category")
        sk.set_num_threads(4)
        def work():
            points = key.score(items, decisions)
            return key.aggregate(points, items, items).score.tolist()
        assert work() == [1.0]
        child = os.fork()
        if child == 0:
            os._exit(0 if work() == [1.0] else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    result = run(code)
    assert result.stdout == "0\n", result.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("kind", ["object", "category"])
def test_a_signal_ends_a_long_call(kind: str) -> None:
    code = f"""
        import signal, time
        import numpy as np, pandas as pd, scorekey as sk
        rows = 30_000_000
        key = sk.ScoringKey({{
            "name": "q", "general_instruction": "g",
            "default_answer_options": {{"1": {{"text": "a", "weight": 1}}}},
            "instruction_items": [{{"question": "q"}}],
        }})
        items = np.zeros(rows, dtype=np.int8)
        decisions = pd.Series(pd.Categorical.from_codes(items, ["a"]))
        if {kind!r} == "object":
            decisions = decisions.astype(object)
        def stop(*_):
            raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, stop)
        late = []
        for _ in range(5):
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            begun = time.perf_counter()
            try:
                while time.perf_counter() - begun < 30:
                    key.score(items, decisions)
                late.append(30)
            except KeyboardInterrupt:
                late.append(time.perf_counter() - begun - 0.02)
        print(sorted(late)[2] < 0.5)
    """
    result = run(code)
    assert result.stdout == "True\n", result.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_what_a_signal_raises_is_never_lost() -> None:
    # np.asarray(series) loses one in fifty, see columns.as_numpy.
    code = """
        import random, signal, time
        import numpy as np, pandas as pd, scorekey as sk
        key = sk.ScoringKey({
            "name": "q", "general_instruction": "g",
            "default_answer_options": {"1": {"text": "a", "weight": 1}},
            "instruction_items": [{"question": "q"}],
        })
        items, decisions = pd.Series(np.zeros(500, int)), pd.Series(["a"] * 500, dtype=object)
        def stop(*_):
            raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, stop)
        lost = 0
        for _ in range(400):
            begun = time.perf_counter()
            try:
                signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0002, 0.002))
                while time.perf_counter() - begun < 20:
                    key.score(items, decisions)
                lost += 1
                break
            except KeyboardInterrupt:
                pass
        print(lost)
    """
    result = run(code)
    assert result.stdout == "0\n", result.stderr


def test_many_threads_share_a_key() -> None:
    key = sk.ScoringKey(QUESTIONNAIRE)
    answers = frame(400)
    items, decisions = answers["instruction_item_id"].to_numpy(), answers["decision"]
    expected = sk.score_answers(answers, key)["score"].to_numpy()

    def work(_: int) -> bool:
        return bool((key.score(items, decisions) == expected).all())

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(2000), timeout=60))


def test_results_are_the_same_for_every_number_of_threads() -> None:
    rows = 300_000
    answers = frame(rows)
    decimal = {
        **QUESTIONNAIRE,
        "default_answer_options": {
            i: {**option, "weight": option["weight"] / 3} for i, option in OPTIONS.items()
        },
    }
    for questionnaire in (QUESTIONNAIRE, decimal):
        for agg in ("mean", "sum", "std", "median", "first"):
            results = []
            for threads in (1, 2, 5):
                sk.set_num_threads(threads)
                try:
                    table = sk.score_experiment(
                        questionnaire, answers, by="profile_id", agg=agg, include_total=True
                    )
                finally:
                    sk.set_num_threads(None)
                results.append(table)
            for other in results[1:]:
                pd.testing.assert_frame_equal(results[0], other, check_exact=True)


@pytest.mark.parametrize("number", [0, -1, True, 1.5, "2"])
def test_a_wrong_number_of_threads_is_refused(number: object) -> None:
    with pytest.raises(ValueError, match="number of threads"):
        sk.set_num_threads(number)  # type: ignore[arg-type]


def test_the_environment_chooses_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEY_NUM_THREADS", "3")
    assert sk.get_num_threads() == 3
    sk.set_num_threads(2)
    assert sk.get_num_threads() == 2
    sk.set_num_threads(None)
    monkeypatch.setenv("SCOREKEY_NUM_THREADS", "many")
    assert sk.get_num_threads() >= 1


def test_import_brings_in_nothing_that_is_not_needed() -> None:
    code = """
        import sys
        import scorekey
        print({"pyarrow", "typer", "rich", "scipy", "rupsycho"} & set(sys.modules))
    """
    needed = """
        import sys
        import pandas
        print({"pyarrow", "typer", "rich", "scipy", "rupsycho"} & set(sys.modules))
    """
    assert run(code).stdout == run(needed).stdout


def test_calls_do_not_leak() -> None:
    code = """
        import gc, resource, warnings
        import pandas as pd, scorekey as sk
        warnings.simplefilter("ignore")
        key = sk.ScoringKey({
            "name": "q", "general_instruction": "g",
            "default_answer_options": {"1": {"text": "a", "weight": 1}},
            "instruction_items": [{"question": "q"}],
        })
        frame = pd.DataFrame({"instruction_item_id": [0, 0], "decision": ["a", 1.5]})
        wrong = frame.assign(instruction_item_id=7)
        def calls(n):
            for _ in range(n):
                scored = sk.score_answers(frame, key)
                sk.scale_scores(scored)
                sk.score_experiment(key, frame)
                key.score([0], ["a"])
                try:
                    sk.score_answers(wrong, key)
                except ValueError:
                    pass
        def peak():
            gc.collect()
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        calls(300)
        before = peak()
        calls(1000)
        print(peak() - before)
    """
    assert int(run(code).stdout) < 4096
