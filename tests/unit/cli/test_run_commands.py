"""The commands about runs, against a fake service."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from clients.python.tests.fake_server import FakeServer, running_in_thread
from tests.cli.conftest import Camillo

TEXT = "Где чай? お茶は 🍵 أين e\u0301"


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with running_in_thread() as fake:
        yield fake


@pytest.fixture
def camillo(server: FakeServer, tmp_path: Path) -> Camillo:
    return Camillo(server.address, tmp_path, "ada")


def test_a_run_goes_from_its_start_to_its_end(camillo: Camillo, server: FakeServer) -> None:
    started = camillo("run", "start", "message", "--payload", '{"text": "茶"}', "--focus", TEXT)
    assert started == "started r0\n\ntea is what Ada likes\n"
    request = server.desk.of("StartRun")[0]
    assert (request.trigger.type, request.focus, request.skip_snapshot) == ("message", TEXT, False)
    assert request.trigger.payload["text"] == "茶"
    assert camillo("run", "append", "r0", TEXT, "--call", "look", "--result", "2 tins") == ("appended round 1\n")
    assert camillo("run", "inject", "r0", "be", "brief") == "added instruction 1\n"
    rendered = camillo.run("run", "render", "r0", "--max-tokens", "200")
    assert rendered.stdout.splitlines()[-3:] == ["2 tins", TEXT, "be brief"]
    assert rendered.stderr.endswith(" tokens: rounds " + rendered.stderr.split()[0] + "\n")
    assert server.desk.of("RenderRun")[0].max_tokens == 200
    ended = camillo("run", "end", "r0", "--distill", "--remember", "Tea is low", "--remember", "x")
    assert ended.splitlines()[0] == "ended a run of 1 round, kept 3 memories"
    assert [line.split("  ", 1)[1] for line in ended.splitlines()[1:]] == ["be brief", "Tea is low", "x"]
    assert camillo.refused("run", "render", "r0") == (3, "no such run: r0 (see 'camillo run list')")


def test_a_listed_run_shows_what_it_is_about(camillo: Camillo) -> None:
    payloads = [
        ({"--payload": '{"text": "  \\n茶は?\\nmore", "n": 1}', "--focus": "tea"}, "茶は?"),
        ({"--payload": '{"text": {"a": 1}}', "--focus": "tea\nmilk"}, "tea"),
        ({"--payload": '{"n": 1, "to": ["Kyōto"]}'}, 'n=1, to=["Kyōto"]'),
        ({}, ""),
    ]
    for options, _ in payloads:
        camillo("run", "start", "hook", *(part for option in options.items() for part in option))
    rows = [row.split("\t") for row in camillo("run", "list").splitlines()[1:]]
    assert [(row[0], row[-1]) for row in rows] == [
        (f"r{number}", shown) for number, (_, shown) in reversed([*enumerate(payloads)])
    ]


def test_a_run_starts_as_it_is_told(camillo: Camillo, server: FakeServer) -> None:
    done = camillo(
        *("run", "start", "schedule", "--no-snapshot", "--session", "s1", "--max-tokens", "300"),
        *("--idle-seconds", "90", "--sensitivity", "restricted", "--snapshot-tokens", "60"),
        *("--payload", "-", "--request-id", "mine"),
        stdin='{"a": [1]}',
    )
    assert done == "started r0\n"
    request = server.desk.of("StartRun")[0]
    assert (request.session_id, request.max_tokens, request.idle_seconds) == ("s1", 300, 90)
    assert (request.sensitivity, request.snapshot_max_tokens, request.skip_snapshot) == (4, 60, True)
    assert (request.request_id, request.trigger.payload["a"][0]) == ("mine", 1)
    told = camillo.refused("run", "start", "x", "--payload", "[1]")
    assert told == (2, "--payload takes a JSON object such as '{\"a\": 1}'")


def test_steps_are_read_as_they_are_stated(camillo: Camillo, server: FakeServer, tmp_path: Path) -> None:
    camillo("run", "start", "message")
    camillo("run", "append", "r0", "--call", "look", "--arguments", '{"a": {"b": 1}}', "--failed")
    camillo("run", "append", "r0", "-", stdin="from a pipe\n")
    lines = (
        '\ufeff{"functionCall": {"name": "f", "result": "茶"}}\n\n'
        '{"llm_response": "ok", "occurred_at": "2026-11-20T12:00:00Z"}\n'
    )
    camillo("run", "append", "r0", "--steps", "-", stdin=lines)
    (tmp_path / "steps.jsonl").write_text(lines, "utf-8")
    camillo("run", "append", "r0", "--steps", str(tmp_path / "steps.jsonl"))
    failed, piped, several, read = (list(each.steps) for each in server.desk.of("AppendRun"))
    assert [step.function_call.name for step in failed] == ["look"]
    assert failed[0].function_call.is_error
    assert failed[0].function_call.arguments["a"]["b"] == 1
    assert [step.llm_response for step in piped] == ["from a pipe"]
    assert [step.WhichOneof("step") for step in several] == ["function_call", "llm_response"]
    assert several == read
    assert several[1].occurred_at.ToSeconds() == 1_795_176_000


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (("--result", "x"), "", "name the function with --call"),
        (("--steps", "-", "--call", "f"), "{}", "give --steps, or a call and an answer"),
        (("--steps", "-"), "{", "line 1 is not JSON (Expecting property name"),
        (("--steps", "-"), '{"llm_response": "x"}\n[1]', "line 2 is not a JSON object"),
        (("--steps", "-"), '{"answer": "x"}', "line 1 is not a step ("),
        (("--steps", "-"), b"\xff", "line 1 is not UTF-8"),
        (("--call", "f", "--arguments", "x"), "", "--arguments is not JSON"),
    ],
)
def test_what_cannot_be_a_step_is_refused(
    camillo: Camillo, server: FakeServer, arguments: tuple[str, ...], stdin: str | bytes, message: str
) -> None:
    code, told = camillo.refused("run", "append", "r0", *arguments, stdin=stdin)
    assert (code, told.startswith(message)) == (2, True), told
    assert not server.desk.calls


def test_what_is_printed_as_json_is_the_answer(camillo: Camillo) -> None:
    started = camillo.json("run", "start", "message")
    assert (started["run"]["run_id"], started["snapshot"]["prompt"]) == ("r0", "tea is what Ada likes")
    assert camillo.json("run", "append", "r0", "hello")["rounds"] == 1
    assert camillo.json("run", "inject", "r0", "x")["instructions"] == 1
    assert camillo.json("run", "render", "r0")["sections"][0]["name"] == "rounds"
    assert camillo.json("run", "end", "r0", "--distill")["memories"][0]["content"] == "x"
