"""Recipes of tenants' own."""

from datetime import datetime

from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import TenantId
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import statements

SQL = statements("context/store/context")


class RecipeStore:
    """YAML of recipes by name. Every method raises StorageUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, tenant_id: TenantId, name: str, text: str, *, now: datetime) -> None:
        parameters = {"tenant_id": tenant_id, "name": name, "recipe": text, "now": now}

        async def work(session: Session) -> None:
            await session.execute(SQL["put_recipe"], parameters)

        await self._database.write(tenant_id, work)

    async def delete(self, tenant_id: TenantId, name: str) -> None:
        """Raises NotFound."""

        async def work(session: Session) -> None:
            parameters = {"tenant_id": tenant_id, "name": name}
            if await session.row(SQL["delete_recipe"], parameters) is None:
                raise NotFound("recipe", name)

        await self._database.write(tenant_id, work)

    async def all(self, tenant_id: TenantId) -> dict[str, str]:
        async def work(session: Session) -> dict[str, str]:
            return dict(await session.rows(SQL["recipes"], {"tenant_id": tenant_id}))

        return await self._database.read(tenant_id, work)

    async def get(self, tenant_id: TenantId, name: str) -> str | None:
        async def work(session: Session) -> str | None:
            row = await session.row(SQL["recipe"], {"tenant_id": tenant_id, "name": name})
            return row[0] if row else None

        return await self._database.read(tenant_id, work)
