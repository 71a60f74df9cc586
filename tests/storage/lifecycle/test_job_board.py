"""The jobs of a tenant as the database has them: what each state is, what is stuck, what a retry does, and whose they
are."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import psycopg
import pytest
from camillo_server.across.lifecycle.job_tasks import Backoff
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.database import Database
from camillo_server.storage.jobs.board import Job, JobBoard, JobId, JobState, TroubledTask
from camillo_server.storage.jobs.queue import JobQueue

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import UNKNOWN_ID
from tests.storage.lifecycle.job_rows import connected, job_rows, let_pass
from tests.tenant_keys import create_tenant
from tests.unit.identity.moving_clock import MovingClock

ACME, RIVAL = TenantId("acme"), TenantId("rival")
TASK = "embed_scope"
AGENTS = ("alice", "", "أليس", "爱丽丝 🐇", "a/b")


@pytest.fixture
async def board(database: TestDatabase) -> AsyncIterator[JobBoard]:
    opened = Database(
        database.server_url, DatabaseSettings(pool_min=0, pool_max=2, connect_timeout_seconds=PATIENCE_SECONDS)
    )
    await opened.open()
    yield JobBoard(opened, MovingClock())
    await opened.close()


@pytest.fixture
async def queue(database: TestDatabase) -> AsyncIterator[JobQueue]:
    """A queue that nobody works on."""
    queue = JobQueue(database.server_url, DatabaseSettings())

    @queue.app.task(name=TASK, queue=TASK, retry=Backoff(3))
    async def embed_scope(tenant_id: str, agent_id: str) -> None:
        pass

    for tenant_id in (ACME, RIVAL):
        create_tenant(database, tenant_id, datetime.now(UTC))
    await queue.open()
    await queue.defer(TASK, [Scope(ACME, AgentId(agent)) for agent in AGENTS])
    await queue.defer(TASK, [Scope(RIVAL, AgentId("alice"))])
    yield queue
    await queue.close()


def put(database: TestDatabase, number: int, **columns: str) -> int:
    """Sets columns of the nth job, and tells its id."""
    job_id = job_rows(database)[number].id
    changes = ", ".join(f"{name} = {value}" for name, value in columns.items())
    with connected(database) as connection:
        connection.execute(f"update procrastinate_jobs set {changes} where id = {job_id}".encode())
    return job_id


async def jobs_of(board: JobBoard, tenant_id: TenantId, state: JobState | None = None) -> list[Job]:
    return [*await board.page(tenant_id, state, None, 1_000)]


async def test_a_tenant_sees_its_own_jobs_and_no_others(
    board: JobBoard, queue: JobQueue, database: TestDatabase
) -> None:
    assert [job.agent_id for job in await jobs_of(board, ACME)] == list(AGENTS)
    assert [job.agent_id for job in await jobs_of(board, RIVAL)] == ["alice"]
    assert await jobs_of(board, TenantId("nobody")) == []
    assert len(job_rows(database)) == len(AGENTS) + 1


async def test_the_database_itself_tells_a_session_of_its_tenant_alone(queue: JobQueue, database: TestDatabase) -> None:
    with psycopg.connect(database.server_url, autocommit=True) as server:
        count = "select count(*) from camillo.tenant_jobs()"
        assert server.execute(count).fetchone() == (0,)
        for tenant_id, expected in ((ACME, len(AGENTS)), (RIVAL, 1), ("", 0)):
            server.execute("select set_config('camillo.tenant', %s, false)", (tenant_id,))
            assert server.execute(count).fetchone() == (expected,)


async def test_pages_go_on_behind_the_last_job_though_others_come_and_go(
    board: JobBoard, queue: JobQueue, database: TestDatabase
) -> None:
    first = await board.page(ACME, None, None, 2)
    with connected(database) as connection:
        connection.execute("delete from procrastinate_jobs where id = %s", (first[0].job_id,))
    await queue.defer(TASK, [Scope(ACME, AgentId("late"))])
    rest = await board.page(ACME, None, first[-1].job_id, 10)
    assert [job.agent_id for job in (*first, *rest)] == [*AGENTS, "late"]


async def test_each_state_is_told_and_can_be_asked_for(
    board: JobBoard, queue: JobQueue, database: TestDatabase
) -> None:
    put(database, 0, status="'doing'")
    put(database, 1, status="'failed'", attempts="12")
    put(database, 2, scheduled_at="now() + interval '5 minutes'")
    put(database, 3, status="'cancelled'")
    running, dead, later, waiting = await jobs_of(board, ACME)
    assert [job.state for job in (running, dead, later, waiting)] == [
        JobState.RUNNING,
        JobState.DEAD,
        JobState.WAITING,
        JobState.WAITING,
    ]
    assert (dead.task, dead.attempts, dead.due_at) == (TASK, 12, None)
    assert waiting.due_at is None
    assert later.due_at is not None
    assert later.changed_at is not None
    assert later.due_at > later.changed_at
    for state, expected in (
        (JobState.RUNNING, [running]),
        (JobState.DEAD, [dead]),
        (JobState.WAITING, [later, waiting]),
    ):
        assert await jobs_of(board, ACME, state) == expected


async def test_what_no_process_works_on_is_stuck(board: JobBoard, queue: JobQueue, database: TestDatabase) -> None:
    with connected(database) as connection:
        connection.execute("insert into procrastinate_workers default values")
    put(database, 0, status="'doing'", worker_id="(select max(id) from procrastinate_workers)")
    put(database, 1, scheduled_at="now() + interval '20 minutes'")
    put(database, 2, status="'failed'")

    async def stuck() -> list[bool]:
        return [job.is_stuck for job in await jobs_of(board, ACME)]

    assert await stuck() == [False] * 5
    let_pass(database, 100.0)
    assert await stuck() == [False] * 5
    let_pass(database, 100.0)
    assert await stuck() == [True, False, False, False, False]
    let_pass(database, 800.0)
    assert await stuck() == [True, False, False, True, True]
    assert await board.troubled() == [TroubledTask(TASK, 4, 1)]


async def test_nothing_is_troubled_where_all_is_well(board: JobBoard, queue: JobQueue) -> None:
    assert await board.troubled() == []


async def test_a_retry_makes_what_waits_or_has_failed_for_good_due_at_once(
    board: JobBoard, queue: JobQueue, database: TestDatabase
) -> None:
    dead = put(database, 0, status="'failed'", attempts="12")
    later = put(database, 1, scheduled_at="now() + interval '5 minutes'", attempts="2")
    running = put(database, 2, status="'doing'", attempts="1")
    for job_id, state in ((dead, JobState.WAITING), (later, JobState.WAITING), (running, JobState.RUNNING)):
        job = await board.retry(ACME, str(job_id))
        assert (job.job_id, job.state, job.due_at) == (job_id, state, None)
    assert [row.status for row in job_rows(database)[:3]] == ["todo", "todo", "doing"]


async def test_a_retry_wakes_the_workers_of_its_queue(board: JobBoard, queue: JobQueue, database: TestDatabase) -> None:
    dead = put(database, 0, status="'failed'")
    with connected(database) as listening:
        listening.execute('listen "procrastinate_queue_v1#embed_scope"')
        await board.retry(ACME, str(dead))
        heard = [each.channel for each in listening.notifies(timeout=5, stop_after=1)]
    assert heard == ["procrastinate_queue_v1#embed_scope"]


async def test_a_dead_job_whose_successor_waits_is_left_alone(
    board: JobBoard, queue: JobQueue, database: TestDatabase
) -> None:
    dead = put(database, 0, status="'failed'")
    with connected(database) as connection:
        connection.execute(
            "insert into procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args)"
            " select queue_name, task_name, lock, queueing_lock, args from procrastinate_jobs where id = %s",
            (dead,),
        )
    job = await board.retry(ACME, str(dead))
    assert (job.job_id, job.state) == (JobId(dead), JobState.DEAD)


@pytest.mark.parametrize("job_id", ["0", "999999999999999999", "9" * 40, "", "-1", "1 or true", "١", UNKNOWN_ID])
async def test_a_job_that_is_not_there_is_not_found(board: JobBoard, queue: JobQueue, job_id: str) -> None:
    with pytest.raises(NotFound):
        await board.retry(ACME, job_id)


async def test_a_job_of_another_tenant_is_not_found_and_stays_as_it_is(
    board: JobBoard, queue: JobQueue, database: TestDatabase
) -> None:
    dead = put(database, 0, status="'failed'")
    with pytest.raises(NotFound):
        await board.retry(RIVAL, str(dead))
    assert job_rows(database)[0].status == "failed"
    assert (await board.retry(ACME, str(dead))).state is JobState.WAITING
