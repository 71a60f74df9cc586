"""Reads of what is said about artifacts."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from camillo_server.artifacts.artifact import Artifact, ArtifactFilter, ArtifactId
from camillo_server.artifacts.ports import ArtifactCursor, Citing, Content
from camillo_server.artifacts.store.orphaned_contents import (
    condemn_unused,
    remove_those_in_postgres,
)
from camillo_server.artifacts.store.rows import (
    COLUMN_COUNT,
    ArtifactRows,
    filter_parameters,
    levels,
)
from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.storage.database import Database, Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("artifacts/store/artifacts")
BEFORE_EVERY_ID = UUID(int=0)
# Reading one row with its preview and summary, most of it decryption and JSON.
ARTIFACT_MICROSECONDS = 50.0


class PostgresArtifactReader:
    """`ArtifactReader` on Postgres."""

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self._database = database
        self._rows = ArtifactRows(keyring)

    async def find(
        self,
        scope: Scope,
        artifact_id: ArtifactId,
        allowed: Collection[Sensitivity],
        *,
        now: datetime,
    ) -> tuple[Artifact, Content]:
        parameters = {
            **scope_parameters(scope),
            "artifact_id": artifact_id,
            "allowed": levels(allowed),
            "now": now,
        }

        async def work(session: Session) -> tuple[Any, ...] | None:
            return await session.row(SQL["find"], parameters)

        row = await self._database.read(scope.tenant_id, work)
        if row is None:
            raise NotFound("artifact", artifact_id)
        artifact = self._rows.artifact(scope.tenant_id, row)
        size, is_sealed = row[COLUMN_COUNT:]
        return artifact, Content(scope.tenant_id, artifact.content_id, size, is_sealed)

    async def page(
        self,
        scope: Scope,
        wanted: ArtifactFilter,
        allowed: Collection[Sensitivity],
        after: ArtifactCursor | None,
        size: int,
        *,
        include_shared: bool,
        now: datetime,
    ) -> Sequence[Artifact]:
        parameters = {
            **scope_parameters(scope),
            **filter_parameters(wanted, allowed),
            "after_at": after.at if after else None,
            "after_id": after.artifact_id if after else "",
            "limit": size,
            "beside": include_shared and scope.agent_id != "",
            "now": now,
        }

        async def work(session: Session) -> list[tuple[Any, ...]]:
            return await session.rows(_page_statement(wanted), parameters)

        rows = await self._database.read(scope.tenant_id, work)
        return await off_loop(
            len(rows) * ARTIFACT_MICROSECONDS,
            lambda: [self._rows.artifact(scope.tenant_id, row) for row in rows],
        )

    async def citing(
        self, scope: Scope, artifact_id: ArtifactId, after: MemoryId | None, size: int
    ) -> Sequence[Citing]:
        parameters = {
            **scope_parameters(scope),
            "artifact_id": artifact_id,
            "after": after or BEFORE_EVERY_ID,
            "limit": size,
        }

        async def work(session: Session) -> Sequence[Citing]:
            rows = await session.rows(SQL["citing"], parameters)
            return [Citing(MemoryId(row[0]), AgentId(row[1])) for row in rows]

        return await self._database.read(scope.tenant_id, work)


def _page_statement(wanted: ArtifactFilter) -> LiteralString:
    """The one whose index leaves the least to look at."""
    if wanted.cited_by:
        return SQL["page_of_cited"]
    if wanted.session_id:
        return SQL["page_of_session"]
    return SQL["page_of_tool"] if wanted.tool else SQL["page"]


ARTIFACTS = statements("artifacts/store/artifacts")
CONTENTS = statements("artifacts/store/contents")
UPLOADS = statements("artifacts/store/uploads")
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
