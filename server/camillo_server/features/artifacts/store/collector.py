"""Collects what nobody will ask for again: expired artifacts, abandoned uploads, contents and bytes without a use."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from camillo_server.features.artifacts.store.contents import PartStorage
from camillo_server.features.artifacts.store.orphaned_contents import (
    ContentRemoval,
    find_orphaned,
    mark_orphaned,
)
from camillo_server.features.artifacts.store.uploads import LIFETIME
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.storage.database import Session
from camillo_server.storage.parts.object_parts import ObjectParts, StoredContent
from camillo_server.storage.parts.owned_store import OwnedStore, may_delete
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import all_tenant_ids
from camillo_server.storage.statements import statements
from camillo_server.storage.wire import Parameters

ARTIFACTS = statements("features/artifacts/store/artifacts")
CONTENTS = statements("features/artifacts/store/contents")
BATCH = 500
# Younger bytes without a content are left alone: a backup may be about to restore their rows.
STRAY_AFTER = timedelta(days=1)
FIRST_COLLECTION = (
    "the first collection of this store left %d contents that are not in the database; the next one deletes them"
)

StoredContents = Mapping[UUID, StoredContent]
# Returns how many rows a batch deleted, and how many of them count; fewer rows than a batch: there are no more.
Batch = Callable[[Session, TenantId, Parameters], Awaitable[tuple[int, int]]]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CollectionCounts:
    """Counts of what a collection deleted; `lost` counts contents whose bytes are missing in the object store."""

    expired_artifacts: int = 0
    abandoned_uploads: int = 0
    contents: int = 0
    stray_contents: int = 0
    lost: int = 0

    def __add__(self, other: "CollectionCounts") -> "CollectionCounts":
        names = [field.name for field in fields(self)]
        return CollectionCounts(*(getattr(self, name) + getattr(other, name) for name in names))


class ArtifactCollector:
    """Harmless to run twice, or in several processes at once. Every method may raise StorageUnavailable and
    BytesUnavailable."""

    def __init__(self, writes: ScopeWrites, objects: ObjectParts | None) -> None:
        self._writes = writes
        self._database = database = writes.database
        self._objects = objects
        self._removal = ContentRemoval(database, PartStorage(objects))

    async def collect_all(
        self, *, retention: timedelta | None, now: datetime, spare_stray: bool = False
    ) -> CollectionCounts:
        """The sum over all tenants. With `retention`, artifacts that are older and not pinned have expired. With
        `spare_stray`, bytes that no content has are counted, and stay."""
        retention_from = None if retention is None else now - retention
        total = CollectionCounts()
        for tenant_id in await self.tenants():
            total += await self.collect(tenant_id, retention_from=retention_from, now=now, spare_stray=spare_stray)
        return total

    async def tenants(self) -> Sequence[TenantId]:
        """Also those that are deleted, and have left bytes outside of Postgres."""
        known = await all_tenant_ids(self._database)
        stored = await self._objects.tenants() if self._objects else []
        return sorted({*known, *map(TenantId, stored)})

    async def collect(
        self,
        tenant_id: TenantId,
        *,
        retention_from: datetime | None,
        now: datetime,
        spare_stray: bool = False,
    ) -> CollectionCounts:
        """Deletes artifacts that have expired or (unpinned) were created before `retention_from`, uploads begun 24
        hours ago, contents without an artifact, and bytes outside of Postgres, a day old, that no content has. Counts
        ready contents whose bytes outside of Postgres are missing."""
        revisions = dict[Scope, int]()
        expired = await self._in_batches(
            tenant_id,
            partial(_delete_expired, revisions),
            {"now": now, "retention_from": retention_from},
        )
        for scope, revision in revisions.items():
            self._writes.notify(scope, revision, ())
            self._writes.notify_removal(scope)
        abandoned = await self._in_batches(tenant_id, _drop_abandoned, {"begun_by": now - LIFETIME})
        await self._database.transaction(whole_tenant(tenant_id), lambda session: _mark_unused(session, tenant_id))
        removed = await self._remove_orphaned(tenant_id)
        outside = await self._outside(tenant_id)
        stray = await self._stray(tenant_id, outside, now - STRAY_AFTER)
        if self._objects is not None and not spare_stray:
            if stray and not await may_delete(self._database):
                stray = set()
            for content_id in stray:
                await self._objects.delete_content(tenant_id, content_id)
        return CollectionCounts(
            expired_artifacts=expired,
            abandoned_uploads=abandoned,
            contents=removed,
            stray_contents=len(stray),
            lost=await self._count_lost(tenant_id, outside, now),
        )

    async def _in_batches(self, tenant_id: TenantId, batch: Batch, parameters: Parameters) -> int:
        """How many count, of all batches; each is a transaction."""
        of_batch = {**parameters, "tenant_id": tenant_id, "limit": BATCH}
        total = 0
        while True:
            deleted, counted = await self._database.transaction(
                whole_tenant(tenant_id), lambda session: batch(session, tenant_id, of_batch)
            )
            total += counted
            if deleted < BATCH:
                return total

    async def _remove_orphaned(self, tenant_id: TenantId) -> int:
        orphaned = await self._database.read(whole_tenant(tenant_id), lambda session: find_orphaned(session, tenant_id))
        return await self._removal.remove(tenant_id, orphaned)

    async def _outside(self, tenant_id: TenantId) -> StoredContents:
        if self._objects is None:
            return {}
        stored = await self._objects.contents(tenant_id)
        return {content.content_id: content for content in stored}

    async def _stray(self, tenant_id: TenantId, outside: StoredContents, before: datetime) -> set[UUID]:
        """A content's row is written before its bytes, so bytes without a row belong to nobody."""
        old = [content_id for content_id, stored in outside.items() if stored.newest < before]
        if not old:
            return set()
        parameters = {"tenant_id": tenant_id, "content_ids": old}
        known = await self._database.rows(whole_tenant(tenant_id), CONTENTS["known_contents"], parameters)
        return set(old).difference(content_id for (content_id,) in known)

    async def _count_lost(self, tenant_id: TenantId, outside: StoredContents, before: datetime) -> int:
        """Read after the listing, of contents that were ready before it: these were in the store when it was listed."""
        if self._objects is None:
            return 0
        parameters = {"tenant_id": tenant_id, "before": before}
        rows = await self._database.rows(whole_tenant(tenant_id), CONTENTS["parts_outside"], parameters)
        lost = [
            content_id
            for content_id, part_count in rows
            if content_id not in outside or outside[content_id].parts < part_count
        ]
        for content_id in lost:
            logger.error("bytes of the content %s are missing in their store", content_id)
        return len(lost)


