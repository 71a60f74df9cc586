"""`camillo mcp`: a process that speaks MCP over standard input and output."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from camillo_server.doors.gateway.mcp.direct_answers import HANDSHAKE_VERSIONS, DirectAnswers
from camillo_server.doors.gateway.mcp.offers import PROFILES
from camillo_server.doors.gateway.mcp.sdk_server import sdk_server
from camillo_server.doors.gateway.mcp.service import McpService
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.server.stdio import stdio_server

from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port
from tests.rpc.gateway.conftest import Web
from tests.rpc.gateway.mcp.conftest import ERAS, MODERN, answered, client_of_own_task, failed

ENVELOPE = {
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
}
LISTS = ("tools/list", "prompts/list", "resources/templates/list")


def program(*arguments: str, key: str = "", data_dir: Path | None = None) -> StdioServerParameters:
    """The command as a client's configuration has it."""
    environ = {name: value for name, value in os.environ.items() if name[:8] != "CAMILLO_"}
    environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    environ |= {"CAMILLO_KEY": key} if key else {}
    environ |= {"CAMILLO_DATA_DIR": str(data_dir)} if data_dir else {}
    command = ["-m", "camillo_server", "mcp", *arguments]
    return StdioServerParameters(command=sys.executable, args=command, env=environ)


