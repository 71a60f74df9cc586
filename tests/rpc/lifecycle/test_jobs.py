"""Jobs as an administrator sees and mends them, and how a job in trouble shows to who watches over the server."""

import asyncio
from collections.abc import Callable

import grpc
import pytest
from camillo.v1 import lifecycle_pb2 as lifecycle
from camillo.v1 import lifecycle_service_pb2 as service

from tests.patience import PATIENCE_SECONDS
from tests.rpc.embedding.test_deferred_embedding import until_jobs
from tests.rpc.embedding.test_embedding_outage import Outage, until_embedded
from tests.rpc.memories.calls import remember
from tests.rpc.test_health_and_drain import NOT_SERVING, SERVING, health
from tests.server_fixtures import Caller, Server, StartServer, refused
from tests.storage.lifecycle.job_rows import JobRow, connected, job_rows, let_pass

JOBS = "camillo.jobs"


async def jobs(caller: Caller, **fields: object) -> list[lifecycle.Job]:
    return list((await caller(service.ListJobsRequest(**fields))).jobs)  # type: ignore[arg-type]


def has_job_of(agent_id: str) -> Callable[[list[JobRow]], bool]:
    return lambda rows: agent_id in {row.args["agent_id"] for row in rows}


async def until_health(server: Server, status: int) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await health(server, JOBS) != status:
            pass


@pytest.fixture
async def failing(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server whose provider is away: the first failure of a job is its last."""
    monkeypatch.setattr("camillo_server.assembly.app.JOB_HEALTH_SECONDS", 0.05)
    return await start_server(jobs={"max_attempts": 1})


@pytest.fixture
def outage(failing: Server, monkeypatch: pytest.MonkeyPatch) -> Outage:
    return Outage(failing, monkeypatch)


async def test_a_dead_job_is_listed_shown_by_health_and_made_good_by_a_retry(failing: Server, outage: Outage) -> None:
    assert await jobs(failing.admin) == []
    await until_health(failing, SERVING)
    memory = await remember(failing.alice, "a patient zebra 🦓")
    await until_jobs(failing.database, lambda rows: [row.status for row in rows] == ["failed"])
    (dead,) = await jobs(failing.admin)
    assert (dead.task, dead.agent_id, dead.attempts) == ("embed_scope", "alice", 1)
    assert dead.state == lifecycle.JOB_STATE_DEAD
    assert dead.HasField("changed_at")
    assert not dead.HasField("due_at")
    await until_health(failing, NOT_SERVING)
    assert await health(failing) == SERVING

    outage.end()
    answer = await failing.admin(service.RetryJobRequest(job_id=dead.job_id))
    assert (answer.job.job_id, answer.job.state) == (dead.job_id, lifecycle.JOB_STATE_WAITING)
    await until_embedded(failing, memory.memory_id)
    await until_jobs(failing.database, lambda rows: not rows)
    await until_health(failing, SERVING)


async def test_a_stuck_job_shows_in_health_as_well(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camillo_server.assembly.app.JOB_HEALTH_SECONDS", 0.05)
    server = await start_server(jobs={"enabled": False})
    Outage(server, monkeypatch)
    await remember(server.alice, "nobody's work")
    await until_jobs(server.database, lambda rows: [row.status for row in rows] == ["todo"])
    assert [job.is_stuck for job in await jobs(server.admin)] == [False]
    await until_health(server, SERVING)
    let_pass(server.database, 1000.0)
    assert [job.is_stuck for job in await jobs(server.admin)] == [True]
    await until_health(server, NOT_SERVING)


async def test_pages_and_states_are_as_asked_for(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server = await start_server(jobs={"enabled": False})
    Outage(server, monkeypatch)
    agents = ["alice", "bob", "carol"]
    for agent_id in agents:
        await remember(server.admin, f"waits, {agent_id}", agent_id=agent_id)
        await until_jobs(server.database, has_job_of(agent_id))
    first = await server.admin(service.ListJobsRequest(page_size=2))
    rest = await server.admin(service.ListJobsRequest(page_size=2, page_token=first.next_page_token))
    assert [job.agent_id for job in (*first.jobs, *rest.jobs)] == agents
    assert rest.next_page_token == ""
    with connected(server.database) as connection:
        connection.execute("update procrastinate_jobs set status = 'failed' where args ->> 'agent_id' = 'bob'")
    dead = await jobs(server.admin, state=lifecycle.JOB_STATE_DEAD)
    waiting = await jobs(server.admin, state=lifecycle.JOB_STATE_WAITING)
    assert [job.agent_id for job in dead] == ["bob"]
    assert [job.agent_id for job in waiting] == ["alice", "carol"]


async def test_nothing_of_another_tenant_is_shown_or_changed(failing: Server, outage: Outage) -> None:
    await remember(failing.rival, "theirs", agent_id="bob")
    (dead,) = await until_jobs(failing.database, lambda rows: [row.status for row in rows] == ["failed"])
    assert await jobs(failing.admin) == []
    told = await refused(failing.admin(service.RetryJobRequest(job_id=str(dead.id))))
    assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, "JOB_NOT_FOUND")
    assert job_rows(failing.database) == [dead]


async def test_only_an_administrator_may_see_and_retry_jobs(server: Server) -> None:
    assert await jobs(server.admin) == []
    for request in (service.ListJobsRequest(), service.RetryJobRequest(job_id="1")):
        told = await refused(server.alice(request))
        assert told.code == grpc.StatusCode.PERMISSION_DENIED
