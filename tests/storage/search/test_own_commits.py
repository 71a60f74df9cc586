"""Commits of this process: an index in memory is at their revision without asking Postgres, whether or not they added
rows."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from uuid import uuid4

import psycopg
import pytest
from camillo_server.across.context.store.context import ViewStore
from camillo_server.across.context.view import View
from camillo_server.across.runs.run import Answer, RoundSummary, Run, RunDraft, RunId, RunStep, Trigger
from camillo_server.across.runs.store.entries import NewRound
from camillo_server.across.runs.store.runs import RunStore
from camillo_server.features.decisions.decision import Supersession
from camillo_server.features.decisions.store import DecisionStore
from camillo_server.features.slots.slot import NewSlot, SlotDraft
from camillo_server.features.slots.slots import new_slot
from camillo_server.features.slots.store.writer import SlotWriter
from camillo_server.features.tasks.store import TaskStore
from camillo_server.features.tasks.task import Task, TaskDraft, TaskId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import MINIMIZE_LATENCY, RequestKey
from camillo_server.search.index.resident_scope import MAX_ROWS_GATHERED, ResidentScope
from camillo_server.storage.scope_writes import ScopeWrites

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import decision
from tests.storage.locking import until_waiting
from tests.storage.memories.replicas import (
    ALICE,
    KEYS,
    NOW,
    Observer,
    Replica,
    contents,
    new_row,
    replica,
)


@dataclass(frozen=True, slots=True)
class Stores:
    """Stores that write into a scope beside memories."""

    runs: RunStore
    tasks: TaskStore
    snapshots: ViewStore
    decisions: DecisionStore

    @classmethod
    def of(cls, here: Replica) -> "Stores":
        writes = ScopeWrites(here.database, here.notifier)
        return cls(
            RunStore(writes, KEYS),
            TaskStore(writes, KEYS),
            ViewStore(writes, KEYS),
            DecisionStore(writes, KEYS),
        )

    async def start(self) -> tuple[RunId, int]:
        run_id = RunId(uuid4())
        draft = RunDraft(Trigger("message", {}))
        run = Run(run_id, ALICE.agent_id, draft, 0, 0, NOW, NOW, NOW + draft.idle)
        _, revision = await self.runs.start(ALICE, run, None, now=NOW)
        return run_id, revision

    async def append(self, run_id: RunId, request: RequestKey | None = None) -> int:
        steps = [RunStep(Answer("done"))]
        added = NewRound.of(steps, RoundSummary("done"), NOW)
        _, revision = await self.runs.append(ALICE, run_id, added, request, now=NOW)
        return revision

    async def instruct(self, run_id: RunId) -> int:
        _, revision = await self.runs.instruct(ALICE, run_id, "be brief", None, now=NOW)
        return revision

    async def put_task(self) -> int:
        task = Task(TaskId(uuid4()), ALICE.agent_id, TaskDraft("mend it"), 1, NOW, NOW)
        return (await self.tasks.put(ALICE, task, None, None, texts={}, now=NOW)).revision

    async def put_view(self) -> int:
        snapshot = View("rules", ALICE.agent_id, "be brief", Sensitivity.INTERNAL, 0, NOW)
        _, revision = await self.snapshots.put(ALICE, snapshot, None, None, now=NOW)
        return revision

    async def delete_view(self) -> int:
        return await self.snapshots.delete(ALICE, "rules", None, now=NOW)


def slot_of(key: str, *, unindexed: bool) -> NewSlot:
    content = {"text": "xylophone"}
    draft = SlotDraft(key, json.dumps(content), content, source="chat", unindexed=unindexed)
    return new_slot(ALICE, draft, NOW)


def deaf(observer: Observer) -> Observer:
    """An observer for which nothing is read from Postgres because of a notification."""
    return lambda name: None


@pytest.fixture
async def here(database: TestDatabase) -> AsyncIterator[Replica]:
    async with replica(database, heard_through=deaf) as opened:
        await opened.remember(new_row("first"))
        yield opened


async def shown(resident: ResidentScope) -> list[str]:
    """Contents that a recall sees if it demands no freshness."""
    snapshot = await resident.snapshot_for(MINIMIZE_LATENCY)
    assert snapshot
    return contents(snapshot)


async def test_the_index_is_at_the_revision_of_what_does_not_concern_it(here: Replica) -> None:
    resident, stores = await here.warm(), Stores.of(here)
    run_id, revision = await stores.start()
    assert resident.revision == revision
    for write in (stores.append, stores.instruct):
        assert resident.revision == revision
        revision = await write(run_id)
    for other in (stores.put_task, stores.put_view, stores.delete_view):
        assert resident.revision == revision
        revision = await other()
    assert resident.revision == revision
    # And goes on from there by itself.
    written = await here.remember(new_row("second"))
    assert resident.revision == written.revision == revision + 1
    assert await shown(resident) == ["first", "second"]
    await here.check()
    assert here.held() is resident


async def test_it_takes_the_chunk_of_a_decision_and_reads_what_a_successor_archives(
    here: Replica,
) -> None:
    resident, stores = await here.warm(), Stores.of(here)
    old, new = (replace(decision(title), agent_id=ALICE.agent_id) for title in ("old", "new"))
    written = await stores.decisions.record(ALICE, old, None, now=NOW)
    assert resident.revision == written.revision
    assert len(await shown(resident)) == 2
    supersession = Supersession(old.decision_id, 1, new, is_new=True)
    superseded = await stores.decisions.supersede(ALICE, supersession, None, now=NOW)
    # Its rows are not all that changed.
    assert resident.revision == superseded.revision - 1
    assert len(await shown(resident)) == 3
    assert resident.revision == superseded.revision


async def test_slots_without_chunks_do_not_concern_it_unless_one_is_in_the_place_of_a_chunk(here: Replica) -> None:
    resident, slots = await here.warm(), SlotWriter(ScopeWrites(here.database, here.notifier), KEYS)
    for key in ("/threads/羊", "/threads/2", "/threads/羊"):
        written = await slots.set(ALICE, [slot_of(key, unindexed=True)], None)
        assert resident.revision == written.revision
    indexed = await slots.set(ALICE, [slot_of("/notes/羊", unindexed=False)], None)
    assert resident.revision == indexed.revision - 1
    assert len(await shown(resident)) == 2
    replaced = await slots.set(ALICE, [slot_of("/notes/羊", unindexed=True)], None)
    assert resident.revision == replaced.revision - 1
    assert await shown(resident) == ["first"]


async def test_a_revision_behind_one_that_the_index_lacks_is_not_claimed(here: Replica, database: TestDatabase) -> None:
    resident, stores = await here.warm(), Stores.of(here)
    run_id, before = await stores.start()
    async with replica(database) as other:
        await other.remember(new_row("of another process"))
    appended = await stores.append(run_id)
    assert (resident.revision, appended) == (before, before + 2)
    # The reader is this process's own writer, too: it may not miss that, nor what came before it.
    assert await shown(resident) == ["first", "of another process"]
    assert resident.revision == appended


async def test_commits_that_are_told_in_another_order_are_not_claimed(here: Replica, database: TestDatabase) -> None:
    resident, stores = await here.warm(), Stores.of(here)
    run_id, before = await stores.start()
    async with replica(database) as other:
        elsewhere = Stores.of(other)
        rowless = await elsewhere.append(run_id)
        row = new_row("second")
        written = await other.remember(row)
        last = await elsewhere.append(run_id)
    assert (rowless, written.revision, last) == (before + 1, before + 2, before + 3)
    assert not here.caches.on_commit(ALICE, last, ())
    assert resident.revision == before
    assert here.caches.on_commit(ALICE, rowless, ())
    assert resident.revision == rowless
    assert here.caches.on_commit(ALICE, written.revision, [row])
    # A commit that is announced too early is read, not believed.
    assert resident.revision == written.revision
    assert await shown(resident) == ["first", "second"]
    assert resident.revision == last


async def test_a_repeat_claims_nothing_of_the_revision_that_its_first_answer_had(
    here: Replica, database: TestDatabase
) -> None:
    resident, stores = await here.warm(), Stores.of(here)
    request = RequestKey("again", bytes(32))
    run_id, before = await stores.start()
    async with replica(database) as other:
        first = await Stores.of(other).append(run_id, request)
    assert await stores.append(run_id, request) == first == before + 1
    assert resident.revision == before
    await resident.refresh()
    assert resident.revision == first


async def test_no_filter_is_applied_anew_for_a_commit_without_rows(here: Replica) -> None:
    resident, stores = await here.warm(), Stores.of(here)
    before = resident.snapshot
    await stores.start()
    assert resident.snapshot is not before
    assert resident.snapshot._cached is before._cached
    (memory,) = before.memories([0])
    await here.forget([memory.memory_id])
    assert await shown(resident) == []


async def test_rows_of_commits_are_applied_together_when_they_are_many_or_after_a_while(
    here: Replica,
) -> None:
    resident = await here.warm()
    for number in range(MAX_ROWS_GATHERED - 1):
        written = await here.remember(new_row(f"word{number}"))
    assert resident.revision == written.revision
    assert resident.memory_count == MAX_ROWS_GATHERED
    assert resident.index.snapshot.live_count == 1
    await here.remember(new_row("the last one"))
    assert resident.index.snapshot.live_count == MAX_ROWS_GATHERED + 1
    await here.remember(new_row("the next one"))
    before = resident.index.snapshot
    await here.check()
    assert resident.index.snapshot.live_count == before.live_count + 1
    assert here.held() is resident


async def test_rows_of_commits_that_take_long_to_apply_are_applied_by_a_refresh(
    here: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    resident = await here.warm()
    monkeypatch.setattr(resident.index, "has_room", lambda _: False)
    await here.remember(new_row("second"))
    assert resident.index.snapshot.live_count == 1
    snapshot = await resident.snapshot_for(MINIMIZE_LATENCY)
    assert snapshot
    assert contents(snapshot) == ["first", "second"]
    assert here.held() is resident


async def test_a_removal_that_is_told_without_a_revision_is_in_the_next_recall(
    here: Replica, database: TestDatabase
) -> None:
    resident = await here.warm()
    await here.remember(new_row("second"))
    gone = new_row("third")
    async with replica(database) as other:
        await other.remember(gone)
        await here.check()
        await other.forget([gone.memory.memory_id])
    before = await resident.snapshot_for(MINIMIZE_LATENCY)
    assert before
    assert sorted(contents(before)) == ["first", "second", "third"]
    here.notifier.notify_removal(ALICE)
    after = await resident.snapshot_for(MINIMIZE_LATENCY)
    assert after
    assert sorted(contents(after)) == ["first", "second"]


async def test_a_recall_amid_a_refresh_is_not_shown_what_was_removed(here: Replica, database: TestDatabase) -> None:
    resident = await here.warm()
    gone = new_row("second")
    async with replica(database) as other:
        await other.remember(gone)
        await here.check()
        await other.forget([gone.memory.memory_id])
    assert sorted(contents(resident.snapshot)) == ["first", "second"]
    here.notifier.notify_removal(ALICE)
    with psycopg.connect(database.superuser_url) as holder:
        holder.execute("lock table camillo.memories")
        refreshing = asyncio.create_task(resident.refresh())
        await until_waiting(database, 1)
        recalling = asyncio.create_task(resident.snapshot_for(MINIMIZE_LATENCY))
        # Now it has looked whether the index has the removal.
        await asyncio.sleep(0)
        holder.rollback()
    await refreshing
    snapshot = await recalling
    assert snapshot
    assert contents(snapshot) == ["first"]
