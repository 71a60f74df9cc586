"""PutArtifact: store a stream of bytes."""

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

from camillo_server.domain.artifact import Artifact, ArtifactDraft, UploadId
from camillo_server.domain.artifact_ports import ContentReader, Upload, Uploads
from camillo_server.domain.artifact_storing import ArtifactStoring, new_upload
from camillo_server.domain.clock import Clock
from camillo_server.domain.content_intake import ContentIntake, IntakeTools, KeptPrefix
from camillo_server.domain.content_upload import ContentUpload
from camillo_server.domain.draft_redaction import redacted_draft
from camillo_server.domain.errors import (
    AlreadyExists,
    ContentMismatch,
    InvalidField,
    KeyMissing,
    QuotaExceeded,
    RequestIdReused,
    UploadOffsetMismatch,
    ValueRejected,
    invalid_field,
)
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.domain.redaction import Redaction, Redactor
from camillo_server.domain.scope import Scope
from camillo_server.domain.upload_stream import (
    UploadBytes,
    UploadFinish,
    UploadLimits,
    UploadStream,
)
from camillo_server.domain.writes import RequestKey

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
