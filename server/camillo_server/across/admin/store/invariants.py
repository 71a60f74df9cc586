"""The invariants that must hold in a database at every moment, and the rows that violate them.

Reads one tenant after the other, each in one snapshot: harmless while servers write, and no write is half seen.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import Connection, sql

from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.value_fingerprints import value_fingerprints
from camillo_server.rows.row import Row
from camillo_server.rows.store.encrypted_rows import NO_KEYS
from camillo_server.rows.store.rows import memory_from, plain_fingerprint
from camillo_server.storage.blocklist import kept_fingerprint
from camillo_server.storage.statements import statements

COMPUTED_SQL = statements("across/admin/store/computed_invariants")
ROWS_AT_ONCE = 1_000
# The agent, and what offends.
Offending = Callable[[Connection[Any], TenantId, Keyring], Iterator[tuple[str, str]]]
SQL = statements("across/admin/store/invariants")
EXAMPLES = 5
# For the rest of the transaction, whoever's the rows are.
ENTER_TENANT = "select set_config('camillo.tenant', %s, true), set_config('camillo.agent', '*', true)"
# Rows that offend, each by its agent and by what it is, and with their number.
OFFENDING = "select agent_id, what, count(*) over () from ({}) as o (agent_id, what) order by 1, 2 limit %(examples)s"


def _wrong_fingerprints(
    connection: Connection[Any], tenant_id: TenantId, keyring: Keyring
) -> Iterator[tuple[str, str]]:
    """The fingerprint of a memory is that of its content."""
    for memory, stored in _readable(connection, tenant_id, None):
        if stored is None:
            continue
        scope = Scope(tenant_id, memory.agent_id)
        if stored != plain_fingerprint(scope, memory):
            yield memory.agent_id, f"memory {memory.memory_id}"


def _blocked_values(connection: Connection[Any], tenant_id: TenantId, keyring: Keyring) -> Iterator[tuple[str, str]]:
    """No memory has a content that was forgotten before it was stored. An older one may: it was not what was
    forgotten."""
    blocked: dict[str, dict[bytes, datetime]] = defaultdict(dict)
    rows = connection.execute(COMPUTED_SQL["blocks"], {"tenant_id": tenant_id})
    for agent_id, fingerprint, at in rows:
        blocked[agent_id][bytes(fingerprint)] = at
    if not blocked:
        return
    first = min(at for times in blocked.values() for at in times.values())
    for memory, _ in _readable(connection, tenant_id, first):
        plain = value_fingerprints(tenant_id, memory.content)
        keyed = [kept_fingerprint(keyring, tenant_id, each) for each in plain]
        for fingerprint in (*plain, *keyed):
            at = blocked[memory.agent_id].get(fingerprint) or blocked[""].get(fingerprint)
            if at is not None and at < memory.created_at:
                yield memory.agent_id, f"memory {memory.memory_id}"
                break


def _readable(
    connection: Connection[Any], tenant_id: TenantId, since: datetime | None
) -> Iterator[tuple[Row, bytes | None]]:
    with connection.cursor("readable_memories") as cursor:
        cursor.itersize = ROWS_AT_ONCE
        cursor.execute(COMPUTED_SQL["readable_memories"], {"tenant_id": tenant_id, "since": since})
        for *columns, fingerprint in cursor:
            yield memory_from(columns), None if fingerprint is None else bytes(fingerprint)


COMPUTED: dict[str, Offending] = {
    "fingerprints": _wrong_fingerprints,
    "blocked_values": _blocked_values,
}
INVARIANTS = (*SQL, *COMPUTED)


@dataclass(frozen=True, slots=True)
class Violation:
    """An invariant that does not hold in a tenant: in how many rows, and some of them."""

    tenant_id: TenantId
    invariant: str
    rows: int
    examples: Sequence[str]


def violations(connection: Connection[Any], keyring: Keyring = NO_KEYS) -> Iterator[Violation]:
    """The violations of every tenant. The connection is in autocommit mode, of the role that serves or of the
    owner. Without the keys, forgotten values that were blocked with one are not recognized."""
    for tenant_id in list_tenants(connection):
        yield from _violations_of(connection, tenant_id, keyring)


def list_tenants(connection: Connection[Any]) -> list[TenantId]:
    """All tenants, in order."""
    rows = connection.execute("select tenant_id from camillo.all_tenants() order by 1")
    return [TenantId(tenant_id) for (tenant_id,) in rows]


def _violations_of(connection: Connection[Any], tenant_id: TenantId, keyring: Keyring) -> Iterator[Violation]:
    with connection.transaction():
        connection.execute("set transaction isolation level repeatable read, read only")
        connection.execute("set local search_path to camillo, public")
        connection.execute(ENTER_TENANT, (tenant_id,))
        for name, statement in SQL.items():
            query = sql.SQL(OFFENDING).format(sql.SQL(statement))
            parameters = {"tenant_id": tenant_id, "examples": EXAMPLES}
            if rows := connection.execute(query, parameters).fetchall():
                shown = [_named(agent_id, what) for agent_id, what, _ in rows]
                _, _, count = rows[0]
                yield Violation(tenant_id, name, count, shown)
        for name, offending in COMPUTED.items():
            if found := sorted(offending(connection, tenant_id, keyring)):
                shown = [_named(*row) for row in found[:EXAMPLES]]
                yield Violation(tenant_id, name, len(found), shown)


def _named(agent_id: str, what: str) -> str:
    return f"{agent_id or '(shared)'}: {what}"
