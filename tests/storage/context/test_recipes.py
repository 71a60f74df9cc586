"""The recipes that a tenant can use."""

from collections.abc import AsyncIterator

import pytest
from camillo_server.context.recipes import MAX_RECIPES, RecipeBook, built_in_recipes
from camillo_server.kernel.errors import InvalidField, NotFound, QuotaExceeded, StorageUnavailable

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import ALICE, NOW, GroundStore, ground_store

ACME = ALICE.tenant_id
BUILT_IN = built_in_recipes()


def yaml(name: str = "mine", budget: int = 10) -> str:
    return f"name: {name}\nbudget: {budget}\nsections: [{{name: a, source: pinned, budget: 5}}]"


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


def book(store: GroundStore) -> RecipeBook:
    return RecipeBook(store.recipes)


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
    await recipes.delete(ACME, "run_snapshot")
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


async def test_a_tenant_has_so_many_and_may_change_them_still(store: GroundStore) -> None:
    for i in range(MAX_RECIPES):
        await store.recipes.put(ACME, f"r{i}", yaml(f"r{i}"), now=NOW)
    with pytest.raises(QuotaExceeded):
        await book(store).put(ACME, yaml("new"), NOW)
    assert (await book(store).put(ACME, yaml("r0", 20), NOW)).budget == 20
