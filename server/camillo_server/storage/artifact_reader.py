"""Reads of what is said about artifacts."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.artifact import Artifact, ArtifactFilter, ArtifactId
from camillo_server.domain.artifact_ports import ArtifactCursor, Citing, Content
from camillo_server.domain.errors import NotFound
from camillo_server.domain.ids import AgentId, MemoryId
from camillo_server.domain.memory import Sensitivity
from camillo_server.domain.off_loop import off_loop
from camillo_server.domain.scope import Scope
from camillo_server.storage.artifact_rows import (
    COLUMN_COUNT,
    ArtifactRows,
    filter_parameters,
    levels,
)
from camillo_server.storage.database import Database, Session
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.statements import statements

SQL = statements("artifacts")
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
