"""The queue of background jobs on a real Postgres: what is deferred, tried again, given up and taken up."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable

import psycopg
import pytest
from camillo_server.across.lifecycle.job_tasks import Backoff
from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.jobs.queue import JobQueue, JobWorker, lock_of
from camillo_server.telemetry.instruments import JobFigures
from procrastinate import JobContext

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.storage.lifecycle.job_rows import JobRow, connected, job_rows, let_pass

TASK = "try"
MAX_ATTEMPTS = 4
HOUR = 3600.0


def scope(agent_id: str, tenant_id: str = "acme") -> Scope:
    return Scope(TenantId(tenant_id), AgentId(agent_id))


class Attempts:
    """The task of these tests: it fails or waits as told, and remembers whom it was for."""

    def __init__(self) -> None:
        self.failing = True
        self.may_end = asyncio.Event()
        self.may_end.set()
        self.seen: list[Scope] = []

    async def __call__(self, context: JobContext, tenant_id: str, agent_id: str) -> None:
        self.seen.append(scope(agent_id, tenant_id))
        await self.may_end.wait()
        if self.failing:
            raise EmbeddingUnavailable("not now")


@pytest.fixture
def attempts() -> Attempts:
    return Attempts()


@pytest.fixture
async def queue(database: TestDatabase, attempts: Attempts) -> AsyncIterator[JobQueue]:
    """A queue with one task, which waits ten minutes after its first failure and never longer than half an hour."""
    queue = JobQueue(database.server_url, DatabaseSettings())

    backoff = Backoff(MAX_ATTEMPTS, 600.0, 1800.0)

    @queue.app.task(name=TASK, queue=TASK, pass_context=True, retry=backoff)
    async def attempt(context: JobContext, tenant_id: str, agent_id: str) -> None:
        await attempts(context, tenant_id, agent_id)

    await queue.open()
    yield queue
    await queue.close()


@pytest.fixture
async def working(queue: JobQueue) -> AsyncIterator[JobWorker]:
    """A worker on that queue, started again where it ends."""
    worker = JobWorker(queue, concurrency=2)
    tasks = BackgroundTasks()
    tasks.run("jobs", worker.run)
    yield worker
    await tasks.stop()


async def until_rows(database: TestDatabase, hold: Callable[[list[JobRow]], bool], task: str = TASK) -> list[JobRow]:
    """The jobs of the task, once that holds for them."""
    rows: list[JobRow] = []
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not hold(rows := await asyncio.to_thread(job_rows, database, task)):
                pass
    except TimeoutError:
        raise AssertionError(f"it never came to it: {rows}") from None
    return rows


async def until(database: TestDatabase, task: str = TASK, **wanted: object) -> JobRow:
    """The first job, once it is as wanted."""

    def hold(rows: list[JobRow]) -> bool:
        return bool(rows) and all(getattr(rows[0], name) == wanted[name] for name in wanted)

    return (await until_rows(database, hold, task))[0]


async def until_gone(database: TestDatabase) -> None:
    await until_rows(database, lambda rows: not rows)


async def test_tenants_take_turns_however_many_jobs_one_has(
    queue: JobQueue, attempts: Attempts, database: TestDatabase
) -> None:
    attempts.failing = False
    await queue.defer(TASK, [scope(f"agent-{number}") for number in range(100)])
    await queue.defer(TASK, [scope(f"agent-{number}") for number in range(100, 200)])
    await queue.defer(TASK, [scope("ágnes", "rival"), scope("bob", "rival")])
    worker = JobWorker(queue, concurrency=1)
    tasks = BackgroundTasks()
    tasks.run("jobs", worker.run)
    await until_rows(database, lambda rows: len(rows) <= 150)
    # One that comes later stands level, too, and does not go before all that wait.
    await queue.defer(TASK, [scope("late", "third"), scope("later", "third")])
    await until_gone(database)
    await tasks.stop()
    turns: dict[str, list[int]] = {tenant: [] for tenant in ("acme", "rival", "third")}
    for turn, each in enumerate(attempts.seen):
        turns[each.tenant_id].append(turn)
    assert len(turns["acme"]) == 200
    assert turns["rival"] == [1, 3]
    assert 40 < turns["third"][0] < turns["third"][1] - 1 < 199


async def test_a_scope_has_one_job_however_often_it_is_deferred(queue: JobQueue, database: TestDatabase) -> None:
    scopes = [scope("alice"), scope(""), scope("أليس"), scope("a/b", "t"), scope("b", "t/a")]
    for _ in range(3):
        assert await queue.defer(TASK, scopes) == []
    rows = job_rows(database, TASK)
    assert [row.args for row in rows] == [{"tenant_id": one.tenant_id, "agent_id": one.agent_id} for one in scopes]
    await queue.defer(TASK, [scope("bob")])
    assert len(job_rows(database, TASK)) == len(scopes) + 1


async def test_many_scopes_are_deferred_by_one_statement(queue: JobQueue, database: TestDatabase) -> None:
    await queue.defer(TASK, [scope(f"agent-{i}") for i in range(1_000)])
    await queue.defer(TASK, [scope("one more")])
    with connected(database) as connection:
        count = "select count(*), count(distinct xmin::text) from procrastinate_jobs"
        assert connection.execute(count).fetchone() == (1_001, 2)


async def test_processes_that_defer_at_once_make_one_job_for_each_scope(
    queue: JobQueue, database: TestDatabase
) -> None:
    scopes = [scope(f"agent-{i}") for i in range(50)]
    others = [JobQueue(database.server_url, DatabaseSettings(connect_timeout_seconds=5)) for _ in range(4)]
    for other in others:
        other.app.tasks[TASK] = queue.app.tasks[TASK]
        await other.open()
    await asyncio.gather(*(one.defer(TASK, scopes) for one in (queue, *others) for _ in range(5)))
    for other in others:
        await other.close()
    assert len(job_rows(database, TASK)) == len(scopes)


async def test_each_failure_doubles_the_pause_until_the_job_has_failed_for_good(
    queue: JobQueue, database: TestDatabase, attempts: Attempts, working: JobWorker
) -> None:
    await queue.defer(TASK, [scope("alice")])
    for failures, pause in enumerate((600.0, 1200.0, 1800.0), start=1):
        row = await until(database, status="todo", attempts=failures)
        assert row.pause == pytest.approx(pause, rel=0.21)
        let_pass(database, HOUR)
    dead = await until(database, status="failed")
    assert dead.attempts == MAX_ATTEMPTS == len(attempts.seen)


async def test_a_retry_that_is_not_due_is_not_made(
    queue: JobQueue, database: TestDatabase, attempts: Attempts, working: JobWorker
) -> None:
    await queue.defer(TASK, [scope("alice")])
    await until(database, status="todo", attempts=1)
    let_pass(database, 300.0)
    await queue.defer(TASK, [scope("bob")])
    await until_rows(database, lambda rows: {row.attempts for row in rows} == {1})
    assert attempts.seen == [scope("alice"), scope("bob")]
    let_pass(database, 500.0)
    await until(database, attempts=2)


async def test_what_failed_for_good_is_kept_and_tried_again_once_after_its_rest(
    queue: JobQueue, database: TestDatabase, attempts: Attempts, working: JobWorker
) -> None:
    await queue.defer(TASK, [scope("alice")])
    for failures in range(1, MAX_ATTEMPTS):
        await until(database, status="todo", attempts=failures)
        let_pass(database, HOUR)
    dead = await until(database, status="failed")
    assert await queue.defer(TASK, [scope("alice")]) == []
    assert job_rows(database, TASK) == [dead]
    assert await queue.retry_dead(TASK, HOUR) == 0

    let_pass(database, 1.1 * HOUR)
    assert await queue.retry_dead(TASK, HOUR) == 1
    # Attempts are counted when it is put back as well.
    await until(database, status="failed", attempts=MAX_ATTEMPTS + 2)
    assert len(attempts.seen) == MAX_ATTEMPTS + 1
    assert await queue.retry_dead(TASK, HOUR) == 0

    attempts.failing = False
    let_pass(database, 1.1 * HOUR)
    assert await queue.retry_dead(TASK, HOUR) == 1
    await until_gone(database)


async def test_what_is_wanted_while_a_job_runs_is_told_and_can_be_deferred_after_it(
    queue: JobQueue, database: TestDatabase, attempts: Attempts, working: JobWorker
) -> None:
    attempts.may_end.clear()
    await queue.defer(TASK, [scope("alice")])
    await until(database, status="doing")
    assert await queue.defer(TASK, [scope("alice"), scope("bob")]) == [scope("alice")]
    assert [row.lock for row in job_rows(database, TASK)] == [
        lock_of(TASK, scope("alice")),
        lock_of(TASK, scope("bob")),
    ]
    attempts.failing = False
    attempts.may_end.set()
    await until_gone(database)
    assert await queue.defer(TASK, [scope("alice")]) == []
    await until_gone(database)
    assert attempts.seen.count(scope("alice")) == 2


async def test_a_worker_that_stops_gives_its_jobs_back(
    queue: JobQueue, database: TestDatabase, attempts: Attempts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("camillo_server.storage.jobs.queue.GRACE_SECONDS", 0.05)
    attempts.may_end.clear()
    task = asyncio.create_task(JobWorker(queue, 1).run())
    await queue.defer(TASK, [scope("alice")])
    await until(database, status="doing")
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    assert (await until(database, status="todo")).pause == pytest.approx(0.0, abs=5.0)
    with connected(database) as connection:
        workers = connection.execute("select count(*) from procrastinate_workers").fetchone()
    assert workers == (0,)


async def test_jobs_of_a_silent_process_are_taken_up_and_count_as_failed(
    queue: JobQueue, database: TestDatabase
) -> None:
    with connected(database) as connection:
        connection.execute("insert into procrastinate_workers default values")
    await queue.defer(TASK, [scope("alice"), scope("bob")])
    with connected(database) as connection:
        connection.execute(
            "update procrastinate_jobs set status = 'doing', attempts = 0,"
            " worker_id = (select max(id) from procrastinate_workers)"
        )
        connection.execute(
            "update procrastinate_jobs set attempts = %s where lock = %s",
            (MAX_ATTEMPTS - 1, lock_of(TASK, scope("bob"))),
        )
    assert await queue.retry_stalled(30.0) == 0
    let_pass(database, 31.0)
    assert await queue.retry_stalled(30.0) == 2
    alice, bob = job_rows(database, TASK)
    assert (alice.status, alice.attempts) == ("todo", 1)
    assert (bob.status, bob.attempts) == ("failed", MAX_ATTEMPTS)
    assert await queue.retry_stalled(30.0) == 0


async def test_a_job_whose_outcome_cannot_be_stored_does_not_run_for_ever(
    queue: JobQueue, database: TestDatabase, attempts: Attempts, working: JobWorker
) -> None:
    attempts.failing = False
    attempts.may_end.clear()
    await queue.defer(TASK, [scope("alice")])
    await until(database, status="doing")
    with connected(database) as connection:
        connection.execute("alter function procrastinate_finish_job_v1 rename to away")
        attempts.may_end.set()
        await until(database, status="todo", attempts=1)
        connection.execute("alter function away rename to procrastinate_finish_job_v1")
    let_pass(database, HOUR)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await asyncio.to_thread(job_rows, database, TASK):
            # Woken again, since the new worker may not have listened yet.
            await asyncio.to_thread(let_pass, database, 0.0)
    assert len(attempts.seen) == 2


async def test_a_lost_job_whose_successor_waits_is_removed(queue: JobQueue, database: TestDatabase) -> None:
    await queue.defer(TASK, [scope("alice")])
    with connected(database) as connection:
        connection.execute("update procrastinate_jobs set status = 'doing'")
        connection.execute(
            "insert into procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args)"
            " select queue_name, task_name, lock, queueing_lock, args from procrastinate_jobs"
        )
    assert await queue.retry_stalled(30.0) == 1
    (row,) = job_rows(database, TASK)
    assert (row.status, row.attempts) == ("todo", 0)


async def test_jobs_of_a_task_that_is_unknown_here_are_left_alone(
    queue: JobQueue, database: TestDatabase, attempts: Attempts, working: JobWorker
) -> None:
    with connected(database) as connection:
        connection.execute("insert into procrastinate_jobs (queue_name, task_name) values ('later', 'later')")
    attempts.failing = False
    await queue.defer(TASK, [scope("alice")])
    await until_gone(database)
    (row,) = job_rows(database, "later")
    assert row.status == "todo"
    with connected(database) as connection:
        connection.execute("update procrastinate_jobs set status = 'doing'")
    assert await queue.retry_stalled(30.0) == 0
    assert job_rows(database, "later")[0].status == "doing"


async def test_a_success_makes_good_what_failed_before_it(
    queue: JobQueue, database: TestDatabase, attempts: Attempts, working: JobWorker
) -> None:
    """Jobs that come again by themselves need this: nobody repeats their failures."""
    with connected(database) as connection:
        connection.execute(
            "insert into procrastinate_jobs (queue_name, task_name, lock, status)"
            " select 'try', 'try', lock, 'failed' from unnest(array[%s, %s]) lock",
            (TASK, lock_of(TASK, scope("bob"))),
        )
    attempts.failing = False
    job = queue.app.tasks[TASK].configure(lock=TASK)
    await job.defer_async(tenant_id="acme", agent_id="alice")
    (row,) = await until_rows(database, lambda rows: len(rows) == 1)
    assert row.lock == lock_of(TASK, scope("bob"))


async def test_figures_count_by_task_and_state(
    queue: JobQueue, database: TestDatabase, attempts: Attempts, working: JobWorker
) -> None:
    assert await queue.figures() == []
    await queue.defer(TASK, [scope("alice"), scope("bob")])
    await until_rows(database, lambda rows: {row.attempts for row in rows} == {1})
    let_pass(database, 100.0)
    with connected(database) as connection:
        connection.execute(
            "update procrastinate_jobs set status = 'failed' where lock = %s", (lock_of(TASK, scope("bob")),)
        )
    await working.check()
    (figures,) = working.figures
    assert figures == JobFigures(TASK, 1, 0, 1, figures.oldest_waiting_seconds)
    assert figures.oldest_waiting_seconds == pytest.approx(100.0, abs=20.0)


async def test_an_error_that_nobody_expected_is_told_with_its_stack_and_without_arguments(
    queue: JobQueue, database: TestDatabase, caplog: pytest.LogCaptureFixture
) -> None:
    @queue.app.task(name="broken", queue="broken", retry=Backoff(max_attempts=1))
    async def broken(tenant_id: str, agent_id: str) -> None:
        raise LookupError("a defect")

    task = asyncio.create_task(JobWorker(queue, 1).run())
    with caplog.at_level(logging.INFO):
        await queue.defer("broken", [scope("a very private agent")])
        await until(database, "broken", status="failed")
    task.cancel()
    await asyncio.wait({task})
    (told,) = [record for record in caplog.records if record.message == "job failed for good"]
    assert told.exc_info is not None
    assert told.exc_info[0] is LookupError
    assert "private" not in caplog.text


def test_the_serving_role_works_on_jobs_and_owns_nothing_of_them(database: TestDatabase) -> None:
    with psycopg.connect(database.server_url, autocommit=True) as server:
        server.execute("set search_path to camillo_jobs")
        assert server.execute("select count(*) from procrastinate_jobs").fetchone() == (0,)
        for change in (
            "create table more (id int)",
            "alter table procrastinate_jobs add column more int",
            "update last_migration set name = ''",
            "drop function procrastinate_register_worker_v1()",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                server.execute(change)
        assert server.execute("select procrastinate_register_worker_v1()").fetchone() is not None
