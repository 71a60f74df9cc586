"""Memories stored without a vector get one from a background job: soon, once for many, and with patience."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.models.embedding.embedder import EmbeddingUnavailable

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.embedding.test_embedding_outage import Outage, until_embedded
from tests.rpc.memories.calls import get, remember
from tests.server_fixtures import Server, StartServer
from tests.storage.lifecycle.job_rows import JobRow, connected, job_rows, let_pass

TEXTS = ("a patient zebra", "耐心的斑马", "חמור פסים", "🦓🦓", "ze\u0301bre", "صبور")


async def until_jobs(
    database: TestDatabase, hold: Callable[[list[JobRow]], bool], task: str = "embed_scope"
) -> list[JobRow]:
    rows: list[JobRow] = []
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not hold(rows := await asyncio.to_thread(job_rows, database, task)):
                pass
    except TimeoutError:
        raise AssertionError(f"it never came to it: {rows}") from None
    return rows


async def test_a_memory_that_has_its_vector_makes_no_job(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start_server(jobs={"enabled": False})
    for text in TEXTS:
        await remember(server.rival, text, agent_id="bob")
    Outage(server, monkeypatch)
    await remember(server.alice, "without")
    rows = await until_jobs(server.database, bool)
    assert [row.args["agent_id"] for row in rows] == ["alice"]


async def test_jobs_hold_ids_and_nothing_of_what_was_said(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start_server(jobs={"enabled": False})
    Outage(server, monkeypatch)
    for text in TEXTS:
        await remember(server.alice, text)
    await remember(server.rival, "of the rival", agent_id="bob")
    rows = await until_jobs(server.database, lambda rows: len(rows) == 2)
    assert sorted((row.args["tenant_id"], row.args["agent_id"]) for row in rows) == [
        ("acme", "alice"),
        ("rival", "bob"),
    ]
    assert all(set(row.args) == {"tenant_id", "agent_id"} for row in rows)


async def test_a_burst_of_writes_makes_one_job_and_all_are_embedded(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start_server(jobs={"enabled": False})
    outage = Outage(server, monkeypatch)
    memories = [pb.NewMemory(content=f"zebra {i}") for i in range(150)]
    results = (await server.alice(service.BatchRememberRequest(memories=memories))).results
    stored = await asyncio.gather(*(remember(server.alice, f"lion {i}") for i in range(50)))
    await remember(server.rival, "of another scope", agent_id="bob")
    rows = await until_jobs(server.database, lambda rows: len(rows) > 1)
    assert sorted(row.args["agent_id"] for row in rows) == ["alice", "bob"]
    outage.end()
    await start_server()
    for memory in [*stored, *(result.memory for result in results)]:
        await until_embedded(server, memory.memory_id)
    await until_jobs(server.database, lambda rows: not rows)


async def test_a_server_that_does_not_work_on_jobs_leaves_them_to_one_that_does(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle = await start_server(jobs={"enabled": False})
    outage = Outage(idle, monkeypatch)
    memory = await remember(idle.alice, "for another")
    outage.end()
    await until_jobs(idle.database, lambda rows: [row.status for row in rows] == ["todo"])
    assert not (await get(idle.alice, memory.memory_id, include_vector=True)).HasField("vector")
    other = await start_server()
    await until_embedded(other, memory.memory_id)


async def test_what_was_noticed_by_nobody_is_found_at_the_next_start(
    server: Server, start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    outage = Outage(server, monkeypatch)
    memory = await remember(server.alice, "left behind")
    await until_jobs(server.database, lambda rows: [row.attempts for row in rows] == [1])
    await server.app.stop()
    outage.end()
    with connected(server.database) as connection:
        connection.execute("delete from procrastinate_jobs")
    other = await start_server()
    await until_embedded(other, memory.memory_id)


def failed_times(times: int) -> Callable[[list[JobRow]], bool]:
    return lambda rows: [row.attempts for row in rows] == [times]


async def test_a_provider_that_stays_away_is_asked_ever_less_and_the_job_is_kept(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start_server(jobs={"max_attempts": 3, "first_retry_seconds": 500.0})
    outage = Outage(server, monkeypatch)
    memory = await remember(server.alice, "waits long")
    for attempts in (1, 2):
        (row,) = await until_jobs(server.database, failed_times(attempts))
        assert row.pause == pytest.approx(min(500.0 * 2 ** (attempts - 1), 900.0), rel=0.21)
        let_pass(server.database, 1200.0)
    (dead,) = await until_jobs(server.database, lambda rows: rows[0].status == "failed")
    assert dead.attempts == 3
    # More without vectors does not stir it; the look everywhere does, once it has rested.
    await remember(server.alice, "waits as well")
    await remember(server.rival, "of another scope", agent_id="alice")
    rows = await until_jobs(server.database, lambda rows: len(rows) == 2)
    assert rows[0] == dead
    outage.end()
    let_pass(server.database, 3700.0)
    other = await start_server()
    await until_embedded(other, memory.memory_id)


async def test_the_first_success_after_an_outage_calls_the_other_scopes(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start_server(jobs={"first_retry_seconds": 500.0})
    outage = Outage(server, monkeypatch)
    hers = await remember(server.alice, "hers")
    await remember(server.rival, "theirs", agent_id="bob")
    await until_jobs(server.database, lambda rows: [row.attempts for row in rows] == [1, 1])
    outage.end()
    assert [row.status for row in job_rows(server.database)] == ["todo", "todo"]
    with connected(server.database) as connection:
        connection.execute("update procrastinate_jobs set scheduled_at = null where args ->> 'agent_id' = 'bob'")
        connection.execute(
            'select pg_notify(\'procrastinate_queue_v1#embed_scope\', \'{"type": "job_inserted", "job_id": 0}\')'
        )
    await until_embedded(server, hers.memory_id)
    await until_jobs(server.database, lambda rows: not rows)


async def test_a_text_that_the_provider_refuses_does_not_keep_the_others_waiting(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start_server(jobs={"first_retry_seconds": 0.01, "longest_retry_seconds": 0.02})
    embedder = server.app.kernel.providers.choice.embedder
    embed = embedder.embed

    async def refuse_one(texts: Sequence[str], *more: Any) -> Any:
        if "poison" in texts:
            raise EmbeddingUnavailable("one of them is refused")
        return await embed(texts, *more)

    monkeypatch.setattr(embedder, "embed", refuse_one)
    contents = [f"zebra {i}" for i in range(20)] + ["poison"] + [f"lion {i}" for i in range(20)]
    memories = [pb.NewMemory(content=content) for content in contents]
    results = (await server.alice(service.BatchRememberRequest(memories=memories))).results
    for result in results:
        if result.memory.content != "poison":
            await until_embedded(server, result.memory.memory_id)
    (dead,) = await until_jobs(server.database, lambda rows: [r.status for r in rows] == ["failed"])
    assert dead.attempts == 12
