"""Which scopes stay in memory: the least recently used goes first, and only for one that is used more for its bytes."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from camillo_server.kernel.scope import Scope
from camillo_server.search.index.resident_scope import ResidentScope

# One scope may take this share of the budget, so that no giant flushes all others.
LARGEST_SHARE = 0.5
# Uses are counted of this many scopes; when there are more, all counts are halved and the rarest forgotten. They are
# halved after so many uses too, so that what was used much long ago makes room for what is used now.
COUNTED_SCOPES = 50_000
COUNTED_USES = 500_000


@dataclass(slots=True)
class CacheEntry:
    """A scope in memory and the bytes it was last seen to take."""

    resident: ResidentScope
    nbytes: int


class CacheBudget:
    """Scopes in memory within a number of bytes."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.bytes_held = 0
        self.evictions = 0
        self._held: OrderedDict[Scope, CacheEntry] = OrderedDict()
        self._uses: dict[Scope, float] = {}
        self._uses_counted = 0

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[CacheEntry]:
        return iter(list(self._held.values()))

    def get(self, scope: Scope) -> ResidentScope | None:
        """The scope if it is in memory."""
        held = self._held.get(scope)
        return held.resident if held else None

    def use(self, scope: Scope) -> ResidentScope | None:
        """The scope if it is in memory, with this use counted."""
        self._uses[scope] = self._uses.get(scope, 0.0) + 1.0
        self._uses_counted += 1
        if len(self._uses) > COUNTED_SCOPES or self._uses_counted >= COUNTED_USES:
            self._forget_rare_uses()
        held = self._held.get(scope)
        if held is None:
            return None
        self._held.move_to_end(scope)
        return held.resident

    def admits(self, scope: Scope, nbytes: int) -> bool:
        """Whether a scope of this size may come in: it fits, or is used more, byte for byte, than what has to go."""
        if nbytes > self.max_bytes * LARGEST_SHARE:
            return False
        uses = bytes_freed = 0.0
        own = self._held.get(scope)
        free = self.max_bytes - self.bytes_held + (own.nbytes if own else 0)
        for other, held in self._held.items():
            if free + bytes_freed >= nbytes:
                break
            if other != scope:
                bytes_freed += held.nbytes
                uses += self._uses.get(other, 0.0)
        if free + bytes_freed < nbytes:
            return False
        return not bytes_freed or self._uses.get(scope, 0.0) / nbytes >= uses / bytes_freed

    def put(self, scope: Scope, resident: ResidentScope, nbytes: int) -> list[Scope]:
        """Takes a scope in; returns those that had to go."""
        self.drop(scope)
        self._held[scope] = CacheEntry(resident, nbytes)
        self.bytes_held += nbytes
        return self._evict(keep=scope)

    def resize(self, scope: Scope, nbytes: int) -> list[Scope]:
        """A scope takes another number of bytes now; returns those that had to go, it may be among them."""
        held = self._held.get(scope)
        if held is None:
            return []
        self.bytes_held += nbytes - held.nbytes
        held.nbytes = nbytes
        if nbytes > self.max_bytes * LARGEST_SHARE:
            self.drop(scope)
            self.evictions += 1
            return [scope]
        return self._evict(keep=scope)

    def drop(self, scope: Scope) -> None:
        """Takes a scope out, if it is in."""
        held = self._held.pop(scope, None)
        if held is not None:
            self.bytes_held -= held.nbytes

    def _evict(self, keep: Scope) -> list[Scope]:
        gone = []
        while self.bytes_held > self.max_bytes and len(self._held) > 1:
            scope = next(scope for scope in self._held if scope != keep)
            self.drop(scope)
            self.evictions += 1
            gone.append(scope)
        return gone

    def _forget_rare_uses(self) -> None:
        self._uses_counted = 0
        self._uses = {scope: uses / 2 for scope, uses in self._uses.items() if uses > 1}
