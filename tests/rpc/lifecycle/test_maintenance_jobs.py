"""Maintenance by the clock: every scope of every tenant, one job for each."""

import asyncio

import pytest
from camillo.v1 import memory_pb2 as pb

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.embedding.test_deferred_embedding import until_jobs
from tests.rpc.memories.calls import listed, remember
from tests.rpc.records import record
from tests.server_fixtures import Caller, Server, StartServer
from tests.storage.lifecycle.job_rows import connected

# A pass that was due within the last ten minutes is made up for at a start.
EVERY_MINUTE = {"cron": "* * * * *"}
KEPT, FADED = "a zebra that matters 斑马", "hardly anything 🦓"


async def until_maintained(caller: Caller, agent_id: str) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await listed(caller, agent_id=agent_id) != [KEPT]:
            pass


def keep_jobs(database: TestDatabase) -> None:
    """Copies each later job to a table, where a test sees it when it is done, too."""
    with connected(database) as connection:
        connection.execute(
            "create function keep() returns trigger language plpgsql as $$ begin"
            " insert into seen values (new.task_name, new.args ->> 'agent_id'); return new; end $$;"
            " create table seen (task text, agent_id text); grant all on seen to public;"
            " create trigger keep after insert on procrastinate_jobs"
            " for each row execute function keep()"
        )


def seen(database: TestDatabase, task: str) -> list[str | None]:
    """The agents of the jobs of a task."""
    with connected(database) as connection:
        rows = connection.execute("select agent_id from seen where task = %s", (task,)).fetchall()
    return [agent_id for (agent_id,) in rows]


async def until_seen(database: TestDatabase, task: str) -> list[str | None]:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (found := await asyncio.to_thread(seen, database, task)):
            pass
    return found


@pytest.fixture
async def idle(start_server: StartServer) -> Server:
    """A server that maintains nothing, with something to do in three scopes of two tenants."""
    server = await start_server(jobs={"enabled": False})
    for caller, agent_id in ((server.admin, "bob"), (server.admin, ""), (server.rival, "bob")):
        await remember(caller, KEPT, agent_id=agent_id, importance=0.9)
        # Lists begin with the newest; of one moment, with any.
        server.clock.move(1)
        await remember(caller, FADED, agent_id=agent_id, importance=0.05)
    return server


async def test_every_scope_of_every_tenant_is_maintained_when_it_is_time(
    idle: Server, start_server: StartServer
) -> None:
    assert await listed(idle.admin, agent_id="bob") == [FADED, KEPT]
    await start_server(lifecycle=EVERY_MINUTE)
    await until_maintained(idle.admin, "bob")
    await until_maintained(idle.admin, "")
    await until_maintained(idle.rival, "bob")
    archived = pb.MemoryFilter(archived=pb.ARCHIVED_FILTER_ONLY)
    assert await listed(idle.rival, archived, agent_id="bob") == [FADED]
    for task in ("maintain_all", "maintain_scope"):
        await until_jobs(idle.database, lambda rows: not rows, task)


async def test_a_memory_that_came_later_is_maintained_the_next_time(idle: Server, start_server: StartServer) -> None:
    working = await start_server(lifecycle=EVERY_MINUTE)
    await until_maintained(idle.admin, "bob")
    await until_jobs(idle.database, lambda rows: not rows, "maintain_scope")
    await working.app.stop()
    await remember(idle.admin, f"{FADED}, again", agent_id="bob", importance=0.05)
    with connected(idle.database) as connection:
        connection.execute("delete from procrastinate_periodic_defers")
    await start_server(lifecycle=EVERY_MINUTE)
    await until_maintained(idle.admin, "bob")


async def test_without_a_time_nothing_is_maintained(idle: Server, start_server: StartServer) -> None:
    keep_jobs(idle.database)
    await start_server()
    # It works on jobs, and has looked for those that nobody noticed.
    await until_seen(idle.database, "find_missing_vectors")
    await until_jobs(idle.database, lambda rows: not rows, "find_missing_vectors")
    assert seen(idle.database, "maintain_all") == []
    assert await listed(idle.admin, agent_id="bob") == [FADED, KEPT]


async def test_scopes_without_memories_have_no_job(start_server: StartServer) -> None:
    server = await start_server(jobs={"enabled": False})
    await record(server.admin, "The zebra asked when the train leaves.", agent_id="chunks")
    await remember(server.admin, KEPT, agent_id="bob")
    keep_jobs(server.database)
    await start_server(lifecycle=EVERY_MINUTE)
    await until_seen(server.database, "maintain_all")
    await until_jobs(server.database, lambda rows: not rows, "maintain_all")
    assert await until_seen(server.database, "maintain_scope") == ["bob"]
