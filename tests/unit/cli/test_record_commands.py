"""The commands about events, decisions and tasks, against a fake service."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from camillo.v1.actor_pb2 import EventKind

from clients.python.tests.fake_server import FakeServer, running_in_thread
from tests.cli.conftest import Camillo

TEXT = "Где чай? お茶は 🍵 أين e\u0301"
SESSION = ("--session", "s1")


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with running_in_thread() as fake:
        yield fake


@pytest.fixture
def camillo(server: FakeServer, tmp_path: Path) -> Camillo:
    return Camillo(server.address, tmp_path, "ada")


def test_an_event_is_recorded_listed_and_shown(camillo: Camillo, server: FakeServer) -> None:
    said = camillo("event", "record", TEXT, *SESSION, "--actor", "human:Ада", "--tag", "a")
    assert said == "recorded e0\n"
    event = server.desk.of("RecordEvent")[0].event
    assert (event.text, event.actor.id, list(event.tags)) == (TEXT, "Ада", ["a"])
    camillo("event", "record", "-", *SESSION, stdin="from a pipe")
    rows = camillo.rows("event", "list", "--kind", "message")
    assert [row[0] for row in rows] == ["e1", "e0"]
    assert rows[1][2:] == ["human:Ада", "message", "s1", TEXT]
    request = server.desk.of("ListEvents")[0]
    assert (request.newest_first, list(request.filter.kinds)) == (True, [1])
    shown = camillo("event", "show", "e0", "--channel", "team").splitlines()
    assert shown[0] == TEXT
    assert "actor        human:Ада" in shown
    listed = camillo.lines("event", "list", "--oldest-first", "--limit", "1")
    assert [event["event_id"] for event in listed] == ["e0"]


def test_tools_and_objects_are_recorded(camillo: Camillo, server: FakeServer) -> None:
    camillo("event", "record", "--tool", "shell", "--arguments", '{"a": ["茶"]}', *SESSION)
    camillo("event", "record", "--tool", "shell", "--kind", "tool_call", *SESSION)
    done = camillo.run("event", "record", "x" * 200, "--tool", "shell", "--exit-code", "2", *SESSION)
    assert done.stderr == "the full content is the artifact whole_1\n"
    camillo("event", "record", "--data", '{"b": 1}', "--kind", "workflow_step", *SESSION)
    called, bare, answered, step = (r.event for r in server.desk.of("RecordEvent"))
    assert called.tool_call.arguments["a"][0] == "茶"
    assert (called.kind, bare.kind) == (2, EventKind.EVENT_KIND_TOOL_CALL)
    assert answered.tool_result.exit_code == 2
    assert step.json["b"] == 1
    assert 'shell {"a": ["茶"]}' in camillo("event", "list")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("x",), "missing option '--session'"),
        (("x", *SESSION, "--actor", "ada"), "such as human:ada"),
        (("x", *SESSION, "--actor", "robot:r"), "none of human, agent"),
        (("--arguments", "{}", *SESSION), "name the tool with --tool"),
        (("--tool", "t", "--arguments", "[1]", *SESSION), "takes a JSON object"),
        (("--data", "{", *SESSION), "--data is not JSON"),
        (("x", "--data", "{}", *SESSION), "not several"),
        (("x", *SESSION, "--occurred", "soon"), "'soon' is neither a date"),
    ],
)
def test_what_is_no_event_is_refused_before_a_call(
    camillo: Camillo, server: FakeServer, arguments: tuple[str, ...], told: str
) -> None:
    code, message = camillo.refused("event", "record", *arguments)
    assert (code, told in message) == (2, True), message
    assert server.desk.of("RecordEvent") == []


def test_what_is_larger_than_an_event_is_pointed_to_artifacts(camillo: Camillo) -> None:
    code, message = camillo.refused("event", "record", "-", *SESSION, stdin="a" * (1024 * 1024 + 1))
    assert code == 2
    assert "1,048,577 bytes, more than the 1,048,576" in message
    assert "camillo artifact put" in message


def test_events_are_followed(camillo: Camillo, server: FakeServer) -> None:
    for text in ("one", TEXT, "three"):
        camillo("event", "record", text, *SESSION)
    server.events.breaks = [1]
    watched = camillo("event", "watch", "--from-beginning", "--limit", "2", *SESSION)
    assert watched.splitlines() == ["e0  human:user message: one", f"e1  human:user message: {TEXT}"]
    (change,) = camillo.lines("event", "watch", "--resume", "2", "--limit", "1")
    assert (change["resume_token"], change["recorded"]["event_id"]) == ("3", "e2")
    code, message = camillo.refused("event", "watch", "--resume", "2", "--from-beginning")
    assert (code, "either" in message) == (2, True)
    filter_ = server.desk.of("WatchEvents")[0].filter
    assert filter_.session_id == "s1"


def test_events_are_forgotten_and_chunks_made_again(camillo: Camillo) -> None:
    camillo("event", "record", "one", *SESSION)
    camillo("event", "record", "two", *SESSION)
    assert camillo("event", "rebuild") == "made 2 chunks in place of 2\n"
    assert camillo("event", "forget", *SESSION, "--dry-run") == "would forget 2 events\n"
    done = camillo.run("event", "forget", "e0", "--yes")
    assert done.stdout == "forgot 1 event\n"
    assert done.stderr.split() == ["1", "chunks", "receipt", "receipt_1"]
    assert camillo.refused("event", "show", "e0") == (3, "no such event: e0 (see 'camillo event list')")
    assert camillo("event", "show", "e1").startswith("two\n")
    code, message = camillo.refused("event", "forget", "e1", *SESSION)
    assert (code, message) == (2, "give either ids or --session")


def test_a_decision_is_recorded_superseded_and_found(camillo: Camillo, server: FakeServer) -> None:
    code, message = camillo.refused("decision", "record", "weekly")
    assert (code, message.endswith("(name a record it is based on with --ref)")) == (1, True)
    why = ("--because", "QA", "--because", "日", "--instead-of", "Mondays", "--reach", "global")
    assert camillo("decision", "record", TEXT, "--ref", "e1", *why) == "recorded d0\n"
    stated = server.desk.of("RecordDecision")[-1].decision
    assert (list(stated.rationale), list(stated.alternatives)) == (["QA", "日"], ["Mondays"])
    done = camillo("decision", "supersede", "d0", "daily", "--ref", "e2")
    assert done == "d0 is superseded by d1\n"
    assert server.desk.of("SupersedeDecision")[0].expected_version == 1
    camillo("decision", "record", "hourly", "--ref", "e1")
    camillo("decision", "supersede", "d1", "--by", "d2", "--expected-version", "1")
    assert server.desk.of("SupersedeDecision")[1].successor_id == "d2"
    assert camillo.refused("decision", "supersede", "d1", "x", "--by", "d2")[0] == 2
    assert [row[0] for row in camillo.rows("decision", "list")] == ["d2"]
    both = camillo.lines("decision", "list", "--status", "active", "--status", "superseded")
    assert [decision["decision_id"] for decision in both] == ["d2", "d1", "d0"]
    shown = camillo("decision", "show", "d0").splitlines()
    assert shown[:5] == [TEXT, "", "rationale", "- QA", "- 日"]
    assert "refs" in shown
    [found] = camillo.rows("decision", "query", "hourly", "--limit", "3")
    assert found[:2] == ["0.500", "d2"]
    assert camillo.run("decision", "query", "nothing").stderr == "nothing found\n"


def test_a_task_is_opened_moved_and_listed(camillo: Camillo, server: FakeServer) -> None:
    opened = camillo("task", "open", TEXT, "--goal", "guests", "--constraint", "cheap")
    assert opened == "opened t0\n"
    moved = camillo("task", "move", "t0", "doing", "--plan-step", "2 of 3")
    assert moved == "moved t0 to doing, version 2\n"
    assert list(server.desk.of("UpsertTask")[1].update_mask.paths) == ["status", "plan_step"]
    assert [row[2:] for row in camillo.rows("task", "list")] == [["doing", "", TEXT]]
    shown = camillo("task", "show", "t0").splitlines()
    assert shown[0] == TEXT
    assert {"- cheap", "goal         guests", "plan step    2 of 3"} <= set(shown)
    code, _ = camillo.refused("task", "move", "t0", "done", "--expected-version", "1")
    assert code == 4
    camillo("task", "move", "t0", "done")
    assert camillo.run("task", "list").stderr == "no tasks\n"
    assert [task["task_id"] for task in camillo.lines("task", "list", "--status", "done")] == ["t0"]
    assert camillo.refused("task", "show", "t9")[1] == "no such task: t9 (see 'camillo task list')"


def test_what_is_printed_as_json_is_a_message_a_line(camillo: Camillo) -> None:
    recorded = camillo.json("event", "record", TEXT, *SESSION, "--actor", "agent:ada")
    assert recorded["event_id"] == "e0"
    (event,) = camillo.lines("event", "list")
    assert event["stated"]["text"] == TEXT
    assert event["stated"]["actor"] == {"type": "ACTOR_TYPE_AGENT", "id": "ada"}
    assert json.loads(camillo("task", "open", "x", "--json"))["version"] == "1"
    assert camillo.json("event", "forget", "e0", "--yes")["forgotten"] == "1"
