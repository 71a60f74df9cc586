"""The recipes that a tenant can use."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from camillo_server.across.context.recipes import RecipeBook, built_in_recipes
from camillo_server.across.context.store.context import MAX_RECIPES, RecipeStore
from camillo_server.kernel.errors import InvalidField, NotFound, QuotaExceeded, StorageUnavailable, ValueRejected
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import FULLY_CONSISTENT, MINIMIZE_LATENCY, Freshness
from camillo_server.lib.text.value_fingerprints import value_fingerprint
from camillo_server.storage.change_notifier import ChangeNotifier

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import ALICE, NOW, RIVAL, SHARED, GroundStore, event, ground_store
from tests.storage.locking import scope_held, until_waiting

ACME = ALICE.tenant_id
BUILT_IN = built_in_recipes()


def yaml(name: str = "mine", budget: int = 10) -> str:
    return f"name: {name}\nbudget: {budget}\nsections: [{{name: a, source: pinned, budget: 5}}]"


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


def book(store: GroundStore) -> RecipeBook:
    recipes = RecipeBook(store.recipes)
    store.notifier.subscribe(recipes.cache)
    return recipes


def elsewhere(store: GroundStore) -> RecipeStore:
    """Recipes of another server, whose notifications do not come."""
    return RecipeStore(store.database, ChangeNotifier(""))


async def test_a_recipe_of_the_tenants_own_is_found_as_it_was_put(store: GroundStore) -> None:
    recipes = book(store)
    put = await recipes.put(ACME, yaml(), NOW)
    assert await recipes.get(ACME, "mine") == put
    assert put.text == yaml()
    assert not put.is_built_in


async def test_it_takes_the_place_of_one_that_came_with_the_server_until_it_is_removed(
    store: GroundStore,
) -> None:
    recipes = book(store)
    assert (await recipes.get(ACME, "run_snapshot")).is_built_in
    await recipes.put(ACME, yaml("run_snapshot"), NOW)
    assert (await recipes.get(ACME, "run_snapshot")).budget == 10
    assert [each.name for each in await recipes.all(ACME)] == sorted(BUILT_IN)
    await recipes.delete(ACME, "run_snapshot", now=NOW)
    assert (await recipes.get(ACME, "run_snapshot")).is_built_in


async def test_an_unknown_one_is_not_found(store: GroundStore) -> None:
    with pytest.raises(NotFound) as raised:
        await book(store).get(ACME, "nothing")
    assert (raised.value.noun, raised.value.wanted_id) == ("recipe", "nothing")


async def test_one_that_is_not_valid_is_not_stored(store: GroundStore) -> None:
    with pytest.raises(InvalidField):
        await book(store).put(ACME, yaml(budget=0), NOW)
    assert await store.recipes.all(ACME) == {}


async def test_a_stored_one_that_cannot_be_read_any_more_hides_no_other(store: GroundStore) -> None:
    for name, text in (("old", "surprise: 1"), ("mine", yaml())):
        await store.recipes.put(ACME, name, text, now=NOW)
    assert {each.name for each in await book(store).all(ACME)} == {*BUILT_IN, "mine"}


async def test_while_the_database_is_away_they_are_as_they_were(store: GroundStore) -> None:
    recipes = book(store)
    await recipes.put(ACME, yaml(), NOW)
    await recipes.get(ACME, "mine")
    await store.database.close()
    assert (await recipes.get(ACME, "mine")).name == "mine"
    assert (await recipes.get(ACME, "run_snapshot")).is_built_in
    with pytest.raises(StorageUnavailable):
        await recipes.get(ACME, "other")


async def test_one_that_was_read_is_not_read_again_until_something_is_notified(
    store: GroundStore,
) -> None:
    recipes = book(store)
    await store.recipes.put(ACME, "mine", yaml(budget=20), now=NOW)

    async def budgets(freshness: Freshness = MINIMIZE_LATENCY) -> tuple[int, int]:
        """Budgets of the tenant's own recipe, and of a built-in one that it may have replaced."""
        own, replaced = [await recipes.get(ACME, name, freshness) for name in ("mine", "run_snapshot")]
        return own.budget, replaced.budget

    built_in = BUILT_IN["run_snapshot"].budget
    known = (20, built_in)
    assert await budgets() == known
    for budget, notify in enumerate(
        (
            lambda: store.notifier.notify(SHARED),
            lambda: store.notifier.notify_removal(SHARED),
            lambda: recipes.cache.on_change(None),
            recipes.cache.on_new_history,
        ),
        start=30,
    ):
        for name in ("mine", "run_snapshot"):
            await elsewhere(store).put(ACME, name, yaml(name, budget), now=NOW)
        for other in (ALICE, Scope(RIVAL.tenant_id, SHARED.agent_id)):
            store.notifier.notify(other)
        assert await budgets() == known
        notify()
        known = (budget, budget)
        assert await budgets() == known
    await store.recipes.delete(ACME, "run_snapshot", now=NOW)
    assert await budgets() == (known[0], built_in)


