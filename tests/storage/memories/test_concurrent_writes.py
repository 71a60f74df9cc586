"""Writers at once: one write per request id, a counter without gaps, and watchers who miss nothing."""

import asyncio
from uuid import uuid4

import psycopg
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.postgres_fixtures import TestDatabase
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import listed, remember
from tests.rpc.memories.test_update import update
from tests.rpc.watching import Watch, told
from tests.server_fixtures import Server, StartServer, refusal_of, refused

CALLERS = 32


def rows(database: TestDatabase, statement: str) -> list[tuple[int, ...]]:
    with psycopg.connect(database.superuser_url) as connection:
        return connection.execute(statement).fetchall()


def writes_and_memories(database: TestDatabase) -> tuple[int, int]:
    """How far the counter has moved since the first revision of the only scope, that one included; and its count."""
    ((first, last, memories),) = rows(
        database,
        "select (select min(revision) from camillo.first_revision), revision, memory_count from camillo.scopes",
    )
    return last - first + 1, memories


@pytest.fixture(autouse=True)
def first_revision(database: TestDatabase) -> None:
    """Keeps the revision that each scope began with."""
    with psycopg.connect(database.superuser_url) as superuser:
        superuser.execute("create table camillo.first_revision (revision bigint)")
        superuser.execute(
            "create function camillo.keep_first() returns trigger language plpgsql as"
            " $$begin insert into camillo.first_revision values (new.revision); return null; end$$"
        )
        superuser.execute("grant all on camillo.first_revision to public")
        superuser.execute(
            "create trigger keep_first after insert on camillo.scopes"
            " for each row execute function camillo.keep_first()"
        )


async def test_many_calls_with_one_request_id_are_one_write(start_server: StartServer) -> None:
    one, other = await start_server(), await start_server()
    request = service.RememberRequest(request_id="once", memory=pb.NewMemory(content="once"))
    calls = [(one, other)[i % 2].alice(request) for i in range(CALLERS)]
    answers = await asyncio.gather(*calls)
    assert all(answer == answers[0] for answer in answers)
    assert await listed(one.alice) == ["once"]
    assert writes_and_memories(one.database) == (1, 1)


async def test_many_batches_updates_and_forgettings_with_one_request_id_are_one_write(server: Server) -> None:
    batch = service.BatchRememberRequest(request_id="batch", memories=[pb.NewMemory(content=str(i)) for i in range(3)])
    answers = await asyncio.gather(*(server.alice(batch) for _ in range(CALLERS)))
    assert all(answer == answers[0] for answer in answers)
    first, second, _ = (result.memory.memory_id for result in answers[0].results)
    change = update(first, 1, content="changed")
    change.request_id = "update"
    removal = forget(second, request_id="forget")
    for request in (change, removal):
        answers = await asyncio.gather(*(server.alice(request) for _ in range(CALLERS)))
        assert all(answer.revision == answers[0].revision for answer in answers)
    assert sorted(await listed(server.alice)) == ["2", "changed"]
    assert writes_and_memories(server.database) == (3, 2)


async def test_of_many_calls_with_one_id_and_different_contents_one_wins(server: Server) -> None:
    async def attempt(i: int) -> str:
        new = pb.NewMemory(content=f"number {i}")
        request = service.RememberRequest(request_id="contested", memory=new)
        try:
            return str((await server.alice(request)).memory.content)
        except Exception:  # noqa: BLE001 (checked below)
            return (await refused(server.alice(request))).reason

    outcomes = await asyncio.gather(*(attempt(i) for i in range(CALLERS)))
    assert outcomes.count("REQUEST_ID_REUSED") == CALLERS - 1
    (stored,) = await listed(server.alice)
    assert stored in outcomes


async def test_a_version_is_updated_once_by_many(server: Server) -> None:
    memory = await remember(server.alice, "v1")
    calls = [server.alice(update(memory.memory_id, 1, content=str(i))) for i in range(CALLERS)]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(not isinstance(outcome, BaseException) for outcome in outcomes) == 1


