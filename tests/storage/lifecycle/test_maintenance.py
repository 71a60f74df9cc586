"""Memories that a pass of maintenance takes, rule by rule and at each border."""

import random
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from camillo_server.across.lifecycle.plan import Action, Reason, decayed_importance
from camillo_server.across.lifecycle.store import passes
from camillo_server.kernel.kinds import MemoryKind, Sensitivity

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import ALICE, NOW, chunks_of, event
from tests.storage.lifecycle.lifecycle_store import LifecycleStore, ago, by_id, lifecycle_store, memory, reasons

TICK = timedelta(microseconds=1)
YEAR = timedelta(days=365)
LONG_UNUSED: dict[str, Any] = {"created_at": ago(weeks=520)}


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[LifecycleStore]:
    async with lifecycle_store(database) as opened:
        yield opened


async def test_importance_decays_in_postgres_as_in_the_formula(store: LifecycleStore) -> None:
    chance = random.Random(7)  # noqa: S311
    rows = [
        memory(
            importance=chance.random(),
            created_at=ago(seconds=chance.uniform(0, 4e8)),
            accessed_at=ago(seconds=chance.uniform(0, 4e8)) if chance.random() < 0.5 else None,
            access_count=1,
            kind=chance.choice(list(MemoryKind)),
        )
        for _ in range(200)
    ]
    extremes = [
        memory(created_at=datetime(1, 1, 1, tzinfo=UTC), importance=1e-45),
        memory(created_at=datetime(1, 1, 1, tzinfo=UTC), importance=0.0),
        memory(created_at=datetime(9000, 1, 1, tzinfo=UTC)),
        memory(created_at=ago(weeks=9), accessed_at=ago(weeks=99), access_count=1),
    ]
    ids = await store.store(*rows, *extremes)
    for weekly_decay in (0.95, 1.0, 0.5, 1e-300):
        store.change_policy(weekly_decay=weekly_decay)
        found = by_id((await store.archive(dry_run=True, memory_ids=ids)).items)
        assert len(found) == len(ids)
        for made in (*rows, *extremes):
            item, told = found[made.memory.memory_id], made.memory
            last_used_at = max(told.created_at, told.accessed_at or told.created_at)
            assert item.last_used_at == last_used_at
            assert item.kind is told.kind
            # Postgres holds an importance in four bytes.
            assert item.decayed_importance == pytest.approx(
                decayed_importance(told.importance, weekly_decay, last_used_at, NOW), rel=1e-6, abs=1e-44
            )


async def test_what_has_decayed_below_the_bound_is_archived(store: LifecycleStore) -> None:
    store.change_policy(weekly_decay=0.5, unimportant_below=0.0)
    # 0.8 is 0.1 after three weeks.
    at_bound, below = await store.store(
        memory(importance=0.8, created_at=ago(weeks=3)), memory(importance=0.8, created_at=ago(weeks=3, hours=1))
    )
    assert await store.would_take() == {below: Reason.DECAYED}
    done = await store.maintain()
    assert reasons(done) == {below: Reason.DECAYED}
    assert done.counts == {(Action.ARCHIVE, Reason.DECAYED): 1}
    assert store.archived() == [below]
    store.clock.moment += timedelta(hours=1)
    assert await store.would_take() == {at_bound: Reason.DECAYED}


async def test_a_use_keeps_what_would_have_decayed(store: LifecycleStore) -> None:
    unused, used = await store.store(
        memory(**LONG_UNUSED), memory(**LONG_UNUSED, accessed_at=ago(days=1), access_count=1)
    )
    assert await store.would_take() == {unused: Reason.DECAYED}
    assert used not in store.archived()


async def test_what_was_restored_or_updated_is_used_anew(store: LifecycleStore) -> None:
    restored, updated, left = await store.store(
        memory(**LONG_UNUSED), memory(**{**LONG_UNUSED, "updated_at": NOW}), memory(**LONG_UNUSED)
    )
    await store.maintain()
    assert store.archived() == sorted([restored, left])
    await store.ground.memories.restore(ALICE, [restored], None, now=NOW)
    assert await store.would_take() == {}
    # Being archived is no use.
    found = by_id((await store.prune(dry_run=True, memory_ids=[restored, updated, left])).items)
    assert found[left].last_used_at == LONG_UNUSED["created_at"]
    assert found[restored].last_used_at == found[updated].last_used_at == NOW


async def test_what_is_unimportant_and_unused_for_some_days_is_archived(store: LifecycleStore) -> None:
    lately: dict[str, Any] = {"created_at": ago(days=400), "access_count": 1}
    unimportant, *kept = await store.store(
        memory(importance=0.19, created_at=ago(days=7)),
        memory(importance=0.19, created_at=ago(days=7) + TICK),
        # Four bytes hold 0.2 as a little more than eight bytes do.
        memory(importance=0.2, created_at=ago(days=7)),
        memory(importance=0.19, **lately, accessed_at=ago(days=7) + TICK),
    )
    assert await store.would_take() == {unimportant: Reason.UNIMPORTANT}
    store.clock.moment += TICK
    taken = dict.fromkeys((unimportant, kept[0], kept[2]), Reason.UNIMPORTANT)
    assert await store.would_take() == taken


