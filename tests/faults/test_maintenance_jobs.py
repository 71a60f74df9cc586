"""Workers that are killed amid maintenance and amid a change of the model: another takes the job up, nothing is
doubled, nothing is left half done."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as memories

from tests.faults.worker_process import worker_process
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.lifecycle.test_reembedding import NEW, OLD, until_complete
from tests.rpc.memories.calls import listed, remember
from tests.server_fixtures import Server, StartServer
from tests.storage.lifecycle.job_rows import JobRow, job_rows, let_pass
from tests.storage.locking import scope_held, until_waiting

pytestmark = [pytest.mark.xdist_group("jobs"), pytest.mark.timeout(110)]

EVERY_MINUTE = {"cron": "* * * * *"}
MODELS = {"embedding_model": OLD, "embedding_dimensions": None, "next_embedding_model": NEW}
ROWS = 1_000


async def until_jobs(database: TestDatabase, task: str, hold: Callable[[list[JobRow]], bool]) -> list[JobRow]:
    async with asyncio.timeout(2 * PATIENCE_SECONDS):
        while not hold(rows := await asyncio.to_thread(job_rows, database, task)):
            pass
    return rows


def count(database: TestDatabase, query: str) -> Any:
    with psycopg.connect(database.superuser_url) as superuser:
        row = superuser.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]


@pytest.fixture
async def idle(start_server: StartServer) -> Server:
    """A server that leaves jobs to workers."""
    return await start_server(jobs={"enabled": False}, memory=MODELS)


async def test_maintenance_of_a_killed_worker_is_done_once_by_another(idle: Server, tmp_path: Path) -> None:
    await remember(idle.alice, "a zebra that matters", importance=0.9)
    for number in range(20):
        await remember(idle.alice, f"hardly anything 斑马 {number}", importance=0.05)
    url = idle.database.server_url
    with scope_held(idle.database, "acme", "alice"), worker_process(tmp_path, url, lifecycle=EVERY_MINUTE) as first:
        await first.ready()
        await until_jobs(idle.database, "maintain_scope", lambda rows: [row.status for row in rows] == ["doing"])
        await until_waiting(idle.database, 1)
        await first.kill()
    assert [row.status for row in job_rows(idle.database, "maintain_scope")] == ["doing"]
    assert len(await listed(idle.alice)) == 21

    let_pass(idle.database, 31.0)
    with worker_process(tmp_path, url, lifecycle=EVERY_MINUTE) as second:
        await second.ready()
        # Taken up, it waits for its next attempt; only that one is let come at once.
        await until_jobs(idle.database, "maintain_scope", lambda rows: not rows or rows[0].status == "todo")
        let_pass(idle.database, 5.0)
        await until_jobs(idle.database, "maintain_scope", lambda rows: not rows)
        assert await second.terminate() == 0
    assert await listed(idle.alice) == ["a zebra that matters"]
    assert count(idle.database, "select count(*) from camillo.memories where archived") == 20
    assert count(idle.database, "select count(*) from camillo.memory_history") == 20
    assert count(idle.database, "select max(version) from camillo.memories") == 2


async def test_a_change_of_the_model_goes_on_where_a_killed_worker_left_it(idle: Server, tmp_path: Path) -> None:
    for first in range(0, ROWS, 500):
        batch = [pb.NewMemory(content=f"zebra {n}") for n in range(first, first + 500)]
        await idle.alice(memories.BatchRememberRequest(memories=batch))
    url = idle.database.server_url
    await idle.admin(service.StartReembeddingRequest(agent_id="alice"))
    made = "select count(*) from camillo.memory_vectors where model_id like 'random%'"
    with worker_process(tmp_path, url, memory=MODELS) as first_worker:
        await first_worker.ready()
        async with asyncio.timeout(2 * PATIENCE_SECONDS):
            while not await asyncio.to_thread(count, idle.database, made):
                pass
        await first_worker.kill()
    assert count(idle.database, made) > 0

    let_pass(idle.database, 31.0)
    with worker_process(tmp_path, url, memory=MODELS) as second:
        await second.ready()
        await until_jobs(idle.database, "reembed_scope", lambda rows: not rows or rows[0].status == "todo")
        let_pass(idle.database, 5.0)
        assert (await until_complete(idle.admin)).embedded == ROWS
        await until_jobs(idle.database, "reembed_scope", lambda rows: not rows)
        assert await second.terminate() == 0
    assert count(idle.database, made) == ROWS
    assert count(idle.database, "select count(*) from camillo.memories where version > 1") == 0
