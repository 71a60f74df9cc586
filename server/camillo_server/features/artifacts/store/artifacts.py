"""The table of artifacts: reads of one scope and the tenant's shared scope, changes by version, deletions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, LiteralString, TypeVar

from camillo_server.features.artifacts.artifact import (
    Artifact,
    ArtifactCursor,
    ArtifactFilter,
    ArtifactId,
    ArtifactQuery,
    ArtifactReplay,
    Citation,
    Content,
    DeletionReplay,
)
from camillo_server.features.artifacts.store.chunks import NO_CHUNK, chunk_of, new_chunk
from camillo_server.features.artifacts.store.contents import PartStorage
from camillo_server.features.artifacts.store.orphaned_contents import (
    ContentRemoval,
    OrphanedContent,
    delete_in_postgres,
    mark_orphaned,
)
from camillo_server.features.artifacts.store.rows import ArtifactRows, filter_parameters, levels
from camillo_server.kernel.errors import NotFound, VersionConflict
from camillo_server.kernel.ids import BEFORE_EVERY_ID, AgentId, MemoryId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import map_off_loop
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.inserts import store_rows
from camillo_server.storage.blocklist import refuse_blocked, with_request_id
from camillo_server.storage.database import Session
from camillo_server.storage.parts.object_parts import ObjectParts
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.storage.written_requests import find_answer, first_answer, keep_answer, write_once

SQL = statements("features/artifacts/store/artifacts")
PAGES = {
    name: SQL["page"].replace("{narrowed}", SQL[name] if name else "")
    for name in ("", "of_session", "of_tool", "of_cited")
}
R = TypeVar("R")


class ArtifactStore:
    """Artifacts without their bytes. Every method may raise StorageUnavailable, and KeyMissing where an encrypted
    artifact's key is not there.

    Every write is one transaction; a repeated request writes nothing and returns the first record. A request is kept in
    the caller's scope, whosever the artifact is.
    """

    def __init__(
        self,
        writes: ScopeWrites,
        keyring: Keyring,
        objects: ObjectParts | None,
        embedding: TextEmbedding | None = None,
    ) -> None:
        """`embedding`: where a vector takes it less than a job that embeds later."""
        self._embedding = embedding
        self._writes = writes
        self._database = database = writes.database
        self._keyring = keyring
        self._rows = ArtifactRows(keyring)
        self._removal = ContentRemoval(database, PartStorage(objects))

    async def find(
        self,
        scope: Scope,
        artifact_id: ArtifactId,
        allowed: Collection[Sensitivity],
        *,
        now: datetime,
    ) -> tuple[Artifact, Content]:
        """Raises NotFound("artifact", id): not there, expired by `now`, another agent's, or not of an allowed level."""
        parameters = {
            **scope_parameters(scope),
            "artifact_id": artifact_id,
            "allowed": levels(allowed),
            "now": now,
        }
        row = await self._database.record(scope, SQL["find"], parameters)
        if row is None:
            raise NotFound("artifact", artifact_id)
        artifact = self._rows.artifact(scope.tenant_id, row)
        return artifact, Content(scope.tenant_id, artifact.content_id, row.content_size, row.is_encrypted)

    async def page(
        self,
        query: ArtifactQuery,
        allowed: Collection[Sensitivity],
        after: ArtifactCursor | None,
        size: int,
        *,
        now: datetime,
    ) -> Sequence[Artifact]:
        """Newest first (created_at, then artifact id, both descending), at most `size`, after the cursor."""
        scope = query.scope
        parameters = {
            **scope_parameters(scope),
            **filter_parameters(query.filter, allowed),
            "after_at": after.at if after else None,
            "after_id": after.artifact_id if after else "",
            "limit": size,
            "beside": query.include_shared and scope.agent_id != "",
            "now": now,
        }
        rows = await self._database.records(scope, _page_statement(query.filter), parameters)
        return await map_off_loop(partial(self._rows.artifact, scope.tenant_id), rows)

    async def citations(
        self, scope: Scope, artifact_id: ArtifactId, after: MemoryId | None, size: int
    ) -> Sequence[Citation]:
        """The scope's memories that cite it, in the order of their ids, at most `size`, after this id."""
        parameters = {
            **scope_parameters(scope),
            "artifact_id": artifact_id,
            "after": after or BEFORE_EVERY_ID,
            "limit": size,
        }
        rows = await self._database.rows(scope, SQL["citations"], parameters)
        return [Citation(MemoryId(memory_id), AgentId(agent)) for memory_id, agent in rows]

    async def update(
        self,
        scope: Scope,
        artifact: Artifact,
        expected_version: int,
        replay: ArtifactReplay,
        request: RequestKey | None,
        *,
        new_texts: Mapping[str, str],
        now: datetime,
    ) -> Written[ArtifactReplay]:
        """Replaces the artifact of the expected version, and its chunk; `new_texts` are the texts that it did not have
        before, by field. Raises NotFound, VersionConflict, ValueRejected, RequestIdReused."""
        chunk = await new_chunk(scope.tenant_id, artifact, self._keyring, self._embedding)

        async def store(rows: Sequence[NewRow]) -> Written[ArtifactReplay]:
            parameters = {
                **self._rows.parameters(scope.tenant_id, artifact),
                **(await chunk_of(chunk.scope, rows, self._keyring)).parameters,
                "owner_ids": [artifact.agent_id],
                "now": now,
            }
            written, revision = await write_once(
                lambda: self._database.transaction(
                    whole_tenant(scope.tenant_id), lambda session: work(session, parameters)
                )
            )
            if revision:
                self._writes.notify(chunk.scope, revision, rows)
            return written

        async def work(session: Session, parameters: dict[str, Any]) -> tuple[Written[ArtifactReplay], int]:
            await session.execute(SQL["lock_scopes"], parameters)
            locked = await session.row(SQL["lock"], parameters)
            # Looked up under the lock: a request that came twice at once has its answer by now.
            answer = await first_answer(session, scope, request, ArtifactReplay, now)
            if answer is not None:
                return answer, 0
            if locked is None:
                raise NotFound("artifact", artifact.artifact_id)
            (version,) = locked
            if version != expected_version:
                raise VersionConflict("artifact", expected_version, version)
            await refuse_blocked(session, scope, with_request_id(new_texts, request))
            (revision,) = await session.only_row(SQL["replace"], parameters)
            return await keep_answer(session, scope, request, Written(0, replay), now), revision

        return await store_rows(self._writes, chunk.rows, store)

    async def delete(
        self,
        scope: Scope,
        artifact: Artifact,
        replay: DeletionReplay,
        request: RequestKey | None,
        *,
        is_operator: bool = False,
        now: datetime,
    ) -> Written[DeletionReplay]:
        """Deletes it with its chunk, and its content if that was the last artifact of it; fills in the record's stores
        and bytes, for others than an operator as if the agents whose artifacts they may not read had none.

        Where the object store cannot be reached, the bytes there are deleted later, and `bytes_deleted` is false.
        Raises NotFound, RequestIdReused.
        """
        outside: list[OrphanedContent] = []
        key = {
            "tenant_id": scope.tenant_id,
            "artifact_id": artifact.artifact_id,
            "owner_id": artifact.agent_id,
            "owner_ids": [artifact.agent_id],
            "agent_id": scope.agent_id,
        }
        owner = Scope(scope.tenant_id, artifact.agent_id)

        async def work(session: Session) -> tuple[Written[DeletionReplay], int]:
            # The work may be run again.
            outside.clear()
            await session.execute(SQL["lock_scopes"], key)
            locked = await session.row(SQL["lock"], key)
            answer = await first_answer(session, scope, request, DeletionReplay, now)
            if answer is not None:
                return answer, 0
            if locked is None:
                raise NotFound("artifact", artifact.artifact_id)
            gone = {**key, **scope_parameters(owner), **NO_CHUNK, "now": now}
            content_id, revision = await session.only_row(SQL["delete"], gone)
            orphaned = await mark_orphaned(session, scope.tenant_id, [content_id])
            unshared = {**key, "content_id": content_id, "is_operator": is_operator}
            parts = await session.rows(SQL["parts_for_nobody_else"], unshared)
            outside[:] = await delete_in_postgres(session, scope.tenant_id, orphaned)
            stores = {
                "artifacts": 1,
                "content_parts": sum(n for (n,) in parts),
                "contents": len(parts),
            }
            record = replace(replay, stores=stores, bytes_deleted=bool(parts))
            return await keep_answer(session, scope, request, Written(0, record), now), revision

        written, revision = await write_once(lambda: self._database.transaction(whole_tenant(scope.tenant_id), work))
        if revision:
            self._writes.notify(owner, revision, ())
            self._writes.notify_removal(owner)
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
        """The answer to the same request, if it came before. Raises RequestIdReused."""
        return await find_answer(self._database, scope, request, record_type, now)


def _page_statement(filter: ArtifactFilter) -> LiteralString:
    """The statement whose index leaves the least to look at."""
    if filter.cited_by:
        return PAGES["of_cited"]
    if filter.session_id:
        return PAGES["of_session"]
    return PAGES["of_tool" if filter.tool else ""]