@pytest.mark.parametrize("bound", [0.3, 0.7])
async def test_an_importance_is_not_below_a_bound_that_it_equals(store: LifecycleStore, bound: float) -> None:
    store.change_policy(unimportant_below=bound, archive_below=bound, weekly_decay=1.0)
    _, below = await store.store(
        memory(importance=bound, **LONG_UNUSED), memory(importance=bound - 1e-6, **LONG_UNUSED)
    )
    assert await store.would_take() == {below: Reason.DECAYED}
    store.change_policy(archive_below=0.0)
    assert await store.would_take() == {below: Reason.UNIMPORTANT}


async def test_over_the_quota_the_least_important_are_archived(store: LifecycleStore) -> None:
    ids = await store.store(*(memory(importance=0.3 + place / 10, created_at=ago(days=1)) for place in range(5)))
    store.change_policy(memory_quota=5)
    assert await store.would_take() == {}
    store.change_policy(memory_quota=3)
    assert await store.would_take() == dict.fromkeys(ids[:2], Reason.OVER_QUOTA)
    store.change_policy(memory_quota=0)
    assert await store.would_take() == {}
    store.change_policy(memory_quota=3)
    await store.maintain()
    assert store.archived() == sorted(ids[:2])
    assert (await store.maintain()).receipt_id is None


async def test_of_equally_important_ones_the_longest_unused_go_first_and_then_by_id(store: LifecycleStore) -> None:
    store.change_policy(weekly_decay=1.0, memory_quota=4)
    ids = await store.store(
        *(memory(created_at=ago(days=5 - place)) for place in range(3)),
        *(memory(created_at=ago(days=1)) for _ in range(4)),
    )
    assert await store.would_take() == dict.fromkeys(ids[:3], Reason.OVER_QUOTA)
    store.change_policy(memory_quota=2)
    latest = sorted(ids[3:])
    taken = [*ids[:3], *latest[:2]]
    assert await store.would_take() == dict.fromkeys(taken, Reason.OVER_QUOTA)


async def test_the_quota_counts_only_what_stays_active(store: LifecycleStore) -> None:
    active = [memory(importance=0.3 + place / 10, created_at=ago(days=1)) for place in range(2)]
    decayed = memory(**LONG_UNUSED)
    ids = await store.store(
        *active, decayed, memory(archived=True), memory(expires_at=NOW), *chunks_of([event("a"), event("b")])
    )
    pinned = await store.store(memory(pinned=True, importance=0.0, created_at=ago(days=1)))
    store.change_policy(memory_quota=3)
    assert await store.would_take() == {ids[2]: Reason.DECAYED}
    # A pinned memory counts, and stays.
    store.change_policy(memory_quota=2)
    assert await store.would_take() == {ids[2]: Reason.DECAYED, ids[0]: Reason.OVER_QUOTA}
    store.change_policy(memory_quota=1)
    taken = reasons(await store.maintain())
    assert taken == {ids[2]: Reason.DECAYED, **dict.fromkeys(ids[:2], Reason.OVER_QUOTA)}
    assert pinned[0] not in store.archived()


async def test_what_was_stored_within_a_day_neither_counts_for_the_quota_nor_is_taken(store: LifecycleStore) -> None:
    """Else an import of more than the quota would be archived within the hour, or drive out what was there before."""
    old = [memory(importance=0.3 + place / 10, created_at=ago(days=9)) for place in range(2)]
    imported = [memory(importance=0.3, created_at=ago(days=1) + TICK) for _ in range(4)]
    ahead = memory(created_at=NOW + timedelta(seconds=5))
    ids = await store.store(*old, *imported, ahead)
    store.change_policy(memory_quota=2)
    assert await store.would_take() == {}
    store.change_policy(memory_quota=1)
    assert await store.would_take() == {ids[0]: Reason.OVER_QUOTA}
    # A day later they are like all others.
    store.clock.moment += TICK
    store.change_policy(memory_quota=2)
    assert len(await store.would_take()) == 4


async def test_a_pass_takes_no_more_than_it_may_for_the_quota(
    store: LifecycleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passes, "MAX_OVER_QUOTA", 2)
    ids = await store.store(*(memory(importance=0.3 + place / 10, created_at=ago(days=1)) for place in range(5)))
    store.change_policy(memory_quota=1)
    assert reasons(await store.maintain()) == dict.fromkeys(ids[:2], Reason.OVER_QUOTA)
    assert reasons(await store.maintain()) == dict.fromkeys(ids[2:4], Reason.OVER_QUOTA)
    assert (await store.maintain()).receipt_id is None


