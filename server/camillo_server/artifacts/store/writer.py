"""Writes of what is said about artifacts."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from psycopg.errors import UniqueViolation

from camillo_server.artifacts.artifact import Artifact
from camillo_server.artifacts.contents.object_parts import ObjectParts
from camillo_server.artifacts.ports import ArtifactReplay, DeletionReplay
from camillo_server.artifacts.store.contents import ContentPlaces
from camillo_server.artifacts.store.orphaned_contents import (
    Condemned,
    ContentRemoval,
    condemn_unused,
    remove_those_in_postgres,
)
from camillo_server.artifacts.store.rows import ArtifactRows
from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.errors import NotFound, QuotaExceeded, VersionConflict
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.storage.blocklist import marked_aside, refuse_blocked
from camillo_server.storage.database import Database, Session, Work
from camillo_server.storage.errors import violates
from camillo_server.storage.requests import PRIMARY_KEY, first_answer, keep_answer
from camillo_server.storage.statements import statements

SQL = statements("artifacts/store/artifacts")
R = TypeVar("R")


class PostgresArtifactWriter:
    """`ArtifactWriter` on Postgres. A request is kept in the caller's scope, whosever the artifact is."""

    def __init__(self, database: Database, keyring: Keyring, objects: ObjectParts | None) -> None:
        self._database = database
        self._rows = ArtifactRows(keyring)
        self._removal = ContentRemoval(database, ContentPlaces(objects))

    async def update(
        self,
        scope: Scope,
        artifact: Artifact,
        expected_version: int,
        replay: ArtifactReplay,
        request: RequestKey | None,
        *,
        stated: Mapping[str, str],
        now: datetime,
    ) -> Written[ArtifactReplay]:
        """Raises KeyMissing too."""
        marks = await marked_aside(scope, stated)
        parameters = {
            **self._rows.parameters(scope.tenant_id, artifact),
            "version": expected_version + 1,
        }

        async def work(session: Session) -> Written[ArtifactReplay]:
            found = await session.row(SQL["lock"], parameters)
            # Behind the lock: a request that came twice at once has its answer by now.
            answer = await first_answer(session, scope, request, ArtifactReplay, now)
            if answer is not None:
                return answer
            if found is None:
                raise NotFound("artifact", artifact.artifact_id)
            if found[0] != expected_version:
                raise VersionConflict("artifact", expected_version, found[0])
            await refuse_blocked(session, scope, marks)
            await session.execute(SQL["replace"], parameters)
            return await _answered(session, scope, request, replay, now)

        return await self._once(scope, work)

    async def delete(
        self,
        scope: Scope,
        artifact: Artifact,
        replay: DeletionReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[DeletionReplay]:
        """Where the store of objects cannot be reached, the bytes there go later, and `bytes_deleted` is false."""
        outside: list[Condemned] = []
        key = {
            "tenant_id": scope.tenant_id,
            "artifact_id": artifact.artifact_id,
            "owner_id": artifact.agent_id,
        }

        async def work(session: Session) -> Written[DeletionReplay]:
            outside.clear()
            found = await session.row(SQL["lock"], key)
            answer = await first_answer(session, scope, request, DeletionReplay, now)
            if answer is not None:
                return answer
            if found is None:
                raise NotFound("artifact", artifact.artifact_id)
            condemned, stores = await _delete(session, scope, key)
            outside[:] = await remove_those_in_postgres(session, scope.tenant_id, condemned)
            removed = replace(replay, stores=stores, bytes_deleted=bool(condemned))
            return await _answered(session, scope, request, removed, now)

        written = await self._once(scope, work)
        if await self._removal.try_to_remove(scope.tenant_id, outside):
            return written
        return replace(written, record=replace(written.record, bytes_deleted=False))

    async def first_answer(
        self,
        scope: Scope,
        request: RequestKey | None,
        record_type: type[R],
        *,
        now: datetime,
    ) -> Written[R] | None:
        if request is None:
            return None
        return await self._database.write(
            scope.tenant_id, lambda session: first_answer(session, scope, request, record_type, now)
        )

    async def _once(self, scope: Scope, work: Work[Written[R]]) -> Written[R]:
        try:
            return await self._database.transaction(scope.tenant_id, work)
        except UniqueViolation as error:
            if not violates(error, PRIMARY_KEY):
                raise
        # The same request came twice at once, and the other was first.
        return await self._database.transaction(scope.tenant_id, work)


async def _delete(
    session: Session, scope: Scope, key: dict[str, Any]
) -> tuple[list[Condemned], dict[str, int]]:
    """The contents that nobody has any more, and how many rows go, by store."""
    rows = await session.rows(SQL["delete"], key)
    condemned = await condemn_unused(session, scope.tenant_id, [row[0] for row in rows])
    return condemned, {
        "artifacts": len(rows),
        "content_parts": sum(content.part_count for content in condemned),
        "contents": len(condemned),
    }


async def _answered(
    session: Session, scope: Scope, request: RequestKey | None, replay: R, now: datetime
) -> Written[R]:
    written = Written(0, replay)
    await keep_answer(session, scope, request, written, now)
    return written


CONTENTS = statements("artifacts/store/contents")
QUOTA = "artifact_bytes"


async def require_room(session: Session, tenant_id: TenantId, quota_bytes: int | None) -> None:
    """For an upload to begin: raises QuotaExceeded where what is kept and what is coming fill the quota already."""
    if quota_bytes is not None:
        row = await session.only_row(CONTENTS["kept_bytes"], {"tenant_id": tenant_id})
        if row[0] >= quota_bytes:
            raise QuotaExceeded(QUOTA, quota_bytes)


async def take_room(
    session: Session, tenant_id: TenantId, size: int, quota_bytes: int | None
) -> None:
    """For a new content of this size, in the transaction that makes it ready: those of others wait meanwhile, so that
    no two take the same room. Raises QuotaExceeded."""
    if quota_bytes is not None:
        await session.execute(CONTENTS["lock_quota"], {"tenant_id": tenant_id})
        row = await session.only_row(CONTENTS["ready_bytes"], {"tenant_id": tenant_id})
        if row[0] + size > quota_bytes:
            raise QuotaExceeded(QUOTA, quota_bytes)
