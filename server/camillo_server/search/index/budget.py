"""The scopes in memory within a budget of bytes: the least recently used is evicted first, and only for a scope that is
used more, byte for byte. Tenants share the budget: one that has more than its share gives way to one that has less.
"""

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope
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
