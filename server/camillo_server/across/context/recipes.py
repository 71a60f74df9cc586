"""The recipes that a tenant can use: its own, and those that came with the server."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from camillo_formats.plain_yaml import FieldRefused, load_yaml

from camillo_server.across.context.recipe import Overflow, Recipe, SectionRecipe, SectionSource
from camillo_server.across.context.recipe_parsing import MAX_TOKENS, PRIORITIES, parse_recipe
from camillo_server.across.context.store.context import RecipeStore
from camillo_server.across.context.store.record_cache import MAX_AGE_SECONDS
from camillo_server.features.knowledge.skill import Skill
from camillo_server.kernel.errors import (
    InvalidField,
    NotFound,
    StorageUnavailable,
    invalid_field,
)
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import MINIMIZE_LATENCY, Freshness, FullyConsistent
from camillo_server.storage.scopes import scope_prefix

MAX_ENTRIES = 4_096
Key = tuple[TenantId, str]
_PARSED_RECIPES = 1_024


@dataclass(slots=True)
class _CachedText:
    """The YAML of a recipe, or None where the tenant has none of this name, read at `read_at` by the loop's clock.
    `is_quiet`: no change of the tenant's shared scope was notified since."""

    text: str | None
    read_at: float
    is_quiet: bool


class RecipeCache:
    """Texts by tenant and name. Belongs to one event loop, and subscribes to the change notifier: a recipe that is put
    or deleted is a change of the tenant's shared scope, though none of its revisions."""

    def __init__(self, store: RecipeStore, built_in: Collection[str]) -> None:
        """`built_in`: the names for which the cache also keeps that a tenant has no recipe of its own."""
        self._store = store
        self._built_in = built_in
        # The entries by the name of the tenant's shared scope: notifications are many, and few concern recipes.
        self._entries: dict[str, dict[Key, _CachedText]] = {}
        self._size = 0
        self._changes = 0

    async def text(self, key: Key, freshness: Freshness) -> str | None:
        """The recipe's text; None if the tenant has none. Raises StorageUnavailable if that is not known."""
        tenant_id, _ = key
        name = scope_prefix(Scope(tenant_id, AgentId("")))
        entry = self._entries.get(name, {}).get(key)
        if entry is not None and _is_current(entry, freshness):
            return entry.text
        began, changes = asyncio.get_running_loop().time(), self._changes
        try:
            text = await self._store.get(*key)
        except StorageUnavailable:
            # The entry may have been removed meanwhile.
            entry = self._entries.get(name, {}).get(key)
            if entry is None:
                raise
            return entry.text
        self._keep(name, key, _CachedText(text, began, self._changes == changes))
        return text

    def on_commit(self, scope: Scope, revision: int, rows: Sequence[Any] | None) -> bool:
        """True: no revision of a scope holds recipes."""
        return True

    def on_change(self, name: str | None) -> None:
        """Marks the entries of a tenant as changed; of every tenant for None."""
        self._changes += 1
        changed = self._entries.values() if name is None else [self._entries.get(name, {})]
        for entries in changed:
            for entry in entries.values():
                entry.is_quiet = False

    def on_removal(self, name: str | None) -> None:
        """Drops the entries of a tenant."""
        self._changes += 1
        for each in list(self._entries) if name is None else [name]:
            self._size -= len(self._entries.pop(each, ()))

    def on_spooled(self, scope: Scope, rows: Sequence[Any]) -> None:
        """Nothing: recipes are never spooled."""

    def on_drained(self, scope: Scope) -> None:
        """Nothing, as for what is spooled."""

    def on_new_history(self) -> None:
        """Drops everything."""
        self.on_removal(None)

    def _keep(self, name: str, key: Key, entry: _CachedText) -> None:
        """Forgets them all when full. Names that anybody may invent push out nothing."""
        _, recipe_name = key
        entries = self._entries.get(name, {})
        self._size -= entries.pop(key, None) is not None
        if entry.text is None and recipe_name not in self._built_in:
            return
        if self._size >= MAX_ENTRIES:
            self.on_removal(None)
        self._entries.setdefault(name, {})[key] = entry
        self._size += 1


def _is_current(entry: _CachedText, freshness: Freshness) -> bool:
    """Whether Postgres would say the same, but for a notification that was lost a moment ago."""
    if isinstance(freshness, FullyConsistent) or not entry.is_quiet:
        return False
    return asyncio.get_running_loop().time() - entry.read_at <= MAX_AGE_SECONDS


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
        """Stores the recipe under its own name. Raises InvalidField, QuotaExceeded, ValueRejected,
        StorageUnavailable."""
        recipe = await off_loop(UNBOUNDED, partial(_read, text))
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


def with_skills(recipe: Recipe, names: Sequence[str]) -> Recipe:
    """The recipe with these skills loaded whole in its first section that never cuts any; without such a section, in
    one behind the other stable sections."""
    sections = list(recipe.sections)
    named = {name for each in sections for name in each.names}
    added = tuple(name for name in names if name not in named)
    for index, each in enumerate(sections):
        if each.source is SectionSource.SKILLS and each.overflow is Overflow.KEEP:
            sections[index] = replace(each, names=(*each.names, *added))
            return replace(recipe, sections=tuple(sections))
    behind_stable = sum(each.is_stable for each in sections)
    sections.insert(behind_stable, _skills_section({each.name for each in sections}, added))
    return replace(recipe, sections=tuple(sections))


def _skills_section(taken: set[str], names: tuple[str, ...]) -> SectionRecipe:
    name = "skills"
    while name in taken:
        name += "_"
    return SectionRecipe(
        name=name,
        title="Skills",
        source=SectionSource.SKILLS,
        budget=0,
        most=MAX_TOKENS,
        priority=PRIORITIES[1],
        overflow=Overflow.KEEP,
        is_stable=True,
        names=names,
    )


def require_skills(recipe: Recipe, skills: Sequence[Skill]) -> None:
    """Raises NotFound where a skill that a section names is not there, or may not be loaded."""
    names = {skill.name for skill in skills}
    for section in recipe.sections:
        for name in section.names:
            if name not in names:
                raise NotFound("skill", name)
