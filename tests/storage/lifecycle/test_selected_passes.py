"""Prune and Archive: what a selector takes, and what becomes of it."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from camillo_server.across.lifecycle.plan import Action, Reason
from camillo_server.kernel.errors import InvalidField
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.rows.row_filter import Archived

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import ALICE, BOB, NOW, chunks_of, event
from tests.storage.lifecycle.lifecycle_store import LifecycleStore, ago, lifecycle_store, memory, reasons

TICK = timedelta(microseconds=1)
LONG_UNUSED: dict[str, Any] = {"created_at": ago(weeks=520)}


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[LifecycleStore]:
    async with lifecycle_store(database) as opened:
        yield opened


SELECTED: dict[str, tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]] = {
    # Criteria, memories that they take, and memories that they leave.
    "unused since": (
        {"unused_since": ago(days=7)},
        [{"created_at": ago(days=7) - TICK}],
        [{"created_at": ago(days=7)}, {"created_at": ago(days=9), "accessed_at": ago(days=7), "access_count": 1}],
    ),
    "created before": (
        {"created_before": ago(days=7)},
        [{"created_at": ago(days=7) - TICK, "accessed_at": NOW, "access_count": 5}],
        [{"created_at": ago(days=7)}],
    ),
    "any tag": (
        {"tags_any": ("会议", "🦓")},
        [{"tags": ("🦓",)}, {"tags": ("x", "会议")}, {"tags": ("🦓",), "sensitivity": Sensitivity.RESTRICTED}],
        [{"tags": ("会",)}, {}],
    ),
    "all tags": ({"tags_all": ("会议", "🦓")}, [{"tags": ("🦓", "x", "会议")}], [{"tags": ("会议",)}, {}]),
    "kinds": (
        {"kinds": (MemoryKind.ERROR, MemoryKind.DECISION)},
        [{"kind": MemoryKind.ERROR}, {"kind": MemoryKind.DECISION}],
        [{"kind": MemoryKind.FACT}],
    ),
    "at most so many retrievals": (
        {"max_access_count": 1},
        [{}, {"access_count": 1, "accessed_at": NOW}],
        [{"access_count": 2, "accessed_at": NOW}],
    ),
    "never retrieved": ({"max_access_count": 0}, [{}], [{"access_count": 1, "accessed_at": NOW}]),
    "less important": ({"importance_below": 0.7}, [{"importance": 0.69}], [{"importance": 0.7}]),
    "archived": ({"archived": Archived.ONLY}, [{"archived": True}], [{}]),
    "not archived": ({"archived": Archived.EXCLUDE}, [{}, {"expires_at": NOW}], [{"archived": True}]),
    "archived or not": (
        {"archived": Archived.INCLUDE, "tags_any": ("a",)},
        [{"archived": True, "tags": ("a",)}, {"tags": ("a",)}],
        [{}],
    ),
    "several conditions": (
        {"tags_any": ("a",), "kinds": (MemoryKind.ERROR,), "importance_below": 0.5},
        [{"tags": ("a",), "kind": MemoryKind.ERROR, "importance": 0.1}],
        [
            {"kind": MemoryKind.ERROR, "importance": 0.1},
            {"tags": ("a",), "importance": 0.1},
            {"tags": ("a",), "kind": MemoryKind.ERROR, "importance": 0.5},
        ],
    ),
}


@pytest.mark.parametrize("name", SELECTED)
async def test_a_selector_takes_what_passes_all_its_conditions(store: LifecycleStore, name: str) -> None:
    selected, taken, left = SELECTED[name]
    ids = await store.store(*(memory(**each) for each in taken))
    await store.store(*(memory(**each) for each in left))
    pinned = [{**each, "pinned": True} for each in taken]
    tagged = [{**each, "tags": (*each.get("tags", ()), "pinned")} for each in taken]
    await store.store(*(memory(**each) for each in (*pinned, *tagged)))
    dry = await store.prune(dry_run=True, **selected)
    assert reasons(dry) == dict.fromkeys(sorted(ids), Reason.REQUESTED)
    assert [each.memory_id for each in dry.items] == sorted(ids)
    assert {each.action for each in dry.items} == {Action.REMOVE}


async def test_ids_take_those_that_are_memories_of_the_scope(store: LifecycleStore) -> None:
    own = await store.store(memory(), memory(), memory(pinned=True))
    chunk = await store.store(*chunks_of([event("a")]))
    others = await store.store(memory(scope=BOB), scope=BOB)
    unknown = MemoryId(uuid4())
    done = await store.prune(memory_ids=[*own, *chunk, *others, unknown])
    assert list(reasons(done)) == sorted(own[:2])
    assert store.ground.count("memories") == 3
    assert store.ground.counts_are_right()


async def test_ids_and_conditions_have_to_hold_together(store: LifecycleStore) -> None:
    ids = await store.store(memory(tags=("a",)), memory(tags=("a",)), memory())
    dry = await store.prune(dry_run=True, memory_ids=ids[1:], tags_any=("a",))
    assert list(reasons(dry)) == [ids[1]]


async def test_a_selector_without_a_condition_takes_nothing_but_an_error(store: LifecycleStore) -> None:
    await store.store(memory())
    for dry_run in (True, False):
        with pytest.raises(InvalidField):
            await store.prune(dry_run=dry_run)
        with pytest.raises(InvalidField):
            await store.archive(dry_run=dry_run)
    assert len((await store.prune(archived=Archived.EXCLUDE)).items) == 1


async def test_what_is_pruned_is_gone_with_all_that_hangs_on_it(store: LifecycleStore) -> None:
    gone, kept = await store.store(memory(tags=("a",), accessed_at=NOW, access_count=3), memory(tags=("b",)))
    await store.archive(memory_ids=[gone])
    dry = await store.prune(dry_run=True, tags_any=("a",))
    assert (dry.receipt_id, dry.revision) == (None, store.revision())
    done = await store.prune(tags_any=("a",))
    assert (done.items, done.counts, done.stores) == (dry.items, dry.counts, dry.stores)
    assert done.counts == {(Action.REMOVE, Reason.REQUESTED): 1}
    assert list(done.stores) == sorted(done.stores)
    expected = {"memories": 1, "memory_history": 1, "memory_access": 1}
    assert {name: done.stores[name] for name in expected} == expected
    assert store.ground.rows("select memory_id from memories") == [(kept,)]
    for table in ("memory_history", "memory_access", "value_blocks"):
        assert store.ground.count(table) == 0
    tombstones = store.ground.rows("select memory_id, revision, is_chunk from memory_tombstones")
    assert tombstones == [(gone, done.revision, False)]
    receipts = store.ground.rows("select receipt_id, cause, stores, blocked_values from receipts")
    assert receipts == [(done.receipt_id, 3, done.stores, 0)]
    assert store.commits.told[-1][1] == done.revision
    assert store.ground.counts_are_right()


async def test_what_is_archived_is_kept_and_may_be_restored(store: LifecycleStore) -> None:
    ids = await store.store(memory(), memory(expires_at=NOW), memory(archived=True), memory())
    done = await store.archive(memory_ids=ids[:3])
    assert reasons(done) == dict.fromkeys(sorted(ids[:2]), Reason.REQUESTED)
    assert done.counts == {(Action.ARCHIVE, Reason.REQUESTED): 2}
    assert (done.stores, done.receipt_id is None) == ({}, False)
    assert store.archived() == sorted(ids[:3])
    assert (await store.archive(memory_ids=ids[:3])).receipt_id is None
    await store.ground.memories.restore(ALICE, ids[:2], None, now=NOW)
    assert store.archived() == [ids[2]]
    versions = store.ground.rows("select version from memories where memory_id = %s", ids[0])
    assert versions == [(3,)]
