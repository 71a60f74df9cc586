"""ListIndexes: what a process holds in memory, told to those who may know it, and compared with Postgres."""

import asyncio
from typing import Any

import grpc
import psycopg
import pytest
from camillo.v1 import admin_pb2 as pb
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as memory_pb
from camillo.v1 import memory_service_pb2 as service

from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port
from tests.rpc.memories.calls import remember
from tests.server_fixtures import DIMENSIONS, Caller, Server, StartServer, refused
from tests.unit.telemetry.test_metrics_export import scraped

pytestmark = pytest.mark.caches


async def warm(caller: Caller, *contents: str, agent_id: str = "") -> str:
    """The id of the last of these memories, when their scope is in memory."""
    for content in contents or ("一 memory",):
        memory = await remember(caller, content, agent_id=agent_id)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await answered_by(caller, agent_id) != memory_pb.ANSWERED_BY_CACHE:  # noqa: ASYNC110
            await asyncio.sleep(0.002)
    return memory.memory_id


async def answered_by(caller: Caller, agent_id: str = "") -> int:
    answer = await caller(service.RecallRequest(text="memory", agent_id=agent_id))
    assert answer.hits
    return int(answer.answered_by)


def lookups(lines: list[str]) -> dict[str, float]:
    """How many recalls found their scope in memory (`hit`), and how many did not."""
    head = 'camillo_index_lookups_total{kind="'
    found = (line.removeprefix(head).split('"} ') for line in lines if line.startswith(head))
    return {kind: float(count) for kind, count in found}


async def indexes(caller: Caller, **fields: Any) -> list[pb.HeldIndex]:
    """The first page."""
    return list((await caller(admin.ListIndexesRequest(**fields))).indexes)


async def pages(caller: Caller, **fields: Any) -> list[list[str]]:
    """The agents of every page."""
    request, found = admin.ListIndexesRequest(**fields), []
    while True:
        page = await caller(request)
        found.append([index.agent_id for index in page.indexes])
        request.page_token = page.next_page_token
        if not page.next_page_token:
            return found


async def test_what_is_held_comes_by_agent_in_pages_with_the_shared_scope_first(server: Server) -> None:
    assert await pages(server.admin) == [[]]
    for agent_id in ("bob", "", "Zoe_1", "alice"):
        await warm(server.admin, agent_id=agent_id)
    await remember(server.admin, "held by nobody", agent_id="carol")
    assert await pages(server.admin) == [["", "Zoe_1", "alice", "bob"]]
    assert await pages(server.admin, page_size=1) == [[""], ["Zoe_1"], ["alice"], ["bob"]]
    assert await pages(server.admin, page_size=2, compare=True) == [["", "Zoe_1"], ["alice", "bob"]]
    assert await pages(server.admin, page_size=3) == [["", "Zoe_1", "alice"], ["bob"]]
    assert await pages(server.admin, page_size=4) == [["", "Zoe_1", "alice", "bob"]]


async def test_a_page_has_fifty_unless_said_otherwise(server: Server) -> None:
    for number in range(51):
        await warm(server.admin, agent_id=f"agent-{number}")
    assert [len(page) for page in await pages(server.admin)] == [50, 1]
    assert [len(page) for page in await pages(server.admin, page_size=1000)] == [51]


@pytest.mark.parametrize("size", [-1, 1001, 2**31 - 1])
async def test_pages_of_an_impossible_size_are_refused(server: Server, size: int) -> None:
    told = await refused(indexes(server.admin, page_size=size))
    assert (told.code, told.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("page_size",))


