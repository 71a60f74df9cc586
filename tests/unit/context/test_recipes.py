"""The recipes that a tenant can use."""

import pytest
from camillo_server.context.recipes import MOST_RECIPES, RecipeBook, built_in_recipes, load_yaml
from camillo_server.kernel.errors import InvalidField, NotFound, QuotaExceeded, StorageUnavailable
from camillo_server.kernel.ids import TenantId

from tests.unit.context.context_in_memory import RecipesInMemory
from tests.unit.context.samples import MOMENT

TENANT = TenantId("tenant")
BUILT_IN = built_in_recipes()


def yaml(name: str = "mine", budget: int = 10) -> str:
    return f"name: {name}\nbudget: {budget}\nsections: [{{name: a, source: pinned, budget: 5}}]"


def book(store: RecipesInMemory) -> RecipeBook:
    return RecipeBook(store, BUILT_IN, load_yaml)


async def test_a_recipe_of_the_tenants_own_is_found_as_it_was_put() -> None:
    recipes = book(RecipesInMemory())
    put = await recipes.put(TENANT, yaml(), MOMENT)
    assert await recipes.get(TENANT, "mine") == put
    assert put.text == yaml()
    assert not put.is_built_in


async def test_it_takes_the_place_of_one_that_came_with_the_server_until_it_is_removed() -> None:
    recipes = book(RecipesInMemory())
    assert (await recipes.get(TENANT, "run_snapshot")).is_built_in
    await recipes.put(TENANT, yaml("run_snapshot"), MOMENT)
    assert (await recipes.get(TENANT, "run_snapshot")).budget == 10
    assert [each.name for each in await recipes.all(TENANT)] == sorted(BUILT_IN)
    await recipes.delete(TENANT, "run_snapshot")
    assert (await recipes.get(TENANT, "run_snapshot")).is_built_in


async def test_an_unknown_one_is_not_found() -> None:
    with pytest.raises(NotFound) as raised:
        await book(RecipesInMemory()).get(TENANT, "nothing")
    assert (raised.value.noun, raised.value.wanted_id) == ("recipe", "nothing")


async def test_one_that_is_not_valid_is_not_stored() -> None:
    store = RecipesInMemory()
    with pytest.raises(InvalidField):
        await book(store).put(TENANT, yaml(budget=0), MOMENT)
    assert store.texts == {}


async def test_a_stored_one_that_cannot_be_read_any_more_hides_no_other() -> None:
    store = RecipesInMemory({"old": "surprise: 1", "mine": yaml()})
    assert {each.name for each in await book(store).all(TENANT)} == {*BUILT_IN, "mine"}


async def test_while_the_database_is_away_they_are_as_they_were() -> None:
    store = RecipesInMemory({"mine": yaml()})
    recipes = book(store)
    await recipes.get(TENANT, "mine")
    store.is_away = True
    assert (await recipes.get(TENANT, "mine")).name == "mine"
    assert (await recipes.get(TENANT, "run_snapshot")).is_built_in
    with pytest.raises(StorageUnavailable):
        await recipes.get(TENANT, "other")


async def test_a_tenant_has_so_many_and_may_change_them_still() -> None:
    store = RecipesInMemory({f"r{i}": yaml(f"r{i}") for i in range(MOST_RECIPES)})
    with pytest.raises(QuotaExceeded):
        await book(store).put(TENANT, yaml("new"), MOMENT)
    assert (await book(store).put(TENANT, yaml("r0", 20), MOMENT)).budget == 20
