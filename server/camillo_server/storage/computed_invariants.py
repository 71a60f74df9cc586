"""Invariants of what is computed from a memory's text and kept beside it. Of encrypted ones nothing can be computed here."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from psycopg import Connection

from camillo_server.domain.forgetting.value_marks import value_marks
from camillo_server.domain.ids import TenantId
from camillo_server.domain.memory import Memory
from camillo_server.domain.scope import Scope
from camillo_server.storage.fingerprints import memory_fingerprint
from camillo_server.storage.rows import memory_from
from camillo_server.storage.sealed_rows import NO_KEYS
from camillo_server.storage.statements import statements

SQL = statements("computed_invariants")
ROWS_AT_ONCE = 1_000

# The agent, and what offends.
Offending = Callable[[Connection[Any], TenantId], Iterator[tuple[str, str]]]


def _wrong_fingerprints(
    connection: Connection[Any], tenant_id: TenantId
) -> Iterator[tuple[str, str]]:
    """A memory's fingerprint is that of what it says."""
    for memory, kept in _readable(connection, tenant_id, None):
        if kept is None:
            continue
        scope = Scope(tenant_id, memory.agent_id)
        if kept != memory_fingerprint(NO_KEYS, scope, memory):
            yield memory.agent_id, f"memory {memory.memory_id}"


def _blocked_values(connection: Connection[Any], tenant_id: TenantId) -> Iterator[tuple[str, str]]:
    """No memory says what had been forgotten when it was made. An older one may: it was not what was forgotten."""
    blocked: dict[str, dict[bytes, datetime]] = defaultdict(dict)
    for agent_id, mark, at in connection.execute(SQL["blocks"], {"tenant_id": tenant_id}):
        blocked[agent_id][bytes(mark)] = at
    if not blocked:
        return
    first = min(at for marks in blocked.values() for at in marks.values())
    for memory, _ in _readable(connection, tenant_id, first):
        for mark in value_marks(tenant_id, memory.content):
            at = blocked[memory.agent_id].get(mark) or blocked[""].get(mark)
            if at is not None and at < memory.created_at:
                yield memory.agent_id, f"memory {memory.memory_id}"
                break


def _readable(
    connection: Connection[Any], tenant_id: TenantId, since: datetime | None
) -> Iterator[tuple[Memory, bytes | None]]:
    with connection.cursor("readable_memories") as cursor:
        cursor.itersize = ROWS_AT_ONCE
        cursor.execute(SQL["readable_memories"], {"tenant_id": tenant_id, "since": since})
        for *columns, fingerprint in cursor:
            yield memory_from(columns), None if fingerprint is None else bytes(fingerprint)


COMPUTED: dict[str, Offending] = {
    "fingerprints": _wrong_fingerprints,
    "blocked_values": _blocked_values,
}
