"""Artifacts: get, list, update, delete, and what cites them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from camillo_server.features.artifacts.artifact import (
    Artifact,
    ArtifactCursor,
    ArtifactId,
    ArtifactLookup,
    ArtifactQuery,
    ArtifactReplay,
    Citation,
    Content,
    DeletionReplay,
)
from camillo_server.features.artifacts.store.artifacts import ArtifactStore
from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound, ScopeForbidden, VersionConflict
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.redaction.redaction import Redaction, Redactor, redacted_values_off_loop
from camillo_server.lib.text.json_lines import texts_in


class Artifacts:
    """The use cases of artifacts that move no bytes. All may raise KeyMissing and StorageUnavailable."""

    def __init__(self, store: ArtifactStore, policy: ChannelPolicy, redactor: Redactor, clock: Clock) -> None:
        self._store = store
        self._policy = policy
        self._redactor = redactor
        self._clock = clock

    async def get(self, lookup: ArtifactLookup) -> Artifact:
        """An artifact of the scope, or of the tenant's shared scope, that the channel may load. Raises NotFound."""
        artifact, _ = await self.get_with_content(lookup)
        return artifact

    async def get_with_content(self, lookup: ArtifactLookup) -> tuple[Artifact, Content]:
        """The artifact, and where its bytes are. Raises NotFound."""
        return await self._store.find(
            lookup.scope,
            lookup.artifact_id,
            self._policy.allowed(lookup.channel),
            now=self._clock.now(),
        )

    async def list(self, query: ArtifactQuery, after: ArtifactCursor | None, size: int) -> Sequence[Artifact]:
        """A page, newest first, and one more where there is a next page."""
        allowed = self._policy.allowed(query.channel, query.filter.max_sensitivity)
        return await self._store.page(query, allowed, after, size + 1, now=self._clock.now())

    async def citations(
        self, scope: Scope, artifact_id: ArtifactId, after: MemoryId | None, size: int
    ) -> Sequence[Citation]:
        """A page in the order of the memories' ids, and one more where there is a next page. Raises NotFound."""
        await self.get(ArtifactLookup(scope, artifact_id))
        return await self._store.citations(scope, artifact_id, after, size + 1)

    async def update(
        self,
        scope: Scope,
        artifact_id: ArtifactId,
        version: int,
        values: Mapping[str, Any],
        request: RequestKey | None,
        *,
        is_operator: bool,
    ) -> tuple[Artifact, Sequence[Redaction]]:
        """Replaces these fields of the artifact of this version, and removes the secrets from their values; a repeated
        request returns the artifact as it is by now. Raises NotFound, ScopeForbidden, VersionConflict, ValueRejected,
        RequestIdReused."""
        now = self._clock.now()
        values, redactions = await redacted_values_off_loop(values, self._redactor)
        artifact = await self._changeable(scope, artifact_id, is_operator=is_operator)
        if artifact.version != version:
            if await self._store.first_answer(scope, request, ArtifactReplay, now=now) is None:
                raise VersionConflict("artifact", version, artifact.version)
            # Read again: the first request may have committed after the read above.
            return await self._changeable(scope, artifact_id, is_operator=is_operator), redactions
        changed = replace(artifact, draft=replace(artifact.draft, **values), updated_at=now, version=version + 1)
        written = await self._store.update(
            scope,
            changed,
            version,
            ArtifactReplay(artifact_id),
            request,
            new_texts=texts_in(values),
            now=now,
        )
        if written.is_repeat:
            changed = await self._changeable(scope, artifact_id, is_operator=is_operator)
        return changed, redactions

    async def delete(
        self,
        scope: Scope,
        artifact_id: ArtifactId,
        request: RequestKey | None,
        *,
        is_operator: bool,
    ) -> DeletionReplay:
        """Deletes an artifact, and its bytes when no other artifact of the tenant shares them. Raises NotFound,
        ScopeForbidden for another agent's artifact of the shared scope, RequestIdReused."""
        now = self._clock.now()
        try:
            artifact = await self._changeable(scope, artifact_id, is_operator=is_operator)
        except NotFound:
            # Looked up only now: the same request may have come at the same time and committed first.
            first = await self._store.first_answer(scope, request, DeletionReplay, now=now)
            if first is None:
                raise
            return first.record
        replay = DeletionReplay(uuid4(), artifact.content.size, now, {}, bytes_deleted=False)
        written = await self._store.delete(scope, artifact, replay, request, is_operator=is_operator, now=now)
        return written.record

    async def _changeable(self, scope: Scope, artifact_id: ArtifactId, *, is_operator: bool) -> Artifact:
        """An artifact that the caller may change or delete: any of its own scope, and of the shared scope those that it
        created. Raises NotFound, ScopeForbidden."""
        artifact = await self.get(ArtifactLookup(scope, artifact_id))
        if not (is_operator or artifact.created_by == scope.agent_id):
            raise ScopeForbidden("the artifact was put there by another agent")
        return artifact
