"""The benchmark of summaries: what it reads, what it expects of a summary, and what it counts."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.artifacts.trajectories import (
    Expected,
    ToolOutput,
    expected,
    is_hit,
    main,
    measure,
    read_contexts,
    reply,
    tool_outputs,
)
from tests.cases import each_case

STATE = "\n(Open file: n/a)\n(Current directory: /app)\nbash-$"
FAILED = "FAILED tests/test_a.py::test_x - assert 0\nFAILED tests/test_a.py::test_y[ü] - assert 0\n2 failed in 0.10s\n"
LARGE = "".join(f"{number} файл записан\n" for number in range(1_000))


def swe_agent_run() -> dict[str, Any]:
    return {
        "history": [
            {"role": "system", "content": "Be good."},
            {"role": "user", "content": "Mend it."},
            {"role": "assistant", "content": "I run the tests.", "action": "pytest -q\n"},
            {"role": "user", "content": FAILED + STATE},
            {"role": "assistant", "content": "Once more.", "action": "rm a\n"},
            {"role": "user", "content": STATE},
        ]
    }


def message_run() -> dict[str, Any]:
    call = {"id": "1", "function": {"name": "list_files", "arguments": '{"of": "/"}'}}
    return {
        "traj": [
            {"role": "user", "content": [{"type": "text", "text": "What is there?"}]},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "1", "content": LARGE},
            {"role": "assistant", "content": "Files."},
        ]
    }


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "a.traj").write_text(json.dumps(swe_agent_run()), encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps([message_run()]), encoding="utf-8")
    return tmp_path


def test_outputs_are_read_with_what_called_them(directory: Path) -> None:
    assert [*tool_outputs(directory)] == [ToolOutput(FAILED, "", "pytest -q\n"), ToolOutput(LARGE, "list_files", "")]


def test_everything_else_stays_inline(directory: Path) -> None:
    first, second = read_contexts(directory)
    assert first.inline == ["Be good.", "Mend it.", "I run the tests.", STATE, "Once more.", STATE]
    assert second.inline == ["What is there?", '{"of": "/"}', "Files."]


def test_a_directory_without_runs_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        [*read_contexts(tmp_path)]


def test_only_what_is_above_the_threshold_is_replaced(directory: Path) -> None:
    contexts = [*read_contexts(directory)]
    result = measure(contexts, len)
    texts = [text for context in contexts for text in context.inline]
    inline = sum(map(len, texts)) + len(FAILED)
    whole = inline + len(LARGE)
    left = len(reply(contexts[1].outputs[0]))
    assert (result.runs, result.outputs, result.offloaded) == (2, 2, 1)
    assert result.inline_share == pytest.approx(inline / whole)
    assert result.tokens_left == pytest.approx((inline + left) / whole)
    assert result.offloaded_left == pytest.approx(left / len(LARGE))


@each_case(
    ("output", "texts"),
    [
        (FAILED, ["test_x", "test_y[ü]"]),
        ("FAIL: test_a (m.C.test_a)\nAssertionError: no\n", ["test_a"]),
        ("--- FAIL: TestX (0.00s)\n", ["TestX"]),
        ("KeyError: 'a'\nmore\nValueError: " + "v" * 60, ["ValueError", "v" * 40]),
        ("a.c:3:1: error: expected ';' before '}' token\n", ["error", "expected ';' before '}' token"]),
        ("- E999 SyntaxError: bad\n", ["SyntaxError: bad"]),
        ("cat: x: No such file or directory\n", ["No such file or directory"]),
    ],
)
def test_failing_tests_or_the_last_error_are_expected(output: str, texts: list[str]) -> None:
    assert expected(output) == Expected(texts)


@pytest.mark.parametrize("output", ["3 passed\n", "raise ValueError(x)\n", "", "no errors\n"])
def test_of_what_went_well_nothing_is_expected(output: str) -> None:
    assert expected(output) is None
    assert is_hit(ToolOutput(output)) is None


def test_a_summary_hits_only_if_it_names_everything() -> None:
    wanted = Expected(["ValueError", "too small a number"])
    assert wanted.is_named_in("x, ValueError:\n  too small a   number [a.py:3]")
    assert not wanted.is_named_in("x, ValueError: too small")
    assert is_hit(ToolOutput(FAILED, "", "pytest")) is True


def test_figures_are_printed_as_json(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(directory), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["outputs"], told["outputs_with_failure"], told["summary_hits"]) == (2, 1, 1.0)
    assert 0 < told["tokens_left"] < 1
