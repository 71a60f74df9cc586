"""A pass of maintenance writes only in its scope, and only if it has something to do."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from camillo_server.across.lifecycle.plan import Action, Reason
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import BOB, NOW, RIVAL
from tests.storage.lifecycle.lifecycle_store import LifecycleStore, ago, lifecycle_store, memory, reasons

TICK = timedelta(microseconds=1)
YEAR = timedelta(days=365)
LONG_UNUSED: dict[str, Any] = {"created_at": ago(weeks=520)}


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[LifecycleStore]:
    async with lifecycle_store(database) as opened:
        yield opened


async def test_a_removal_leaves_a_receipt_and_archiving_alone_leaves_none(store: LifecycleStore) -> None:
    await store.store(memory(**LONG_UNUSED))
    assert (await store.maintain()).receipt_id is not None
    assert store.ground.count("receipts") == 0
    store.clock.moment += YEAR + TICK
    done = await store.maintain()
    assert done.counts == {(Action.REMOVE, Reason.RETENTION): 1}
    found = store.ground.rows("select receipt_id, cause, stores, blocked_values from receipts")
    assert found == [(done.receipt_id, 4, done.stores, 0)]
    assert done.stores["memory_history"] == 1


async def test_archiving_keeps_the_version_and_bears_the_revision(store: LifecycleStore) -> None:
    decayed, kept = await store.store(memory(**LONG_UNUSED), memory())
    before = store.revision()
    done = await store.maintain()
    assert done.revision == before + 1 == store.revision()
    assert [revision for _, revision, _ in store.commits.told] == [done.revision]
    found = store.ground.rows(
        "select memory_id, version, revision, archived, updated_at from memories order by created_at"
    )
    assert found == [(decayed, 2, done.revision, True, NOW), (kept, 1, before, False, NOW)]
    history = store.ground.rows("select memory_id, version, archived, replaced_at from memory_history")
    assert history == [(decayed, 1, False, NOW)]


async def test_where_there_is_nothing_to_do_nothing_is_written(store: LifecycleStore) -> None:
    await store.store(memory())
    before = store.revision()
    done = await store.maintain()
    assert (done.receipt_id, done.items, done.counts, done.stores) == (None, [], {}, {})
    assert done.revision == before == store.revision()
    assert store.commits.told == []
    assert store.ground.count("receipts") == 0


async def test_a_scope_that_nobody_has_written_to_is_left_alone(store: LifecycleStore) -> None:
    nobody = Scope(TenantId("acme"), AgentId("nobody"))
    done = await store.maintain(scope=nobody)
    assert (done.revision, done.items) == (0, [])
    assert store.ground.count("scopes") == 0


async def test_a_pass_stays_in_its_scope(store: LifecycleStore) -> None:
    own = await store.store(memory(**LONG_UNUSED))
    for scope in (BOB, RIVAL):
        await store.store(memory(scope=scope, **LONG_UNUSED), scope=scope)
    assert list(reasons(await store.maintain())) == own
    assert store.archived() == own
    assert len((await store.maintain(scope=BOB)).items) == 1
