"""Transactions that cross: whoever is first, no artifact is without its bytes and no bytes are without an artifact."""

import asyncio
import random
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import psycopg
import pytest
from camillo_server.features.artifacts.artifact import Artifact, ArtifactId, ArtifactReplay
from camillo_server.features.artifacts.upload import Upload
from camillo_server.kernel.errors import NotFound, QuotaExceeded
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope

from tests.patience import PATIENCE_SECONDS
from tests.storage.artifacts.artifact_store import (
    ALICE,
    BOB,
    LONG,
    NOW,
    TEXT,
    ArtifactStores,
    artifact_for,
    noise,
    request,
)
from tests.storage.replays import OF_DELETION


@contextmanager
def locked(store: ArtifactStores, sql: str) -> Iterator[psycopg.Connection]:
    """Rows that another transaction holds until the connection commits."""
    with psycopg.connect(store.postgres.superuser_url) as connection:
        connection.execute("set search_path to camillo, public")
        connection.execute(sql)
        yield connection


async def until_waiting(store: ArtifactStores, many: int) -> None:
    """Waits until so many connections of this database wait for a lock."""
    query = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    async with asyncio.timeout(PATIENCE_SECONDS):
        while store.rows(query)[0][0] < many:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def ready(store: ArtifactStores, data: bytes, scope: Scope) -> tuple[Upload, Artifact]:
    upload = await store.uploaded(data, scope)
    return upload, artifact_for(upload, data)


def states(store: ArtifactStores) -> list[tuple[int]]:
    return store.rows("select state from contents order by state")


async def test_two_that_finish_the_same_bytes_at_once_share_them(store: ArtifactStores) -> None:
    """Both found none: the second to make its own ready waits, and then finds the first."""
    first, second = await ready(store, LONG, ALICE), await ready(store, LONG, BOB)
    with locked(store, "select 1 from contents for update") as other:
        finishing = [asyncio.create_task(store.finish(*each)) for each in (first, second)]
        await until_waiting(store, 2)
        other.rollback()
        await asyncio.gather(*finishing)
    assert states(store) == [(2,)]
    assert await store.bytes_of(first[1]) == LONG
    assert await store.bytes_of(second[1], BOB) == LONG
    assert await store.outside() == (1 if store.objects else 0)


async def test_a_finish_that_waits_for_a_delete_keeps_its_own_bytes(store: ArtifactStores) -> None:
    kept = await store.put(LONG)
    upload, artifact = await ready(store, LONG, BOB)
    lock = "select 1 from contents where state = 2 for update"
    with locked(store, lock) as other:
        deleting = asyncio.create_task(store.artifacts.delete(ALICE, kept, OF_DELETION, None, now=NOW))
        await until_waiting(store, 1)
        finishing = asyncio.create_task(store.finish(upload, artifact))
        await until_waiting(store, 2)
        other.rollback()
        written, _ = await asyncio.gather(deleting, finishing)
    assert written.record.bytes_deleted
    assert states(store) == [(2,)]
    assert await store.bytes_of(artifact, BOB) == LONG


async def test_a_delete_that_waits_for_a_finish_leaves_the_shared_bytes(store: ArtifactStores) -> None:
    kept = await store.put(LONG)
    upload, artifact = await ready(store, LONG, BOB)
    lock = "select 1 from contents where state = 2 for update"
    with locked(store, lock) as other:
        finishing = asyncio.create_task(store.finish(upload, artifact))
        await until_waiting(store, 1)
        deleting = asyncio.create_task(
            store.artifacts.delete(ALICE, kept, OF_DELETION, None, is_operator=True, now=NOW)
        )
        await until_waiting(store, 2)
        other.rollback()
        _, written = await asyncio.gather(finishing, deleting)
    assert not written.record.bytes_deleted
    assert states(store) == [(2,)]
    assert await store.bytes_of(artifact, BOB) == LONG


async def test_the_same_request_that_finishes_twice_at_once_makes_one_artifact(store: ArtifactStores) -> None:
    uploads = [await ready(store, TEXT, ALICE), await ready(store, LONG, ALICE)]
    answers = await asyncio.gather(*(store.finish(*each, request()) for each in uploads))
    assert answers[0] == answers[1]
    assert store.counts() | {"content_parts": 0} == {"artifacts": 1, "contents": 1, "content_parts": 0, "uploads": 1}


async def test_the_same_delete_and_the_same_update_twice_at_once_have_one_answer(store: ArtifactStores) -> None:
    artifact = await store.put(TEXT)
    update, delete = store.artifacts.update, store.artifacts.delete

    def named(number: int) -> ArtifactReplay:
        return ArtifactReplay(ArtifactId(str(number)))

    updates = await asyncio.gather(
        *(update(ALICE, artifact, 1, named(n), request("u"), new_texts={}, now=NOW) for n in range(4))
    )
    deletes = await asyncio.gather(
        *(delete(ALICE, artifact, replace(OF_DELETION, size=n), request("d"), now=NOW) for n in range(4))
    )
    for answers in (updates, deletes):
        assert all(answer == answers[0] for answer in answers)


async def test_no_two_take_the_same_room(store: ArtifactStores) -> None:
    agents = [Scope(ALICE.tenant_id, AgentId(f"agent-{n}")) for n in range(7)]
    uploads = [await ready(store, noise(n, 600), agent) for n, agent in enumerate(agents)]
    ended = await asyncio.gather(*(store.finish(*each, quota_bytes=1_000) for each in uploads), return_exceptions=True)
    assert sum(isinstance(each, QuotaExceeded) for each in ended) == 6
    assert store.count("artifacts") == 1


async def harmless(call: Awaitable[object]) -> None:
    try:
        await call
    except NotFound:
        return


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_crosses_bytes_and_artifacts_stay_together(store: ArtifactStores, seed: int) -> None:
    """Few contents, put, deleted, discarded and collected at random and at once."""
    chance = random.Random(seed)  # noqa: S311
    contents = [noise(n, 2_000) for n in range(3)]
    living: list[tuple[Artifact, Scope, bytes]] = []

    async def step() -> None:
        scope, data = chance.choice((ALICE, BOB)), chance.choice(contents)
        drawn = chance.random()
        if drawn < 0.5 or not living:
            living.append((await store.put(data, scope), scope, data))
        elif drawn < 0.9:
            artifact, owner, _ = living.pop(chance.randrange(len(living)))
            await harmless(store.artifacts.delete(owner, artifact, OF_DELETION, None, now=NOW))
        elif drawn < 0.95:
            await store.uploads.discard(await store.uploaded(data, scope))
        else:
            await store.collector.collect(ALICE.tenant_id, retention_from=None, now=NOW)

    async def worker() -> None:
        for _ in range(25):
            await step()

    async with asyncio.timeout(PATIENCE_SECONDS):
        await asyncio.gather(*(worker() for _ in range(6)))
    await store.collector.collect(ALICE.tenant_id, retention_from=None, now=NOW)
    for artifact, scope, data in living:
        assert await store.bytes_of(artifact, scope) == data
    kept = {data for _, _, data in living}
    assert states(store) == [(2,)] * len(kept)
    assert store.count("content_parts") == len(kept)
    assert await store.outside() == (len(kept) if store.objects else 0)
