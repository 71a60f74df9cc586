"""`serve --workers 2`: several processes on one port, one of them killed, all of them drained."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from camillo_client import AsyncCamillo
from camillo_server.assembly.processes.root_key import ROOT_KEY_FILE
from camillo_server.assembly.processes.workers import START_TIMEOUT_SECONDS

from tests.faults.server_process import ServerProcess, server_process
from tests.patience import PATIENCE_SECONDS

pytestmark = [pytest.mark.xdist_group("workers"), pytest.mark.timeout(110)]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not await asyncio.to_thread(condition):
            pass


def is_gone(pid: int) -> bool:
    """Ended and collected by its parent. Before, the kernel may still hand a connection to its socket."""
    return not Path(f"/proc/{pid}").exists()


async def remember(server: ServerProcess, data_directory: Path, content: str) -> None:
    """Over a connection of its own, so that any of the workers may take it."""
    key = (data_directory / ROOT_KEY_FILE).read_text().strip()
    async with AsyncCamillo.connect(server.address, key=key, agent_id="alice") as camillo:
        await camillo.remember(content)
        found = [memory.content async for memory in camillo.list_memories()]
        assert content in found


async def test_a_killed_worker_is_replaced_and_the_others_go_on(data_directory: Path) -> None:
    with server_process(data_directory, workers=2) as server:
        await server.ready()
        first = server.workers()
        assert len(first) == 2
        await asyncio.gather(*(remember(server, data_directory, f"before {i}") for i in range(8)))

        victim = min(first)
        os.kill(victim, signal.SIGKILL)
        await until(lambda: is_gone(victim))
        await remember(server, data_directory, "while one is away")
        await until(lambda: len(server.workers()) == 2)
        assert victim not in server.workers()
        await asyncio.gather(*(remember(server, data_directory, f"after {i}") for i in range(8)))

        last = server.workers()
        assert await server.terminate() == 0
        assert all(is_gone(pid) for pid in last)


async def test_the_others_go_on_while_no_worker_can_be_started(data_directory: Path) -> None:
    with server_process(data_directory, workers=2) as server:
        await server.ready()
        before = server.workers()
        allowed = server.limit_files(3)
        victim = min(before)
        os.kill(victim, signal.SIGKILL)
        await until(lambda: is_gone(victim))
        await remember(server, data_directory, "while no process can be started")
        assert server.workers() == before - {victim}
        server.limit_files(allowed)
        await until(lambda: len(server.workers()) == 2)
        assert await server.terminate() == 0


async def test_workers_end_with_a_parent_that_is_killed(data_directory: Path) -> None:
    with server_process(data_directory, workers=2) as server:
        await server.ready()
        workers = server.workers()
        assert len(workers) == 2
        await server.kill()
        await until(lambda: all(is_gone(pid) for pid in workers))


async def test_a_server_that_is_told_to_stop_waits_for_no_worker_that_starts(data_directory: Path) -> None:
    with server_process(data_directory, workers=2) as server:
        await server.ready()
        before = server.workers()
        os.kill(min(before), signal.SIGKILL)
        await until(lambda: bool(server.workers() - before))
        (starting,) = server.workers() - before
        os.kill(starting, signal.SIGSTOP)
        began = time.monotonic()
        assert await server.terminate() == 0
        # Ended after the time in which workers may drain, though it could not.
        assert time.monotonic() - began < START_TIMEOUT_SECONDS
        assert all(is_gone(pid) for pid in {starting, *before})