async def test_the_plan_is_the_same_in_whatever_pages_memories_are_read(
    store: LifecycleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.store(
        *(memory(importance=0.9 - place / 10, created_at=ago(days=1)) for place in range(6)),
        memory(**LONG_UNUSED),
        memory(archived=True, updated_at=ago(days=900), created_at=ago(days=900)),
    )
    store.change_policy(memory_quota=3)
    in_one_page = await store.maintain(dry_run=True)
    assert sorted(reasons(in_one_page).values()) == sorted([Reason.DECAYED, Reason.RETENTION, *[Reason.OVER_QUOTA] * 3])
    for page_rows in (1, 3, 4, 8, 9):
        monkeypatch.setattr(passes, "PAGE_ROWS", page_rows)
        assert await store.maintain(dry_run=True) == in_one_page


async def test_what_was_hidden_for_longer_than_the_retention_is_removed(store: LifecycleStore) -> None:
    long_ago = NOW - YEAR
    archived, expired, *kept = await store.store(
        memory(archived=True, updated_at=long_ago - TICK, created_at=long_ago - TICK),
        memory(expires_at=long_ago - TICK, created_at=ago(days=900)),
        memory(archived=True, updated_at=long_ago, created_at=ago(days=900)),
        memory(expires_at=long_ago, created_at=ago(days=900)),
    )
    dry = await store.maintain(dry_run=True)
    assert reasons(dry) == dict.fromkeys([archived, expired], Reason.RETENTION)
    assert dry.counts == {(Action.REMOVE, Reason.RETENTION): 2}
    assert store.ground.count("memories") == 4
    done = await store.maintain()
    assert done.stores == dry.stores
    assert done.stores["memories"] == 2
    left = store.ground.rows("select memory_id from memories order by 1")
    assert left == [(each,) for each in sorted(kept)]
    assert store.ground.count("memory_tombstones") == 2
    assert store.ground.counts_are_right()
    # They may be stated again.
    assert store.ground.count("value_blocks") == 0


@pytest.mark.parametrize("pinning", [{"pinned": True}, {"tags": ("会议", "pinned")}])
@pytest.mark.parametrize(
    "doomed",
    [
        LONG_UNUSED,
        {"importance": 0.15, "created_at": ago(days=8)},
        {"expires_at": ago(days=400), "created_at": ago(days=500)},
        {"archived": True, "updated_at": ago(days=400), "created_at": ago(days=500)},
    ],
)
async def test_what_is_pinned_is_exempt_from_all_of_it(
    store: LifecycleStore, pinning: dict[str, Any], doomed: dict[str, Any]
) -> None:
    _, plain = await store.store(memory(**doomed, **pinning), memory(**doomed, tags=("Pinned",)))
    assert list(await store.would_take()) == [plain]


async def test_chunks_are_never_touched(store: LifecycleStore) -> None:
    chunk = chunks_of([event("a")])[0]
    old = chunk.memory._replace(created_at=ago(days=4_000), importance=0.0)
    ids = await store.store(replace(chunk, memory=old), memory(**LONG_UNUSED))
    assert list(await store.would_take()) == [ids[1]]


async def test_what_is_sealed_ages_like_everything_else(store: LifecycleStore) -> None:
    rows = [memory(**LONG_UNUSED, sensitivity=level) for level in Sensitivity]
    ids = await store.store(*rows, memory(sensitivity=Sensitivity.RESTRICTED))
    assert store.ground.count("memories", "sealed is not null") == 3
    assert await store.would_take() == dict.fromkeys(sorted(ids[:4]), Reason.DECAYED)
    await store.maintain()
    assert store.ground.count("memory_history", "sealed is not null") == 2
    assert store.archived() == sorted(ids[:4])


async def test_sources_of_a_merged_memory_outlast_the_retention_as_long_as_it_is_there(store: LifecycleStore) -> None:
    put_away: dict[str, Any] = {"archived": True, "updated_at": ago(days=400), "created_at": ago(days=500)}
    source, other, merged = await store.store(memory(**put_away), memory(**put_away), memory(kind=MemoryKind.SUMMARY))
    compact(store, [source], merged, state=2)
    assert await store.would_take() == {other: Reason.RETENTION}
    compact(store, [source], merged, state=3)
    assert await store.would_take() == dict.fromkeys(sorted([source, other]), Reason.RETENTION)
    compact(store, [source], merged, state=2)
    await store.prune(memory_ids=[merged])
    assert await store.would_take() == dict.fromkeys(sorted([source, other]), Reason.RETENTION)


def compact(store: LifecycleStore, sources: list[object], merged: object, state: int) -> None:
    """The one compaction there is: reverted (3) or in force (2)."""
    store.ground.rows("delete from compactions returning 1")
    store.ground.rows(
        "insert into compactions (tenant_id, agent_id, compaction_id, state, reason, refusal, sensitivity, source_ids,"
        " source_versions, memory_id, summary_model_id, created_at, key_id, details)"
        " values (%s, %s, gen_random_uuid(), %s, 1, 0, 2, %s, %s, %s, '', %s, '', '{}') returning 1",
        *(ALICE.tenant_id, ALICE.agent_id, state, sources, [1] * len(sources), merged, NOW),
    )
