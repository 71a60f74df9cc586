"""What the doctor says of scopes that are too large for a server's memory and have no index in Postgres."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from camillo_server.cli.findings import Finding, ok, warn

if TYPE_CHECKING:
    from psycopg import Connection

LARGE = 50_000
# Beside a vector in half precision: text, index terms and columns, somewhat more than was measured of short texts.
BYTES_BESIDE_VECTOR = 700
SHOWN = 3

SCOPES = """
select s.agent_id, s.memory_count, v.model_id, v.dimensions
from camillo.scopes s cross join lateral (
    select v.model_id, vector_dims(v.embedding) as dimensions from camillo.memory_vectors v
    where v.tenant_id = s.tenant_id and v.agent_id = s.agent_id order by v.memory_id desc limit 1
) v
where s.tenant_id = %s and s.memory_count >= %s order by s.memory_count desc, s.agent_id
"""


def scope_bytes(memories: int, dimensions: int) -> int:
    """About what a scope takes in a server's memory."""
    return memories * (2 * dimensions + BYTES_BESIDE_VECTOR)


def large_scope_check(fits: Callable[[int], bool]) -> Callable[[Connection[Any]], Finding]:
    """A check of the scopes for which `fits` says that so many bytes are not held in memory."""

    def check(connection: Connection[Any]) -> Finding:
        with connection.transaction():
            found = list(_slow_scopes(connection, fits))
        if not found:
            return ok("large scopes", "each is held in memory or has an index")
        named = [f"{tenant}/{agent or '(shared)'} ({size:,})" for tenant, agent, size in found]
        more = f" and {len(named) - SHOWN} more" if len(named) > SHOWN else ""
        tenant, agent, _ = found[0]
        return warn(
            "large scopes",
            f"compared vector by vector in each recall: {', '.join(named[:SHOWN])}{more}",
            f"camillo index create --tenant {tenant} --agent {agent!r}, or more retrieval.cache_bytes",
        )

    return check


def _slow_scopes(
    connection: Connection[Any], fits: Callable[[int], bool]
) -> Iterator[tuple[str, str, int]]:
    from camillo_server.search.store.vector_index import PREFIX, SQL, IndexedVectors

    names = {row[0] for row in connection.execute(SQL["ready_indexes"], {"prefix": PREFIX})}
    connection.execute("select set_config('camillo.tenant_list', 'on', true)")
    tenants = connection.execute("select tenant_id from camillo.tenants order by 1").fetchall()
    for (tenant,) in tenants:
        connection.execute("select set_config('camillo.tenant', %s, true)", (tenant,))
        for agent, size, model, dimensions in connection.execute(
            SCOPES, (tenant, LARGE)
        ).fetchall():
            index = IndexedVectors(tenant, agent, model, dimensions).index_name
            if index not in names and not fits(scope_bytes(size, dimensions)):
                yield tenant, agent, size
