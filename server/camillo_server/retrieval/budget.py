"""Which scopes stay in memory: the least recently used goes first, and only for one that is used more for its bytes."""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from camillo_server.domain.scope import Scope
from camillo_server.retrieval.resident_scope import ResidentScope

# One scope may take this share of the budget, so that no giant flushes all others.
LARGEST_SHARE = 0.5
# Uses are counted of this many scopes; when there are more, all counts are halved and the rarest forgotten. They are
# halved after so many uses too, so that what was used much long ago makes room for what is used now.
COUNTED_SCOPES = 50_000
COUNTED_USES = 500_000


@dataclass(slots=True)
class Resident:
    """A scope in memory and the bytes it was last seen to take."""

    scope: ResidentScope
    nbytes: int


class CacheBudget:
    """Scopes in memory within a number of bytes."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes_held = 0
        self.evictions = 0
        self._residents: OrderedDict[Scope, Resident] = OrderedDict()
        self._uses: dict[Scope, float] = {}
        self._uses_counted = 0

    def __len__(self) -> int:
        return len(self._residents)

    def __iter__(self) -> Iterator[Resident]:
        return iter(list(self._residents.values()))

    def get(self, scope: Scope) -> ResidentScope | None:
        """The scope if it is in memory."""
        resident = self._residents.get(scope)
        return resident.scope if resident else None

    def use(self, scope: Scope) -> ResidentScope | None:
        """The scope if it is in memory, with this use counted."""
        self._uses[scope] = self._uses.get(scope, 0.0) + 1.0
        self._uses_counted += 1
        if len(self._uses) > COUNTED_SCOPES or self._uses_counted >= COUNTED_USES:
            self._forget_rare_uses()
        resident = self._residents.get(scope)
        if resident is None:
            return None
        self._residents.move_to_end(scope)
        return resident.scope

    def admits(self, scope: Scope, nbytes: int) -> bool:
        """Whether a scope of this size may come in: it fits, or is used more, byte for byte, than what has to go."""
        if nbytes > self.most_bytes * LARGEST_SHARE:
            return False
        uses = bytes_freed = 0.0
        held = self._residents.get(scope)
        free = self.most_bytes - self.bytes_held + (held.nbytes if held else 0)
        for other, resident in self._residents.items():
            if free + bytes_freed >= nbytes:
                break
            if other != scope:
                bytes_freed += resident.nbytes
                uses += self._uses.get(other, 0.0)
        if free + bytes_freed < nbytes:
            return False
        return not bytes_freed or self._uses.get(scope, 0.0) / nbytes >= uses / bytes_freed

    def put(self, scope: Scope, resident: ResidentScope, nbytes: int) -> list[Scope]:
        """Takes a scope in; returns those that had to go."""
        self.drop(scope)
        self._residents[scope] = Resident(resident, nbytes)
        self.bytes_held += nbytes
        return self._evict(keep=scope)

    def resize(self, scope: Scope, nbytes: int) -> list[Scope]:
        """A scope takes another number of bytes now; returns those that had to go, it may be among them."""
        resident = self._residents.get(scope)
        if resident is None:
            return []
        self.bytes_held += nbytes - resident.nbytes
        resident.nbytes = nbytes
        if nbytes > self.most_bytes * LARGEST_SHARE:
            self.drop(scope)
            self.evictions += 1
            return [scope]
        return self._evict(keep=scope)

    def drop(self, scope: Scope) -> None:
        """Takes a scope out, if it is in."""
        resident = self._residents.pop(scope, None)
        if resident is not None:
            self.bytes_held -= resident.nbytes

    def _evict(self, keep: Scope) -> list[Scope]:
        gone = []
        while self.bytes_held > self.most_bytes and len(self._residents) > 1:
            scope = next(scope for scope in self._residents if scope != keep)
            self.drop(scope)
            self.evictions += 1
            gone.append(scope)
        return gone

    def _forget_rare_uses(self) -> None:
        self._uses_counted = 0
        self._uses = {scope: uses / 2 for scope, uses in self._uses.items() if uses > 1}