@asynccontextmanager
async def raw_process(parameters: StdioServerParameters) -> AsyncIterator[asyncio.subprocess.Process]:
    """The command, to be spoken to line by line."""
    process = await asyncio.create_subprocess_exec(
        parameters.command,
        *parameters.args,
        env=parameters.env,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.parametrize("mode", ERAS)
async def test_a_server_that_runs_is_used(web: Web, mode: Any) -> None:
    started = program("--address", web.server.address, key=web.server.keys.alice)
    async with Client(started, mode=mode) as client:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        assert listed == [tool.name for tool in PROFILES["standard"]]
        stored = await client.call_tool("remember", {"content": "喜欢深色模式 🌙"})
        assert "深色模式 🌙" in await answered(client, "recall", query="深色模式")
        assert "date such as" in await failed(client, "recall", query="x", since="never")
    memory_id = stored.structured_content["id"]
    assert (await web.alice.get(f"/v1/memories/{memory_id}")).status_code == 200


async def test_agent_and_profile_are_options(web: Web) -> None:
    options = ("--address", web.server.address, "--agent", "bob", "--profile", "minimal")
    async with Client(program(*options, key=web.server.keys.admin)) as client:
        assert len((await client.list_tools()).tools) == 3
        stored = await client.call_tool("remember", {"content": "bob was here"})
    memory_id = stored.structured_content["id"]
    by_operator = await web.alice.get(
        f"/v1/memories/{memory_id}?agent_id=bob", headers=web.with_key(web.server.keys.admin)
    )
    assert by_operator.json()["memory"]["agentId"] == "bob"


async def test_failures_reach_the_model(web: Web) -> None:
    async with Client(program("--address", "localhost:1")) as client:
        assert "no memory server answers" in await failed(client, "recall", query="x")
    async with Client(program("--address", web.server.address, key="wrong")) as client:
        assert (await failed(client, "recall", query="x")).startswith("CREDENTIAL_INVALID")


@pytest.mark.parametrize("profile", PROFILES)
async def test_direct_answers_are_those_of_the_sdk(profile: str) -> None:
    for version in HANDSHAKE_VERSIONS:
        about = {"protocolVersion": version, "capabilities": {}}
        first = {**about, "clientInfo": {"name": "test", "version": "1"}}
        await same_answers(profile, [("initialize", first), *((each, {}) for each in LISTS)])
    await same_answers(profile, [(each, ENVELOPE) for each in ("server/discover", *LISTS)])


@pytest.mark.parametrize("mode", ERAS)
async def test_of_a_defect_only_the_log_tells_more(mode: str) -> None:
    call = {"name": "recall", "arguments": {"query": "x"}}
    if mode == MODERN:
        asked = [("tools/call", {**call, **ENVELOPE})]
    else:
        about = {"protocolVersion": HANDSHAKE_VERSIONS[0], "capabilities": {}}
        first = {**about, "clientInfo": {"name": "test", "version": "1"}}
        asked = [("initialize", first), ("tools/call", call)]
    answers = await answers_of_sdk("standard", requests_of(asked))
    error = answers[len(asked) - 1]["error"]
    assert error == {"code": -32603, "message": "internal error; the server's log has it"}


async def same_answers(profile: str, asked: list[tuple[str, dict[str, Any]]]) -> None:
    requests = requests_of(asked)
    direct = DirectAnswers(profile, no_service)
    answers = {each["id"]: await direct.result(each) for each in requests}
    by_sdk = await answers_of_sdk(profile, requests)
    assert answers == {number: each["result"] for number, each in by_sdk.items()}


async def no_service() -> McpService:
    raise AssertionError("no answer of these needs a server")


def requests_of(asked: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    return [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for number, (method, params) in enumerate(asked)
    ]


async def answers_of_sdk(profile: str, requests: list[dict[str, Any]]) -> dict[int, Any]:
    """Answers by id. There is no server behind it: whatever needs one is a defect."""
    lines = Lines([json.dumps(each) for each in requests])
    server = sdk_server(McpService(None, profile))  # type: ignore[arg-type]
    async with stdio_server(stdin=lines, stdout=lines) as (read, write):  # type: ignore[arg-type]
        await server.run(read, write, server.create_initialization_options())
    return {each["id"]: each for each in map(json.loads, lines.written)}


class Lines:
    """Both ends of a connection, whose lines are known beforehand."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._is_answered = asyncio.Event()
        self.written: list[str] = []

    async def __aiter__(self) -> AsyncIterator[str]:
        for line in self._lines:
            yield line
        # The client stays until it has every answer.
        await self._is_answered.wait()

    async def write(self, text: str) -> None:
        self.written.append(text)
        if len(self.written) == len(self._lines):
            self._is_answered.set()

    async def flush(self) -> None:
        pass


async def test_only_the_protocol_is_on_standard_output_and_it_ends_with_its_input(web: Web) -> None:
    started = program("--address", web.server.address, key=web.server.keys.alice)
    call = {"name": "recall", "arguments": {"query": "x"}, **ENVELOPE}
    lines = [
        "no json",
        json.dumps({"jsonrpc": "2.0", "id": "a", "method": "server/discover", "params": ENVELOPE}),
        json.dumps({"jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": call}),
    ]
    async with raw_process(started) as process, asyncio.timeout(PATIENCE_SECONDS):
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n".join([*lines, ""]).encode())
        answers = [json.loads(await process.stdout.readline()) for _ in range(3)]
        assert [each["id"] for each in answers] == [None, "a", "b"]
        process.stdin.close()
        assert await process.wait() == 0
        assert await process.stdout.read() == b""


# Whoever runs these tests may have a server at the address that a client takes by default.
AT_ANOTHER_PORT = """
import sys
from camillo_server.cli import main, mcp
mcp.DEFAULT_ADDRESS = sys.argv[sys.argv.index("--address") + 1]
sys.exit(main())
"""


@pytest.fixture
def embedded(tmp_path: Path) -> StdioServerParameters:
    """The command on a machine where no server runs, and its data."""
    port = free_port()
    config = tmp_path / "camillo.yaml"
    config.write_text(f"server: {{port: {port}, http_port: 0}}\nmemory: {{embedding_model: lexical}}\n")
    started = program("--address", f"localhost:{port}", data_dir=tmp_path / "data")
    assert started.env is not None
    started.env["CAMILLO_CONFIG"] = str(config)
    started.args[:2] = ["-c", AT_ANOTHER_PORT]
    return started


async def test_a_server_is_started_and_ends_when_no_client_uses_it(
    embedded: StdioServerParameters, tmp_path: Path
) -> None:
    assert embedded.env is not None
    embedded.env["CAMILLO_SERVER_IDLE_EXIT_SECONDS"] = "0.2"
    async with Client(embedded, read_timeout_seconds=PATIENCE_SECONDS) as client:
        await answered(client, "remember", content="one line of configuration")
        assert "one line" in await answered(client, "recall", query="configuration")
        pid = holder(tmp_path)
        assert Path(f"/proc/{pid}").exists()
    await gone(pid)


async def test_clients_share_a_server_and_one_that_is_killed_is_started_anew(
    embedded: StdioServerParameters, tmp_path: Path
) -> None:
    first = client_of_own_task(lambda: Client(embedded, read_timeout_seconds=PATIENCE_SECONDS))
    async with first as (one, leave):
        await answered(one, "remember", content="stays in the data directory")
        pid = holder(tmp_path)
        async with Client(embedded, read_timeout_seconds=PATIENCE_SECONDS) as second:
            assert "stays" in await answered(second, "recall", query="data directory")
            await leave()
            assert "stays" in await answered(second, "recall", query="data directory")
            assert holder(tmp_path) == pid
            os.kill(pid, signal.SIGKILL)
            await gone(pid)
            assert "stays" in await answered(second, "recall", query="data directory")
            assert holder(tmp_path) != pid
            os.kill(holder(tmp_path), signal.SIGTERM)
            await gone(holder(tmp_path))


def holder(directory: Path) -> int:
    """The process that has the data directory."""
    return int((directory / "data" / "lock").read_text())


async def gone(pid: int) -> None:
    """When the process has ended."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while Path(f"/proc/{pid}").exists():  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_what_a_person_prefers_is_kept_for_every_project_where_that_is_set(web: Web) -> None:
    kept = {"preference": "Answers in Finnish", "instruction": "Use pnpm", "fact": "Ships Tuesdays"}
    for agent, person in (("blog", ""), ("shop", "@shared")):
        started = program("--address", web.server.address, "--agent", agent, key=web.server.keys.admin)
        started.env = {**(started.env or {}), "CAMILLO_PERSON": person}
        async with Client(started) as client:
            for kind, content in kept.items():
                await answered(client, "remember", content=f"{content} in {agent}", kind=kind)
    headers = web.with_key(web.server.keys.admin)
    expected = {
        "blog": {f"{content} in blog" for content in kept.values()},
        "shop": {"Ships Tuesdays in shop"},
        "@shared": {"Answers in Finnish in shop", "Use pnpm in shop"},
    }
    for agent, contents in expected.items():
        answer = await web.alice.get("/v1/memories", params={"agent_id": agent}, headers=headers)
        assert {each["content"] for each in answer.json()["memories"]} == contents


async def test_what_a_person_prefers_is_read_and_forgotten_where_it_is_kept(web: Web) -> None:
    started = program("--address", web.server.address, "--agent", "shop", key=web.server.keys.admin)
    started.env = {**(started.env or {}), "CAMILLO_PERSON": "@shared"}
    async with Client(started) as client:
        stored = {}
        for kind in ("preference", "fact"):
            answer = await client.call_tool("remember", {"content": f"طماطم tomatoes are a {kind}", "kind": kind})
            stored[kind] = answer.structured_content["id"]
        for kind, memory_id in stored.items():
            assert f"are a {kind}" in await answered(client, "read", ref=memory_id)
        shown = await client.call_tool("forget", {"query": "tomatoes"})
        assert set(shown.structured_content["ids"]) == set(stored.values())
        assert "tomatoes" in await answered(client, "forget", ids=list(stored.values()))
        gone = await client.call_tool("forget", {"ids": list(stored.values()), "dry_run": False})
        assert gone.structured_content["forgotten"] == 2
        assert "tomatoes" not in await answered(client, "recall", query="tomatoes")
