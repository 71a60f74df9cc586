"""The rows of writes that are spooled, by scope: an index that is loaded before they are committed shows them, too."""

from collections.abc import Container, Sequence

from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import NewRow

# The budget of one process. Rows beyond it are found once they are committed.
MAX_BYTES = 64 << 20
# Python's objects around a text and a vector.
ROW_BYTES = 2_000


class SpooledRows:
    """Rows by scope and id, within a budget of bytes. Belongs to the event loop."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
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
    return ROW_BYTES + 4 * texts + vector
