"""Checks of each tenant: vectors of the model that serves, counts behind quotas, writes that wait in the spool."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from camillo_cli.format import RAISE_QUOTA, SHARED, counted, over_quota

from camillo_server.cli.doctor import Finding, ok, warn

if TYPE_CHECKING:
    from psycopg import Connection


# By what jobs have noted, and by the first row: counting takes as long as reading every row. The first rows of a
# million scopes take seconds, and a job that is behind shows in the first of them, too.
SCOPES_LOOKED_AT = 10_000
SCOPES_WITHOUT_VECTORS = """
select r.agent_id from camillo.reembeddings r
where r.tenant_id = %(tenant)s and r.model_id = %(model)s and r.done_revision < greatest(r.started_revision, 1)
    and exists (select from camillo.memories m where m.tenant_id = r.tenant_id and m.agent_id = r.agent_id)
union
select s.agent_id from (
    select s.tenant_id, s.agent_id from camillo.scopes s where s.tenant_id = %(tenant)s order by s.agent_id
    limit %(looked_at)s
) s cross join lateral (
    select m.memory_id, m.vector_model_id from camillo.memories m
    where m.tenant_id = s.tenant_id and m.agent_id = s.agent_id order by m.memory_id limit 1
) f
where f.vector_model_id not in ('', %(model)s) and not exists (
    select from camillo.memory_vectors v
    where v.tenant_id = s.tenant_id and v.agent_id = s.agent_id and v.memory_id = f.memory_id
        and v.model_id = %(model)s)
order by 1
"""
MORE_SCOPES = "select agent_id from camillo.scopes where tenant_id = %s order by agent_id offset %s limit 1"


def check_vectors(connection: Connection[Any], model_id: str, looked_at: int = SCOPES_LOOKED_AT) -> Finding:
    """Names a space with rows of before this model, which are found by their words alone, and counts the others. It
    looks at the first row of so many spaces of each tenant, and at what jobs have noted of all."""
    if not model_id or model_id.startswith("lexical-"):
        return ok("vectors", "no model serves that would need its own")
    with connection.transaction():
        found = list(_scopes_without_vectors(connection, model_id, looked_at))
        has_more = _has_more_scopes(connection, looked_at)
    where = f" in the first {counted(looked_at, 'space', 'spaces')} of each tenant" if has_more else ""
    if not found:
        return ok("vectors", f"none are missing{where}")
    tenant, agent = found[0]
    more = f" and {counted(len(found) - 1, 'other space', 'other spaces')}" if found[1:] else ""
    return warn(
        "vectors",
        f"some rows of {tenant}/{agent or SHARED}{more}{where} have none of the model that serves: they are found by "
        "words alone",
        "run a server or 'camillo worker' with jobs.enabled; 'camillo lifecycle reembed --all-scopes' shows how many "
        "are left, and docs/embedding.md how one model follows another",
    )


def _has_more_scopes(connection: Connection[Any], looked_at: int) -> bool:
    """Whether a tenant has more scopes than are looked at."""
    from camillo_server.across.admin.store.invariants import ENTER_TENANT, list_tenants

    for tenant in list_tenants(connection):
        connection.execute(ENTER_TENANT, (tenant,))
        if connection.execute(MORE_SCOPES, (tenant, looked_at)).fetchone():
            return True
    return False


def _scopes_without_vectors(connection: Connection[Any], model_id: str, looked_at: int) -> Iterator[tuple[str, str]]:
    from camillo_server.across.admin.store.invariants import ENTER_TENANT, list_tenants

    for tenant in list_tenants(connection):
        connection.execute(ENTER_TENANT, (tenant,))
        parameters = {"tenant": tenant, "model": model_id, "looked_at": looked_at}
        for (agent,) in connection.execute(SCOPES_WITHOUT_VECTORS, parameters):
            yield tenant, agent


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
    """Names the space that is farthest above the quota, and counts the others."""
    if not quota:
        return ok("quota", "none: lifecycle.memory_quota is 0")
    with connection.transaction():
        found = sorted(_scopes_over(connection, quota), key=lambda each: -each[2])
    if not found:
        return ok("quota", f"no space holds more than {quota:,} active memories")
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


# A server that serves empties them within seconds.
OLD_SECONDS = 300.0
FAILED = "select count(*) from camillo.spool_failures where tenant_id = %(tenant)s"


def check_spool(directory: Path) -> Finding:
    """Checks whether the spool can be written, and what lies in it."""
    subject = "spool"
    existing = next(path for path in (directory, *directory.parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        what = f"{existing} is not a directory that you can write"
        return warn(subject, what, "correct its permissions, or set spool.directory")
    files = [path.stat() for path in directory.glob("*.spool")] if existing == directory else []
    waiting = sum(found.st_size for found in files)
    if not files:
        return ok(subject, f"{directory}, empty")
    age = time.time() - min(found.st_mtime for found in files)
    what = f"{directory}, {counted(len(files), 'file', 'files')} of {waiting / 1e6:,.1f} MB, {age:,.0f} s old"
    if age < OLD_SECONDS:
        return ok(subject, what)
    return warn(subject, what, "start a server with this directory while Postgres is there")


def check_failed_writes(connection: Connection[Any]) -> Finding:
    """Names the tenant with most spooled writes that could not be stored, and counts those of all."""
    with connection.transaction():
        found = sorted(_failures(connection), key=lambda each: -each[1])
    if not found:
        return ok("failed writes", "none: everything that was spooled is stored")
    total = sum(count for _, count in found)
    what = f"{counted(total, 'spooled write', 'spooled writes')} could not be stored, most of tenant {found[0][0]}"
    return warn("failed writes", what, "camillo spool list tells why; then retry or discard them")


def _failures(connection: Connection[Any]) -> Iterator[tuple[str, int]]:
    from camillo_server.across.admin.store.invariants import ENTER_TENANT, list_tenants

    for tenant in list_tenants(connection):
        connection.execute(ENTER_TENANT, (tenant,))
        for (count,) in connection.execute(FAILED, {"tenant": tenant}):
            if count:
                yield tenant, count
