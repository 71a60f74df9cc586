"""The records of bundles: everything of one moment."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from camillo_server.across.context.records import ContextRecords, RecordsQuery
from camillo_server.features.decisions.decision import DecisionStatus, Supersession
from camillo_server.features.tasks.task import TaskStatus
from camillo_server.kernel.errors import RevisionBehind
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import MINIMIZE_LATENCY, AtLeastAsFresh, Freshness
from camillo_server.rows.row import Row

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import (
    ALICE,
    BOB,
    NOW,
    SHARED,
    GroundStore,
    decision,
    event,
    ground_store,
    later,
    row,
    text_of,
)
from tests.storage.context.test_handoffs import handoff
from tests.storage.context.test_views import view
from tests.storage.replays import OF_MEMORIES
from tests.storage.tasks.test_tasks import task

ALL = RecordsQuery(
    session_id="s1",
    recent_events=3,
    decisions=5,
    tasks=5,
    handoffs=5,
    views=True,
    recent_memories=5,
    recent_memories_hours=24.0,
    pinned=5,
)
NOTHING = RecordsQuery("s1", 0, 0, 0, 0, views=False)


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


def memory(text: str, scope: Scope = ALICE, **changed: object) -> Row:
    return row(uuid4(), text, scope, **{"kind": MemoryKind.FACT, "source_refs": (), **changed}).memory


async def remember(store: GroundStore, *memories: Row, scope: Scope = ALICE) -> None:
    for each in memories:
        new = row(uuid4(), scope=scope)
        await store.memories.remember(scope, replace(new, memory=each), OF_MEMORIES, None, now=NOW)


async def records(
    store: GroundStore, wanted: RecordsQuery = ALL, freshness: Freshness = MINIMIZE_LATENCY
) -> ContextRecords:
    return await store.records.read(ALICE, wanted, freshness, now=NOW)


def nothing(revision: int) -> ContextRecords:
    return ContextRecords(revision, [], [], [], [], [], [], [], [], [], [])


async def test_an_empty_scope_has_nothing(store: GroundStore) -> None:
    assert await records(store) == nothing(0)


async def test_everything_is_there_in_its_order(store: GroundStore) -> None:
    await store.record(*(event(str(n)) for n in range(5)), event("other", session_id="s2"))
    old, new = decision("old"), decision("new", created_at=later(1))
    of_tenant = decision("of the tenant", SHARED, created_at=later(-1))
    await store.decide(old)
    await store.decisions.supersede(
        ALICE,
        Supersession(old.decision_id, 1, new, is_new=True),
        None,
        now=NOW,
    )
    await store.decide(of_tenant, SHARED)
    tasks = [task(title="open"), task(SHARED, "shared", at=later(1))]
    tasks.append(task(title="done", status=TaskStatus.DONE))
    for each in tasks:
        await store.tasks.put(Scope(ALICE.tenant_id, each.agent_id), each, None, None, texts={}, now=NOW)
    await store.record(event(scope=BOB), scope=BOB)
    sent = [
        handoff(BOB, ALICE),
        handoff(BOB, ALICE, session_id="s1", at=later(1)),
        handoff(BOB, ALICE, session_id="s2"),
        handoff(BOB, ALICE, expires_at=NOW),
        handoff(ALICE, BOB),
    ]
    for each_sent in sent:
        giver = Scope(ALICE.tenant_id, each_sent.from_agent_id)
        await store.handoffs.put(giver, each_sent, None, now=later(-1))
    for scope in (SHARED, ALICE, BOB):
        await store.views.put(scope, view(scope), None, None, now=NOW)
    found = await records(store)
    assert [text_of(each) for each in found.recent_events] == ["2", "3", "4"]
    assert [each.stated.decision for each in found.decisions] == ["new", "of the tenant"]
    assert found.decisions[0].supersedes == (old.decision_id,)
    assert all(each.status is DecisionStatus.ACTIVE for each in found.decisions)
    assert [each.stated.title for each in found.tasks] == ["shared", "open"]
    assert found.handoffs == [sent[1], sent[0]]
    assert [each.agent_id for each in found.views] == ["alice", ""]
    revision = store.rows("select revision from scopes where agent_id = 'alice'")[0][0]
    assert found.revision == revision
    assert await records(store, NOTHING) == nothing(revision)


async def test_memories_are_recent_or_pinned_and_neither_archived_nor_expired(
    store: GroundStore,
) -> None:
    await remember(
        store,
        memory("now"),
        memory("yesterday", occurred_at=NOW - timedelta(hours=23), importance=0.9, tags=("pinned",)),
        memory("long ago", occurred_at=NOW - timedelta(hours=25), pinned=True, importance=0.7),
        memory("to come", occurred_at=later(1)),
        memory("expired", expires_at=NOW, pinned=True),
        memory("expires", expires_at=later(1), occurred_at=later(-1)),
        memory("archived", archived=True, pinned=True),
        memory("secret", sensitivity=Sensitivity.RESTRICTED, pinned=True, occurred_at=later(-2)),
    )
    shared = memory("of all", SHARED, occurred_at=later(-3), pinned=True, importance=0.8)
    hidden = memory("sealed for all", SHARED, sensitivity=Sensitivity.CONFIDENTIAL)
    await remember(store, shared, hidden._replace(occurred_at=later(-4)), scope=SHARED)
    await remember(store, memory("bob's", BOB, pinned=True), scope=BOB)
    await store.record(event("a chunk is no memory"))
    found = await records(store, replace(ALL, recent_memories=10))
    assert [each.content for each in found.recent_memories] == [
        *("now", "expires", "secret", "of all", "sealed for all", "yesterday"),
    ]
    assert [each.content for each in found.pinned] == ["yesterday", "of all", "long ago", "secret"]
    assert [each.content for each in (await records(store, replace(ALL, pinned=2))).pinned] == [
        *("yesterday", "of all"),
    ]


async def test_recent_events_end_at_so_many_bytes_the_latest_kept(
    store: GroundStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("camillo_server.across.context.store.records.MAX_RECENT_BYTES", 1_500)
    await store.record(*(event(f"{n}".ljust(1_000)) for n in range(4)))
    assert [int(text_of(each)) for each in (await records(store)).recent_events] == [2, 3]


async def test_a_demanded_revision_is_waited_for(store: GroundStore) -> None:
    revision = (await store.record(event())).revision
    assert (await records(store, ALL, AtLeastAsFresh(revision))).revision == revision
    with pytest.raises(RevisionBehind):
        await records(store, ALL, AtLeastAsFresh(revision + 1))
