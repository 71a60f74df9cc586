"""Vectors of a second model beside those that serve: for which rows, in which version, and who is told of them."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import psycopg
import pytest
from camillo_server.across.lifecycle.embed_scope import ReembedScope
from camillo_server.across.lifecycle.store.embedding_backlog import EmbeddingBacklog, WaitingMemory
from camillo_server.across.lifecycle.store.reembedding import (
    Embedded,
    ReembeddingBacklog,
    ReembeddingStore,
)
from camillo_server.kernel.clock import SystemClock
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import MINIMIZE_LATENCY
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.models.embedding.embedder import Vector
from camillo_server.models.embedding.lexical import RandomEmbedder
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.reader import MemoryReader
from camillo_server.rows.write_records import UpdatedVersions

from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import ALICE, KEYS, MODEL, NOW, Replica, new_row, replica
from tests.storage.replays import OF_UPDATE

NEXT = "next"
TENANT = ALICE.tenant_id
OTHER_KEYS = Keyring({"second": bytes(range(1, 33))})
BOB = Scope(TENANT, AgentId("bob"))


def next_vector(*values: float) -> Vector:
    return Vector(NEXT, np.array(values or (1.0, 0.0), np.float32))


@dataclass(slots=True)
class Reembedded:
    """A scope that waits for vectors, and what was told of it."""

    here: Replica
    store: ReembeddingStore
    told: list[Scope] = field(default_factory=list)

    async def backlog(self, *, is_served: bool = False) -> ReembeddingBacklog:
        target = await self.store.target(ALICE)
        assert target is not None
        return self.store.backlog(target, is_served=is_served)

    async def embed_all(self, *, is_served: bool = False) -> list[str]:
        """The texts that waited, each with its vector now."""
        target = await self.store.target(ALICE)
        assert target is not None
        backlog = self.store.backlog(target, is_served=is_served)
        waiting = await backlog.waiting(ALICE, None, 100)
        vectors = [next_vector() for _ in waiting]
        if waiting:
            await backlog.store(ALICE, waiting, vectors, NEXT)
        await self.store.finish(ALICE, target)
        return sorted(each.text for each in waiting)

    async def unfinished(self) -> Sequence[Scope]:
        return await self.store.unfinished(TENANT, [NEXT], now=NOW)

    async def embedded(self) -> tuple[int, int]:
        (found,) = await self.store.embedded(TENANT, ALICE.agent_id, NEXT, 10)
        return found.embedded, found.rows


@pytest.fixture
async def scope(database: TestDatabase) -> AsyncIterator[Reembedded]:
    told: list[Scope] = []
    async with replica(database) as here:
        store = ReembeddingStore(here.database, KEYS, told.append)
        yield Reembedded(here, store, told)


def revisions(database: TestDatabase) -> dict[str, int]:
    with psycopg.connect(database.superuser_url) as superuser:
        rows = superuser.execute("select content, revision from camillo.memories").fetchall()
    return dict(rows)


def models(database: TestDatabase, content: str) -> set[str]:
    with psycopg.connect(database.superuser_url) as superuser:
        rows = superuser.execute(
            "select v.model_id from camillo.memory_vectors v join camillo.memories m"
            " using (tenant_id, agent_id, memory_id) where m.content = %s",
            (content,),
        ).fetchall()
    return {model_id for (model_id,) in rows}


async def start(scope: Reembedded, agent_id: AgentId | None = ALICE.agent_id) -> None:
    await scope.store.start(TENANT, agent_id, NEXT, now=NOW)


async def test_every_row_waits_once_and_the_old_ones_are_not_rewritten(
    scope: Reembedded, database: TestDatabase
) -> None:
    await scope.here.remember_many([new_row("zebra"), new_row("斑马"), new_row("🦓")])
    before = revisions(database)
    await start(scope)
    assert await scope.unfinished() == [ALICE]
    assert await scope.embedded() == (0, 3)
    assert await scope.embed_all() == sorted(["zebra", "斑马", "🦓"])
    assert await scope.embedded() == (3, 3)
    assert revisions(database) == before
    assert scope.told == []
    assert await scope.unfinished() == []
    assert await scope.embed_all() == []


async def test_rows_that_came_later_wait_too_and_their_followers_are_told(
    scope: Reembedded, database: TestDatabase
) -> None:
    await scope.here.remember(new_row("before"))
    await start(scope)
    await scope.embed_all()
    written = await scope.here.remember(new_row("after"))
    assert await scope.unfinished() == [ALICE]
    assert await scope.embed_all() == ["after"]
    assert scope.told == [ALICE]
    assert revisions(database)["after"] == written.revision + 1
    assert await scope.unfinished() == []


async def test_rows_that_have_the_wanted_model_already_need_no_job(scope: Reembedded) -> None:
    await scope.here.remember(new_row("zebra"))
    await start(scope)
    await scope.embed_all()
    await scope.here.remember(new_row("of the new model", next_vector()))
    assert await scope.unfinished() == []
    await scope.here.remember(new_row("of the old one", Vector(MODEL, np.ones(2, np.float32))))
    assert await scope.unfinished() == [ALICE]


async def test_all_rows_are_told_where_the_wanted_model_is_the_one_that_serves(
    scope: Reembedded, database: TestDatabase
) -> None:
    await scope.here.remember(new_row("zebra"))
    before = revisions(database)
    await start(scope)
    await scope.embed_all(is_served=True)
    assert scope.told == [ALICE]
    assert revisions(database)["zebra"] > before["zebra"]


async def test_a_row_that_has_changed_meanwhile_gets_no_vector_of_its_old_content(
    scope: Reembedded, database: TestDatabase
) -> None:
    rows = [new_row("old"), new_row("stays")]
    await scope.here.remember_many(rows)
    await start(scope)
    backlog = await scope.backlog()
    waiting = await backlog.waiting(ALICE, None, 10)
    changed = rows[0].memory._replace(content="new", version=2)
    await scope.here.writer.update(ALICE, NewRow(changed, None), UpdatedVersions(1, 1), OF_UPDATE, None, now=NOW)
    await backlog.store(ALICE, waiting, [next_vector(), next_vector()], NEXT)
    assert models(database, "new") == set()
    assert models(database, "stays") == {NEXT}
    assert await scope.embed_all() == ["new"]


async def test_a_row_that_was_forgotten_meanwhile_does_not_come_back(scope: Reembedded, database: TestDatabase) -> None:
    row = new_row("gone")
    await scope.here.remember(row)
    await start(scope)
    backlog = await scope.backlog()
    waiting = await backlog.waiting(ALICE, None, 10)
    await scope.here.forget([row.memory.memory_id])
    await backlog.store(ALICE, waiting, [next_vector()], NEXT)
    with psycopg.connect(database.superuser_url) as superuser:
        count = superuser.execute("select count(*) from camillo.memory_vectors").fetchone()
    assert count == (0,)


async def test_vectors_that_are_not_wanted_any_more_are_not_stored(scope: Reembedded, database: TestDatabase) -> None:
    await scope.here.remember(new_row("zebra"))
    await start(scope)
    backlog = await scope.backlog()
    waiting = await backlog.waiting(ALICE, None, 10)
    await scope.store.start(TENANT, ALICE.agent_id, "another", now=NOW)
    await backlog.store(ALICE, waiting, [next_vector()], NEXT)
    assert models(database, "zebra") == set()
    await start(scope)
    await backlog.store(ALICE, waiting, [next_vector()], NEXT)
    assert models(database, "zebra") == {NEXT}


async def test_a_text_without_any_feature_counts_as_looked_at_and_has_no_vector(
    scope: Reembedded,
) -> None:
    row = new_row("…")
    await scope.here.remember(row)
    await start(scope)
    backlog = await scope.backlog()
    waiting = await backlog.waiting(ALICE, None, 10)
    await backlog.store(ALICE, waiting, [None], NEXT)
    assert await scope.embedded() == (1, 1)
    assert await backlog.waiting(ALICE, None, 10) == []

    # As it is found by a server that answers by the new model.
    here = scope.here
    serving = EmbeddingBacklog(here.database, here.notifier, SystemClock(), KEYS)
    await serving.store(ALICE, waiting, [None], NEXT)
    reader = MemoryReader(here.database, KEYS)
    memory, _ = await reader.get(ALICE, row.memory.memory_id, MINIMIZE_LATENCY, now=NOW)
    assert memory is not None
    assert memory.vector_model_id == NEXT
    assert await reader.vectors(ALICE, [row.memory.memory_id]) == {}


async def test_a_job_ends_when_its_time_is_up_and_another_goes_on(
    scope: Reembedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    await scope.here.remember_many([new_row(f"zebra {number}") for number in range(100)])
    embedding = TextEmbedding(RandomEmbedder(8), 10.0, lambda reason: None)
    work = ReembedScope(scope.here.database, scope.store, {embedding.model_id: embedding}, SystemClock())
    await scope.store.start(TENANT, ALICE.agent_id, embedding.model_id, now=NOW)
    monkeypatch.setattr("camillo_server.across.lifecycle.embed_scope.SLICE_SECONDS", 0.0)
    await work.reembed(ALICE, 0)
    assert len(work.pending) == 1
    assert await scope.store.unfinished(TENANT, [embedding.model_id], now=NOW) == [ALICE]
    monkeypatch.setattr("camillo_server.across.lifecycle.embed_scope.SLICE_SECONDS", 60.0)
    await work.reembed(ALICE, 0)
    (done,) = await scope.store.embedded(TENANT, ALICE.agent_id, embedding.model_id, 10)
    assert (done.embedded, done.rows) == (100, 100)
    assert await scope.store.unfinished(TENANT, [embedding.model_id], now=NOW) == []


async def test_what_cannot_be_opened_is_left_and_does_not_keep_others_waiting(
    scope: Reembedded,
) -> None:
    secrets = [new_row(f"secret {n}", sensitivity=Sensitivity.RESTRICTED) for n in range(3)]
    await scope.here.remember_many([*secrets, new_row("plain")])
    await start(scope)
    target = await scope.store.target(ALICE)
    assert target is not None
    blind = ReembeddingStore(scope.here.database, OTHER_KEYS, scope.told.append)
    left = blind.backlog(target, is_served=False)
    assert [each.text for each in await left.waiting(ALICE, None, 1)] == ["plain"]
    seeing = await scope.backlog()
    assert len(await seeing.waiting(ALICE, None, 10)) == 4


async def test_pages_go_on_behind_the_last_row(scope: Reembedded) -> None:
    await scope.here.remember_many([new_row(f"zebra {number}") for number in range(25)])
    await start(scope)
    backlog = await scope.backlog()
    seen: list[MemoryId] = []
    last: WaitingMemory | None = None
    while page := await backlog.waiting(ALICE, last, 10):
        seen += [MemoryId(each.memory_id) for each in page]
        last = page[-1]
    assert len(seen) == len(set(seen)) == 25


async def test_scopes_that_come_later_are_meant_where_all_were(scope: Reembedded) -> None:
    await scope.here.remember(new_row("zebra"))
    await start(scope, None)
    await scope.embed_all()
    await scope.here.remember(new_row("late"), BOB)
    assert await scope.unfinished() == [BOB]
    assert await scope.store.unfinished(TenantId("rival"), [NEXT], now=NOW) == []
    assert await scope.store.unfinished(TENANT, ["another"], now=NOW) == []


async def test_scopes_that_come_later_are_not_meant_where_one_was_named(scope: Reembedded) -> None:
    await scope.here.remember(new_row("zebra"))
    await start(scope)
    await scope.embed_all()
    await scope.here.remember(new_row("late"), BOB)
    assert await scope.unfinished() == []
    told = await scope.store.embedded(TENANT, None, NEXT, 10)
    assert told == [Embedded(ALICE.agent_id, 1, 1, NOW), Embedded(BOB.agent_id, 0, 1, None)]
