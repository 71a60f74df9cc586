"""Remembers of one scope that wait together are stored by one statement, and nobody can tell from the answers."""

import asyncio
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import grpc
import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import listed, remember
from tests.server_fixtures import Caller, Server, StartServer, refusal
from tests.storage.locking import scope_held, until_waiting

pytestmark = pytest.mark.own_server

CALLERS = 64
Outcome = service.RememberResponse | grpc.aio.AioRpcError


def new(content: str, request_id: str = "", **fields: Any) -> service.RememberRequest:
    memory = pb.NewMemory(content=content, **fields)
    return service.RememberRequest(request_id=request_id, memory=memory)


async def together(
    database: TestDatabase, caller: Caller, requests: Sequence[service.RememberRequest]
) -> list[asyncio.Task[Outcome]]:
    """The calls, of which the first was under way until all had arrived; they go on when this returns."""
    with scope_held(database, "acme", "alice"):
        tasks = [asyncio.create_task(caller(requests[0]))]
        await until_waiting(database, 1)
        tasks += [asyncio.create_task(caller(request)) for request in requests[1:]]
        await until_received(caller, len(requests))
    return tasks


async def until_received(caller: Caller, calls: int) -> None:
    """The server takes calls in their order, so those before one that has been answered have arrived."""
    for _ in range(calls):
        await caller(service.ListMemoriesRequest(page_size=1))


async def until_group_waits(database: TestDatabase) -> None:
    """Returns when the statement of a group waits for the scope, where that of the first did before."""
    statement = (
        "select count(*) from pg_stat_activity where datname = current_database()"
        " and wait_event_type = 'Lock' and query like '%bigint + g.added%'"
    )
    async with asyncio.timeout(PATIENCE_SECONDS):
        with psycopg.connect(database.superuser_url, autocommit=True) as observer:
            while observer.execute(statement).fetchone() != (1,):
                # Once for each pass of the loop, in which the server goes on.
                await asyncio.to_thread(observer.rollback)


async def outcomes(tasks: Sequence[asyncio.Task[Outcome]]) -> list[Outcome]:
    ended: list[Any] = await asyncio.gather(*tasks, return_exceptions=True)
    return ended


def reason(outcome: Outcome) -> str:
    return refusal(outcome).reason if isinstance(outcome, grpc.aio.AioRpcError) else ""


def transactions(database: TestDatabase) -> list[int]:
    """How many memories each transaction stored, in the order of revisions."""
    with psycopg.connect(database.superuser_url) as connection:
        return [
            count
            for (count,) in connection.execute(
                "select count(*) from camillo.memories group by xmin order by min(revision)"
            )
        ]


def revisions(database: TestDatabase) -> list[tuple[int, str]]:
    with psycopg.connect(database.superuser_url) as connection:
        found = connection.execute("select revision, content from camillo.memories order by revision")
        return [(revision, content) for revision, content in found]


async def test_who_waits_is_stored_in_one_transaction_each_at_its_own_revision(server: Server) -> None:
    contents = [f"note {number}" for number in range(CALLERS)]
    vector = pb.Vector(values=[1.0] + [0.0] * 3, model_id="other")
    requests = [
        new(content, f"request {content}", tags=["a,b", 'c"\\'][: number % 3], vector=vector)
        if number % 2
        else new(content, session_id="monday")
        for number, content in enumerate(contents)
    ]
    tasks = await together(server.database, server.alice, requests)
    answers = [answer async for answer in _answers(tasks)]
    assert transactions(server.database) == [1, CALLERS - 1]
    stored = revisions(server.database)
    first = stored[0][0]
    assert [revision for revision, _ in stored] == list(range(first, first + CALLERS))
    assert sorted(content for _, content in stored) == sorted(contents)
    assert len({answer.revision.token for answer in answers}) == CALLERS
    # Each is found at its own revision, and what was sent is what is stored.
    for request, answer in zip(requests, answers, strict=True):
        fresh = Freshness(at_least_as_fresh=answer.revision)
        kept = await server.alice(service.GetMemoryRequest(memory_id=answer.memory.memory_id, freshness=fresh))
        assert kept.memory == answer.memory
        assert list(kept.memory.tags) == list(request.memory.tags)
        query = service.RecallRequest(text=request.memory.content, limit=200, freshness=fresh)
        hits = (await server.alice(query)).hits
        assert request.memory.content in {hit.memory.content for hit in hits}
    # The same requests come again, together as well: each gets its first answer.
    again = await together(server.database, server.alice, requests[1::2])
    repeated = [answer async for answer in _answers(again)]
    assert [answer.revision for answer in repeated] == [answer.revision for answer in answers[1::2]]
    assert len(revisions(server.database)) == CALLERS


async def _answers(tasks: Sequence[asyncio.Task[Outcome]]) -> Any:
    for task in tasks:
        yield await task


