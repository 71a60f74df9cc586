"""Contents of scopes, in rows and bytes of every store."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from camillo_server.across.lifecycle.store.usage import MemoryFigures, ScopeContents, UsageStore
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.embedder import Vector

from tests.postgres_fixtures import TestDatabase
from tests.storage.artifacts.artifact_store import artifact_store
from tests.storage.context.ground_store import ALICE, BOB, NOW, RIVAL, SHARED, chunks_of, decision, event
from tests.storage.context.test_handoffs import handoff
from tests.storage.context.test_views import view
from tests.storage.lifecycle.lifecycle_store import LifecycleStore, ago, lifecycle_store, memory
from tests.storage.tasks.test_tasks import task

ACME = TenantId("acme")
TICK = timedelta(microseconds=1)


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[LifecycleStore]:
    async with lifecycle_store(database) as opened:
        yield opened


async def contents(store: LifecycleStore, *agent_ids: str) -> Sequence[ScopeContents]:
    usage = UsageStore(store.ground.database)
    return await usage.contents(ACME, [AgentId(each) for each in agent_ids], now=NOW)


async def stores(store: LifecycleStore) -> dict[str, tuple[int, int]]:
    """Alice's rows and bytes by store."""
    (found,) = await contents(store, "alice")
    assert [each.store for each in found.stores] == sorted(each.store for each in found.stores)
    return {each.store: (each.rows, each.bytes) for each in found.stores}


async def test_a_scope_that_holds_nothing_has_no_stores(store: LifecycleStore) -> None:
    nothing = ScopeContents(AgentId("alice"), [], MemoryFigures())
    assert await contents(store, "alice") == [nothing]
    await store.prune(memory_ids=await store.store(memory()))
    (emptied,) = await contents(store, "alice")
    assert [each.store for each in emptied.stores] == ["receipts"]
    assert emptied.memories == MemoryFigures()


async def test_bytes_are_those_of_the_contents(store: LifecycleStore) -> None:
    told = memory("会议 🦓", metadata={"键": "值"})
    size = len(told.memory.content.encode()) + len('{"键": "值"}'.encode())
    (memory_id,) = await store.store(told)
    assert await stores(store) == {"memories": (1, size)}
    await store.archive(memory_ids=[memory_id])
    assert await stores(store) == {"memories": (1, size), "memory_history": (1, size)}
    # However well they can be compressed.
    long = memory("x" * 1_900)
    await store.store(long)
    found = await stores(store)
    assert found["memories"] == (2, size + len(long.memory.content))


async def test_memories_and_chunks_and_their_vectors_are_told_apart(store: LifecycleStore) -> None:
    vector = Vector("m", np.ones(16, np.float32))
    told, sealed = memory(), memory(sensitivity=Sensitivity.RESTRICTED)
    rows = [replace(each, memory=each.memory.with_vector_of(vector), vector=vector) for each in (told, sealed)]
    chunks = chunks_of([event("a"), event("会议")], each=2)
    await store.store(*rows, *chunks)
    found = await stores(store)
    texts = sum(len(each.memory.content.encode()) for each in chunks)
    assert found["chunks"] == (4, texts + 4 * len('{"place": 0}'))
    # A sealed text takes some bytes more.
    least = sum(len(each.memory.content.encode()) for each in (told, sealed))
    rows_found, nbytes = found["memories"]
    assert rows_found == 2
    assert least < nbytes < least + 200
    rows_found, nbytes = found["memory_vectors"]
    assert rows_found == 2
    assert 2 * 16 * 4 < nbytes < 2 * 16 * 4 + 100


