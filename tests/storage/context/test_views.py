"""Views and recipes in Postgres."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from camillo_server.across.context.view import MAX_VIEWS, View
from camillo_server.across.context.views import Views
from camillo_server.kernel.errors import NotFound, QuotaExceeded, VersionConflict
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.redaction.redaction import Redactor

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import (
    ALICE,
    BOB,
    MANY_SCRIPTS,
    NOW,
    RIVAL,
    SHARED,
    GroundStore,
    ground_store,
    later,
    request,
)
from tests.storage.locking import scope_held, until_waiting
from tests.unit.identity.moving_clock import MovingClock


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


def view(
    scope: Scope = ALICE, name: str = "rules", text: str = MANY_SCRIPTS, level: Sensitivity = Sensitivity.INTERNAL
) -> View:
    """A view as it is before it is stored."""
    return View(name, scope.agent_id, text, level, 0, NOW)


@pytest.mark.parametrize("level", list(Sensitivity))
async def test_a_view_is_read_as_it_was_written(store: GroundStore, level: Sensitivity) -> None:
    put, revision = await store.views.put(ALICE, view(level=level), None, None, now=later(1))
    assert put == replace(view(level=level), version=1, updated_at=later(1))
    assert await store.views.all(ALICE) == [put]
    assert ("会议" in str(store.rows("select * from views"))) is (level < Sensitivity.CONFIDENTIAL)
    assert store.committed == [(ALICE, revision, 0)]


async def test_versions_are_counted_and_asked_for(store: GroundStore) -> None:
    for expected in (0, 1, None):
        put, _ = await store.views.put(ALICE, view(), expected, None, now=NOW)
    assert put.version == 3
    for expected in (0, 2):
        with pytest.raises(VersionConflict) as refused:
            await store.views.put(ALICE, view(), expected, None, now=NOW)
        assert refused.value.details["actual_version"] == 3


async def test_a_repeat_stores_nothing(store: GroundStore) -> None:
    first = await store.views.put(ALICE, view(), None, request(), now=NOW)
    await store.views.put(ALICE, view(text="newer"), None, None, now=NOW)
    assert await store.views.put(ALICE, view(), None, request(), now=later(5)) == first
    assert [each.text for each in await store.views.all(ALICE)] == ["newer"]


async def test_the_agents_stand_before_the_tenants(store: GroundStore) -> None:
    for scope in (SHARED, ALICE, BOB, RIVAL):
        for name in ("rules", "identity"):
            await store.views.put(scope, view(scope, name), None, None, now=NOW)
    found = [(each.name, each.agent_id) for each in await store.views.all(ALICE)]
    assert found == [("identity", "alice"), ("identity", ""), ("rules", "alice"), ("rules", "")]
    assert len(await store.views.all(SHARED)) == 2


async def test_a_view_is_deleted_once(store: GroundStore) -> None:
    _, revision = await store.views.put(ALICE, view(), None, None, now=NOW)
    assert await store.views.delete(ALICE, "rules", request(), now=NOW) == revision + 1
    assert await store.views.delete(ALICE, "rules", request(), now=NOW) == revision + 1
    assert await store.views.all(ALICE) == []
    with pytest.raises(NotFound) as refused:
        await store.views.delete(ALICE, "rules", None, now=NOW)
    assert (refused.value.noun, refused.value.wanted_id) == ("view", "rules")


async def test_a_scope_has_so_many_and_may_change_them_still(store: GroundStore) -> None:
    views = Views(store.views, Redactor(), MovingClock())
    for i in range(MAX_VIEWS):
        await views.put(ALICE, view(name=f"v{i}"), None, request(f"r{i}"))
    with pytest.raises(QuotaExceeded):
        await views.put(ALICE, view(name="new"), None, None)
    await views.put(ALICE, view(name="v0", text="newer"), None, None)
    # The tenant's are counted apart.
    await views.put(SHARED, view(SHARED, "new"), None, None)
    await store.views.delete(ALICE, "v1", None, now=NOW)
    await views.put(ALICE, view(name="new"), None, None)
    # A request that comes again at the bound is answered as before.
    assert (await views.put(ALICE, view(name="v1"), None, request("r1")))[0].version == 1
    assert len([each for each in await store.views.all(ALICE) if each.agent_id]) == MAX_VIEWS


async def test_of_two_at_once_only_one_takes_the_last_place(store: GroundStore) -> None:
    views = Views(store.views, Redactor(), MovingClock())
    for i in range(MAX_VIEWS - 1):
        await views.put(ALICE, view(name=f"v{i}"), None, None)
    with scope_held(store.postgres, ALICE.tenant_id, ALICE.agent_id):
        puts = [asyncio.create_task(views.put(ALICE, view(name=name), None, None)) for name in ("one", "other")]
        await until_waiting(store.postgres, 2)
    outcomes = await asyncio.gather(*puts, return_exceptions=True)
    assert [type(each) for each in outcomes if isinstance(each, BaseException)] == [QuotaExceeded]
    assert len(await store.views.all(ALICE)) == MAX_VIEWS


async def test_recipes_are_the_tenants(store: GroundStore) -> None:
    acme, rival = ALICE.tenant_id, RIVAL.tenant_id
    await store.recipes.put(acme, "b", "name: b", now=NOW)
    await store.recipes.put(acme, "a", "old", now=NOW)
    await store.recipes.put(acme, "a", MANY_SCRIPTS, now=NOW)
    assert list((await store.recipes.all(acme)).items()) == [("a", MANY_SCRIPTS), ("b", "name: b")]
    assert await store.recipes.get(acme, "a") == MANY_SCRIPTS
    assert await store.recipes.get(rival, "a") is None
    with pytest.raises(NotFound):
        await store.recipes.delete(rival, "a", now=NOW)
    await store.recipes.delete(acme, "a", now=NOW)
    assert await store.recipes.all(acme) == {"b": "name: b"}
