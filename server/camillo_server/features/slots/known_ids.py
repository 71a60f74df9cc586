"""Ids of slots that this process has written or read: what a write of a key is answered while Postgres is away."""

from camillo_server.features.slots.slot import Slot, SlotId
from camillo_server.kernel.scope import Scope
from camillo_server.storage.scopes import scope_prefix

MAX_IDS = 100_000


class KnownIds:
    """At most `max_ids` ids, the newest, by scope and key. An id is the key's until something of the scope is
    forgotten."""

    def __init__(self, max_ids: int = MAX_IDS) -> None:
        self._max_ids = max_ids
        self._count = 0
        self._by_scope: dict[Scope, dict[str, SlotId]] = {}

    def add(self, scope: Scope, slot: Slot) -> None:
        """Call it with a slot that Postgres has."""
        ids = self._by_scope.setdefault(scope, {})
        if slot.key not in ids:
            self._count += 1
        ids[slot.key] = slot.slot_id
        while self._count > self._max_ids:
            oldest, of_oldest = next(iter(self._by_scope.items()))
            del of_oldest[next(iter(of_oldest))]
            self._count -= 1
            if not of_oldest:
                del self._by_scope[oldest]

    def find(self, scope: Scope, key: str) -> SlotId | None:
        return self._by_scope.get(scope, {}).get(key)

    def on_removal(self, name: str | None) -> None:
        """Drops the ids of a scope from which something was removed, None being any of them."""
        for scope in list(self._by_scope):
            if name is None or scope_prefix(scope) == name:
                self._count -= len(self._by_scope.pop(scope))
