"""Cache of pieces, which packing computes of the texts of a scope: dropped when something of the scope is removed."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from camillo_server.across.context.pieces import Piece, Pieces
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.storage.scopes import scope_prefix

MAX_BYTES = 64 * 1024 * 1024
# The bytes of one scope's pieces; the half that was used less recently is dropped first.
MAX_SCOPE_BYTES = 8 * 1024 * 1024


@dataclass(slots=True)
class ScopePieces:
    """The pieces of one scope and of its tenant's shared one by the ids of their records, in two halves."""

    names: frozenset[str]
    latest: dict[str, Piece] = field(default_factory=dict)
    before: dict[str, Piece] = field(default_factory=dict)
    latest_bytes: int = 0
    before_bytes: int = 0

    @property
    def nbytes(self) -> int:
        return self.latest_bytes + self.before_bytes

    def add(self, pieces: Mapping[str, Piece]) -> None:
        for own_id, piece in pieces.items():
            replaced = self.latest.get(own_id)
            self.latest_bytes += piece.nbytes - (replaced.nbytes if replaced else 0)
            self.latest[own_id] = piece
        if self.latest_bytes > MAX_SCOPE_BYTES // 2:
            self.before, self.before_bytes = self.latest, self.latest_bytes
            self.latest, self.latest_bytes = {}, 0


@dataclass(slots=True, eq=False)
class _Use:
    """A bundle under way. `is_dropped`: something of the scopes of these names was removed meanwhile."""

    names: frozenset[str]
    is_dropped: bool = False


class PieceCache:
    """Pieces by scope, the least recently used scope going first. Belongs to one event loop, and subscribes to the change
    notifier: of removals alone, since a text that has changed is noticed (`Pieces.of`)."""

    def __init__(self) -> None:
        self._scopes: OrderedDict[Scope, ScopePieces] = OrderedDict()
        self._uses: set[_Use] = set()
        self.nbytes = 0

    @contextmanager
    def pieces(self, scope: Scope) -> Iterator[Pieces]:
        """The pieces for one bundle, entered before its records are read; those that it adds are kept at a clean end."""
        known = self._scopes.get(scope)
        use = _Use(known.names if known else _names(scope))
        self._uses.add(use)
        pieces = Pieces(known.latest, known.before) if known else Pieces()
        try:
            yield pieces
        finally:
            self._uses.discard(use)
        # Records that were read may have been removed since.
        if not use.is_dropped:
            self._keep(scope, use.names, pieces.used)

    def on_commit(self, scope: Scope, revision: int, rows: Sequence[Any] | None) -> bool:
        """Returns True: additions and changes are noticed when they are used."""
        return True

    def on_change(self, name: str | None) -> None:
        """Nothing, as for a commit."""

    def on_removal(self, name: str | None) -> None:
        """Drops the pieces of a scope: of a text that is forgotten, nothing stays."""
        for scope, known in list(self._scopes.items()):
            if name is None or name in known.names:
                self._drop(scope)
        for use in self._uses:
            use.is_dropped |= name is None or name in use.names

    def on_spooled(self, scope: Scope, rows: Sequence[Any]) -> None:
        """Nothing: pieces are of whatever text is packed, and a text that has changed is noticed."""

    def on_drained(self, scope: Scope) -> None:
        """Nothing, as for what is spooled."""

    def on_new_history(self) -> None:
        """Drops everything."""
        self.on_removal(None)

    def _keep(self, scope: Scope, names: frozenset[str], used: Mapping[str, Piece]) -> None:
        known = self._scopes.get(scope)
        if known is None:
            if not used:
                return
            known = self._scopes[scope] = ScopePieces(names)
        self._scopes.move_to_end(scope)
        if used:
            self.nbytes -= known.nbytes
            known.add(used)
            self.nbytes += known.nbytes
            while self.nbytes > MAX_BYTES:
                self._drop(next(iter(self._scopes)))

    def _drop(self, scope: Scope) -> None:
        self.nbytes -= self._scopes.pop(scope).nbytes


def _names(scope: Scope) -> frozenset[str]:
    return frozenset((scope_prefix(scope), scope_prefix(shared_scope(scope))))
