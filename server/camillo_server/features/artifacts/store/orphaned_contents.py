"""Contents that no artifact and no upload has: marked in the transaction that orphans them, deleted after it."""

import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from camillo_server.features.artifacts.store.contents import ContentLocation, PartStorage
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.rows.forgettable import Forgettable, Removal
from camillo_server.storage.database import Database, Session
from camillo_server.storage.parts.owned_store import may_delete
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.wire import Parameters

ARTIFACTS = statements("features/artifacts/store/artifacts")
CONTENTS = statements("features/artifacts/store/contents")
# Deleting a gigabyte takes Postgres some seconds.
MAX_PARTS_AT_ONCE = 1_024

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OrphanedContent:
    """A content that nobody can find any more; its rows and bytes are to be deleted."""

    content_id: UUID
    location: ContentLocation
    part_count: int


async def mark_orphaned(session: Session, tenant_id: TenantId, content_ids: Iterable[UUID]) -> list[OrphanedContent]:
    """Marks and returns those of these contents that no artifact and no upload has. Call it in the transaction that
    took the artifacts or uploads away."""
    ids = list(set(content_ids))
    if not ids:
        return []
    parameters = {"tenant_id": tenant_id, "content_ids": ids}
    # Two statements: the second sees what was committed while the first waited.
    await session.execute(CONTENTS["lock_contents"], parameters)
    # Other agents may have equal bytes, which the policies of one agent's transaction hide.
    (agent,) = await session.only_row(CONTENTS["agent"], {})
    await session.execute(CONTENTS["enter_agent"], {"agent": "*"})
    orphaned = await session.rows(CONTENTS["mark_orphaned"], parameters)
    await session.execute(CONTENTS["enter_agent"], {"agent": agent})
    return _orphaned(orphaned)


async def find_orphaned(session: Session, tenant_id: TenantId) -> list[OrphanedContent]:
    """Orphaned contents that were not deleted when they were marked."""
    return _orphaned(await session.rows(CONTENTS["orphaned"], {"tenant_id": tenant_id}))


def _orphaned(rows: Iterable[Sequence[Any]]) -> list[OrphanedContent]:
    return [OrphanedContent(content_id, ContentLocation(at), parts) for content_id, at, parts in rows]


async def delete_in_postgres(
    session: Session, tenant_id: TenantId, orphaned: Sequence[OrphanedContent]
) -> list[OrphanedContent]:
    """Deletes those whose bytes are in Postgres, in the caller's transaction; returns the others."""
    for content in orphaned:
        # One by one: each may be a gigabyte, and a statement has a time-out.
        if content.location is ContentLocation.POSTGRES:
            await session.execute(CONTENTS["delete_orphaned"], _key(tenant_id, content.content_id))
    return [content for content in orphaned if content.location is not ContentLocation.POSTGRES]


async def delete_artifacts_of(session: Session, scope: Scope, removal: Removal) -> None:
    """Deletes an agent's artifacts and uploads, as `delete_artifacts` does."""
    parameters = scope_parameters(scope)
    # Finished uploads go with their artifacts.
    rows = await session.rows(ARTIFACTS["delete_of_agent"], parameters)
    rows += await session.rows(CONTENTS["delete_uploads_of_agent"], parameters)
    await _delete_orphaned(session, scope.tenant_id, rows)


async def delete_artifacts(session: Session, scope: Scope, artifact_ids: Collection[str], removal: Removal) -> None:
    """Deletes some artifacts of a scope, in the caller's transaction, which has changed the scope's row.

    Contents that become orphaned are deleted with them, up to about a gigabyte at once. The rest, and bytes outside of
    Postgres, are marked, so that nobody can read them, and left to the collector.
    """
    parameters = {**scope_parameters(scope), "artifact_ids": list(artifact_ids)}
    rows = await session.rows(ARTIFACTS["delete_some"], parameters)
    await _delete_orphaned(session, scope.tenant_id, rows)


async def _delete_orphaned(session: Session, tenant_id: TenantId, rows: Sequence[Sequence[Any]]) -> None:
    parts, at_once = 0, []
    for content in await mark_orphaned(session, tenant_id, (content_id for (content_id,) in rows)):
        if parts + content.part_count <= MAX_PARTS_AT_ONCE:
            parts += content.part_count
            at_once.append(content)
    await delete_in_postgres(session, tenant_id, at_once)


async def delete_contents_of_tenant(session: Session, tenant_id: TenantId) -> None:
    """Deletes all artifacts of a tenant and their bytes in Postgres, in the caller's transaction.

    Content by content: all of them in one statement may take longer than a statement may.
    """
    parameters = {"tenant_id": tenant_id}
    await session.execute(ARTIFACTS["delete_of_tenant"], parameters)
    for (content_id,) in await session.rows(CONTENTS["all_ids"], parameters):
        await session.execute(CONTENTS["delete"], _key(tenant_id, content_id))


ARTIFACT_RECORDS = Forgettable(
    "artifacts",
    statements("features/artifacts/forgetting"),
    has_chunks=True,
    delete=delete_artifacts,
    delete_all=delete_artifacts_of,
    delete_tenant=delete_contents_of_tenant,
)


class ContentRemoval:
    """Removes orphaned contents: first the bytes outside of Postgres, then the row that names them."""

    def __init__(self, database: Database, parts: PartStorage) -> None:
        self._database = database
        self._parts = parts

    async def remove(self, tenant_id: TenantId, orphaned: Sequence[OrphanedContent]) -> int:
        """Returns how many are gone. Raises StorageUnavailable, BytesUnavailable: the rest stays marked."""
        removed = 0
        for content in orphaned:
            if await self._remove_outside(tenant_id, content):
                await self._delete_row(tenant_id, content.content_id)
                removed += 1
        return removed

    async def try_to_remove(self, tenant_id: TenantId, orphaned: Sequence[OrphanedContent]) -> bool:
        """Whether all are gone; failures are left to the collector, since the caller's work is committed already."""
        try:
            return await self.remove(tenant_id, orphaned) == len(orphaned)
        except DomainError as error:
            logger.warning("orphaned contents are left for the collector to delete: %s", error)
            return False

    async def _remove_outside(self, tenant_id: TenantId, content: OrphanedContent) -> bool:
        if content.location is ContentLocation.POSTGRES:
            return True
        if not await may_delete(self._database):
            return False
        return await self._parts.remove_outside(tenant_id, content.content_id)

    async def _delete_row(self, tenant_id: TenantId, content_id: UUID) -> None:
        key = _key(tenant_id, content_id)
        await self._database.write(
            whole_tenant(tenant_id),
            lambda session: session.execute(CONTENTS["delete_orphaned"], key),
        )


def _key(tenant_id: TenantId, content_id: UUID) -> Parameters:
    return {"tenant_id": tenant_id, "content_id": content_id}
