"""Collects what nobody will ask for again: expired artifacts, abandoned uploads, contents and bytes without a use."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from camillo_server.artifacts.contents.object_parts import ObjectParts
from camillo_server.artifacts.contents.part_names import StoredContent
from camillo_server.artifacts.ports import Collected
from camillo_server.artifacts.store.contents import ContentPlaces
from camillo_server.artifacts.store.orphaned_contents import (
    ContentRemoval,
    condemn_unused,
    condemned_contents,
)
from camillo_server.artifacts.store.uploads import LIFETIME
from camillo_server.kernel.ids import TenantId
from camillo_server.storage.database import Database, Parameters, Session
from camillo_server.storage.statements import statements
from camillo_server.storage.tenant_ids import all_tenant_ids

ARTIFACTS = statements("artifacts/store/artifacts")
CONTENTS = statements("artifacts/store/contents")
UPLOADS = statements("artifacts/store/uploads")
BATCH = 500
# Bytes without a content are left alone so long: those of a backup that is being put back, say.
STRAY_AFTER = timedelta(days=1)

Outside = Mapping[UUID, StoredContent]
# How many rows it took away, and how many of them count; fewer than a batch: there are no more.
Batch = Callable[[Session, TenantId, Parameters], Awaitable[tuple[int, int]]]

logger = logging.getLogger(__name__)


class PostgresCollector:
    """`Collector` on Postgres and the store of objects."""

    def __init__(self, database: Database, objects: ObjectParts | None) -> None:
        self._database = database
        self._objects = objects
        self._removal = ContentRemoval(database, ContentPlaces(objects))

    async def tenants(self) -> Sequence[TenantId]:
        """Also those that are gone, and have left bytes outside of Postgres."""
        known = await all_tenant_ids(self._database)
        stored = await self._objects.tenants() if self._objects else []
        return sorted({*known, *map(TenantId, stored)})

    async def collect(
        self, tenant_id: TenantId, *, retention_from: datetime | None, now: datetime
    ) -> Collected:
        expired = await self._in_batches(
            tenant_id, _delete_expired, {"now": now, "retention_from": retention_from}
        )
        abandoned = await self._in_batches(tenant_id, _drop_abandoned, {"begun_by": now - LIFETIME})
        await self._database.transaction(tenant_id, lambda session: _condemn(session, tenant_id))
        removed = await self._remove_condemned(tenant_id)
        outside = await self._outside(tenant_id)
        return Collected(
            expired_artifacts=expired,
            abandoned_uploads=abandoned,
            contents=removed,
            stray_contents=await self._remove_stray(tenant_id, outside, now - STRAY_AFTER),
            lost=await self._count_lost(tenant_id, outside, now),
        )

    async def _in_batches(self, tenant_id: TenantId, batch: Batch, parameters: Parameters) -> int:
        """How many count, of all batches; each is a transaction."""
        told = {**parameters, "tenant_id": tenant_id, "limit": BATCH}
        total = 0
        while True:
            taken, counted = await self._database.transaction(
                tenant_id, lambda session: batch(session, tenant_id, told)
            )
            total += counted
            if taken < BATCH:
                return total

    async def _remove_condemned(self, tenant_id: TenantId) -> int:
        condemned = await self._database.read(
            tenant_id, lambda session: condemned_contents(session, tenant_id)
        )
        return await self._removal.remove(tenant_id, condemned)

    async def _outside(self, tenant_id: TenantId) -> Outside:
        if self._objects is None:
            return {}
        return {content.content_id: content async for content in self._objects.contents(tenant_id)}

    async def _remove_stray(self, tenant_id: TenantId, outside: Outside, before: datetime) -> int:
        """A content's row is there before its bytes are, so bytes without one are nobody's."""
        old = [content_id for content_id, stored in outside.items() if stored.newest < before]
        parameters = {"tenant_id": tenant_id, "content_ids": old}

        async def work(session: Session) -> set[UUID]:
            rows = await session.rows(CONTENTS["known_contents"], parameters)
            return {row[0] for row in rows}

        stray = set(old) - await self._database.read(tenant_id, work) if old else set()
        if self._objects is not None:
            for content_id in stray:
                await self._objects.delete_content(tenant_id, content_id)
        return len(stray)

    async def _count_lost(self, tenant_id: TenantId, outside: Outside, before: datetime) -> int:
        """Asked behind the listing, of contents that were ready before it: what is there now was there then."""
        if self._objects is None:
            return 0
        parameters = {"tenant_id": tenant_id, "before": before}

        async def work(session: Session) -> list[UUID]:
            rows = await session.rows(CONTENTS["parts_outside"], parameters)
            return [
                row[0] for row in rows if row[0] not in outside or outside[row[0]].parts < row[1]
            ]

        lost = await self._database.read(tenant_id, work)
        for content_id in lost:
            logger.error("bytes of the content %s are missing in their store", content_id)
        return len(lost)


async def _delete_expired(
    session: Session, tenant_id: TenantId, parameters: Parameters
) -> tuple[int, int]:
    rows = await session.rows(ARTIFACTS["delete_expired"], parameters)
    await condemn_unused(session, tenant_id, [row[0] for row in rows])
    return len(rows), len(rows)


async def _drop_abandoned(
    session: Session, tenant_id: TenantId, parameters: Parameters
) -> tuple[int, int]:
    """Finished ones go too, but do not count."""
    rows = await session.rows(UPLOADS["drop_abandoned"], parameters)
    await condemn_unused(session, tenant_id, [row[0] for row in rows])
    return len(rows), sum(row[1] is None for row in rows)


async def _condemn(session: Session, tenant_id: TenantId) -> None:
    """What no artifact and no upload has."""
    rows = await session.rows(CONTENTS["unused"], {"tenant_id": tenant_id})
    await condemn_unused(session, tenant_id, [row[0] for row in rows])
