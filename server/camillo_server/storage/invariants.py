"""What must hold in a database at every moment, and the rows where it does not.

Reads one tenant after the other, each in one snapshot: harmless while servers write, and no write is half seen.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import Connection, sql

from camillo_server.domain.ids import TenantId
from camillo_server.storage.computed_invariants import COMPUTED
from camillo_server.storage.statements import statements

SQL = statements("invariants")
INVARIANTS = (*SQL, *COMPUTED)
EXAMPLES = 5
# Rows that offend, each named by its agent and by what it is; how many there are stands on each.
OFFENDING = "select agent_id, what, count(*) over () from ({}) as o (agent_id, what) order by 1, 2 limit %(examples)s"


@dataclass(frozen=True, slots=True)
class Violation:
    """An invariant that does not hold in a tenant: in how many rows, and some of them."""

    tenant_id: TenantId
    invariant: str
    rows: int
    examples: Sequence[str]


def violations(connection: Connection[Any]) -> Iterator[Violation]:
    """Those of every tenant. The connection is in autocommit mode, of the role that serves or of the owner."""
    with connection.transaction():
        connection.execute("select set_config('camillo.tenant_list', 'on', true)")
        found = connection.execute("select tenant_id from camillo.tenants order by 1").fetchall()
    for (tenant_id,) in found:
        yield from _violations_of(connection, tenant_id)


def _violations_of(connection: Connection[Any], tenant_id: TenantId) -> Iterator[Violation]:
    with connection.transaction():
        connection.execute("set transaction isolation level repeatable read, read only")
        connection.execute("set local search_path to camillo, public")
        connection.execute("select set_config('camillo.tenant', %s, true)", (tenant_id,))
        for name, statement in SQL.items():
            query = sql.SQL(OFFENDING).format(sql.SQL(statement))
            parameters = {"tenant_id": tenant_id, "examples": EXAMPLES}
            if rows := connection.execute(query, parameters).fetchall():
                shown = [_named(agent_id, what) for agent_id, what, _ in rows]
                yield Violation(tenant_id, name, rows[0][2], shown)
        for name, offending in COMPUTED.items():
            if found := sorted(offending(connection, tenant_id)):
                shown = [_named(*row) for row in found[:EXAMPLES]]
                yield Violation(tenant_id, name, len(found), shown)


def _named(agent_id: str, what: str) -> str:
    return f"{agent_id or '(shared)'}: {what}"
