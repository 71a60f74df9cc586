"""Cache of tenants' own recipes: a current text saves a read, and an older one answers while Postgres is away."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from camillo_server.across.context.store.context import RecipeStore
from camillo_server.across.context.store.record_cache import MAX_AGE_SECONDS
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.revision import Freshness, FullyConsistent
from camillo_server.kernel.scope import Scope
from camillo_server.storage.scopes import scope_prefix

MAX_ENTRIES = 4_096
Key = tuple[TenantId, str]


@dataclass(slots=True)
class _CachedText:
    """The YAML of a recipe, or None where the tenant has none of this name, read at `read_at` by the loop's clock.
    `is_quiet`: no change of the tenant's shared scope was notified since."""

    text: str | None
    read_at: float
    is_quiet: bool


class RecipeCache:
    """Texts by tenant and name. Belongs to one event loop, and subscribes to the change notifier: a recipe that is put or
    deleted is a change of the tenant's shared scope, though none of its revisions."""

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
