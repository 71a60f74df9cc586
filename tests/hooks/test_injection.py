"""Context that a hook puts before the model, in the form that each client reads."""

import asyncio
import json
import subprocess
import time

import pytest
from camillo_formats.fences import FENCE_BEGIN, strip_fences

from tests.cli.conftest import command
from tests.hooks.conftest import CLIENTS, Agent
from tests.patience import PATIENCE_SECONDS

MEMORY = "Deployments to production happen on Tuesdays"
EARLIER = "The last turns of earlier conversations"


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
    own = await agent.context("session-start", source="compact")
    assert "bicycle shed" in own
    assert EARLIER not in own
    # Turns of another session are marked as no part of this conversation.
    agent.session_id = "another"
    others = await agent.context("session-start", source="compact")
    assert EARLIER in others.partition("bicycle shed")[0]


async def test_a_long_prompt_is_asked_for_by_its_beginning_and_its_end(agent: Agent) -> None:
    await agent.remember(MEMORY)
    question, pasted = "When are deployments to production?", "log line \udcff\0 " * 50_000
    assert MEMORY in await agent.context(prompt=f"{question} {pasted}")
    assert MEMORY in await agent.context(prompt=f"{pasted}\n\n{question}")


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
async def test_a_failure_is_one_line_and_stops_nothing(agent: Agent, changed: dict[str, str]) -> None:
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


@pytest.mark.parametrize(
    "answer",
    [b"", b"hello\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\nno json", b"\0" * 99],
    ids=["nothing", "words", "no-status", "no-json", "nul"],
)
async def test_an_answer_that_is_none_stops_nothing(agent: Agent, answer: bytes) -> None:
    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(say, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        agent.environ |= {"CAMILLO_HTTP_ADDRESS": f"127.0.0.1:{port}"}
        done = await agent.hook("prompt")
    assert (done.returncode, done.stdout) == (0, "")
    assert "bug" not in done.stderr
    assert done.stderr.count("\n") <= 1


async def test_input_that_does_not_end_is_not_waited_for(agent: Agent) -> None:
    words = command("hook", "prompt", "--client", "codex")
    started = time.monotonic()
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=agent.environ
    ) as process:
        assert process.wait(PATIENCE_SECONDS) == 0
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read() == b""
        assert b"not done after 2 s" in process.stderr.read()
    assert time.monotonic() - started >= 2


async def test_a_prompt_may_have_a_recipe_of_its_own(agent: Agent) -> None:
    await agent.remember(MEMORY)
    agent.environ["CAMILLO_HOOK_RECIPE"] = "no-such-recipe"
    assert "recipe not found" in (await agent.hook("prompt", prompt="deployments?")).stderr
    agent.environ["CAMILLO_HOOK_RECIPE"] = "active_context"
    assert MEMORY in await agent.context(prompt="When are deployments?")
