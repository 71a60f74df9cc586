"""Contents that nobody has any more: condemned in the transaction that finds that out, then removed."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from camillo_server.artifacts.store.contents import ContentPlaces, Place
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import TenantId
from camillo_server.storage.database import Database, Parameters, Session
from camillo_server.storage.statements import statements

SQL = statements("artifacts/store/contents")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Condemned:
    """A content that is to go."""

    content_id: UUID
    place: Place
    part_count: int


async def condemn_unused(
    session: Session, tenant_id: TenantId, content_ids: Iterable[UUID]
) -> list[Condemned]:
    """Marks those of these contents that no artifact and no upload has. Call it in the transaction that took them
    away; then nobody can find them any more, and what is left is to remove them."""
    ids = list(set(content_ids))
    if not ids:
        return []
    parameters = {"tenant_id": tenant_id, "content_ids": ids}
    # Two statements: the second sees what was committed while the first waited.
    await session.execute(SQL["lock_contents"], parameters)
    rows = await session.rows(SQL["condemn_unused"], parameters)
    return [Condemned(row[0], Place(row[1]), row[2]) for row in rows]


async def condemned_contents(session: Session, tenant_id: TenantId) -> list[Condemned]:
    """Those that are left over from before."""
    rows = await session.rows(SQL["condemned"], {"tenant_id": tenant_id})
    return [Condemned(row[0], Place(row[1]), row[2]) for row in rows]


async def remove_those_in_postgres(
    session: Session, tenant_id: TenantId, condemned: Sequence[Condemned]
) -> list[Condemned]:
    """Inside the caller's transaction; returns those that have bytes outside and are still there."""
    for content in condemned:
        # One by one: each may be a gigabyte, and a statement has a time-out.
        if content.place is Place.POSTGRES:
            await session.execute(SQL["remove_condemned"], _key(tenant_id, content.content_id))
    return [content for content in condemned if content.place is not Place.POSTGRES]


class ContentRemoval:
    """Removes condemned contents: first the bytes outside of Postgres, then the row that tells of them."""

    def __init__(self, database: Database, places: ContentPlaces) -> None:
        self._database = database
        self._places = places

    async def remove(self, tenant_id: TenantId, condemned: Sequence[Condemned]) -> int:
        """How many are gone. Raises StorageUnavailable, BytesUnavailable: the rest stays condemned."""
        removed = 0
        for content in condemned:
            if await self._places.remove_outside(tenant_id, content.content_id, content.place):
                await self._remove_row(tenant_id, content.content_id)
                removed += 1
        return removed

    async def try_to_remove(self, tenant_id: TenantId, condemned: Sequence[Condemned]) -> bool:
        """Whether all are gone; what fails is left to the collector, as the caller's work is done already."""
        try:
            return await self.remove(tenant_id, condemned) == len(condemned)
        except DomainError as error:
            logger.warning("contents that nobody has are left for the collector: %s", error)
            return False

    async def _remove_row(self, tenant_id: TenantId, content_id: UUID) -> None:
        async def work(session: Session) -> None:
            await session.execute(SQL["remove_condemned"], _key(tenant_id, content_id))

        await self._database.write(tenant_id, work)


def _key(tenant_id: TenantId, content_id: UUID) -> Parameters:
    return {"tenant_id": tenant_id, "content_id": content_id}
