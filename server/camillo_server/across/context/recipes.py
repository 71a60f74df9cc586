"""The recipes that a tenant can use: its own, and those that came with the server."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache, partial
from importlib.resources import files
from types import MappingProxyType

from camillo_formats.plain_yaml import FieldRefused, load_yaml

from camillo_server.across.context.recipe import Recipe
from camillo_server.across.context.recipe_parsing import parse_recipe
from camillo_server.across.context.store.context import RecipeStore
from camillo_server.across.context.store.recipe_cache import RecipeCache
from camillo_server.kernel.errors import (
    InvalidField,
    NotFound,
    QuotaExceeded,
    StorageUnavailable,
    invalid_field,
)
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.revision import MINIMIZE_LATENCY, Freshness

MAX_RECIPES = 100
_PARSED_RECIPES = 1_024


class RecipeBook:
    """Finds recipes by name: a tenant's own takes the place of the one of that name that came with the server."""

    def __init__(self, store: RecipeStore) -> None:
        self._store = store
        self._built_in = built_in_recipes()
        self._parsed: dict[str, Recipe] = {}
        self.cache = RecipeCache(store, self._built_in.keys())

    async def get(self, tenant_id: TenantId, name: str, freshness: Freshness = MINIMIZE_LATENCY) -> Recipe:
        """The recipe; while Postgres is away, as it was when last read. Raises NotFound, StorageUnavailable."""
        try:
            text = await self.cache.text((tenant_id, name), freshness)
        except StorageUnavailable:
            # A built-in recipe needs no Postgres.
            if name not in self._built_in:
                raise
            text = None
        if text is not None:
            return await self._recipe(text)
        if name in self._built_in:
            return self._built_in[name]
        raise NotFound("recipe", name)

    async def all(self, tenant_id: TenantId) -> list[Recipe]:
        """All recipes by name, without stored ones that this server cannot read. Raises StorageUnavailable."""
        recipes = dict(self._built_in)
        for name, text in (await self._store.all(tenant_id)).items():
            try:
                recipes[name] = await self._recipe(text)
            except InvalidField:
                continue
        return [recipes[name] for name in sorted(recipes)]

    async def put(self, tenant_id: TenantId, text: str, now: datetime) -> Recipe:
        """Stores the recipe under its own name. Raises InvalidField, QuotaExceeded, StorageUnavailable."""
        recipe = await off_loop(UNBOUNDED, partial(_read, text))
        own = await self._store.all(tenant_id)
        if recipe.name not in own and len(own) >= MAX_RECIPES:
            raise QuotaExceeded("recipes", MAX_RECIPES)
        await self._store.put(tenant_id, recipe.name, text, now=now)
        return recipe

    async def delete(self, tenant_id: TenantId, name: str, now: datetime) -> None:
        """Removes one of the tenant's own. Raises NotFound, StorageUnavailable."""
        await self._store.delete(tenant_id, name, now=now)

    async def _recipe(self, text: str) -> Recipe:
        recipe = self._parsed.get(text)
        if recipe is None:
            recipe = await off_loop(UNBOUNDED, partial(_read, text))
            if len(self._parsed) >= _PARSED_RECIPES:
                self._parsed.clear()
            self._parsed[text] = recipe
        return recipe


def _read(text: str) -> Recipe:
    """Takes up to some tenths of a second: never on the event loop."""
    try:
        loaded = load_yaml(text)
    except FieldRefused as error:
        raise invalid_field(error.field, error.description) from error
    return parse_recipe(loaded, text, is_built_in=False)


@cache
def built_in_recipes() -> Mapping[str, Recipe]:
    """The recipes of this package, by name."""
    recipes = {}
    for file in files(__package__).joinpath("builtin_recipes").iterdir():
        if file.name.endswith(".yaml"):
            text = file.read_text(encoding="utf-8")
            recipe = parse_recipe(load_yaml(text), text, is_built_in=True)
            recipes[recipe.name] = recipe
    return MappingProxyType(recipes)