@pytest.mark.own_server
async def test_who_may_not_administer_is_refused(server: Server) -> None:
    await warm(server.alice)
    for caller in (server.alice, server.reader, server.rival):
        told = await refused(indexes(caller))
        assert (told.code, told.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
        assert told.metadata == {"required_role": "TENANT_ADMIN"}
    for caller in (server.admin, server.root):
        assert [index.agent_id for index in await indexes(caller)] == ["alice"]


@pytest.mark.own_server
async def test_only_the_callers_tenant_is_told_of_and_any_to_root(server: Server) -> None:
    await warm(server.alice)
    await warm(server.rival, agent_id="alice")
    await warm(server.rival, agent_id="spy")
    assert await pages(server.admin) == await pages(server.admin, tenant_id="acme") == [["alice"]]
    told = await refused(indexes(server.admin, tenant_id="rival"))
    assert (told.reason, told.metadata) == ("SCOPE_FORBIDDEN", {"required_role": "ROOT"})
    assert await pages(server.root) == [["alice"]]
    assert await pages(server.root, tenant_id="rival", compare=True) == [["alice", "spy"]]
    assert await pages(server.root, tenant_id="nowhere") == [[]]
    assert (await refused(indexes(server.root, tenant_id="a\0b"))).fields == ("tenant_id",)


@pytest.mark.own_server
async def test_a_page_token_of_another_list_is_refused(server: Server) -> None:
    for agent_id in ("", "alice", "bob"):
        await warm(server.admin, agent_id=agent_id)
        await warm(server.rival, agent_id=agent_id)
    mine = await server.admin(admin.ListIndexesRequest(page_size=1))
    agents = await server.admin(admin.ListAgentsRequest(page_size=1))
    theirs = await server.root(admin.ListIndexesRequest(tenant_id="rival", page_size=1))
    for token in (agents.next_page_token, theirs.next_page_token, "nonsense", "é"):
        told = await refused(indexes(server.admin, page_token=token))
        assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN")
    for compare in (False, True):
        rest = await indexes(server.admin, page_token=mine.next_page_token, compare=compare)
        assert [index.agent_id for index in rest] == ["alice", "bob"]


async def test_the_memories_and_bytes_of_an_index_are_told(server: Server) -> None:
    text = "北京烤鸭 🦆 " * 100
    last = await warm(server.alice, "first", "second memory", "שלום")
    await warm(server.admin, *(f"{number} {text}" for number in range(40)))
    large, small = await indexes(server.admin)
    assert (large.agent_id, large.memories, small.agent_id, small.memories) == ("", 40, "alice", 3)
    of_content = 2 * DIMENSIONS + len(text.encode())
    assert 40 * of_content < large.bytes < 40 * of_content + 300_000
    assert 0 < small.bytes < large.bytes
    ids = service.MemoryIds(ids=[last])
    await server.alice(service.ForgetMemoriesRequest(memory_ids=ids))
    assert [index.memories for index in await indexes(server.admin, compare=True)] == [40, 2]


async def test_indexes_are_compared_where_that_is_asked_for(server: Server) -> None:
    await warm(server.alice, "first", "second memory")
    await warm(server.admin)
    for compare, agreement in (
        (False, pb.AGREEMENT_NOT_COMPARED),
        (True, pb.AGREEMENT_AGREES),
        (False, pb.AGREEMENT_NOT_COMPARED),
    ):
        told = await indexes(server.admin, compare=compare)
        assert [(index.agreement, index.difference) for index in told] == [(agreement, "")] * 2


@pytest.mark.own_server
async def test_an_index_that_differs_is_told_once_and_replaced(server: Server) -> None:
    await warm(server.alice, "first", "second memory")
    await warm(server.admin)
    with psycopg.connect(server.database.superuser_url) as superuser:
        superuser.execute("update camillo.memories set importance = 0.9 where content = 'second memory'")
    assert {index.agreement for index in await indexes(server.admin)} == {pb.AGREEMENT_NOT_COMPARED}
    shared, of_alice = await indexes(server.admin, compare=True)
    assert (shared.agent_id, shared.agreement) == ("", pb.AGREEMENT_AGREES)
    assert (of_alice.agent_id, of_alice.agreement) == ("alice", pb.AGREEMENT_DIFFERS)
    assert (of_alice.difference, of_alice.memories) == ("column importance", 2)
    assert await pages(server.admin) == [[""]]
    assert await answered_by(server.alice) == memory_pb.ANSWERED_BY_POSTGRES
    await warm(server.alice)
    _, of_alice = await indexes(server.admin, compare=True)
    assert (of_alice.agreement, of_alice.memories) == (pb.AGREEMENT_AGREES, 3)


async def test_a_deleted_agents_index_still_agrees(server: Server) -> None:
    await warm(server.alice, "first", "second memory")
    await warm(server.admin)
    await server.admin(admin.DeleteAgentRequest(agent_id="alice", confirm_agent_id="alice"))
    shared, of_alice = await indexes(server.admin, compare=True)
    assert (shared.memories, of_alice.memories) == (1, 0)
    assert shared.agreement == of_alice.agreement == pb.AGREEMENT_AGREES


async def test_the_figures_tell_of_the_same(start_server: StartServer) -> None:
    port = free_port()
    server = await start_server(telemetry={"prometheus_port": port}, retrieval={"cache_bytes": 10**7})
    await warm(server.alice, "first", "second memory")
    [index] = await indexes(server.admin)
    # A load is counted once it is over, and answers begin a little before; bytes are counted again once a second.
    later = {
        'camillo_index_events_total{kind="load"} 1.0',
        f'camillo_index_memory_bytes{{kind="held"}} {float(index.bytes)}',
    }
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not later.issubset(lines := await asyncio.to_thread(scraped, port)):
            pass
    assert 'camillo_index_scopes{kind="held"} 1.0' in lines
    assert 'camillo_index_memory_bytes{kind="budget"} 1e+07' in lines
    # A recall that waits for the load has not found its scope in memory, so there may be any number of each.
    assert lookups(lines)["miss"] >= 1
    hits = lookups(lines)["hit"]
    assert await answered_by(server.alice) == memory_pb.ANSWERED_BY_CACHE
    lines = await asyncio.to_thread(scraped, port)
    assert lookups(lines)["hit"] == hits + 1
    assert 'camillo_index_events_total{kind="failure"} 0.0' in lines
    assert "camillo_index_load_seconds_count 1.0" in lines
    assert not any(line.startswith("camillo_index_lag") for line in lines)
    request = admin.DeleteAgentRequest(agent_id="alice", confirm_agent_id="alice")
    await server.admin(request)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while "camillo_index_lag_seconds_count 1.0" not in await asyncio.to_thread(scraped, port):
            pass
    assert [index.memories for index in await indexes(server.admin)] == [0]


async def test_each_process_tells_of_its_own(start_server: StartServer) -> None:
    here, there = await start_server(), await start_server()
    without = await start_server(retrieval={"cache_bytes": 0})
    await warm(here.alice)
    assert await answered_by(without.alice) == memory_pb.ANSWERED_BY_POSTGRES
    assert await pages(here.admin) == [["alice"]]
    assert await pages(there.admin) == await pages(without.admin, compare=True) == [[]]