async def test_every_store_is_counted(store: LifecycleStore) -> None:
    ground = store.ground
    made = event("told")
    await ground.record(made)
    await ground.decide(decision())
    await ground.tasks.put(ALICE, task(), None, None, texts={}, now=NOW)
    await ground.views.put(ALICE, view(level=Sensitivity.RESTRICTED), None, None, now=NOW)
    await ground.handoffs.put(BOB, handoff(BOB, ALICE), None, now=NOW)
    insert(store, "value_blocks", mark=b"m" * 32, receipt_id=uuid4(), blocked_at=NOW)
    insert(
        store,
        "compactions",
        compaction_id=uuid4(),
        state=1,
        reason=1,
        refusal=0,
        sensitivity=2,
        source_ids=[uuid4()],
        source_versions=[1],
        summary_model_id="",
        created_at=NOW,
        key_id="",
        details='{"a": 1}',
    )
    run: dict[str, Any] = {"run_id": uuid4(), "key_id": ""}
    insert(
        store,
        "runs",
        **run,
        session_id="",
        sensitivity=2,
        max_tokens=1,
        idle_seconds=1,
        rounds=1,
        instructions=0,
        bytes=7,
        started_at=NOW,
        active_at=NOW,
        ends_at=NOW,
        details="{}",
    )
    entry: dict[str, Any] = {"place": 0, "appended_at": NOW, "sealed_details": b"s" * 100}
    insert(store, "run_entries", kind=1, **run, **entry)
    await store.prune(memory_ids=await store.store(memory()))
    found = await stores(store)
    assert {name: rows for name, (rows, _) in found.items()} == {
        "chunks": 2,
        "compactions": 1,
        "decisions": 1,
        "events": 1,
        "handoffs": 1,
        "receipts": 1,
        "run_entries": 1,
        "runs": 1,
        "tasks": 1,
        "value_blocks": 1,
        "views": 1,
    }
    told = ground.rows("select octet_length(details::text) from events")
    assert found["events"][1] == told[0][0] > 0
    assert (found["run_entries"][1], found["value_blocks"][1]) == (100, 32)
    assert found["compactions"][1] == len('{"a": 1}')
    assert all(nbytes > 0 for _, nbytes in found.values())


async def test_bytes_that_artifacts_share_count_once_and_as_stored(
    store: LifecycleStore, database: TestDatabase
) -> None:
    async with artifact_store(database, None) as artifacts:
        for data in (b"a" * 50_000, b"a" * 50_000, b"b" * 30_000):
            await artifacts.put(data)
        await artifacts.put(b"c" * 10, scope=BOB)
        stored = artifacts.rows("select sum(stored_bytes) from contents where size > 10")
    assert 0 < stored[0][0] < 80_000
    used = await stores(store)
    chunks, _ = used.pop("chunks")
    assert chunks == 3
    assert used == {"artifacts": (3, stored[0][0])}


async def test_memories_are_counted_by_what_recall_may_find(store: LifecycleStore) -> None:
    oldest, newest = ago(days=9), NOW + timedelta(days=1)
    await store.store(
        memory(created_at=oldest),
        memory(expires_at=NOW + TICK),
        memory(created_at=newest, pinned=True),
        memory(tags=("pinned", "会议")),
        memory(expires_at=NOW),
        memory(archived=True),
        memory(archived=True, expires_at=NOW - TICK, pinned=True),
        *chunks_of([event("a")]),
    )
    (found,) = await contents(store, "alice")
    assert found.memories == MemoryFigures(
        active=4, archived=2, expired=2, pinned=3, oldest_at=oldest, newest_at=newest
    )


async def test_scopes_are_counted_apart_and_in_the_order_asked_for(store: LifecycleStore) -> None:
    for scope, rows in ((ALICE, 1), (BOB, 2), (SHARED, 3), (RIVAL, 4)):
        await store.store(*(memory(scope=scope) for _ in range(rows)), scope=scope)
    found = await contents(store, "bob", "", "nobody", "alice")
    assert [(each.agent_id, each.memories.active) for each in found] == [
        *(("bob", 2), ("", 3), ("nobody", 0), ("alice", 1))
    ]
    assert [store_usage.rows for each in found for store_usage in each.stores] == [2, 3, 1]


async def test_agents_are_listed_in_order_behind_one(store: LifecycleStore) -> None:
    for scope in (BOB, ALICE, SHARED, RIVAL):
        await store.store(memory(scope=scope), scope=scope)
    usage = UsageStore(store.ground.database)
    assert await usage.agent_ids(ACME, None, 10) == ["", "alice", "bob"]
    assert await usage.agent_ids(ACME, AgentId(""), 1) == ["alice"]
    assert await usage.agent_ids(ACME, AgentId("alice"), 10) == ["bob"]
    assert await usage.agent_ids(ACME, AgentId("bob"), 10) == []
    await store.ground.administration.delete_agent(ACME, Scope(ACME, AgentId("bob")), None, NOW)
    assert await usage.agent_ids(ACME, None, 10) == ["", "alice"]


def insert(store: LifecycleStore, table: str, **columns: object) -> None:
    """A row of Alice's."""
    told = {"tenant_id": ALICE.tenant_id, "agent_id": ALICE.agent_id, **columns}
    places = ", ".join(["%s"] * len(told))
    store.ground.rows(f"insert into {table} ({', '.join(told)}) values ({places}) returning 1", *told.values())
