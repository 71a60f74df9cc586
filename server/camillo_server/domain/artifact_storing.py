"""What every way of storing an artifact shares: an upload's beginning, its end, and what is left of a failed one."""

import asyncio
from dataclasses import dataclass
from hashlib import sha256
from uuid import uuid4

from camillo_server.domain.artifact import (
    Artifact,
    ArtifactDraft,
    ContentFacts,
    ContentId,
    UploadId,
)
from camillo_server.domain.artifact_ids import new_artifact_id
from camillo_server.domain.artifact_ports import (
    ArtifactReader,
    ArtifactReplay,
    Content,
    Held,
    Upload,
    Uploads,
)
from camillo_server.domain.clock import Clock
from camillo_server.domain.deadline import set_deadline
from camillo_server.domain.errors import DomainError
from camillo_server.domain.forgetting.forgotten_content import ForgottenContent
from camillo_server.domain.ids import AgentId
from camillo_server.domain.memory import Sensitivity
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey

NOTHING_HELD = Held(0, sha256().digest(), (), {})
DISCARD_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class ArtifactLimits:
    """How long one artifact may be, and how many bytes a tenant may keep (None: any number)."""

    artifact_bytes: int = 1024**3
    quota_bytes: int | None = None


def new_upload(
    scope: Scope, draft: ArtifactDraft, header_digest: bytes, upload_id: UploadId | None = None
) -> Upload:
    """An upload of which nothing is held yet."""
    content = Content(scope.tenant_id, ContentId(uuid4()), 0, draft.is_sealed)
    return Upload(scope, upload_id or UploadId(uuid4()), content, header_digest, NOTHING_HELD)


class ArtifactStoring:
    """Begins and ends uploads."""

    def __init__(
        self,
        uploads: Uploads,
        reader: ArtifactReader,
        forgotten: ForgottenContent,
        limits: ArtifactLimits,
        clock: Clock,
    ) -> None:
        self.uploads = uploads
        self.limits = limits
        self._reader = reader
        self._forgotten = forgotten
        self._clock = clock

    async def begin(self, upload: Upload) -> None:
        """Raises QuotaExceeded, AlreadyExists for the upload's id."""
        await self.uploads.begin(upload, quota_bytes=self.limits.quota_bytes, now=self._clock.now())

    async def finish(
        self,
        upload: Upload,
        draft: ArtifactDraft,
        facts: ContentFacts,
        request: RequestKey | None,
    ) -> Artifact:
        """Makes it visible. Of a repeated request, the artifact of the first time. Raises ValueRejected where it states
        what was forgotten before it is looked through."""
        now = self._clock.now()
        if await self._forgotten.may_be(upload.scope) and not await self.uploads.first_answer(
            upload.scope, request, now=now
        ):
            await self._forgotten.refuse(upload, draft, facts)
        artifact = Artifact(
            artifact_id=new_artifact_id(draft),
            agent_id=AgentId("") if draft.is_shared else upload.scope.agent_id,
            created_by=upload.scope.agent_id,
            content_id=upload.content.content_id,
            stated=draft,
            content=facts,
            created_at=now,
            updated_at=now,
        )
        written = await self.uploads.finish(
            upload, artifact, request, quota_bytes=self.limits.quota_bytes, now=now
        )
        return await self.answered(upload.scope, artifact, written.record)

    async def answered(self, scope: Scope, artifact: Artifact, record: ArtifactReplay) -> Artifact:
        """The artifact that the record names: this one, or that of the first time."""
        if record.artifact_id == artifact.artifact_id:
            return artifact
        found, _ = await self._reader.find(
            scope, record.artifact_id, frozenset(Sensitivity), now=self._clock.now()
        )
        return found

    async def discard(self, upload: Upload) -> None:
        """Removes what is left of a failed upload, as far as the store can be reached: the rest goes in a day."""
        await asyncio.shield(asyncio.create_task(self._discard(upload)))

    async def _discard(self, upload: Upload) -> None:
        # The call's own deadline may be what ended it.
        set_deadline(DISCARD_SECONDS)
        try:
            await self.uploads.discard(upload)
        except DomainError:
            return
