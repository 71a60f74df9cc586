"""Whether every row has a vector of the model that serves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from camillo_cli.format import SHARED, counted

from camillo_server.cli.doctor import Finding, ok, warn

if TYPE_CHECKING:
    from psycopg import Connection

# By the first row, and by what jobs have noted: counting takes as long as reading every row.
SCOPES_WITHOUT_VECTORS = """
select s.agent_id from camillo.scopes s cross join lateral (
    select m.memory_id, m.vector_model_id from camillo.memories m
    where m.tenant_id = s.tenant_id and m.agent_id = s.agent_id order by m.memory_id limit 1
) f
where s.tenant_id = %(tenant)s and (exists (
        select from camillo.reembeddings r
        where r.tenant_id = s.tenant_id and r.agent_id = s.agent_id and r.model_id = %(model)s
            and r.done_revision < greatest(r.started_revision, 1))
    or f.vector_model_id not in ('', %(model)s) and not exists (
        select from camillo.memory_vectors v
        where v.tenant_id = s.tenant_id and v.agent_id = s.agent_id and v.memory_id = f.memory_id
            and v.model_id = %(model)s))
order by s.agent_id
"""


def check_vectors(connection: Connection[Any], model_id: str) -> Finding:
    """Names a scope with rows of before this model, which are found by their words alone, and counts the others."""
    if not model_id or model_id.startswith("lexical-"):
        return ok("vectors", "no model serves that would need its own")
    with connection.transaction():
        found = list(_scopes_without_vectors(connection, model_id))
    if not found:
        return ok("vectors", "none are missing")
    tenant, agent = found[0]
    more = f" and {counted(len(found) - 1, 'other scope', 'other scopes')}" if found[1:] else ""
    return warn(
        "vectors",
        f"some rows of {tenant}/{agent or SHARED}{more} have none of the model that serves: they are found by words alone",
        "run a server or 'camillo worker' with jobs.enabled; 'camillo lifecycle reembed --all-scopes' shows how many are left,"
        " and docs/embedding.md how one model follows another",
    )


def _scopes_without_vectors(connection: Connection[Any], model_id: str) -> Iterator[tuple[str, str]]:
    from camillo_server.across.admin.store.invariants import ENTER_TENANT, list_tenants

    for tenant in list_tenants(connection):
        connection.execute(ENTER_TENANT, (tenant,))
        parameters = {"tenant": tenant, "model": model_id}
        for (agent,) in connection.execute(SCOPES_WITHOUT_VECTORS, parameters):
            yield tenant, agent
