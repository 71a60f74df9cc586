"""Watching the changes of a scope."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest
from clients.python.tests.fake_server import FakeServer, Pauses
from clients.python.tests.fake_service import UNAVAILABLE, status
from grpc import StatusCode

from camillo.v1.consistency_pb2 import Revision
from camillo.v1.memory_pb2 import MemoryChange
from camillo_client import AsyncCamillo, Camillo, errors


async def _take(client: AsyncCamillo, count: int) -> list[MemoryChange]:
    taken: list[MemoryChange] = []
    async with aclosing(client.watch(from_beginning=True)) as changes:
        async for change in changes:
            taken.append(change)
            if len(taken) == count:
                break
    return taken


def _changes(server: FakeServer, count: int) -> None:
    for number in range(1, count + 1):
        server.memories.change(number)


async def test_a_watch_resumes_where_it_broke(client: AsyncCamillo, server: FakeServer, pauses: Pauses) -> None:
    _changes(server, 5)
    server.memories.breaks = [2, 0, 1]
    taken = await _take(client, 5)
    assert [change.forgotten_memory_id for change in taken] == ["m1", "m2", "m3", "m4", "m5"]
    requests = server.desk.of("WatchMemories")
    assert requests[0].WhichOneof("start") == "from_beginning"
    assert [request.resume_token for request in requests] == ["", "t2", "t2", "t3"]
    assert len(pauses) == 3


async def test_a_watch_that_the_server_ends_is_resumed(client: AsyncCamillo, server: FakeServer) -> None:
    _changes(server, 3)
    server.memories.breaks, server.memories.ends_watches = [2], True
    assert len(await _take(client, 3)) == 3


async def test_a_watch_waits_longer_each_time_and_gives_up(
    client: AsyncCamillo, server: FakeServer, pauses: Pauses
) -> None:
    server.desk.refuse("WatchMemories", *[UNAVAILABLE] * 9)
    with pytest.raises(errors.StorageUnavailable):
        [change async for change in client.watch(from_beginning=True, max_reconnects=3)]
    assert len(server.desk.of("WatchMemories")) == 4
    bounds = [(0.05, 0.1), (0.1, 0.2), (0.2, 0.4)]
    assert all(low <= s <= high for s, (low, high) in zip(pauses, bounds, strict=True))


async def test_a_watch_waits_as_long_as_the_server_asks(
    client: AsyncCamillo, server: FakeServer, pauses: Pauses
) -> None:
    _changes(server, 1)
    waits = status(StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE", retry_after_seconds=7)
    server.desk.refuse("WatchMemories", waits)
    assert len(await _take(client, 1)) == 1
    assert pauses == [7]


async def test_a_change_makes_the_count_of_attempts_begin_anew(client: AsyncCamillo, server: FakeServer) -> None:
    _changes(server, 4)
    server.memories.breaks = [1, 0, 1, 0, 1, 0]
    taken: list[MemoryChange] = []
    async with aclosing(client.watch(from_beginning=True, max_reconnects=2)) as changes:
        async for change in changes:
            taken.append(change)
            if len(taken) == 4:
                break
    assert len(server.desk.of("WatchMemories")) == 7


async def test_other_failures_end_a_watch(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("WatchMemories", status(StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN"))
    with pytest.raises(errors.InvalidPageToken):
        [change async for change in client.watch(resume_token="bad")]


async def test_leaving_a_watch_closes_it_at_the_server(client: AsyncCamillo, server: FakeServer) -> None:
    _changes(server, 1)
    await _take(client, 1)
    await asyncio.wait_for(server.memories.watch_closed.wait(), 10)


async def test_a_watch_begins_at_one_place(client: AsyncCamillo, server: FakeServer) -> None:
    _changes(server, 1)
    async with aclosing(client.watch(after_revision=Revision(token="r"))) as changes:
        await anext(changes)
    assert server.desk.of("WatchMemories")[0].after_revision.token == "r"  # noqa: S105


async def test_a_watch_that_is_not_told_one_place_to_begin_is_not_asked_for(
    client: AsyncCamillo, sync_client: Camillo, server: FakeServer
) -> None:
    for watching in (client, client.events, sync_client, sync_client.events):
        # At once: nothing is awaited.
        with pytest.raises(ValueError, match="from_beginning=True"):
            watching.watch()
        with pytest.raises(ValueError, match="one place"):
            watching.watch(resume_token="t1", from_beginning=True)
        with pytest.raises(ValueError, match="one place"):
            watching.watch(resume_token="t1", after_revision=Revision(token="r"))
    assert not server.desk.of("WatchMemories")
    assert not server.desk.of("WatchEvents")


async def test_a_watch_waits_for_an_overloaded_server(client: AsyncCamillo, server: FakeServer, pauses: Pauses) -> None:
    """When a server comes back, all its watchers do."""
    _changes(server, 2)
    server.memories.breaks = [1]
    full = status(StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", retry_after_seconds=3)
    server.desk.refuse("WatchMemories", full)
    assert len(await _take(client, 2)) == 2
    assert pauses[0] == 3


async def test_a_watch_is_not_held_up_for_as_long_as_a_server_likes(
    client: AsyncCamillo, server: FakeServer, pauses: Pauses
) -> None:
    later = status(StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE", retry_after_seconds=86_400)
    server.desk.refuse("WatchMemories", later)
    with pytest.raises(errors.StorageUnavailable) as raised:
        await _take(client, 1)
    assert raised.value.retry_after_seconds == 86_400
    assert not pauses
