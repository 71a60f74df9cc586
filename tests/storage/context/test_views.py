"""Views and recipes in Postgres."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from camillo_server.across.context.view import View
from camillo_server.kernel.errors import NotFound, VersionConflict
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope

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
