"""What agents and tenants leave behind in artifacts, removed when they are deleted."""

from camillo_server.domain.ids import AgentId, TenantId
from camillo_server.storage.condemned_contents import condemn_unused, remove_those_in_postgres
from camillo_server.storage.database import Session
from camillo_server.storage.statements import statements

ARTIFACTS = statements("artifacts")
CONTENTS = statements("contents")
UPLOADS = statements("uploads")
# Removing a gigabyte takes Postgres some seconds.
PARTS_AT_ONCE = 1_024


async def delete_artifacts_of(session: Session, tenant_id: TenantId, agent_id: AgentId) -> None:
    """An agent's artifacts and uploads, inside the caller's transaction, which has changed the scope's row.

    Contents that nobody has any more go with them, about a gigabyte of them at once. The rest, and bytes outside of
    Postgres, are condemned, so that nobody can read them, and left to the collector.
    """
    parameters = {"tenant_id": tenant_id, "agent_id": agent_id}
    # Finished uploads go with their artifacts.
    gone = await session.rows(ARTIFACTS["delete_of_agent"], parameters)
    gone += await session.rows(UPLOADS["delete_uploads_of_agent"], parameters)
    parts, at_once = 0, []
    for content in await condemn_unused(session, tenant_id, [row[0] for row in gone]):
        if parts + content.part_count <= PARTS_AT_ONCE:
            parts += content.part_count
            at_once.append(content)
    await remove_those_in_postgres(session, tenant_id, at_once)


async def delete_contents_of_tenant(session: Session, tenant_id: TenantId) -> None:
    """All artifacts of a tenant and what is in Postgres of their bytes, inside the caller's transaction.

    Content by content: all of them in one statement may take longer than a statement may.
    """
    parameters = {"tenant_id": tenant_id}
    await session.execute(ARTIFACTS["delete_of_tenant"], parameters)
    for row in await session.rows(CONTENTS["all_ids"], parameters):
        await session.execute(CONTENTS["delete"], {**parameters, "content_id": row[0]})
