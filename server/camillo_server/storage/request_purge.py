"""Requests past their lifetime, removed in the background."""

from datetime import datetime

from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import statements
from camillo_server.storage.tenants import all_tenant_ids

SQL = statements("memory_writes")


async def purge_requests(database: Database, before: datetime) -> None:
    """Removes the requests of every tenant that came before this moment."""

    for tenant_id in await all_tenant_ids(database):
        parameters = {"tenant_id": tenant_id, "before": before}

        async def work(session: Session, parameters: dict[str, object] = parameters) -> None:
            await session.execute(SQL["purge_requests"], parameters)

        await database.write(tenant_id, work)
