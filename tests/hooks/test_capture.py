"""Hooks record each thing of a transcript once, lose nothing, and record nothing that was only recalled."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.hooks.conftest import CLIENTS, Agent
from tests.patience import PATIENCE_SECONDS

MEMORY = "Deployments to production happen on Tuesdays"
LONG_OUTPUT = "".join(f"tests/test_{n}.py::test_price PASSED\n" for n in range(400))


def texts_of(events: list[dict[str, Any]]) -> list[str]:
    """Each event in a few words, in order."""
    return [
        event.get("text")
        or " ".join(
            (
                event.get("toolCall", event.get("toolResult", {}))["tool"],
                *event.get("toolCall", {}).get("arguments", {}).values(),
                event.get("toolResult", {}).get("excerptText", ""),
            )
        )
        for event in events
    ]


@pytest.mark.parametrize(
    ("client", "tool"), [("claude-code", "Bash"), ("codex", "exec_command"), ("gemini-cli", "run_shell_command")]
)
async def test_a_transcript_becomes_events(agent: Agent, tool: str) -> None:
    agent.write_transcript()
    assert await agent.record() == ""
    events = await agent.events()
    call, result = events[2], events[3]
    assert [words for words in texts_of(events) if "pytest" not in words] == [
        "Run the tests",
        "I run the tests.",
        f"{tool} 3 passed",
        "Everything passes now.",
    ]
    assert "pytest -q" in call["toolCall"]["arguments"].values()
    assert call["toolCall"]["tool"] == tool
    assert [event["actor"]["type"] for event in events] == [
        "ACTOR_TYPE_HUMAN",
        "ACTOR_TYPE_AGENT",
        "ACTOR_TYPE_AGENT",
        "ACTOR_TYPE_TOOL",
        "ACTOR_TYPE_AGENT",
    ]
    assert call["toolCall"]["callId"] == result["toolResult"]["callId"] != ""
    assert events[0]["occurredAt"] == "2026-11-20T10:00:01Z"
    assert {event["sessionId"] for event in events} == {agent.payload("stop")["session_id"]}


@pytest.mark.parametrize("client", ["cursor"])
async def test_a_transcript_of_cursor_becomes_events(agent: Agent) -> None:
    agent.write_transcript()
    assert await agent.record() == ""
    expected = ["Run the tests", "I run the tests.", "Shell pytest -q ", "Everything passes now."]
    assert texts_of(await agent.events()) == expected


SHELLS = {"opencode": "bash", "pi": "bash", "copilot-cli": "bash", "qwen-code": "run_shell_command"}


@pytest.mark.parametrize("client", SHELLS)
async def test_transcripts_of_other_clients_become_events(agent: Agent) -> None:
    agent.write_transcript(PROMPT="请运行测试 🐈", CONTEXT="the client's own words")
    assert await agent.record() == ""
    events = await agent.events()
    tool = SHELLS[agent.client]
    expected = ["请运行测试 🐈", "I run the tests.", f"{tool} pytest -q "]
    expected += [f"{tool} 3 passed", "Everything passes now."]
    assert texts_of(events) == expected
    assert events[0]["actor"]["type"] == "ACTOR_TYPE_HUMAN"
    assert events[-1]["actor"] == {"type": "ACTOR_TYPE_AGENT", "id": agent.client}


@pytest.mark.parametrize("client", ["opencode"])
async def test_messages_may_come_with_the_payload(agent: Agent) -> None:
    agent.write_transcript()
    messages = [json.loads(line) for line in agent.transcript.read_text().splitlines()]
    for count in (2, 2, 4):
        assert await agent.record(transcript_path="", messages=messages[:count]) == ""
    assert texts_of(await agent.events())[-1] == "Everything passes now."
    assert len(await agent.events()) == 5
    # A message that was taken back and said in other words is new.
    again = {**messages[3], "id": "msg_5", "info": {**messages[3]["info"], "id": "msg_5"}}
    again["parts"] = [{"id": "prt_10", "type": "text", "text": "Now it passes."}]
    await agent.record(transcript_path="", messages=[*messages[:2], again])
    assert texts_of(await agent.events())[5:] == ["Now it passes."]


@pytest.mark.parametrize("client", CLIENTS)
async def test_what_was_recalled_is_not_recorded_again(agent: Agent) -> None:
    await agent.remember(MEMORY)
    context = await agent.context(prompt="When are deployments to production?")
    assert MEMORY in context
    agent.write_transcript(PROMPT=f"Deploy it\n{context}\nplease", CONTEXT=context, OUTPUT=context)
    await agent.record()
    recorded = json.dumps(await agent.events())
    assert "Deploy it" in recorded
    assert "please" in recorded
    assert MEMORY not in recorded
    # The same words without their fence are somebody's own.
    agent.session_id = "another"
    agent.write_transcript(PROMPT=MEMORY)
    await agent.record()
    assert MEMORY in json.dumps(await agent.events())


async def test_a_text_cannot_hide_what_follows_it(agent: Agent) -> None:
    begin = "<camillo-recalled-012345678>"
    end = "</camillo-recalled-876543210>"
    agent.write_transcript(PROMPT=f"{begin} not recalled {end}", OUTPUT=f"{begin} still here")
    await agent.record()
    recorded = json.dumps(await agent.events())
    for kept in ("not recalled", "still here", "passes now"):
        assert kept in recorded


async def test_memorys_own_tools_are_not_recorded(agent: Agent) -> None:
    agent.write_transcript()
    await agent.record()
    assert "Own tools are not recorded" in agent.transcript.read_text()
    assert "Own tools are not recorded" not in json.dumps(await agent.events())


@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini-cli"])
async def test_a_long_output_becomes_an_artifact(agent: Agent) -> None:
    agent.write_transcript(OUTPUT=LONG_OUTPUT)
    await agent.record()
    (result,) = [e["toolResult"] for e in await agent.events() if "toolResult" in e]
    assert result["truncated"] is True
    assert LONG_OUTPUT.startswith(result["excerptText"][:30])
    page = await agent.web.alice.get(f"/v1/artifacts/{result['artifactId']}:readPage")
    assert page.status_code == 200, page.text
    assert page.json()["text"].startswith("tests/test_0.py::test_price PASSED")
    shown = await agent.web.alice.get(f"/v1/artifacts/{result['artifactId']}")
    assert shown.json()["artifact"]["sizeBytes"] == str(len(LONG_OUTPUT))


@pytest.mark.parametrize("client", CLIENTS)
async def test_the_next_stop_records_only_what_is_new(agent: Agent) -> None:
    agent.write_transcript()
    whole = agent.transcript.read_text()
    lines = whole.splitlines(keepends=True)
    last = next(n for n, line in enumerate(lines) if "Everything passes now." in line)
    agent.transcript.write_text("".join(lines[:last]))
    await agent.record()
    before = await agent.events()
    assert "Everything passes now." not in texts_of(before)
    await agent.record()
    assert await agent.events() == before
    agent.transcript.write_text(whole)
    for event in ("stop", "pre-compact", "stop"):
        await agent.record(event)
    assert texts_of(await agent.events())[len(before) :] == ["Everything passes now."]


async def test_a_line_that_is_being_written_is_recorded_when_it_is_whole(agent: Agent) -> None:
    agent.write_transcript()
    whole = agent.transcript.read_bytes()
    agent.transcript.write_bytes(whole[:-40])
    assert await agent.record() == ""
    assert "Everything passes now." not in texts_of(await agent.events())
    agent.transcript.write_bytes(whole)
    await agent.record()
    assert texts_of(await agent.events()).count("Everything passes now.") == 1


async def test_without_a_server_nothing_is_lost(agent: Agent) -> None:
    agent.write_transcript(OUTPUT=LONG_OUTPUT)
    known = agent.environ["CAMILLO_HTTP_ADDRESS"]
    agent.environ["CAMILLO_HTTP_ADDRESS"] = "127.0.0.1:9"
    assert (await agent.record()).startswith("camillo hook: 127.0.0.1:9: ")
    agent.environ["CAMILLO_HTTP_ADDRESS"] = known
    assert await agent.record() == ""
    assert texts_of(await agent.events())[-1] == "Everything passes now."
    assert len(await agent.events()) == 5


async def test_a_batch_whose_answer_was_lost_is_not_recorded_twice(agent: Agent) -> None:
    agent.write_transcript(OUTPUT=LONG_OUTPUT)
    await agent.record()
    before = await agent.events()
    (state,) = (Path(agent.environ["XDG_STATE_HOME"]) / "camillo" / "hooks").glob("*.json")
    position = json.loads(state.read_text())
    # As it was when the batch was on its way; the session has gone on since.
    interrupted = {**position, "offset": 0, "pending_end": position["offset"], "keys": []}
    state.write_text(json.dumps(interrupted))
    line = {"type": "user", "uuid": "b1", "message": {"role": "user", "content": "And then?"}}
    with agent.transcript.open("a") as file:
        file.write(json.dumps(line) + "\n")
    assert await agent.record() == ""
    after = await agent.events()
    assert after[: len(before)] == before
    artifacts = await agent.web.alice.get("/v1/artifacts")
    assert len(artifacts.json()["artifacts"]) == 1
    assert texts_of(after[len(before) :]) == ["And then?"]


async def test_a_hook_returns_before_it_has_recorded(agent: Agent) -> None:
    agent.write_transcript()
    done = await agent.hook("stop")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    until = time.monotonic() + PATIENCE_SECONDS
    while len(await agent.events()) < 5:
        assert time.monotonic() < until
        await asyncio.sleep(0.02)


async def test_the_next_hook_says_what_failed_behind_the_last(agent: Agent) -> None:
    agent.write_transcript()
    known = agent.environ["CAMILLO_HTTP_ADDRESS"]
    agent.environ["CAMILLO_HTTP_ADDRESS"] = "127.0.0.1:9"
    assert (await agent.hook("stop")).stderr == ""
    failure = Path(agent.environ["XDG_STATE_HOME"]) / "camillo" / "hooks" / "failure"
    until = time.monotonic() + PATIENCE_SECONDS
    while not failure.exists():
        assert time.monotonic() < until
        await asyncio.sleep(0.02)
    agent.environ["CAMILLO_HTTP_ADDRESS"] = known
    assert "an earlier recording failed" in (await agent.hook("session-end")).stderr


async def test_hooks_that_run_at_once_record_each_thing_once(agent: Agent) -> None:
    agent.write_transcript(OUTPUT=LONG_OUTPUT)
    await asyncio.gather(*(agent.record(event) for event in ("stop", "pre-compact", "session-end")))
    assert len(await agent.events()) == 5


async def test_state_is_for_the_user_alone_and_stays_in_its_place(agent: Agent) -> None:
    agent.session_id = "../../../../outside"
    agent.write_transcript()
    await agent.record()
    assert {event["sessionId"] for event in await agent.events()} == {agent.session_id}
    directory = Path(agent.environ["XDG_STATE_HOME"]) / "camillo" / "hooks"
    assert directory.stat().st_mode & 0o777 == 0o700
    files = list(directory.iterdir())
    assert len(files) == 2
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert not list(agent.directory.parent.rglob("*outside*"))


async def test_a_damaged_state_begins_again_without_repeating(agent: Agent) -> None:
    agent.write_transcript()
    await agent.record()
    before = await agent.events()
    (state,) = (Path(agent.environ["XDG_STATE_HOME"]) / "camillo" / "hooks").glob("*.json")
    state.write_text('{"offset": "far"')
    await agent.record()
    assert await agent.events() == before


@pytest.mark.parametrize("client", ["gemini-cli"])
async def test_a_transcript_that_is_one_document_is_recorded_as_it_grows(agent: Agent) -> None:
    call: dict[str, Any] = {"id": "c1", "name": "read_file", "args": {"path": "a"}, "status": "executing"}
    messages: list[dict[str, Any]] = [
        {"id": "m1", "type": "user", "content": "Read it"},
        {"id": "m2", "type": "gemini", "content": "I read it.", "toolCalls": [call]},
    ]
    path = agent.directory / "session.json"
    path.write_text(json.dumps({"sessionId": "s", "messages": messages}, indent=2))
    await agent.record(transcript_path=str(path))
    assert texts_of(await agent.events()) == ["Read it", "I read it.", "read_file a "]
    call["result"] = [{"functionResponse": {"response": {"output": "its content"}}}]
    messages.append({"id": "m3", "type": "gemini", "content": "Done."})
    path.write_text(json.dumps({"sessionId": "s", "messages": messages}, indent=2))
    for _ in range(2):
        assert await agent.record(transcript_path=str(path)) == ""
    assert texts_of(await agent.events())[3:] == ["read_file its content", "Done."]


async def test_what_the_client_writes_as_the_person_is_not_recorded(agent: Agent) -> None:
    agent.write_transcript(PROMPT="<command-name>/clear</command-name>")
    await agent.record()
    assert "I run the tests." in texts_of(await agent.events())
    assert "clear" not in json.dumps(await agent.events())
