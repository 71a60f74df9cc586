"""What a hook puts before the model, in the form that each client reads."""

import json

import pytest
from camillo_server.gateway.mcp.fences import FENCE_BEGIN, strip_fences

from tests.hooks.conftest import CLIENTS, Agent

MEMORY = "Deployments to production happen on Tuesdays"


@pytest.mark.parametrize("client", CLIENTS)
async def test_a_prompt_brings_what_is_remembered(agent: Agent) -> None:
    await agent.remember(MEMORY)
    context = await agent.context(prompt="When are deployments to production?")
    assert MEMORY in context
    assert context.startswith(FENCE_BEGIN)
    assert strip_fences(context) == ""


@pytest.mark.parametrize("client", CLIENTS)
async def test_the_start_of_a_session_brings_what_is_recent(agent: Agent) -> None:
    await agent.remember(MEMORY)
    assert MEMORY in await agent.context("session-start")


async def test_nothing_to_recall_prints_nothing(agent: Agent) -> None:
    done = await agent.hook("prompt", prompt="When are deployments to production?")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    await agent.remember(MEMORY)
    assert await agent.context(prompt="When are deployments to production?")


@pytest.mark.parametrize("client", ["cursor"])
async def test_a_prompt_goes_on_in_cursor(agent: Agent) -> None:
    await agent.remember(MEMORY)
    done = await agent.hook("prompt", prompt="When are deployments?")
    assert json.loads(done.stdout)["continue"] is True


async def test_after_a_compaction_the_last_turns_come_back(agent: Agent) -> None:
    agent.write_transcript(PROMPT="The bicycle shed is painted green")
    await agent.record("pre-compact")
    assert "bicycle shed" in await agent.context("session-start", source="compact")
    # What is not of this session is not its conversation.
    agent.session_id = "another"
    assert "bicycle shed" not in await agent.context("session-start", source="compact")


async def test_a_long_prompt_is_asked_for_by_its_beginning(agent: Agent) -> None:
    await agent.remember(MEMORY)
    prompt = "When are deployments to production? " + "log line \udcff\0 " * 50_000
    assert MEMORY in await agent.context(prompt=prompt)


@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b'"text"', b"[" * 100_000, b'{"prompt": 1}'],
    ids=["empty", "broken", "list", "null", "not-utf-8", "text", "deep", "no-prompt"],
)
async def test_input_that_is_no_payload_stops_nothing(agent: Agent, payload: bytes) -> None:
    done = await agent.raw(payload, "prompt", "--client", "claude-code")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.count("\n") <= 1


@pytest.mark.parametrize(
    "changed",
    [
        {"CAMILLO_HTTP_ADDRESS": "127.0.0.1:9"},
        {"CAMILLO_HTTP_ADDRESS": "nonsense"},
        {"CAMILLO_HTTP_ADDRESS": "unix:/tmp/socket"},
        {"CAMILLO_KEY": "wrong"},
        {"CAMILLO_KEY": "two\nlines"},
        {"CAMILLO_AGENT": "né"},
    ],
    ids=lambda changed: next(iter(changed.items()))[1].replace("\n", " "),
)
async def test_a_failure_is_one_line_and_stops_nothing(
    agent: Agent, changed: dict[str, str]
) -> None:
    agent.environ |= changed
    for event in ("session-start", "prompt"):
        done = await agent.hook(event)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr.startswith("camillo hook: ")
        assert done.stderr.count("\n") == 1


async def test_a_wrong_command_line_is_one_line_and_stops_nothing(agent: Agent) -> None:
    for arguments in ((), ("prompt",), ("prompt", "--client", "vi"), ("nap", "--client", "codex")):
        done = await agent.raw(b"{}", *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (0, "", 1)
        assert "usage" in done.stderr


async def test_a_server_that_does_not_answer_is_not_waited_for(agent: Agent) -> None:
    import asyncio

    async def keep_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(keep_silent, "127.0.0.1", 0)
    async with silent:
        port = silent.sockets[0].getsockname()[1]
        agent.environ |= {"CAMILLO_HTTP_ADDRESS": f"127.0.0.1:{port}"}
        agent.environ |= {"CAMILLO_HOOK_DEADLINE_MS": "150"}
        done = await agent.hook("prompt")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no answer" in done.stderr
