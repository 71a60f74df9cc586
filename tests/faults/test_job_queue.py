"""A job queue that stands still: calls go on, health and figures tell of it, and jobs are done once it goes again."""

import os
import signal
import time
from pathlib import Path

import psycopg
import pytest

from tests.faults.worker_process import WorkerProcess, worker_process
from tests.patience import FACTOR
from tests.rpc.embedding.test_deferred_embedding import until_jobs
from tests.rpc.embedding.test_embedding_outage import Outage, until_embedded
from tests.rpc.lifecycle.test_jobs import until_health
from tests.rpc.memories.calls import recall, remember
from tests.rpc.test_health_and_drain import NOT_SERVING, SERVING
from tests.server_fixtures import DIMENSIONS, StartServer
from tests.storage.lifecycle.job_rows import let_pass

pytestmark = [pytest.mark.xdist_group("jobs"), pytest.mark.timeout(170)]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camillo_server.assembly.app.JOB_HEALTH_SECONDS", 0.05)
    monkeypatch.setattr("camillo_server.storage.jobs.board.GATHER_SECONDS", 0.02)


def send(worker: WorkerProcess, number: signal.Signals) -> None:
    os.kill(worker._process.pid, number)


async def test_workers_that_are_stopped_show_in_health_and_work_on_when_they_go_on(
    start_server: StartServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start_server(jobs={"enabled": False})
    outage = Outage(server, monkeypatch)
    memory = {"embedding_model": "random", "embedding_dimensions": DIMENSIONS}
    with worker_process(tmp_path / "worker", server.database.server_url, memory=memory) as worker:
        await worker.ready()
        await until_health(server, SERVING)
        send(worker, signal.SIGSTOP)
        stored = await remember(server.alice, "an idle zebra 茶")
        await until_jobs(server.database, lambda rows: len(rows) == 1)
        let_pass(server.database, 1_000.0)
        await until_health(server, NOT_SERVING)
        answer = await recall(server.alice, "茶")
        assert [hit.memory.content for hit in answer.hits] == ["an idle zebra 茶"]
        outage.end()
        send(worker, signal.SIGCONT)
        await until_embedded(server, stored.memory_id)
        await until_health(server, SERVING)
        await worker.terminate()


async def test_a_locked_queue_holds_up_jobs_and_no_call(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start_server()
    outage = Outage(server, monkeypatch)
    with psycopg.connect(server.database.superuser_url) as superuser:
        superuser.execute("lock table camillo_jobs.procrastinate_jobs in access exclusive mode")
        started = time.monotonic()
        stored = await remember(server.alice, "a locked zebra 茶")
        for number in range(20):
            await remember(server.alice, f"more {number} 茶")
        answer = await recall(server.alice, "locked")
        assert time.monotonic() - started < 10 * FACTOR
        assert "a locked zebra 茶" in [hit.memory.content for hit in answer.hits]
        assert stored.vector_model_id == ""
        superuser.rollback()
    outage.end()
    await until_embedded(server, stored.memory_id)
    await until_health(server, SERVING)
