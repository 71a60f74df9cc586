"""Forgetting events: all that was derived from them goes, and there is a receipt."""

from collections.abc import AsyncIterator
from uuid import uuid4

import psycopg
import pytest
from camillo_server.across.forgetting.records import event_receipt
from camillo_server.features.events.event import EventId
from camillo_server.kernel.errors import NotFound, RequestIdReused
from camillo_server.kernel.kinds import MemoryKind, Sensitivity

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import (
    ALICE,
    BOB,
    NOW,
    RIVAL,
    GroundStore,
    chunks_of,
    decision,
    event,
    ground_store,
    of_events,
    request,
    row,
    summary,
)
from tests.storage.context.test_handoffs import handoff
from tests.storage.context.test_views import view
from tests.storage.replays import OF_MEMORIES
from tests.storage.tasks.test_tasks import task


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


async def test_events_go_with_all_their_chunks_and_a_receipt(store: GroundStore) -> None:
    gone = [event("斑马线", refs=("log_1",)), event("gone", sensitivity=Sensitivity.RESTRICTED)]
    kept = event("kept", refs=("log_1",))
    chunks = chunks_of([*gone, kept], each=3)
    await store.record(*gone, kept, chunks=chunks)
    ids = [each.event_id for each in gone]
    written = await store.forget([*ids, EventId(uuid4())])
    told = written.record
    assert sorted(told.event_ids) == sorted(ids)
    assert told.total == 2
    assert told.stores == {"chunk_vectors": 0, "chunks": 6, "events": 2}
    assert told.forgotten_at == NOW
    assert await store.texts() == ["kept"]
    assert store.count("memories") == 3
    assert store.counts_are_right()
    assert store.count("event_refs") == 1
    buried = store.rows(
        "select t.event_id, t.place, r.counts ->> 'total' from event_tombstones t"
        " join event_receipts r using (tenant_id, agent_id, receipt_id) where receipt_id = %s order by t.place",
        told.receipt_id,
    )
    # The events of this test have no places of their own, so that either tombstone may come first.
    assert {event_id for event_id, _, _ in buried} == set(ids)
    assert [(place, total) for _, place, total in buried] == [(0, "2"), (1, "2")]
    # So that indexes drop the chunks, and no watch of memories speaks of them.
    assert store.count("memory_tombstones", "is_chunk") == 6
    assert store.rows("select distinct revision from memory_tombstones") == [(written.revision,)]


async def test_a_session_goes_as_a_whole(store: GroundStore) -> None:
    await store.record(event("a"), event("b", session_id="s2"), event("c"))
    told = (await store.forget("s1")).record
    assert told.total == 2
    assert await store.texts() == ["b"]


async def test_a_dry_run_tells_the_same_and_removes_nothing(store: GroundStore) -> None:
    told = event()
    written = await store.record(told)
    await store.memories.remember(ALICE, summary(told.event_id), OF_MEMORIES, None, now=NOW)
    selection = of_events([told.event_id])
    planned = await store.forgetting.would_forget(ALICE, selection, now=NOW)
    dry = event_receipt(planned.receipt)
    assert (dry.receipt_id, planned.revision) == (None, written.revision + 1)
    assert store.count("events") == 1
    real = (await store.forget([told.event_id])).record
    assert real.receipt_id is not None
    assert (dry.total, dry.stores, dry.event_ids, dry.invalidated) == (
        *(real.total, real.stores, real.event_ids, real.invalidated),
    )


async def test_a_repeat_is_told_the_same(store: GroundStore) -> None:
    told = event()
    await store.record(told)
    first = await store.forget("s1", request("f"))
    await store.record(event("new in the session"))
    again = await store.forget("s1", request("f"))
    assert again == first
    assert await store.texts() == ["new in the session"]
    with pytest.raises(RequestIdReused):
        await store.forget("s1", request("f", b"x"))


