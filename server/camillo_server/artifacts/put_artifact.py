"""PutArtifact: store a stream of bytes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from uuid import uuid4

from camillo_server.artifacts.artifact import (
    Artifact,
    ArtifactDraft,
    ContentFacts,
    ContentId,
    UploadId,
    new_artifact_id,
)
from camillo_server.artifacts.forgotten_content import ForgottenContent
from camillo_server.artifacts.intake import ContentIntake, ContentUpload, IntakeTools, KeptPrefix
from camillo_server.artifacts.ports import (
    ArtifactReader,
    ArtifactReplay,
    Content,
    ContentReader,
    Held,
    Upload,
    Uploads,
)
from camillo_server.artifacts.upload_stream import (
    UploadBytes,
    UploadFinish,
    UploadLimits,
    UploadStream,
)
from camillo_server.kernel.clock import Clock, set_deadline
from camillo_server.kernel.errors import (
    AlreadyExists,
    ContentMismatch,
    DomainError,
    InvalidField,
    KeyMissing,
    QuotaExceeded,
    RequestIdReused,
    UploadOffsetMismatch,
    ValueRejected,
    invalid_field,
)
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redaction import Redaction, Redactor, redacted_draft

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


WILL_NOT_BE_RIGHT = (
    *(InvalidField, ContentMismatch, QuotaExceeded, RequestIdReused, KeyMissing),
    ValueRejected,
)


@dataclass(frozen=True, slots=True)
class UploadHeader:
    """What is coming. The digest is of what is said about the artifact; an offset above 0 goes on with the upload."""

    scope: Scope
    draft: ArtifactDraft
    request_id: str
    header_digest: bytes
    upload_id: UploadId | None
    size: int | None
    offset: int = 0
    prefix_sha256: bytes = b""


@dataclass(frozen=True, slots=True)
class PutResult:
    """What was stored, and what was taken out of the fields beside the bytes."""

    artifact: Artifact
    field_redactions: Sequence[Redaction]


class PutArtifact:
    """Takes bytes in as they come. What a broken call leaves is kept for the next only if it named an upload id."""

    def __init__(
        self,
        storing: ArtifactStoring,
        contents: ContentReader,
        tools: IntakeTools,
        redactor: Redactor,
        clock: Clock,
    ) -> None:
        self._storing = storing
        self._uploads: Uploads = storing.uploads
        self._contents = contents
        self._tools = tools
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self, header: UploadHeader, messages: AsyncIterator[UploadBytes | UploadFinish]
    ) -> PutResult:
        """Raises InvalidField, UploadOffsetMismatch, ContentMismatch, ValueRejected, QuotaExceeded, RequestIdReused,
        KeyMissing, NotFound for an upload to go on with, StorageFull, StorageUnavailable, BytesUnavailable."""
        draft, field_redactions = redacted_draft(header.draft, self._redactor)
        limits = UploadLimits(header.offset, header.size, self._storing.limits.artifact_bytes)
        if header.size is not None and header.size > limits.most:
            raise invalid_field("header.size_bytes", f"must be at most {limits.most}")
        stream = UploadStream(messages, limits)
        upload = await self._opened(header, draft)
        async with self._cleared_up(upload, stream, is_resumable=header.upload_id is not None):
            intake = await self._intake(upload)
            await ContentUpload(self._uploads, upload, intake).run(stream.blocks())
            stream.check(intake.sha256_of_call)
            facts = await off_loop(UNBOUNDED, lambda: intake.facts(draft))
            request = _request(header, intake.sha256)
            artifact = await self._storing.finish(upload, draft, facts, request)
        return PutResult(artifact, field_redactions)

    async def _opened(self, header: UploadHeader, draft: ArtifactDraft) -> Upload:
        upload = new_upload(header.scope, draft, header.header_digest, header.upload_id)
        if header.offset == 0:
            try:
                await self._storing.begin(upload)
            except AlreadyExists:
                begun = await self._begun(header)
                await self._uploads.discard(begun)
                await self._storing.begin(upload)
            return upload
        begun = await self._begun(header)
        if begun.held.size != header.offset:
            raise UploadOffsetMismatch(begun.held.size, header.offset)
        if begun.held.sha256 != header.prefix_sha256:
            expected = begun.held.sha256.hex()
            raise ContentMismatch("prefix_sha256", expected, header.prefix_sha256.hex())
        return await self._uploads.go_on(begun)

    async def _begun(self, header: UploadHeader) -> Upload:
        if header.upload_id is None:
            raise invalid_field("header.upload_id", "is missing: there is nothing to go on with")
        upload = await self._uploads.find(header.scope, header.upload_id, now=self._clock.now())
        if upload.artifact_id is not None:
            raise AlreadyExists("upload", header.upload_id)
        if upload.header_digest != header.header_digest:
            raise invalid_field("header.artifact", "is not what the upload began with")
        return upload

    async def _intake(self, upload: Upload) -> ContentIntake:
        if upload.held.size == 0:
            return ContentIntake(self._tools)
        prefix = KeptPrefix(self._tools, upload.held)
        async with aclosing(self._contents.blocks(upload.content, 0, upload.held.size)) as blocks:
            async for block in blocks:
                await off_loop(UNBOUNDED, partial(prefix.feed, block.data))
        return ContentIntake(self._tools, prefix)

    @asynccontextmanager
    async def _cleared_up(
        self, upload: Upload, stream: UploadStream, *, is_resumable: bool
    ) -> AsyncIterator[None]:
        """What failed is removed, unless it can be gone on with; what is left over all the same goes in a day."""
        try:
            yield
        except BaseException as error:
            # Bytes that are not those meant, or that break a limit, will not be right another time either.
            is_wrong = isinstance(error, WILL_NOT_BE_RIGHT) and not stream.is_cut_off
            if is_wrong or not is_resumable:
                await self._storing.discard(upload)
            raise


def _request(header: UploadHeader, kept_sha256: bytes) -> RequestKey | None:
    if not header.request_id:
        return None
    digest = sha256(header.header_digest + kept_sha256).digest()
    return RequestKey(header.request_id, digest)


class GetUpload:
    """Reads where an upload stands."""

    def __init__(self, uploads: Uploads, clock: Clock) -> None:
        self._uploads = uploads
        self._clock = clock

    async def __call__(self, scope: Scope, upload_id: UploadId) -> Upload:
        """Raises NotFound, StorageUnavailable."""
        return await self._uploads.find(scope, upload_id, now=self._clock.now())
