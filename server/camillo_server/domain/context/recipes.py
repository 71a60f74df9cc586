"""The recipes that a tenant can use: its own, and those that came with the server."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import TypeVar

from camillo_server.domain.context.ports import RecipeStore
from camillo_server.domain.context.recipe import Recipe
from camillo_server.domain.context.recipe_parsing import parse_recipe
from camillo_server.domain.errors import (
    InvalidField,
    NotFound,
    QuotaExceeded,
    StorageUnavailable,
)
from camillo_server.domain.ids import TenantId
from camillo_server.domain.off_loop import UNBOUNDED, off_loop

__all__ = ["RecipeBook", "parse_recipe"]

MOST_RECIPES = 100
_PARSED_RECIPES = 1_024

Key = TypeVar("Key")
Value = TypeVar("Value")


class RecipeBook:
    """Finds recipes by name: a tenant's own takes the place of the one of that name that came with the server."""

    def __init__(
        self,
        store: RecipeStore,
        built_in: Mapping[str, Recipe],
        load: Callable[[str], object],
    ) -> None:
        """`load` turns YAML into plain data, and raises InvalidField."""
        self._store = store
        self._built_in = dict(built_in)
        self._load = load
        self._parsed: dict[str, Recipe] = {}
        self._known: dict[tuple[TenantId, str], str] = {}

    async def get(self, tenant_id: TenantId, name: str) -> Recipe:
        """While Postgres is away, as it was when last asked for. Raises NotFound, StorageUnavailable."""
        place = (tenant_id, name)
        try:
            text = await self._store.get(tenant_id, name)
        except StorageUnavailable:
            # One that came with the server needs no Postgres to be known.
            if place not in self._known and name not in self._built_in:
                raise
            text = self._known.get(place)
        else:
            # Names that anybody may make up push out nothing.
            if text is None:
                self._known.pop(place, None)
            else:
                _keep(self._known, place, text)
        if text is not None:
            return await self._recipe(text)
        if name in self._built_in:
            return self._built_in[name]
        raise NotFound("recipe", name)

    async def all(self, tenant_id: TenantId) -> list[Recipe]:
        """By name; a stored one that this server cannot read is left out. Raises StorageUnavailable."""
        recipes = dict(self._built_in)
        for name, text in (await self._store.all(tenant_id)).items():
            try:
                recipes[name] = await self._recipe(text)
            except InvalidField:
                continue
        return [recipes[name] for name in sorted(recipes)]

    async def put(self, tenant_id: TenantId, text: str, now: datetime) -> Recipe:
        """Stores the recipe under its own name. Raises InvalidField, QuotaExceeded, StorageUnavailable."""
        recipe = await off_loop(UNBOUNDED, partial(self._read, text))
        own = await self._store.all(tenant_id)
        if recipe.name not in own and len(own) >= MOST_RECIPES:
            raise QuotaExceeded("recipes", MOST_RECIPES)
        await self._store.put(tenant_id, recipe.name, text, now=now)
        return recipe

    async def delete(self, tenant_id: TenantId, name: str) -> None:
        """Removes one of the tenant's own. Raises NotFound, StorageUnavailable."""
        await self._store.delete(tenant_id, name)

    async def _recipe(self, text: str) -> Recipe:
        recipe = self._parsed.get(text)
        if recipe is None:
            recipe = await off_loop(UNBOUNDED, partial(self._read, text))
            _keep(self._parsed, text, recipe)
        return recipe

    def _read(self, text: str) -> Recipe:
        """Takes up to some tenths of a second: never on the event loop."""
        return parse_recipe(self._load(text), text, is_built_in=False)


def _keep(kept: dict[Key, Value], key: Key, value: Value) -> None:
    """Forgets them all when full."""
    if key not in kept and len(kept) >= _PARSED_RECIPES:
        kept.clear()
    kept[key] = value
