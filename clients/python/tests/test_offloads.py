"""Outputs of tools: short ones come back, long ones are kept, whoever hands them in and how."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from clients.python.tests.fake_server import FakeServer
from clients.python.tests.fake_service import UNAVAILABLE

from camillo_client import AsyncArtifactWriter, AsyncCamillo, AsyncOffloading, Camillo, errors
from camillo_client.outputs import MAX_MESSAGE_OUTPUT_BYTES

LONG = "строка журнала 🍵\n" * 100
HUGE = "x" * MAX_MESSAGE_OUTPUT_BYTES + "the end"


async def test_a_short_output_comes_back(client: AsyncCamillo, server: FakeServer) -> None:
    shown = await client.artifacts.offload("all is well")
    assert (shown.text, shown.artifact) == ("all is well", None)
    assert not server.artifacts.artifacts


async def test_a_long_output_is_kept(client: AsyncCamillo, server: FakeServer) -> None:
    shown = await client.artifacts.offload(LONG, tool="shell", command="npm test", exit_code=1)
    assert shown.artifact is not None
    assert shown.text.startswith(shown.artifact.memory_ref)
    assert server.artifacts.contents[shown.artifact.artifact_id] == LONG.encode()
    (request,) = server.desk.of("OffloadOutput")
    assert request.artifact.command == "npm test"
    assert request.artifact.exit_code == 1
    assert request.request_id


async def test_the_threshold_is_the_callers(client: AsyncCamillo) -> None:
    assert (await client.artifacts.offload("all is well", threshold_tokens=4)).artifact is not None
    assert (await client.artifacts.offload(LONG, threshold_tokens=9999)).artifact is None


async def test_no_output_needs_no_server(client: AsyncCamillo, server: FakeServer) -> None:
    shown = await client.artifacts.offload(b"")
    assert (shown.text, shown.artifact) == ("", None)
    assert not server.desk.calls


async def test_an_output_that_no_message_holds_is_sent_as_a_stream(client: AsyncCamillo, server: FakeServer) -> None:
    shown = await client.artifacts.offload(HUGE, tool="shell", timeout=30)
    assert shown.artifact is not None
    assert shown.artifact.tool == "shell"
    assert server.artifacts.contents[shown.artifact.artifact_id] == HUGE.encode()
    assert not server.desk.of("OffloadOutput")
    assert shown.text == (f"{shown.artifact.memory_ref}\na summary\n--- head\n{HUGE[:20]}\n--- tail\n{HUGE[-20:]}")


async def test_bytes_that_were_no_text_come_through(client: AsyncCamillo, server: FakeServer) -> None:
    output = b"\xff\xfe tea".decode("utf-8", "surrogateescape")
    await client.artifacts.offload(output)
    await client.artifacts.offload("\ud83d tea")
    assert [r.output for r in server.desk.of("OffloadOutput")] == [b"\xff\xfe tea", b"? tea"]


async def test_an_offload_is_retried_under_one_request_id(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("OffloadOutput", UNAVAILABLE)
    await client.artifacts.offload("tea")
    assert len({request.request_id for request in server.desk.of("OffloadOutput")}) == 1
    assert len(server.desk.of("OffloadOutput")) == 2


async def test_tools_are_wrapped(client: AsyncCamillo, server: FakeServer) -> None:
    @client.artifacts.offloaded(session_id="s-1")
    async def shell(command: str, *, loud: bool = False) -> str:
        """Runs a command."""
        return LONG if loud else command

    assert await shell("tea") == "tea"
    assert (await shell("tea", loud=True)).startswith("[MemoryRef: artifact_0")
    assert (shell.__name__, shell.__doc__) == ("shell", "Runs a command.")
    stated = server.desk.of("OffloadOutput")[1].artifact
    assert (stated.tool, stated.session_id) == ("shell", "s-1")


async def test_tools_that_block_do_not_hold_up_the_loop(client: AsyncCamillo, server: FakeServer) -> None:
    called = threading.Event()

    @client.artifacts.offloaded(tool="grep")
    def search() -> bytes:
        # Would wait in vain if it held up the loop that sets it.
        assert called.wait(10)
        return b"found"

    searching: asyncio.Task[str] = asyncio.create_task(search())  # type: ignore[arg-type]
    await asyncio.sleep(0)
    called.set()
    assert await searching == "found"
    assert server.desk.of("OffloadOutput")[0].artifact.tool == "grep"


async def test_a_tool_need_not_look_asynchronous_to_be_awaited(client: AsyncCamillo) -> None:
    async def shell(command: str) -> str:
        return command

    class Tool:
        async def __call__(self) -> str:
            return "tea"

    called_later: Callable[[], Awaitable[str]] = lambda: shell("tea")  # noqa: E731
    for tool in (called_later, Tool(), partial(shell, "tea")):
        assert await client.artifacts.offloaded(tool="shell")(tool)() == "tea"


async def test_a_tool_that_fails_fails_as_it_did(client: AsyncCamillo, server: FakeServer) -> None:
    @client.artifacts.offloaded()
    async def broken() -> str:
        raise LookupError("no such command")

    @client.artifacts.offloaded()
    async def number() -> str:
        return 3  # type: ignore[return-value]

    with pytest.raises(LookupError, match="no such command"):
        await broken()
    with pytest.raises(TypeError, match="text or bytes here, not int"):
        await number()
    assert not server.desk.calls


async def test_an_output_is_written_piece_by_piece(client: AsyncCamillo, server: FakeServer) -> None:
    async with client.artifacts.offloading(tool="shell", command="npm test") as out:
        await out.write("eins ")
        await out.write("茶\n".encode())
        out.exit_code = 2
        with pytest.raises(ValueError, match="before the block has ended"):
            _ = out.text
    assert (out.text, out.artifact) == ("eins 茶\n", None)
    assert server.desk.of("OffloadOutput")[0].artifact.exit_code == 2


async def test_a_huge_output_is_written_piece_by_piece(client: AsyncCamillo, server: FakeServer) -> None:
    async with client.artifacts.offloading() as out:
        for _ in range(5):
            await out.write(b"x" * 1024 * 1024)
    assert out.artifact is not None
    assert out.artifact.size_bytes == 5 * 1024 * 1024
    assert out.text.startswith(out.artifact.memory_ref)


async def test_an_artifact_is_written_piece_by_piece(client: AsyncCamillo, server: FakeServer) -> None:
    async with client.artifacts.open_writer(name="tea.txt") as out:
        assert await out.write("茶") == 3
        assert await out.write(b"!") == 1
    assert server.artifacts.contents[out.artifact.artifact_id] == "茶!".encode()
    assert out.artifact.name == "tea.txt"


async def test_nothing_is_kept_of_a_block_that_fails(client: AsyncCamillo, server: FakeServer) -> None:
    async def write_and_fail(out: AsyncArtifactWriter | AsyncOffloading) -> None:
        async with out:
            await out.write("tea")
            raise LookupError

    out = client.artifacts.open_writer()
    for block in (out, client.artifacts.offloading()):
        with pytest.raises(LookupError):
            await write_and_fail(block)
    with pytest.raises(ValueError, match="before the block has ended"):
        _ = out.artifact
    assert not server.desk.calls


def test_the_sync_twin_wraps_plain_functions(sync_client: Camillo, thread_server: FakeServer) -> None:
    @sync_client.artifacts.offloaded()
    def shell(command: str) -> str:
        return LONG if command == "loud" else command

    assert shell("tea") == "tea"
    assert shell("loud").startswith("[MemoryRef: artifact_0")
    assert thread_server.desk.of("OffloadOutput")[0].artifact.tool == "shell"


def test_the_sync_twin_has_blocks_too(sync_client: Camillo, thread_server: FakeServer) -> None:
    with sync_client.artifacts.offloading(tool="shell") as out:
        out.write(HUGE)
    assert out.artifact is not None
    with sync_client.artifacts.open_writer() as written:
        written.write(b"tea")
    assert thread_server.artifacts.contents[written.artifact.artifact_id] == b"tea"
    with pytest.raises(errors.ArtifactNotFound):
        sync_client.artifacts.get("nothing")
