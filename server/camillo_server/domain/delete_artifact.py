"""DeleteArtifact: remove an artifact for good."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from camillo_server.domain.artifact import ArtifactId
from camillo_server.domain.artifact_ports import ArtifactWriter, DeletionReplay
from camillo_server.domain.clock import Clock
from camillo_server.domain.errors import NotFound
from camillo_server.domain.get_artifact import GetArtifact
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


@dataclass(frozen=True, slots=True)
class ArtifactReceipt:
    """What went: rows by store, and whether the bytes went too."""

    receipt_id: UUID
    artifact_id: ArtifactId
    bytes_deleted: bool
    size: int
    stores: Mapping[str, int]
    deleted_at: datetime


class DeleteArtifact:
    """Removes an artifact, and its bytes when no other artifact of the tenant has the same."""

    def __init__(self, get: GetArtifact, writer: ArtifactWriter, clock: Clock) -> None:
        self._get = get
        self._writer = writer
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        artifact_id: ArtifactId,
        request: RequestKey | None,
        *,
        is_operator: bool,
    ) -> ArtifactReceipt:
        """Raises NotFound, ScopeForbidden for another agent's artifact of the shared scope, RequestIdReused,
        KeyMissing, StorageUnavailable."""
        now = self._clock.now()
        try:
            artifact = await self._get.to_change(scope, artifact_id, is_operator=is_operator)
        except NotFound:
            # Asked behind it: the same request may have come at the same time and been first.
            first = await self._writer.first_answer(scope, request, DeletionReplay, now=now)
            if first is None:
                raise
            return _receipt(artifact_id, first.record)
        replay = DeletionReplay(uuid4(), artifact.content.size, now, {}, bytes_deleted=False)
        written = await self._writer.delete(scope, artifact, replay, request, now=now)
        return _receipt(artifact_id, written.record)


def _receipt(artifact_id: ArtifactId, record: DeletionReplay) -> ArtifactReceipt:
    return ArtifactReceipt(
        receipt_id=record.receipt_id,
        artifact_id=artifact_id,
        bytes_deleted=record.bytes_deleted,
        size=record.size,
        stores=record.stores,
        deleted_at=record.at,
    )