async def test_repeats_conflicts_and_refusals_in_a_group_are_each_ones_own(server: Server) -> None:
    blocked = await remember(server.alice, "the xylophone is hidden")
    await server.alice(forget(blocked.memory_id))
    taken = (await remember(server.alice, "taken")).memory_id
    twice = str(uuid4())
    requests = [
        new("goes first"),
        *(new("said once", "once") for _ in range(8)),
        new("said otherwise", "once"),
        *(new("the same text", memory_id=str(uuid4())) for _ in range(4)),
        new("takes an id", memory_id=taken),
        *(new(f"one id {number}", memory_id=twice) for number in range(2)),
        new("the xylophone is hidden"),
        *(new(f"plain {number}") for number in range(8)),
        new("kept secret", sensitivity=pb.SENSITIVITY_RESTRICTED),
    ]
    ended = await outcomes(await together(server.database, server.alice, requests))
    told = [reason(outcome) for outcome in ended]
    assert told[0] == ""
    once = [outcome for outcome in ended[1:9] if not reason(outcome)]
    assert len(once) + told[9:10].count("") >= 1
    assert {reason(outcome) for outcome in ended[1:10]} <= {"", "REQUEST_ID_REUSED"}
    assert all(outcome == once[0] for outcome in once)
    same = [outcome.memory for outcome in ended[10:14] if not isinstance(outcome, Exception)]
    assert len({memory.memory_id for memory in same}) == 1
    assert sorted(memory.stated_count for memory in same) == [1, 2, 3, 4]
    assert told[14] == "MEMORY_ID_TAKEN"
    assert sorted(told[15:17]) == ["", "MEMORY_ID_TAKEN"]
    assert told[17] == "VALUE_REJECTED"
    assert set(told[18:]) == {""}
    assert len(await listed(server.alice, page_size=200)) == 1 + 1 + 1 + 1 + 1 + 8 + 1


async def test_without_blocked_values_in_it_a_group_is_stored_where_some_are_blocked(server: Server) -> None:
    blocked = await remember(server.alice, "the xylophone is hidden")
    await server.alice(forget(blocked.memory_id))
    # From its first refusal on, the server knows that values are blocked there.
    await remember(server.alice, "first")
    requests = [new(f"plain {number}") for number in range(8)]
    assert {reason(outcome) for outcome in await outcomes(await together(server.database, server.alice, requests))} == {
        ""
    }
    assert transactions(server.database) == [1, 1, 7]


async def test_a_scope_begins_with_a_group(server: Server) -> None:
    """The first write, which would make the scope, is cancelled; the group makes it."""
    requests = [new(f"note {number}") for number in range(4)]
    with scope_held(server.database, "acme", "alice"):
        tasks = [asyncio.create_task(server.alice(requests[0]))]
        await until_waiting(server.database, 1)
        tasks += [asyncio.create_task(server.alice(request)) for request in requests[1:]]
        await until_received(server.alice, len(requests))
        tasks[0].cancel()
        await until_group_waits(server.database)
    ended = await outcomes(tasks)
    assert [reason(outcome) for outcome in ended[1:]] == [""] * 3
    stored = revisions(server.database)
    assert [content for _, content in stored] == ["note 1", "note 2", "note 3"]
    assert transactions(server.database) == [3]


async def test_who_gave_up_before_its_group_began_is_not_stored(server: Server) -> None:
    requests = [new(f"note {number}") for number in range(8)]
    with scope_held(server.database, "acme", "alice"):
        tasks = [asyncio.create_task(server.alice(requests[0]))]
        await until_waiting(server.database, 1)
        tasks += [asyncio.create_task(server.alice(request)) for request in requests[1:]]
        await until_received(server.alice, len(requests))
        for task in tasks[1::2]:
            task.cancel()
        await until_received(server.alice, len(requests))
    await outcomes(tasks)
    assert [content for _, content in revisions(server.database)] == [f"note {number}" for number in range(0, 8, 2)]
    assert transactions(server.database) == [1, 3]


async def test_two_servers_store_groups_of_one_scope_in_one_order(start_server: StartServer) -> None:
    one, other = await start_server(), await start_server()
    writers = [(one, other)[number % 2].alice for number in range(CALLERS)]
    answers = await asyncio.gather(*(writer(new(f"note {number}")) for number, writer in enumerate(writers)))
    stored = revisions(one.database)
    first = stored[0][0]
    assert [revision for revision, _ in stored] == list(range(first, first + CALLERS))
    assert len(transactions(one.database)) < CALLERS
    for answer, reader in zip(answers, reversed(writers), strict=True):
        query = service.RecallRequest(
            text=answer.memory.content, limit=200, freshness=Freshness(at_least_as_fresh=answer.revision)
        )
        hits = (await reader(query)).hits
        assert answer.memory.memory_id in {hit.memory.memory_id for hit in hits}
