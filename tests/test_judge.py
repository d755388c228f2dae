"""``scorekey judge``: files of replies in, means out."""

from __future__ import annotations

import json
import tracemalloc

import pandas as pd
import pytest

typer = pytest.importorskip("typer")
pytest.importorskip("pyarrow")
from typer.testing import CliRunner  # noqa: E402

import scorekey as sk  # noqa: E402
from scorekey.command.judge import judge  # noqa: E402

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
            "the column 'reply' is missing; the file has the columns 'answer'",
            1,
        ),
        ("r.csv", "", "No columns to parse", 1),
        ("r.csv", "reply\n\udcff\n", "codec can't decode", 1),
        ("r.jsonl", '{"reply": "x"}\n[1]\n', "line 2: expected an object, got [1]", 1),
        ("r.jsonl", '{"reply": "x"}\n\n{\n', "line 3 is not JSON", 1),
        ("r.jsonl", '{"reply": {"score": 4}}\n', "line 1: 'reply' must be a text or a number", 1),
        ("r.parquet", "PAR1", "", 1),
        ("r.xlsx", "", "expected a file that ends in .csv", 1),
    ],
)
def test_files_that_cannot_be_read(tmp_path, name, content, message, code):
    path = tmp_path / name
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    result = run(path, "--rubric", "accuracy")
    assert result.exit_code == code
    assert message in result.output


def test_wrong_usage(tmp_path):
    path = write(tmp_path / "r.csv", REPLIES)
    assert run(tmp_path / "none.csv", "--rubric", "accuracy").exit_code == 2
    assert run(path, "--rubric", tmp_path / "none.json").exit_code == 2
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