class CollectArtifacts:
    """The collection over all tenants: what is older than the retention goes, too. The first one of a store spares the
    contents that the database does not know. Every method raises StorageUnavailable, BytesUnavailable."""

    def __init__(
        self, writes: ScopeWrites, store: OwnedStore | None, retention_days: float | None, clock: Clock
    ) -> None:
        self._collector = ArtifactCollector(writes, store)
        self._store = store
        self._retention = None if retention_days is None else timedelta(days=retention_days)
        self._clock = clock

    async def __call__(self) -> CollectionCounts:
        is_first = self._store is not None and not await self._store.was_collected()
        counts = await self._collector.collect_all(
            retention=self._retention, now=self._clock.now(), spare_stray=is_first
        )
        if self._store is not None and is_first:
            if counts.stray_contents:
                logger.warning(FIRST_COLLECTION, counts.stray_contents)
            await self._store.set_collected()
        return counts

    async def run(self) -> None:
        """Collects, and logs the counts."""
        collected = asdict(await self())
        if any(collected.values()):
            logger.info("artifacts collected", extra=collected)


async def _delete_expired(
    revisions: dict[Scope, int], session: Session, tenant_id: TenantId, parameters: Parameters
) -> tuple[int, int]:
    """`revisions`: those of the scopes that it changes."""
    expired = await session.rows(ARTIFACTS["expired"], parameters)
    if not expired:
        return 0, 0
    artifact_ids, owners = zip(*expired, strict=True)
    parameters = {**parameters, "artifact_ids": [*artifact_ids], "owner_ids": sorted(set(owners))}
    await session.execute(ARTIFACTS["lock_scopes"], parameters)
    rows = await session.rows(ARTIFACTS["delete_expired"], parameters)
    await mark_orphaned(session, tenant_id, (content_id for content_id, *_ in rows))
    changed = {Scope(tenant_id, AgentId(agent_id)): revision for _, agent_id, revision in rows}
    revisions |= {scope: revision for scope, revision in changed.items() if revision is not None}
    return len(expired), len(rows)


async def _drop_abandoned(session: Session, tenant_id: TenantId, parameters: Parameters) -> tuple[int, int]:
    """Drops finished uploads too, which do not count as abandoned."""
    rows = await session.rows(CONTENTS["drop_abandoned"], parameters)
    await mark_orphaned(session, tenant_id, (content_id for content_id, _ in rows))
    return len(rows), sum(artifact_id is None for _, artifact_id in rows)


async def _mark_unused(session: Session, tenant_id: TenantId) -> None:
    """Marks contents that no artifact and no upload has, such as those of a process that ended."""
    rows = await session.rows(CONTENTS["unused"], {"tenant_id": tenant_id})
    await mark_orphaned(session, tenant_id, (content_id for (content_id,) in rows))
