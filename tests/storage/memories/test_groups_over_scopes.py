"""Remembers of several agents of a tenant that wait together are stored by one statement, each in its own scope, and
nobody can tell from the answers."""

import asyncio
from collections import defaultdict
from contextlib import ExitStack

import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness
from camillo_server.storage import group_commit

from tests.postgres_fixtures import TestDatabase
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import remember
from tests.server_fixtures import Server, StartServer
from tests.storage.locking import scope_held, until_waiting
from tests.storage.memories.test_groups_of_writes import Outcome, outcomes, reason, transactions, until_received

pytestmark = pytest.mark.own_server

# So many writes are under way before others wait.
FIRST = ("first", "second")
AGENTS = ("carl", "dora", "eve")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writes wait for those before them, however slow the machine is."""
    monkeypatch.setattr(group_commit, "PATIENCE_SECONDS", 600.0)


def new(agent_id: str, content: str, request_id: str = "", memory_id: str = "") -> service.RememberRequest:
    memory = pb.NewMemory(content=content, memory_id=memory_id)
    return service.RememberRequest(agent_id=agent_id, request_id=request_id, memory=memory)


async def together(server: Server, requests: list[service.RememberRequest]) -> list[Outcome]:
    """The outcomes of calls that waited until two others had ended."""
    with ExitStack() as held:
        for agent_id in FIRST:
            held.enter_context(scope_held(server.database, "acme", agent_id))
        before = [asyncio.create_task(server.admin(new(agent_id, "goes first"))) for agent_id in FIRST]
        await until_waiting(server.database, len(FIRST))
        tasks = [asyncio.create_task(server.admin(request)) for request in requests]
        await until_received(server.admin, len(requests))
    assert [reason(each) for each in await outcomes(before)] == ["", ""]
    return await outcomes(tasks)


def stored(database: TestDatabase) -> dict[str, list[tuple[str, int]]]:
    """Contents with their revisions, in their order, of each agent."""
    found = defaultdict(list)
    with psycopg.connect(database.superuser_url) as connection:
        for agent_id, *row in connection.execute(
            "select agent_id, content, revision from camillo.memories order by agent_id, revision"
        ):
            found[agent_id].append(tuple(row))
    return found


def audited(database: TestDatabase) -> dict[str, list[int]]:
    """The revisions in the audit trail of each agent, in the order of its chain."""
    found = defaultdict(list)
    with psycopg.connect(database.superuser_url) as connection:
        for agent_id, revision in connection.execute(
            "select agent_id, revision from camillo.audit_entries where method like '%Remember'"
            " order by agent_id, position"
        ):
            found[agent_id].append(revision)
    return found


async def test_each_is_stored_in_its_own_scope_at_its_own_revision(server: Server) -> None:
    await server.admin(new("dora", "of before"))
    requests = [new(agent_id, f"note {number}", f"request {number}") for number in range(3) for agent_id in AGENTS]
    answers = [answer for answer in await together(server, requests) if isinstance(answer, service.RememberResponse)]
    assert len(requests) in transactions(server.database)
    kept = stored(server.database)
    for agent_id in AGENTS:
        own = kept[agent_id][-3:]
        assert [content for content, _ in own] == ["note 0", "note 1", "note 2"]
        first = own[0][1]
        assert [revision for _, revision in own] == [first, first + 1, first + 2]
        assert audited(server.database)[agent_id] == [revision for _, revision in kept[agent_id]]
    assert kept["dora"][0][1] + 1 == kept["dora"][1][1]
    for request, answer in zip(requests, answers, strict=True):
        fresh = Freshness(at_least_as_fresh=answer.revision)
        read = service.GetMemoryRequest(agent_id=request.agent_id, memory_id=answer.memory.memory_id, freshness=fresh)
        assert (await server.admin(read)).memory == answer.memory
        query = service.RecallRequest(
            agent_id=request.agent_id, text=request.memory.content, limit=200, freshness=fresh
        )
        found = (await server.admin(query)).hits
        assert answer.memory.memory_id in {hit.memory.memory_id for hit in found}
    # The same requests come again: each gets its first answer, and nothing is stored twice.
    again = await together(server, requests)
    assert again == answers
    assert stored(server.database) == kept | {agent_id: stored(server.database)[agent_id] for agent_id in FIRST}


async def test_an_error_of_one_agents_write_is_its_own(server: Server) -> None:
    taken = (await remember(server.alice, "taken")).memory_id
    blocked = await remember(server.alice, "the xylophone is hidden")
    await server.alice(forget(blocked.memory_id))
    await server.admin(new("carl", "said once", "once"))
    ended = await together(
        server,
        [
            new("alice", "takes an id", memory_id=taken),
            new("alice", "the xylophone is hidden"),
            new("carl", "said otherwise", "once"),
            # Neither an id of another agent's memory nor what another one forgot is a reason to refuse.
            new("dora", "the xylophone is hidden", "once", memory_id=taken),
            new("eve", "plain"),
        ],
    )
    assert [reason(outcome) for outcome in ended] == [
        "MEMORY_ID_TAKEN",
        "VALUE_REJECTED",
        "REQUEST_ID_REUSED",
        "",
        "",
    ]
    assert stored(server.database)["eve"][0][0] == "plain"


async def test_a_scope_that_another_one_holds_does_not_hold_the_others(server: Server) -> None:
    with scope_held(server.database, "acme", "carl"):
        with ExitStack() as held:
            for agent_id in FIRST:
                held.enter_context(scope_held(server.database, "acme", agent_id))
            before = [asyncio.create_task(server.admin(new(agent_id, "goes first"))) for agent_id in FIRST]
            await until_waiting(server.database, len(FIRST))
            waits, goes = (asyncio.create_task(server.admin(new(agent_id, "note"))) for agent_id in ("carl", "dora"))
            await until_received(server.admin, 2)
        answer = await goes
        assert answer.memory.content == "note"
        assert not waits.done()
    assert (await waits).memory.content == "note"
    await asyncio.gather(*before)


async def test_two_servers_store_groups_of_the_same_agents(start_server: StartServer) -> None:
    servers = await start_server(), await start_server()
    database = servers[0].database
    requests = [new(AGENTS[number % 3], f"note {number}") for number in range(60)]
    with ExitStack() as held:
        for agent_id in FIRST:
            held.enter_context(scope_held(database, "acme", agent_id))
        before = [
            asyncio.create_task(server.admin(new(agent_id, f"goes first at {server.address}")))
            for server in servers
            for agent_id in FIRST
        ]
        await until_waiting(database, len(before))
        tasks = [asyncio.create_task(servers[number % 2].admin(request)) for number, request in enumerate(requests)]
        for server in servers:
            await until_received(server.admin, len(requests))
    assert {reason(each) for each in await outcomes(before) + await outcomes(tasks)} == {""}
    kept = stored(database)
    for agent_id in AGENTS:
        revisions = [revision for _, revision in kept[agent_id]]
        assert revisions == list(range(revisions[0], revisions[0] + 20))
        assert audited(database)[agent_id] == revisions
    # Each server stored all that waited there by one statement.
    assert sorted(transactions(database)) == [1] * len(before) + [len(requests) // 2] * len(servers)
