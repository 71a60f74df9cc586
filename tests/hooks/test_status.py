"""Counts that hooks keep of their own work, and who is told of them."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest
from camillo_cli.hooks import figures
from camillo_cli.hooks.injection import DEFAULT_DEADLINE_MS

from tests.cli.conftest import run_here
from tests.hooks.conftest import Agent

MEMORY = "Deployments to production happen on Tuesdays"


async def status(agent: Agent) -> dict[str, Any]:
    """Status of the one client whose hooks ran; empty if none did."""
    done = await agent.raw(b"", "status", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    clients = json.loads(done.stdout)["clients"]
    assert len(clients) <= 1
    return clients[0] if clients else {}


async def shown(agent: Agent) -> str:
    return (await agent.raw(b"", "status")).stdout


async def findings(agent: Agent) -> list[dict[str, str]]:
    """The doctor's findings about hooks."""
    directory = str(agent.directory / "data")
    done = await asyncio.to_thread(run_here, "doctor", "--json", "--data-dir", directory, environ=agent.environ)
    found = json.loads(done.stdout)["findings"]
    return [each for each in found if each["subject"].startswith("hooks")]


async def test_what_hooks_did_is_counted_by_client(agent: Agent) -> None:
    assert await status(agent) == {}
    assert "no hook ran" in await shown(agent)
    assert await findings(agent) == []
    await agent.context(prompt="When are deployments?")
    await agent.remember(MEMORY)
    await agent.context(prompt="When are deployments?")
    agent.write_transcript()
    await agent.record()
    await agent.record()
    told = await status(agent)
    assert told.pop("problems") == []
    assert told == {
        "client": "claude-code",
        "prompts_with_context": 1,
        "prompts_without_context": 1,
        "prompts_missed": 0,
        "prompts_failed": 0,
        "recordings": 1,
        "recordings_of_nothing": 1,
        "recordings_failed": 0,
    }
    assert "2 prompts and starts (1 with context, 0 missed" in await shown(agent)
    assert [each["status"] for each in await findings(agent)] == ["ok"]


async def test_a_prompt_that_went_without_its_context_is_told(agent: Agent) -> None:
    assert DEFAULT_DEADLINE_MS == 1000
    agent.environ["CAMILLO_HOOK_DEADLINE_MS"] = "1"
    await agent.hook("prompt", prompt="When are deployments?")
    agent.environ["CAMILLO_KEY"] = "wrong"
    agent.environ["CAMILLO_HOOK_DEADLINE_MS"] = "60000"
    await agent.hook("prompt", prompt="When are deployments?")
    told = await status(agent)
    assert (told["prompts_missed"], told["prompts_failed"]) == (1, 1)
    for line in ("1 prompts or starts went without their context", "1 prompts or starts failed"):
        assert line in await shown(agent)
        assert any(line in each["what"] for each in await findings(agent) if each["status"] == "warn")


async def test_a_day_of_sessions_without_a_record_is_told(agent: Agent) -> None:
    for number in range(3):
        agent.session_id = f"s{number}"
        agent.transcript.write_text('{"type": "progress"}\n')
        assert await agent.record() == ""
    line = "nothing was recorded of 3 transcripts"
    assert line in await shown(agent)
    assert any(line in each["what"] for each in await findings(agent))
    assert line in (await agent.hook("stop")).stderr
    # Once something is recorded all is well.
    agent.write_transcript()
    await agent.record()
    assert line not in await shown(agent)
    assert (await agent.hook("stop")).stderr == ""


async def test_days_that_are_over_are_not_counted_and_go(agent: Agent) -> None:
    agent.write_transcript()
    await agent.record()
    directory = Path(figures.directory_of(agent.environ))
    (today,) = directory.iterdir()
    assert today.stat().st_mode & 0o777 == 0o600
    for days in (8, 30):
        past = time.strftime("%Y-%m-%d", time.gmtime(time.time() - days * 86_400))
        (directory / f"claude-code.{past}").write_text("m" * 5)
    assert (await status(agent))["prompts_missed"] == 0
    await agent.record()
    assert len(list(directory.iterdir())) == 2


@pytest.mark.parametrize(("score", "is_shown"), [(None, False), (0.02, False), (0.3, True)])
async def test_what_does_not_match_a_prompt_is_not_put_before_it(
    agent: Agent, score: float | None, is_shown: bool
) -> None:
    item = {"text": "Answer in Basque", **({} if score is None else {"score": score})}
    bundle = {"prompt": "Answer in Basque", "sections": [{"name": "rules", "items": [item]}]}
    body = json.dumps({"bundle": bundle}).encode()

    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(say, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        agent.environ |= {"CAMILLO_HTTP_ADDRESS": f"127.0.0.1:{port}"}
        assert ("Basque" in await agent.context(prompt="best pizza in Naples")) is is_shown
        # The start of a session has it, whatever will be asked.
        assert "Basque" in await agent.context("session-start")
        agent.environ["CAMILLO_HOOK_RECIPE"] = "mine"
        assert "Basque" in await agent.context(prompt="best pizza in Naples")


async def test_arguments_that_status_does_not_take_are_one_line(agent: Agent) -> None:
    done = await agent.raw(b"", "status", "--wide")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (0, "", 1)
    assert "usage: camillo hook status" in done.stderr
