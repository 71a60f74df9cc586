"""Plans are carried out exactly or not at all; repeats; passes beside writes."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest
from camillo_server.across.lifecycle.plan import Action, Reason
from camillo_server.kernel.errors import RequestIdReused
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.writes import PlanChanged
from camillo_server.rows.store.access import AccessStatistics
from camillo_server.search.index.columns import id_halves

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import ALICE, BOB, request
from tests.storage.lifecycle.lifecycle_store import (
    LifecycleStore,
    ago,
    lifecycle_store,
    memory,
    reasons,
)
from tests.storage.locking import scope_held, until_waiting

TICK = timedelta(microseconds=1)
LONG_UNUSED: dict[str, Any] = {"created_at": ago(weeks=520)}


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[LifecycleStore]:
    async with lifecycle_store(database) as opened:
        yield opened


async def test_at_most_a_thousand_are_named_and_all_are_counted(store: LifecycleStore) -> None:
    ids = sorted(await store.store(*(memory() for _ in range(1_003))))
    dry = await store.archive(dry_run=True, memory_ids=ids)
    assert [each.memory_id for each in dry.items] == ids[:1_000]
    assert dry.counts == {(Action.ARCHIVE, Reason.REQUESTED): 1_003}
    done = await store.archive(request("many"), dry, memory_ids=ids)
    assert (len(done.items), done.counts) == (1_000, dry.counts)
    assert len(store.archived()) == 1_003
    assert await store.archive(request("many"), dry, memory_ids=ids) == done


async def test_a_plan_is_carried_out_as_it_was_shown(store: LifecycleStore) -> None:
    hidden: dict[str, Any] = {
        "archived": True,
        "updated_at": ago(days=400),
        "created_at": ago(days=500),
    }
    await store.store(memory(**LONG_UNUSED), memory(**hidden), memory())
    plan = await store.maintain(dry_run=True)
    # Ten minutes later another one would be taken; it is not in the plan, which counts from when it was made.
    store.clock.moment += timedelta(minutes=10)
    almost = memory(importance=0.19, created_at=ago(days=7) + timedelta(minutes=5))
    late = await store.store(almost)
    assert late[0] in await store.would_take()
    done = await store.maintain(plan=plan)
    assert (done.items, done.counts, done.stores) == (plan.items, plan.counts, plan.stores)
    assert (done.at, done.digest) == (plan.at, plan.digest)
    assert done.revision == plan.revision + 2
    assert list(await store.would_take()) == late


Change = Callable[[LifecycleStore, list[MemoryId]], Awaitable[object]]


async def set_to(store: LifecycleStore, memory_id: MemoryId, change: str) -> None:
    store.ground.rows(f"update memories set {change} where memory_id = %s returning 1", memory_id)


CHANGES: dict[str, Change] = {
    "one is used meanwhile": lambda store, ids: used(store, ids[0]),
    "one is updated": lambda store, ids: set_to(store, ids[0], "version = version + 1"),
    "one is pinned": lambda store, ids: set_to(store, ids[0], "pinned = true"),
    "one is gone": lambda store, ids: store.prune(memory_ids=ids[:1]),
    "one is archived": lambda store, ids: store.archive(memory_ids=ids[:1]),
    "there is one more": lambda store, ids: store.store(memory(**LONG_UNUSED)),
    "it was carried out": lambda store, ids: store.maintain(),
}


async def used(store: LifecycleStore, memory_id: MemoryId) -> None:
    statistics = AccessStatistics(store.ground.database)
    statistics.note(ALICE, id_halves(memory_id.bytes), store.clock.moment)
    await statistics.flush()


@pytest.mark.parametrize("change", CHANGES)
async def test_after_any_change_of_what_it_takes_a_plan_is_void(store: LifecycleStore, change: str) -> None:
    ids = await store.store(memory(**LONG_UNUSED), memory(**LONG_UNUSED), memory())
    plan = await store.maintain(dry_run=True)
    await CHANGES[change](store, ids)
    before = store.ground.rows("select memory_id, version, archived from memories order by 1")
    with pytest.raises(PlanChanged):
        await store.maintain(plan=plan)
    after = store.ground.rows("select memory_id, version, archived from memories order by 1")
    assert after == before
    # With a plan of what is there now it goes on.
    fresh = await store.maintain(dry_run=True)
    assert (await store.maintain(plan=fresh)).counts == fresh.counts


async def test_what_a_plan_does_not_take_may_change(store: LifecycleStore) -> None:
    ids = await store.store(memory(**LONG_UNUSED), memory())
    plan = await store.maintain(dry_run=True)
    await store.prune(memory_ids=[ids[1]])
    await store.store(memory())
    done = await store.maintain(plan=plan)
    assert list(reasons(done)) == ids[:1]


async def test_a_plan_is_void_after_an_hour_and_for_anything_else(store: LifecycleStore) -> None:
    ids = await store.store(memory(**LONG_UNUSED, tags=("a",)), memory(tags=("b",)))
    others = await store.store(memory(scope=BOB, **LONG_UNUSED, tags=("a",)), scope=BOB)
    plan = await store.archive(dry_run=True, tags_any=("a",))
    for elsewhere in (
        store.archive(plan=plan, tags_any=("b",)),
        store.archive(plan=plan, tags_all=("a",)),
        store.archive(plan=plan, tags_any=("a",), scope=BOB),
        store.prune(plan=plan, tags_any=("a",)),
        store.maintain(plan=plan),
    ):
        with pytest.raises(PlanChanged):
            await elsewhere
    store.clock.moment += timedelta(hours=1) + TICK
    with pytest.raises(PlanChanged):
        await store.archive(plan=plan, tags_any=("a",))
    assert store.archived() == []
    store.clock.moment -= TICK
    await store.archive(plan=plan, tags_any=("a",))
    assert store.archived() == ids[:1]
    assert others[0] not in store.archived()


async def test_a_repeated_request_is_answered_as_the_first_time(store: LifecycleStore) -> None:
    hidden: dict[str, Any] = {
        "archived": True,
        "updated_at": ago(days=400),
        "created_at": ago(days=500),
    }
    await store.store(memory(**LONG_UNUSED), memory(**hidden))
    plan = await store.maintain(dry_run=True)
    first = await store.maintain(request("m"), plan)
    await store.store(memory(**LONG_UNUSED))
    # By now the plan is too old, and what it was for is done: the answer is the first one all the same.
    store.clock.moment += timedelta(hours=2)
    before = store.revision()
    assert await store.maintain(request("m"), plan) == first
    assert store.revision() == before
    with pytest.raises(RequestIdReused):
        await store.maintain(request("m", b"other"))
    assert len((await store.maintain(request("n"))).items) == 1


async def test_a_repeat_of_what_had_nothing_to_do_has_nothing_to_do(store: LifecycleStore) -> None:
    await store.store(memory())
    first = await store.maintain(request("m"))
    assert (first.receipt_id, first.revision) == (None, store.revision())
    await store.store(memory(**LONG_UNUSED))
    assert await store.maintain(request("m")) == first
    assert store.archived() == []
    assert len((await store.maintain(request("n"))).items) == 1


async def test_a_pass_waits_for_a_write_of_the_scope_and_sees_it(store: LifecycleStore) -> None:
    taken, kept = await store.store(memory(**LONG_UNUSED), memory(**LONG_UNUSED))
    plan = await store.maintain(dry_run=True)
    with scope_held(store.ground.postgres, "acme", "alice") as writer:
        planned = asyncio.create_task(store.maintain(plan=plan))
        await until_waiting(store.ground.postgres, 1)
        writer.execute("update camillo.memories set pinned = true where memory_id = %s", [kept])
        writer.commit()
    with pytest.raises(PlanChanged):
        await planned
    with scope_held(store.ground.postgres, "acme", "alice"):
        unplanned = asyncio.create_task(store.maintain())
        await until_waiting(store.ground.postgres, 1)
    assert list(reasons(await unplanned)) == [taken]


async def test_passes_and_writes_at_once_leave_every_memory_in_one_state(
    store: LifecycleStore,
) -> None:
    old = [memory(**LONG_UNUSED) for _ in range(40)]
    await store.store(*old)

    passes, _ = await asyncio.gather(
        asyncio.gather(*(store.maintain() for _ in range(5))),
        asyncio.gather(*(store.store(memory()) for _ in range(20))),
    )
    # One had something to do, whichever came first.
    assert sorted(len(done.items) for done in passes) == [0, 0, 0, 0, 40]
    assert len(store.commits.told) == 1
    assert store.archived() == sorted(each.memory.memory_id for each in old)
    assert store.ground.count("memories") == 60
    assert store.ground.count("memory_history") == 40
