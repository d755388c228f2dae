"""``scorekey judge``: files of replies in, means out."""

from __future__ import annotations

import json
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pandas as pd
import pytest

typer = pytest.importorskip("typer")
pytest.importorskip("pyarrow")
from typer.testing import CliRunner  # noqa: E402

import scorekey as sk  # noqa: E402
from scorekey.command.judge import judge  # noqa: E402

from .command_line import environment  # noqa: E402

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(judge)

REPLIES = pd.DataFrame(
    {
        "model": ["b", "a", "a", "b", "a"],
        "reply": ["Score: 5", "Score: 2", '{"score": 4}', "Score: 3 or 4", None],
    }
)
TABLE = """\
accuracy: mean scores on the scale from 1 to 5

model dimension  score  n_items  n_missing
    a  accuracy    3.0        2          1
    b  accuracy    5.0        1          1

Replies without a score: missing 1, several 1
"""


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def flat(text: str) -> str:
    """Return what a message says, without the frame that long ones are broken in."""
    return " ".join(text.replace("│", " ").split())


def write(path, frame: pd.DataFrame):
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        lines = frame.astype(object).where(frame.notna(), None).to_dict("records")
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_means_per_model(tmp_path, kind):
    path = write(tmp_path / f"replies.{kind}", REPLIES)
    result = run(path, "--rubric", "accuracy", "--by", "model")
    assert (result.exit_code, result.stdout) == (0, TABLE)


def test_several_columns_in_one_option(tmp_path):
    frame = pd.DataFrame({"a": ["x"], "b": ["y"], "c,d": ["z"], "reply": ["4"]})
    path = write(tmp_path / "r.csv", frame)
    one = run(path, "--rubric", "accuracy", "--by", "a, b", "--by", "c,d")
    assert one.stdout.splitlines()[2].split() == [
        "a", "b", "c,d", "dimension", "score", "n_items", "n_missing",
    ]  # fmt: skip


def test_groups_are_told_apart_as_everywhere(tmp_path):
    path = tmp_path / "r.jsonl"
    values = ["1", "true", '"1"', "null", "1.0", '"\\ud800"', "null"]
    path.write_text(
        "".join(f'{{"m": {m}, "reply": "{1 + n % 5}"}}\n' for n, m in enumerate(values))
    )
    result = run(path, "--rubric", "accuracy", "--by", "m")
    assert result.exit_code == 0
    # 1 and 1.0 have the scores 1 and 5, null has 4 and 2.
    assert [line.split() for line in result.stdout.splitlines()[3:8]] == [
        ["1", "accuracy", "3.0", "2", "0"],
        ["True", "accuracy", "2.0", "1", "0"],
        ["1", "accuracy", "3.0", "1", "0"],
        ["\\ud800", "accuracy", "1.0", "1", "0"],
        ["NaN", "accuracy", "3.0", "2", "0"],
    ]


@pytest.mark.parametrize("value", [["x"], {"x": 1}])
def test_groups_are_single_values(tmp_path, value):
    frame = pd.DataFrame({"m": ["x", value], "reply": ["4", "5"]})
    result = run(write(tmp_path / "r.jsonl", frame), "--rubric", "accuracy", "--by", "m")
    assert result.exit_code == 1
    assert f"r.jsonl, line 2: 'm' must be a text or a number, got {value}" in result.stderr
    frame["m"] = [value, value]
    result = run(write(tmp_path / "r.parquet", frame), "--rubric", "accuracy", "--by", "m")
    assert result.exit_code == 1
    assert "r.parquet: 'm' must hold texts or numbers" in result.stderr


def test_separators_and_encodings(tmp_path):
    frame = pd.DataFrame({"model": ["é", "é"], "reply": ["Score: 4\nso; there", "Score: 2"]})
    options = ["--rubric", "accuracy", "--by", "model"]
    expected = run(write(tmp_path / "r.csv", frame), *options).stdout
    assert "é  accuracy    3.0        2          0" in expected
    (tmp_path / "e.csv").write_text(frame.to_csv(sep=";", index=False), encoding="cp1252")
    found = run(tmp_path / "e.csv", *options, "--separator", ";", "--encoding", "cp1252")
    assert found.stdout == expected
    (tmp_path / "t.tsv").write_text(frame.to_csv(sep="\t", index=False), encoding="utf-8")
    assert run(tmp_path / "t.tsv", *options).stdout == expected


def test_an_empty_reply_is_a_row(tmp_path):
    (tmp_path / "r.csv").write_text('reply\n""\n\nScore: 4\n')
    assert "accuracy    4.0        1          1" in run(
        tmp_path / "r.csv", "--rubric", "accuracy"
    ).stdout  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk(tmp_path, unbuffered):
    path = write(tmp_path / "r.csv", REPLIES)
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "scorekey", "judge", str(path), "--rubric", "accuracy"],
            env=environment(PYTHONUNBUFFERED=unbuffered),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )
    assert result.returncode == 1
    assert result.stderr == "error: No space left on device\n"


def test_without_groups_and_with_a_rubric_of_ones_own(tmp_path):
    rubric = sk.ScoringRubric("tone", "Tone", [{"score_range": (0, 10), "description": "any tone"}])
    (tmp_path / "tone.json").write_text(rubric.to_json())
    frame = pd.DataFrame({"text": ["Note : 7", '{"tone_value": 1, "rating": 8}', "9/10"]})
    path = write(tmp_path / "replies.csv", frame)
    result = run(
        path, "--rubric", tmp_path / "tone.json", "--reply-column", "text", "--marker", "Note",
        "--score-field", "rating",
    )  # fmt: skip
    assert result.stdout == (
        "tone: mean scores on the scale from 0 to 10\n\n"
        "dimension  score  n_items  n_missing\n"
        "     tone    8.0        3          0\n"
    )


