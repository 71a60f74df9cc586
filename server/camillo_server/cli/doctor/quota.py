"""Whether scopes hold more memories than maintenance leaves active."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from camillo_cli.format import RAISE_QUOTA, SHARED, over_quota

from camillo_server.cli.doctor import Finding, ok, warn

if TYPE_CHECKING:
    from psycopg import Connection

# Only scopes with that many rows are counted: their own count holds chunks and what is archived, too.
ACTIVE_MEMORIES = """
select s.agent_id, n.active from camillo.scopes s cross join lateral (
    select count(*) as active from camillo.memories m
    where m.tenant_id = s.tenant_id and m.agent_id = s.agent_id and m.kind < 16 and not m.archived
        and (m.expires_at is null or m.expires_at > statement_timestamp())
) n
where s.tenant_id = %(tenant)s and s.memory_count > %(quota)s and n.active > %(quota)s
order by n.active desc, s.agent_id
"""


def check_quota(connection: Connection[Any], quota: int) -> Finding:
    """Names the scope that is farthest above the quota, and counts the others."""
    if not quota:
        return ok("quota", "none: lifecycle.memory_quota is 0")
    with connection.transaction():
        found = sorted(_scopes_over(connection, quota), key=lambda each: -each[2])
    if not found:
        return ok("quota", f"no scope holds more than {quota:,} active memories")
    tenant, agent, active = found[0]
    more = f"; {len(found) - 1} more are above it" if len(found) > 1 else ""
    what = f"{tenant}/{agent or SHARED} {over_quota(active, quota)}{more}"
    return warn("quota", what, RAISE_QUOTA)


def _scopes_over(connection: Connection[Any], quota: int) -> Iterator[tuple[str, str, int]]:
    from camillo_server.across.admin.store.invariants import ENTER_TENANT, list_tenants

    for tenant in list_tenants(connection):
        connection.execute(ENTER_TENANT, (tenant,))
        for agent, active in connection.execute(ACTIVE_MEMORIES, {"tenant": tenant, "quota": quota}):
            yield tenant, agent, active
