"""Transcripts that are broken, huge or hostile."""

import json
import os
from typing import Any

import pytest

from tests.hooks.conftest import Agent
from tests.hooks.test_capture import texts_of
from tests.secret_samples import samples


def user_line(content: Any, uuid: str) -> bytes:
    line = {"type": "user", "uuid": uuid, "message": {"role": "user", "content": content}}
    return json.dumps(line).encode() + b"\n"


async def test_lines_that_cannot_be_read_are_passed_over_and_told(agent: Agent) -> None:
    agent.transcript.write_bytes(
        b"\n{broken\n"
        + b"\xff\xfe\xfa\n"
        + b"[]\n"
        + b"[" * 200_000
        + b"\n"
        + user_line("Still here", "u1")
        + b'{"type": "user", "uuid": "u2", "message": {"role": "user", "content": "b\xe9ta"}}\n'
    )
    assert "4 lines of the transcript could not be read" in await agent.record()
    assert texts_of(await agent.events()) == ["Still here", "b\N{REPLACEMENT CHARACTER}ta"]


async def test_values_that_no_event_takes_do_not_stop_the_others(agent: Agent) -> None:
    deep: Any = "bottom"
    for _ in range(60):
        deep = {"down": [deep]}
    wide = {"wide": [[str(n) * 90 for n in range(150)]] * 150}
    arguments = {"deep": deep, "big": 10**400, "huge": 1e999, "half": "\udc00", "nul": "a\0b"}
    call = {"type": "tool_use", "id": "c" * 500, "name": "T" * 500, "input": arguments}
    lines: list[dict[str, Any]] = [
        {"type": "assistant", "uuid": "u1", "timestamp": "2026-13-45T99:00:00Z"},
        {"type": "assistant", "uuid": "u2", "timestamp": 7},
    ]
    lines[0]["message"] = {"role": "assistant", "content": [call, {"type": 3}, "text", None, {**call, "input": wide}]}
    lines[1]["message"] = {"role": "assistant", "content": [{"type": "text", "text": "x\0\ud800"}]}
    odd = [{"message": None, "type": "user"}, {"type": "user", "message": {"content": 3}}, {}]
    content = "".join(json.dumps(line) + "\n" for line in (*odd, *lines))
    agent.transcript.write_bytes(content.encode() + user_line("Still here", "u3"))
    assert await agent.record() == ""
    events = await agent.events()
    assert len(events[0]["toolCall"]["tool"]) == 128
    assert '"wide": [["000' in events[1]["toolCall"]["arguments"]["input"]
    assert texts_of(events[2:]) == ["x\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}", "Still here"]


async def test_a_transcript_of_50_megabytes_is_recorded_in_batches(agent: Agent) -> None:
    output = [{"type": "tool_result", "tool_use_id": "c1", "content": "x" * 5_000_000}]
    filler = b'{"type": "progress", "data": "' + b"y" * 1_000_000 + b'"}\n'
    with agent.transcript.open("wb") as file:
        for number in range(45):
            file.write(filler)
            file.write(user_line(f"Message {number}", f"m{number}"))
        file.write(user_line(output, "big"))
        # Longer than any line that is read: passed over.
        file.write(b'{"type": "user", "message": "' + b"z" * 34_000_000 + b'"}\n')
        file.write(user_line("The last", "last"))
    assert agent.transcript.stat().st_size > 50_000_000
    assert "1 lines of the transcript could not be read" in await agent.record()
    events = await agent.events()
    assert len(events) == 47
    assert texts_of(events)[-1] == "The last"
    assert events[45]["toolResult"]["truncated"] is True


async def test_marks_of_fences_by_the_million_take_no_longer(agent: Agent) -> None:
    begins = "".join(f"<camillo-recalled-{number:09d}>" for number in range(100_000))
    agent.transcript.write_bytes(user_line(begins, "u1") + user_line("Still here", "u2"))
    assert await agent.record() == ""
    assert texts_of(await agent.events())[-1] == "Still here"


@pytest.mark.parametrize("kind", ["missing", "directory", "pipe", "none"])
async def test_a_transcript_that_is_no_file_is_one_line(agent: Agent, kind: str) -> None:
    if kind == "directory":
        agent.transcript.mkdir()
    elif kind == "pipe":
        os.mkfifo(agent.transcript)
    changed: dict[str, Any] = {"transcript_path": None} if kind == "none" else {}
    assert (await agent.record(**changed)).count("\n") == 1
    assert await agent.events() == []


async def test_a_session_of_any_name_is_recorded(agent: Agent) -> None:
    for name in ("a" * 500, "line\nend", "\N{SNOWMAN}"):
        agent.session_id = name
        agent.write_transcript(PROMPT=f"In {name[:8]}")
        assert await agent.record() == ""
    assert len({event["sessionId"] for event in await agent.events()}) == 3


async def test_a_secret_across_the_end_of_what_is_kept_is_not_stored(agent: Agent) -> None:
    key = samples(3)["private-key"]
    token = samples(3)["github-pat"]
    calls = [
        {"type": "tool_use", "id": "c1", "name": "Write", "input": {"content": "x\n" * 1_900 + key}},
        {"type": "tool_use", "id": "c2", "name": "Bash", "input": {"command": f"{'a ' * 1_990}{token} b"}},
        {"type": "tool_use", "id": "c3", "name": "Bash", "input": {f"{'k' * 110} {token}": "short"}},
    ]
    line = {"type": "assistant", "uuid": "u1", "message": {"role": "assistant", "content": calls}}
    agent.transcript.write_bytes(json.dumps(line).encode() + b"\n")
    assert await agent.record() == ""
    stored = json.dumps(await agent.events())
    assert "x\\nx" in stored
    assert "aaa" not in stored
    assert "short" in stored
    assert "[redacted" in stored
    assert token[:12] not in stored
    assert not any(each in stored for each in key.split("\n")[1:-1])
    assert not any(each[:20] in stored for each in key.split("\n")[1:-1])
