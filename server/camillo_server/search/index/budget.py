"""Budgets of bytes, for the scopes in memory and for the rows of writes that are spooled.

The least recently used scope is evicted first, and only for a scope that is used more, byte for byte. Tenants
share the budget: one that has more than its share gives way to one that has less."""

from collections import Counter, OrderedDict
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import NewRow
from camillo_server.search.index.resident_scope import ResidentScope

# One scope may take this share of the budget, so that no giant evicts all others.
LARGEST_SHARE = 0.5
# Beyond this many scopes with counted uses, all counts are halved and the rarest dropped. They are halved after so many
# uses, too, so that a scope that was used much long ago makes room for one that is used now.
COUNTED_SCOPES = 50_000
COUNTED_USES = 500_000
NOTHING: Mapping[TenantId, int] = {}


@dataclass(slots=True)
class CacheEntry:
    """A scope in memory, and its bytes when they were last counted."""

    resident: ResidentScope
    nbytes: int


class CacheBudget:
    """An LRU cache of scopes, bounded in bytes, that admits a scope by how often it is used."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.bytes_held = 0
        self.evictions = 0
        self._entries: OrderedDict[Scope, CacheEntry] = OrderedDict()
        self._uses: dict[Scope, float] = {}
        self._uses_counted = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[CacheEntry]:
        return iter(list(self._entries.values()))

    def get(self, scope: Scope) -> ResidentScope | None:
        """The scope if it is in memory."""
        entry = self._entries.get(scope)
        return entry.resident if entry else None

    def use(self, scope: Scope) -> ResidentScope | None:
        """The scope if it is in memory; the use is counted either way."""
        self._uses[scope] = self._uses.get(scope, 0.0) + 1.0
        self._uses_counted += 1
        if len(self._uses) > COUNTED_SCOPES or self._uses_counted >= COUNTED_USES:
            self._halve_uses()
        entry = self._entries.get(scope)
        if entry is None:
            return None
        self._entries.move_to_end(scope)
        return entry.resident

    def admits(self, scope: Scope, nbytes: int) -> bool:
        """Whether a scope of this size may be put in: it fits, or is used more, byte for byte, than what it would
        evict."""
        if self.is_too_large(nbytes):
            return False
        uses = bytes_freed = 0.0
        own = self._entries.get(scope)
        free = self.max_bytes - self.bytes_held + (own.nbytes if own else 0)
        beyond = self._beyond_share({scope.tenant_id: nbytes - (own.nbytes if own else 0)})
        is_modest = scope.tenant_id not in beyond
        for other in self._eviction_order(scope, beyond):
            if free + bytes_freed >= nbytes:
                break
            bytes_freed += self._entries[other].nbytes
            if not (is_modest and other.tenant_id in beyond):
                uses += self._uses.get(other, 0.0)
        if free + bytes_freed < nbytes:
            return False
        return not bytes_freed or self._uses.get(scope, 0.0) / nbytes >= uses / bytes_freed

    def put(self, scope: Scope, resident: ResidentScope, nbytes: int) -> list[Scope]:
        """Puts a scope in; returns those that were evicted."""
        self.drop(scope)
        self._entries[scope] = CacheEntry(resident, nbytes)
        self.bytes_held += nbytes
        return self._evict(keep=scope)

    def is_too_large(self, nbytes: int) -> bool:
        """Whether no scope may have so many bytes."""
        return nbytes > self.max_bytes * LARGEST_SHARE

    def resize(self, scope: Scope, nbytes: int) -> list[Scope]:
        """Corrects the bytes of a scope; returns those that were evicted, which may include it."""
        entry = self._entries.get(scope)
        if entry is None:
            return []
        self.bytes_held += nbytes - entry.nbytes
        entry.nbytes = nbytes
        if self.is_too_large(nbytes):
            self.drop(scope)
            self.evictions += 1
            return [scope]
        return self._evict(keep=scope)

    def drop(self, scope: Scope) -> None:
        """Removes a scope, if it is in."""
        entry = self._entries.pop(scope, None)
        if entry is not None:
            self.bytes_held -= entry.nbytes

    def _evict(self, keep: Scope) -> list[Scope]:
        evicted: list[Scope] = []
        if self.bytes_held <= self.max_bytes:
            return evicted
        for scope in self._eviction_order(keep, self._beyond_share()):
            if self.bytes_held <= self.max_bytes:
                break
            self.drop(scope)
            self.evictions += 1
            evicted.append(scope)
        return evicted

    def _beyond_share(self, added: Mapping[TenantId, int] = NOTHING) -> set[TenantId]:
        """The tenants that hold more than all would hold if they held equally much, once these bytes are added."""
        held = Counter[TenantId](added)
        for scope, entry in self._entries.items():
            held[scope.tenant_id] += entry.nbytes
        return {tenant_id for tenant_id, nbytes in held.items() if nbytes * len(held) > held.total()}

    def _eviction_order(self, keep: Scope, beyond: Collection[TenantId]) -> list[Scope]:
        """All scopes but one, the least recently used first, those of tenants beyond their share before all others."""
        scopes = [scope for scope in self._entries if scope != keep]
        return sorted(scopes, key=lambda scope: scope.tenant_id not in beyond)

    def _halve_uses(self) -> None:
        self._uses_counted = 0
        self._uses = {scope: uses / 2 for scope, uses in self._uses.items() if uses > 1}


# The budget of one process. Rows beyond it are found once they are committed.
MAX_SPOOLED_BYTES = 64 << 20
# Python's objects around a text and a vector.
SPOOLED_ROW_BYTES = 2_000


class SpooledRows:
    """Rows by scope and id, within a budget of bytes. Belongs to the event loop."""

    def __init__(self, max_bytes: int = MAX_SPOOLED_BYTES) -> None:
        self.nbytes = 0
        self._max_bytes = max_bytes
        self._by_scope: dict[Scope, dict[bytes, NewRow]] = {}

    def __contains__(self, scope: Scope) -> bool:
        return scope in self._by_scope

    @property
    def scopes(self) -> list[Scope]:
        """The scopes that have rows."""
        return [*self._by_scope]

    def of(self, scope: Scope) -> Sequence[NewRow]:
        """The rows of a scope."""
        return [*self._by_scope.get(scope, {}).values()]

    def add(self, scope: Scope, rows: Sequence[NewRow]) -> Sequence[NewRow]:
        """Adds rows; returns those for which there is room."""
        added = []
        for row in rows:
            known = self._by_scope.get(scope, {}).get(row.memory.memory_id.bytes)
            growth = _nbytes(row) - (_nbytes(known) if known else 0)
            if self.nbytes + growth > self._max_bytes:
                continue
            self._by_scope.setdefault(scope, {})[row.memory.memory_id.bytes] = row
            self.nbytes += growth
            added.append(row)
        return added

    def remove(self, scope: Scope, ids: Sequence[bytes]) -> None:
        """Removes the rows of these ids that are there."""
        rows = self._by_scope.get(scope, {})
        for id_ in ids:
            row = rows.pop(id_, None)
            if row is not None:
                self.nbytes -= _nbytes(row)
        if not rows:
            self._by_scope.pop(scope, None)

    def keep_only(self, scope: Scope, ids: Container[bytes]) -> None:
        """Removes all rows of a scope but these."""
        self.remove(scope, [id_ for id_ in self._by_scope.get(scope, {}) if id_ not in ids])

    def take(self, scope: Scope) -> Sequence[bytes]:
        """Removes the rows of a scope; returns their ids."""
        ids = [*self._by_scope.get(scope, {})]
        self.remove(scope, ids)
        return ids


def _nbytes(row: NewRow) -> int:
    memory = row.memory
    texts = sum(map(len, memory.texts.values()))
    vector = 0 if row.vector is None else row.vector.values.nbytes
    # A character takes up to four bytes.
    return SPOOLED_ROW_BYTES + 4 * texts + vector