async def test_memories_that_rest_on_it_go_over_every_step(store: GroundStore) -> None:
    gone, kept = event("gone"), event("kept")
    chunks = chunks_of([gone, kept])
    await store.record(gone, kept, chunks=chunks)
    of_event, of_chunk = summary(kept.event_id, gone.event_id), summary(chunks[0].memory.memory_id)
    of_kept, fact = summary(kept.event_id), row(gone.event_id, "a fact", kind=MemoryKind.FACT)
    of_fact = row(fact.memory.memory_id, "because of it", kind=MemoryKind.FACT)
    for each in (of_event, of_chunk, of_kept, fact, of_fact):
        await store.memories.remember(ALICE, each, OF_MEMORIES, None, now=NOW)
    told = (await store.forget([gone.event_id])).record
    away = sorted(each.memory.memory_id for each in (of_event, of_chunk, fact, of_fact))
    assert list(told.invalidated) == away
    assert told.stores["memories"] == 4
    left = store.rows("select memory_id from memories where kind < 16")
    assert left == [(of_kept.memory.memory_id,)]
    assert store.count("value_blocks") == 0
    again = (await store.forget([kept.event_id])).record
    assert list(again.invalidated) == [of_kept.memory.memory_id]
    assert store.counts_are_right()


async def test_nobody_forgets_what_is_anothers(store: GroundStore) -> None:
    told = event()
    await store.record(told)
    for scope in (BOB, RIVAL):
        for selector in ([told.event_id], "s1"):
            assert (await store.forget(selector, scope=scope)).record.total == 0
    assert await store.texts() == ["hello"]


async def fill(store: GroundStore) -> None:
    """Stores something of everything for Alice and for Bob."""
    for scope, other in ((ALICE, BOB), (BOB, ALICE)):
        await store.record(event(scope=scope, refs=("log_1",)), scope=scope)
        old, new = decision("old", scope), decision("new", scope)
        await store.decide(old, scope)
        await store.decide(new, scope)
        await store.tasks.put(scope, task(scope), None, None, texts={}, now=NOW)
        await store.views.put(scope, view(scope), None, None, now=NOW)
        await store.forget([EventId(uuid4())], scope=scope)
        await store.memories.remember(
            scope, row(uuid4(), scope=scope, kind=MemoryKind.FACT), OF_MEMORIES, None, now=NOW
        )
        if scope == BOB:
            for pair in ((scope, other), (other, scope)):
                await store.handoffs.put(pair[0], handoff(*pair), None, now=NOW)
    await store.recipes.put(ALICE.tenant_id, "mine", "name: mine", now=NOW)


TABLES = ("events", "event_refs", "decisions", "tasks", "views", "handoffs", "memories")


async def test_a_deleted_agent_leaves_tombstones_alone(store: GroundStore) -> None:
    await fill(store)
    before = store.rows("select revision from scopes where agent_id = 'bob'")[0][0]
    of_alice = "agent_id = 'alice'"
    assert all(store.count(table, of_alice) for table in TABLES)
    await store.administration.delete_agent(ALICE.tenant_id, ALICE, None, NOW)
    assert [store.count(table, of_alice) for table in TABLES] == [0] * len(TABLES)
    assert store.count("event_tombstones", of_alice) == 1
    assert store.counts_are_right()
    # Bob keeps his own, but for what Alice had handed to him, and is told so.
    assert store.count("handoffs") == 0
    assert all(store.count(table) for table in TABLES if table != "handoffs")
    assert store.rows("select revision from scopes where agent_id = 'bob'") == [(before + 1,)]
    with pytest.raises(NotFound):
        await store.administration.delete_agent(ALICE.tenant_id, ALICE, None, NOW)


@pytest.mark.parametrize("who", ["server", "superuser"])
async def test_a_deleted_tenant_takes_its_events_with_it(store: GroundStore, who: str) -> None:
    await fill(store)
    await store.record(event(scope=RIVAL), scope=RIVAL)
    if who == "server":
        await store.administration.delete_tenant(RIVAL.tenant_id, ALICE.tenant_id, None, NOW)
    else:
        with psycopg.connect(store.postgres.superuser_url) as superuser:
            superuser.execute("delete from camillo.tenants where tenant_id = 'acme'")
    for table in (*TABLES, "recipes", "event_tombstones", "event_receipts"):
        assert store.count(table, "tenant_id = 'acme'") == 0, table
    assert await store.texts(RIVAL) == ["hello"]
