"""Backpressure, deadlines and cancellation: bounded work, and none for callers who have left."""

import asyncio

import grpc
import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.rpc.memories.calls import listed, recall, remember
from tests.server_fixtures import Server, StartServer, refused
from tests.storage.locking import scope_held, until_waiting

pytestmark = pytest.mark.own_server


def new(content: str, agent_id: str = "") -> service.RememberRequest:
    return service.RememberRequest(agent_id=agent_id, memory=pb.NewMemory(content=content))


async def test_calls_beyond_the_bound_are_told_when_to_come_back(start_server: StartServer) -> None:
    server = await start_server(server={"max_in_flight": 6})
    with scope_held(server.database, "acme", "alice"), scope_held(server.database, "acme", "bob"):
        held = [server.alice.begin(new("0")), server.alice.begin(new("1"))]
        held.append(server.admin.begin(new("bob's", agent_id="bob")))
        # Alice's second call waits behind the first, to be stored with others.
        await until_waiting(server.database, 2)
        for request in (new("one more"), service.RecallRequest(text="x")):
            told = await refused(server.alice(request))
            assert (told.code, told.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED")
            assert told.metadata == {"limit": "3"}
            assert told.retry_seconds is not None
            assert 0 < told.retry_seconds < 5
        # The places that are left are for other tenants.
        assert await listed(server.rival) == []
    for call in held:
        await call
    assert sorted(await listed(server.alice)) == ["0", "1"]


async def test_the_client_comes_back_when_told_to(start_server: StartServer) -> None:
    server = await start_server(server={"max_in_flight": 1})
    async with server.client(server.keys.alice) as client:
        stored = await asyncio.gather(*(client.remember(str(i)) for i in range(3)))
    assert len({memory.memory_id for memory in stored}) == 3


async def test_a_cancelled_call_stops_its_query_and_frees_its_place(start_server: StartServer) -> None:
    server = await start_server(server={"max_in_flight": 1})
    with scope_held(server.database, "acme", "alice"):
        call = server.alice.begin(new("cancelled"))
        await until_waiting(server.database, 1)
        call.cancel()
        await until_waiting(server.database, 0)
        assert await listed(server.rival) == []
    await remember(server.alice, "later")
    assert await listed(server.alice) == ["later"]


async def test_a_deadline_stops_the_query_and_writes_nothing(server: Server) -> None:
    with scope_held(server.database, "acme", "alice"):
        told = await refused(server.alice(new("late"), timeout=0.2))
        assert told.code == grpc.StatusCode.DEADLINE_EXCEEDED
        await until_waiting(server.database, 0)
    await remember(server.alice, "in time")
    assert await listed(server.alice) == ["in time"]


async def test_a_call_without_a_deadline_gets_the_servers(start_server: StartServer) -> None:
    server = await start_server(server={"default_deadline_seconds": 0.2})
    forever = server.caller(server.keys.alice, timeout_seconds=None)
    with scope_held(server.database, "acme", "alice"):
        told = await refused(forever(new("late")))
    assert (told.code, told.reason) == (grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED")
    assert (await forever(new("in time"))).memory.version == 1


async def test_one_callers_short_deadline_is_not_anothers(server: Server) -> None:
    """Both wait for the same lookup of their key; the one who began it gives up first."""
    with psycopg.connect(server.database.superuser_url) as holder:
        holder.execute("lock table camillo.api_keys in access exclusive mode")
        hasty = server.alice.begin(service.ListMemoriesRequest(), 0.2)
        await until_waiting(server.database, 1)
        patient = asyncio.create_task(listed(server.alice))
        assert (await refused(hasty)).code == grpc.StatusCode.DEADLINE_EXCEEDED
        # The statement of the first ends with its time-out, a little after its deadline.
        await asyncio.wait([patient], timeout=0.5)
        holder.rollback()
    assert await patient == []


async def test_a_busy_scope_leaves_other_scopes_alone(server: Server) -> None:
    with scope_held(server.database, "acme", "alice"):
        # More than the pool has connections: they wait in the server, where they hold none.
        held = [server.alice.begin(new(str(i))) for i in range(12)]
        await until_waiting(server.database, 1)
        await remember(server.rival, "not held up")
        assert (await recall(server.alice, "anything")).hits == []
    await asyncio.gather(*held)
