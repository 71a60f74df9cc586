"""Every call: the metadata it carries, how long it may take, and when it is repeated."""

from __future__ import annotations

import asyncio

import pytest
from clients.python.tests.fake_server import FakeServer, Pauses
from clients.python.tests.fake_service import UNAVAILABLE, status
from grpc import StatusCode

from camillo_client import AsyncCamillo, errors

# gRPC's answer, in a server that stops, to calls that it has not handed over.
GONE = status(StatusCode.CANCELLED, message="CANCELLED")


def _overloaded(seconds: float | None = 0.5) -> object:
    return status(StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", retry_after_seconds=seconds)


async def test_the_key_is_sent_as_a_bearer_token(client: AsyncCamillo, server: FakeServer) -> None:
    await client.who_am_i()
    assert server.desk.calls[0].metadata["authorization"] == "Bearer k-1"
    assert str(server.desk.calls[0].metadata["user-agent"]).startswith("camillo-client/")


async def test_without_a_key_none_is_sent(server: FakeServer) -> None:
    async with AsyncCamillo.connect(server.address, key="") as client:
        await client.who_am_i()
    assert "authorization" not in server.desk.calls[0].metadata


async def test_a_mutation_is_retried_under_one_request_id(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("Remember", UNAVAILABLE, UNAVAILABLE)
    memory = await client.remember("tea")
    assert memory.content == "tea"
    ids = [request.request_id for request in server.desk.of("Remember")]
    assert len(ids) == 3
    assert len(set(ids)) == 1
    assert ids[0]
    assert len(server.memories.memories["ada"]) == 1


async def test_a_read_is_retried_four_times_at_most(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("Recall", *[UNAVAILABLE] * 9)
    with pytest.raises(errors.StorageUnavailable):
        await client.recall("tea")
    assert len(server.desk.of("Recall")) == 4


async def test_other_failures_are_not_retried(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("Recall", status(StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED"))
    with pytest.raises(errors.QuotaExceeded):
        await client.recall("tea")
    assert len(server.desk.of("Recall")) == 1


async def test_a_server_that_stops_before_it_takes_a_call_is_asked_again(
    client: AsyncCamillo, server: FakeServer
) -> None:
    server.desk.refuse("Remember", GONE, GONE)
    assert (await client.remember("tea")).content == "tea"
    ids = [request.request_id for request in server.desk.of("Remember")]
    assert len(ids) == 3
    assert len(set(ids)) == 1


async def test_a_server_that_only_stops_is_told_as_unavailable(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("Recall", *[GONE] * 9)
    with pytest.raises(errors.Unavailable):
        await client.recall("tea")
    assert len(server.desk.of("Recall")) == 4


async def test_a_call_that_its_caller_cancels_is_not_repeated(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.stalled.add("Recall")
    task = asyncio.create_task(client.recall("tea"))
    while not server.desk.of("Recall"):
        await asyncio.wait({task}, timeout=0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    server.desk.refuse("Remember", GONE)
    # Longer than the pause before a repetition, as this one shows.
    await client.remember("tea")
    assert len(server.desk.of("Remember")) == 2
    assert len(server.desk.of("Recall")) == 1


async def test_streams_are_not_retried(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.refuse("ExportMemories", UNAVAILABLE)
    with pytest.raises(errors.StorageUnavailable):
        [memory async for memory in client.export()]
    assert len(server.desk.of("ExportMemories")) == 1


async def test_a_call_has_a_deadline_by_default(client: AsyncCamillo, server: FakeServer) -> None:
    await client.recall("tea")
    await client.recall("tea", timeout=100)
    seconds = [call.seconds_left for call in server.desk.calls]
    # On the wire a timeout is rounded up.
    assert seconds[0] is not None
    assert seconds[1] is not None
    assert 5 < seconds[0] <= 11
    assert 95 < seconds[1] <= 102


async def test_a_stream_has_none_unless_given(client: AsyncCamillo, server: FakeServer) -> None:
    [memory async for memory in client.export()]
    [memory async for memory in client.export(timeout=100)]
    without, given = (call.seconds_left for call in server.desk.calls)
    # gRPC answers years for a call without a deadline.
    assert without is None or without > 1_000_000
    assert given is not None
    assert 95 < given <= 102


async def test_a_call_is_not_sent_after_its_deadline(client: AsyncCamillo, server: FakeServer) -> None:
    with pytest.raises(errors.DeadlineExceeded) as raised:
        await client.remember("tea", timeout=0, request_id="r1")
    assert raised.value.request_id == "r1"
    assert server.desk.of("Remember") == []


async def test_a_server_that_takes_too_long_is_a_typed_error(client: AsyncCamillo, server: FakeServer) -> None:
    server.desk.stalled.add("Recall")
    with pytest.raises(errors.DeadlineExceeded):
        await client.recall("tea", timeout=0.05)
    assert (await client.who_am_i(timeout=5)).agent_id == "ada"


async def test_an_overloaded_server_is_asked_again_when_it_says(
    client: AsyncCamillo, server: FakeServer, pauses: Pauses
) -> None:
    server.desk.refuse("Remember", _overloaded(0.5), _overloaded(0.25))
    await client.remember("tea")
    assert pauses == [0.5, 0.25]
    assert len({request.request_id for request in server.desk.of("Remember")}) == 1


async def test_an_overloaded_server_is_asked_again_three_times_at_most(
    client: AsyncCamillo, server: FakeServer, pauses: Pauses
) -> None:
    server.desk.refuse("Recall", *[_overloaded()] * 9)
    with pytest.raises(errors.Overloaded):
        await client.recall("tea")
    assert len(pauses) == 3
    assert len(server.desk.of("Recall")) == 4


@pytest.mark.parametrize("seconds", [60.0, None])
async def test_an_overloaded_server_is_not_waited_for_in_vain(
    client: AsyncCamillo, server: FakeServer, pauses: Pauses, seconds: float | None
) -> None:
    server.desk.refuse("Recall", _overloaded(seconds))
    with pytest.raises(errors.Overloaded):
        await client.recall("tea")
    assert pauses == []


async def test_no_server_is_a_typed_error() -> None:
    async with AsyncCamillo.connect("127.0.0.1:1") as client:
        with pytest.raises((errors.Unavailable, errors.DeadlineExceeded)):
            await client.recall("tea", timeout=0.5)


async def test_cancelling_the_caller_cancels_the_call(client: AsyncCamillo, server: FakeServer) -> None:
    async def follow() -> None:
        [change async for change in client.watch(from_beginning=True)]

    task = asyncio.create_task(follow())
    while not server.desk.of("WatchMemories"):
        await asyncio.wait({task}, timeout=0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(server.memories.watch_closed.wait(), 10)
