"""Every tenant, and the scopes of one: what background work goes through."""

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import statements

# No tenant has this id, so a session bound to it sees rows through the two doors of the policies alone.
NO_TENANT = ""


SQL = statements("storage/tenant_ids")


async def all_tenant_ids(database: Database) -> list[TenantId]:
    """Every tenant, for background work that then enters one after the other."""

    async def work(session: Session) -> list[TenantId]:
        async with session.transaction():
            await session.execute(SQL["open_tenant_list"])
            return [TenantId(row[0]) for row in await session.rows(SQL["tenant_ids"], {})]

    return await database.read(NO_TENANT, work)


async def scopes_with_memories(database: Database, tenant_id: TenantId) -> list[Scope]:
    """The scopes of a tenant that hold any memory, hidden ones among them."""

    async def work(session: Session) -> list[Scope]:
        rows = await session.rows(SQL["scopes_with_memories"], {"tenant_id": tenant_id})
        return [Scope(tenant_id, AgentId(row[0])) for row in rows]

    return await database.read(tenant_id, work)