def test_the_same_as_scale_scores(tmp_path):
    models = [f"m{number % 7}" for number in range(10_000)]
    replies = [f"Score: {number % 6}" for number in range(10_000)]
    frame = pd.DataFrame({"model": models, "reply": replies})
    result = run(write(tmp_path / "r.csv", frame), "--rubric", "clarity", "--by", "model")
    rubric = sk.ScoringRubric.clarity()
    scored = sk.score_answers(
        sk.score_replies(frame["reply"], rubric), sk.Questionnaire.from_rubrics([rubric])
    )
    expected = sk.scale_scores(scored.assign(model=models), by="model")
    assert expected.to_string(index=False) in result.stdout


@pytest.mark.parametrize(
    ("name", "content", "message", "code"),
    [
        (
            "r.csv",
            "answer\nx\n",
            "the reply column 'reply' is missing; the file has the columns 'answer'",
            1,
        ),
        ("r.csv", "m;reply\nx;y\n", "try the separator ';'", 1),
        ("r.csv", "", "r.csv, line 1: the file is empty", 1),
        ("r.tsv", "reply\tm\nx\n", "r.tsv, line 2: the row has 1 cell", 1),
        ("r.csv", "reply,reply\nx,y\n", "'reply' occurs more than once", 1),
        ("r.csv", "reply\n\udcff\n", "r.csv, line 2: the byte 0xff is not utf-8-sig; try", 1),
        ("r.jsonl", "", "r.jsonl is empty", 1),
        ("r.jsonl", '\n{"reply": "\udcff"}\n', "r.jsonl, line 2: the byte 0xff is not utf-8", 1),
        ("r.jsonl", '{"answer": "x"}\n', "the column 'reply' is missing", 1),
        ("r.jsonl", '{"reply": "x"}\n[1]\n', "line 2: expected an object, got [1]", 1),
        ("r.jsonl", '{"reply": "x"}\n\n{\n', "line 3 is not JSON", 1),
        ("r.jsonl", '{"reply": {"score": 4}}\n', "line 1: 'reply' must be a text or a number", 1),
        ("r.parquet", "PAR1", "r.parquet cannot be read as a Parquet file", 1),
        ("r.parquet", "", "r.parquet cannot be read as a Parquet file", 1),
        ("r.xlsx", "", "expected a file that ends in .csv", 2),
        ("r", "reply\n", "expected a file that ends in .csv", 2),
    ],
)
def test_files_that_cannot_be_read(tmp_path, name, content, message, code):
    path = tmp_path / name
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    result = run(path, "--rubric", "accuracy")
    assert result.exit_code == code
    assert message in flat(result.output)


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_columns_that_are_not_there(tmp_path, kind):
    path = write(tmp_path / f"r.{kind}", REPLIES)
    for options, option in (
        (["--by", "judge"], "--by"),
        (["--by", "model,judge"], "--by"),
        (["--reply-column", "judge"], "--reply-column"),
    ):
        result = run(path, "--rubric", "accuracy", *options)
        assert result.exit_code == 2
        assert option in result.stderr
        assert "'judge' is missing" in flat(result.stderr)


def test_a_column_may_begin_late(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text('{"reply": "3"}\n' * 5000 + '{"reply": "5", "model": "a"}\n')
    result = run(path, "--rubric", "accuracy", "--by", "model")
    assert [line.split() for line in result.stdout.splitlines()[3:5]] == [
        ["a", "accuracy", "5.0", "1", "0"],
        ["NaN", "accuracy", "3.0", "5000", "0"],
    ]


def test_wrong_usage(tmp_path, monkeypatch):
    path = write(tmp_path / "r.csv", REPLIES)
    monkeypatch.chdir(tmp_path)
    for name in ("none.csv", "none", ".", "no*.csv", "r.tsv"):
        assert run(name, "--rubric", "accuracy").exit_code == 2
    for name in (tmp_path / "none.json", "."):
        assert run(path, "--rubric", name).exit_code == 2
    for options in (["--separator", ";;"], ["--encoding", "utf-99"]):
        assert run(path, "--rubric", "accuracy", *options).exit_code == 2
    result = run(path, "--rubric", "accurcy")
    assert result.exit_code == 2
    for part in ("'accurcy'", "accuracy, helpfulness, clarity", "no file of that name"):
        assert part in flat(result.stderr)
    (tmp_path / "bad.json").write_text('{"levels": []}')
    result = run(path, "--rubric", tmp_path / "bad.json")
    assert result.exit_code == 1
    assert "it has no levels" in result.output


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_memory_does_not_grow_with_the_file(tmp_path, kind):
    def peak(rows: int) -> int:
        frame = pd.DataFrame({"reply": ["x" * 1000 + "\nScore: 4"] * rows})
        path = write(tmp_path / f"{rows}.{kind}", frame)
        del frame
        tracemalloc.start()
        assert run(path, "--rubric", "accuracy").exit_code == 0
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    small = peak(8_192)
    assert peak(32_768) < small * 1.5 + 1_000_000