async def test_everything_committed_is_read_where_that_is_demanded(store: GroundStore) -> None:
    recipes = book(store)
    await recipes.put(ACME, yaml(budget=20), NOW)
    assert (await recipes.get(ACME, "mine")).budget == 20
    await elsewhere(store).put(ACME, "mine", yaml(budget=30), now=NOW)
    assert (await recipes.get(ACME, "mine")).budget == 20
    assert (await recipes.get(ACME, "mine", FULLY_CONSISTENT)).budget == 30
    assert (await recipes.get(ACME, "mine")).budget == 30


async def test_one_that_changes_while_it_is_read_is_read_again(store: GroundStore) -> None:
    recipes = book(store)
    await recipes.put(ACME, yaml(budget=20), NOW)
    read = store.recipes.get

    async def meanwhile(*asked: Any) -> str | None:
        found = await read(*asked)
        await store.recipes.put(ACME, "mine", yaml(budget=30), now=NOW)
        return found

    store.recipes.get = meanwhile  # type: ignore[assignment, method-assign]
    assert (await recipes.get(ACME, "mine")).budget == 20
    store.recipes.get = read  # type: ignore[method-assign]
    assert (await recipes.get(ACME, "mine")).budget == 30


async def test_no_more_are_known_than_so_many(store: GroundStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camillo_server.across.context.recipes.MAX_ENTRIES", 2)
    recipes = book(store)
    for i in range(3):
        await recipes.put(ACME, yaml(f"r{i}"), NOW)
        await recipes.get(ACME, f"r{i}")
    for _ in range(3):
        with pytest.raises(NotFound):
            await recipes.get(ACME, "invented")
    await store.database.close()
    assert (await recipes.get(ACME, "r2")).name == "r2"
    for name in ("r0", "invented"):
        with pytest.raises(StorageUnavailable):
            await recipes.get(ACME, name)


async def test_one_that_waits_for_its_turn_sees_what_was_blocked_meanwhile(store: GroundStore) -> None:
    value = "The user lives in Basel"
    await store.record(event("hello", SHARED), scope=SHARED)
    with scope_held(store.postgres, ACME, "") as holder:
        waiting = asyncio.create_task(book(store).put(ACME, f"# {value}\n{yaml()}", NOW))
        await until_waiting(store.postgres, 1)
        holder.execute(
            "insert into camillo.value_blocks (tenant_id, agent_id, mark, receipt_id, blocked_at)"
            " values (%s, '', %s, %s, %s)",
            (ACME, value_fingerprint(ACME, value), uuid4(), NOW),
        )
        holder.commit()
        with pytest.raises(ValueRejected):
            await waiting
    assert await store.recipes.all(ACME) == {}
    await book(store).put(ACME, yaml(), NOW)


async def test_a_tenant_has_so_many_and_may_change_them_still(store: GroundStore) -> None:
    for i in range(MAX_RECIPES):
        await store.recipes.put(ACME, f"r{i}", yaml(f"r{i}"), now=NOW)
    with pytest.raises(QuotaExceeded):
        await book(store).put(ACME, yaml("new"), NOW)
    assert (await book(store).put(ACME, yaml("r0", 20), NOW)).budget == 20


async def test_of_two_at_once_only_one_takes_the_last_place(store: GroundStore) -> None:
    for i in range(MAX_RECIPES - 1):
        await store.recipes.put(ACME, f"r{i}", yaml(f"r{i}"), now=NOW)
    with scope_held(store.postgres, ACME, ""):
        puts = [asyncio.create_task(book(store).put(ACME, yaml(name), NOW)) for name in ("one", "other")]
        await until_waiting(store.postgres, 2)
    outcomes = await asyncio.gather(*puts, return_exceptions=True)
    assert [type(each) for each in outcomes if isinstance(each, BaseException)] == [QuotaExceeded]
    assert len(await store.recipes.all(ACME)) == MAX_RECIPES


async def test_the_first_write_of_a_tenant_waits_for_a_forgetting_that_is_its_first_too(store: GroundStore) -> None:
    with psycopg.connect(store.postgres.superuser_url) as forgetting:
        forgetting.execute("insert into camillo.scopes values (%s, '', 0, 0, 0, '', timestamptz 'epoch')", (ACME,))
        put = asyncio.create_task(book(store).put(ACME, yaml(), NOW))
        await until_waiting(store.postgres, 1)
        forgetting.commit()
    assert (await put).name == "mine"