async def test_the_counter_of_a_scope_has_no_gaps(start_server: StartServer) -> None:
    """Whatever failed on the way, a revision is used once and by what has been committed."""
    one, other = await start_server(), await start_server()
    taken = str(uuid4())
    await remember(one.alice, "number 0", memory_id=taken)

    async def write(i: int) -> None:
        server = (one, other)[i % 2]
        await remember(server.alice, f"number {i}")
        if i % 4 == 0:
            clash = pb.NewMemory(content="clash", memory_id=taken)
            answer = await server.alice(service.BatchRememberRequest(memories=[clash]))
            assert refusal_of(answer.results[0].error).reason == "MEMORY_ID_TAKEN"
        if i % 4 == 1:
            stale = update(taken, 99, content="stale")
            assert (await refused(server.alice(stale))).reason == "VERSION_CONFLICT"

    await asyncio.gather(*(write(i) for i in range(1, 81)))
    found = {row[0] for row in rows(one.database, "select revision from camillo.memories")}
    assert len(found) == 81
    # The 20 batches of which nothing was stored used one revision each.
    assert writes_and_memories(one.database) == (81 + 20, 81)


def begin_write(database: TestDatabase, agent_id: str, content: str) -> psycopg.Connection:
    """A writer of another process: its transaction has its revision and is open."""
    connection = psycopg.connect(database.superuser_url)
    row = connection.execute(
        "insert into camillo.scopes as s values ('acme', %s, 1, 1, 0, '', timestamptz 'epoch')"
        " on conflict (tenant_id, agent_id) do update set revision = s.revision + 1,"
        " memory_count = s.memory_count + 1 returning revision",
        (agent_id,),
    ).fetchone()
    assert row is not None
    connection.execute(
        "insert into camillo.memories select 'acme', %s, gen_random_uuid(), %s, 1, %s, 1, '',"
        " timestamptz 'epoch', '{}', 2, 0.5, '{}', null, false, false, '{}',"
        " timestamptz 'epoch', timestamptz 'epoch', 'none', 0, '', ''",
        (agent_id, row[0], content),
    )
    return connection


async def test_transactions_of_two_scopes_that_cross_are_both_seen(server: Server) -> None:
    first = begin_write(server.database, "alice", "began first")
    second = begin_write(server.database, "bob", "began second")
    async with (
        Watch(server.admin, agent_id="alice", from_beginning=True) as alices,
        Watch(server.admin, agent_id="bob", from_beginning=True) as bobs,
    ):
        for watch in (alices, bobs):
            assert told(await watch.until_caught_up()) == []
        second.commit()
        await remember(server.admin, "bob's", agent_id="bob")
        assert told(await bobs.until("bob's")) == ["began second", "bob's"]
        first.commit()
        await remember(server.admin, "alice's", agent_id="alice")
        assert told(await alices.until("alice's")) == ["began first", "alice's"]
    for connection in (first, second):
        connection.close()


async def test_a_writer_of_the_same_scope_waits_so_that_none_is_passed(server: Server) -> None:
    """A sequence in place of the counter would let the watcher pass the first for good."""
    first = begin_write(server.database, "alice", "began first")
    async with Watch(server.alice, from_beginning=True) as watch:
        assert told(await watch.until_caught_up()) == []
        later = asyncio.create_task(remember(server.alice, "began second"))
        done, _ = await asyncio.wait([later], timeout=0.3)
        assert not done
        await asyncio.to_thread(first.commit)
        await later
        assert told(await watch.until("began second")) == ["began first", "began second"]
    first.close()


async def test_a_writer_that_gives_up_leaves_no_gap(server: Server) -> None:
    first = begin_write(server.database, "alice", "never committed")
    await asyncio.to_thread(first.rollback)
    first.close()
    await remember(server.alice, "the only one")
    assert writes_and_memories(server.database) == (1, 1)
    async with Watch(server.alice, from_beginning=True) as watch:
        assert told(await watch.until_caught_up()) == ["the only one"]
