"""Background jobs while processes are killed and Postgres goes away: none is lost, none keeps its scope for ever."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.storage.embedded.server import EmbeddedPostgres

from tests.faults.job_process import job_process
from tests.patience import CONNECT_SECONDS, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.embedding.test_embedding_outage import Outage, until_embedded
from tests.rpc.memories.calls import get, remember
from tests.server_fixtures import Server, StartServer
from tests.storage.lifecycle.job_rows import JobRow, job_rows, let_pass

pytestmark = [pytest.mark.xdist_group("jobs"), pytest.mark.timeout(110)]


async def until_jobs(database: TestDatabase, hold: Callable[[list[JobRow]], bool]) -> list[JobRow]:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not hold(rows := await asyncio.to_thread(job_rows, database)):
            pass
    return rows


async def test_the_job_of_a_killed_process_is_taken_up_by_another(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    deferring = await start_server(jobs={"enabled": False})
    outage = Outage(deferring, monkeypatch)
    memory = await remember(deferring.alice, "an abandoned zebra")
    outage.end()
    await until_jobs(deferring.database, lambda rows: [row.status for row in rows] == ["todo"])
    with job_process(deferring.database.server_url) as process:
        await process.until_embedding()
        await process.kill()
    assert [row.status for row in job_rows(deferring.database)] == ["doing"]

    other = await start_server()
    # Its heartbeat is fresh still, so that it may be alive for all the others know.
    assert not (await embedded(deferring, memory.memory_id))
    let_pass(deferring.database, 31.0)
    another = await start_server()
    await until_embedded(another, memory.memory_id)
    await until_jobs(other.database, lambda rows: not rows)


async def test_jobs_go_on_after_postgres_was_away(
    postgres: EmbeddedPostgres, own_database: TestDatabase, start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start_server(on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS})
    outage = Outage(server, monkeypatch)
    memory = await remember(server.alice, "a zebra before")
    await until_jobs(own_database, lambda rows: [row.attempts for row in rows] == [1])
    await asyncio.to_thread(postgres.stop)
    await asyncio.to_thread(postgres.start)
    outage.end()
    let_pass(own_database, 1000.0)
    await until_embedded(server, memory.memory_id)
    outage = Outage(server, monkeypatch)
    later = await remember(server.alice, "a zebra afterwards")
    outage.end()
    await until_embedded(server, later.memory_id)


async def test_a_job_that_ended_while_postgres_was_away_does_not_run_for_ever(
    postgres: EmbeddedPostgres,
    own_database: TestDatabase,
    start_server: StartServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = await start_server(on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS})
    provider = SlowProvider(server, monkeypatch)
    memory = await remember(server.alice, "a zebra meanwhile")
    await provider.asked_in_the_background.wait()
    await asyncio.to_thread(postgres.stop)
    provider.may_answer.set()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while "job outcome not stored" not in caplog.text:
            await asyncio.to_thread(lambda: None)
    await asyncio.to_thread(postgres.start)
    await until_embedded(server, memory.memory_id)
    await until_jobs(own_database, lambda rows: not rows)


async def test_a_server_stops_in_time_while_postgres_is_away(
    postgres: EmbeddedPostgres, own_database: TestDatabase, start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start_server(on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS})
    provider = SlowProvider(server, monkeypatch)
    await remember(server.alice, "a zebra in between")
    await provider.asked_in_the_background.wait()
    await asyncio.to_thread(postgres.stop)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await server.app.stop()
    await asyncio.to_thread(postgres.start)
    assert [row.status for row in job_rows(own_database)] == ["doing"]


class SlowProvider:
    """Fails for the call that stores; in the background it waits until it may answer."""

    def __init__(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
        self._embed = server.app.kernel.providers.choice.embedder.embed
        self._calls = 0
        self.asked_in_the_background = asyncio.Event()
        self.may_answer = asyncio.Event()
        monkeypatch.setattr(server.app.kernel.providers.choice.embedder, "embed", self._answer)

    async def _answer(self, texts: Sequence[str], *more: Any) -> Any:
        self._calls += 1
        if self._calls == 1:
            raise EmbeddingUnavailable("not for the call")
        self.asked_in_the_background.set()
        await self.may_answer.wait()
        return await self._embed(texts, *more)


async def embedded(server: Server, memory_id: str) -> bool:
    """Whether the memory has its vector by now."""
    return (await get(server.alice, memory_id, include_vector=True)).HasField("vector")
