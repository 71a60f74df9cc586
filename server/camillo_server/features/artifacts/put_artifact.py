"""PutArtifact: store a stream of bytes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from functools import partial
from hashlib import sha256

from camillo_server.features.artifacts.artifact import (
    Artifact,
    ArtifactDraft,
    ArtifactReplay,
    ContentFacts,
    UploadId,
    new_artifact_id,
)
from camillo_server.features.artifacts.intake import CompletePart, ContentIntake, ResumedPrefix, store_blocks
from camillo_server.features.artifacts.repeating_artifacts import ForgottenContent
from camillo_server.features.artifacts.store.artifacts import ArtifactStore
from camillo_server.features.artifacts.store.contents import ContentStore
from camillo_server.features.artifacts.store.uploads import UploadStore
from camillo_server.features.artifacts.upload import (
    ContentPart,
    Upload,
    UploadBytes,
    UploadFinish,
    UploadHeader,
    UploadLimits,
    UploadStream,
    new_upload,
)
from camillo_server.kernel.background import Before
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
from camillo_server.lib.redaction.redaction import Redaction, Redactor, redacted_draft_off_loop
from camillo_server.lib.text.json_lines import texts_of
from camillo_server.settings.sections import ArtifactSettings
from camillo_server.storage.blocklist import with_request_id

DISCARD_SECONDS = 10.0
# Bytes that are not those announced, or that break a limit: sending them again would fail again.
FAILS_AGAIN = (
    InvalidField,
    ContentMismatch,
    QuotaExceeded,
    RequestIdReused,
    KeyMissing,
    ValueRejected,
)


class ArtifactStoring:
    """Begins and ends uploads."""

    def __init__(
        self,
        uploads: UploadStore,
        artifacts: ArtifactStore,
        forgotten: ForgottenContent,
        settings: ArtifactSettings,
        clock: Clock,
    ) -> None:
        self.uploads = uploads
        self.settings = settings
        self._artifacts = artifacts
        self._forgotten = forgotten
        self._clock = clock

    async def begin(self, upload: Upload) -> None:
        """Raises QuotaExceeded, AlreadyExists for the upload's id."""
        await self.uploads.begin(upload, quota_bytes=self.settings.quota_bytes, now=self._clock.now())

    async def begin_with(self, upload: Upload, part: ContentPart) -> None:
        """`begin` of an upload whose id is new, with its first part. Raises QuotaExceeded, KeyMissing."""
        await self.uploads.begin_with(upload, part, quota_bytes=self.settings.quota_bytes, now=self._clock.now())

    async def find(self, scope: Scope, upload_id: UploadId) -> Upload:
        """Raises NotFound, StorageUnavailable."""
        return await self.uploads.find(scope, upload_id, now=self._clock.now())

    async def finish(
        self,
        upload: Upload,
        draft: ArtifactDraft,
        facts: ContentFacts,
        request: RequestKey | None,
    ) -> Artifact:
        """Makes it visible; a repeated request returns the first artifact. Raises ValueRejected where it contains a
        value that was forgotten before."""
        now = self._clock.now()
        if await self._forgotten.exists(upload.scope) and not await self._artifacts.first_answer(
            upload.scope, request, ArtifactReplay, now=now
        ):
            await self._forgotten.refuse(upload, with_request_id(texts_of(draft), request), facts)
        artifact = Artifact(
            artifact_id=new_artifact_id(draft),
            agent_id=AgentId("") if draft.is_shared else upload.scope.agent_id,
            created_by=upload.scope.agent_id,
            content_id=upload.content.content_id,
            draft=draft,
            content=facts,
            created_at=now,
            updated_at=now,
        )
        written = await self.uploads.finish(upload, artifact, request, quota_bytes=self.settings.quota_bytes, now=now)
        if written.record.artifact_id == artifact.artifact_id:
            return artifact
        first, _ = await self._artifacts.find(
            upload.scope, written.record.artifact_id, frozenset(Sensitivity), now=self._clock.now()
        )
        return first

    async def discard(self, upload: Upload) -> None:
        """Deletes what is left of a failed upload, also where the call was cancelled; what cannot be reached now is
        collected within a day."""
        await asyncio.shield(asyncio.create_task(self._discard(upload)))

    async def _discard(self, upload: Upload) -> None:
        # The call's own deadline may be what ended it.
        set_deadline(DISCARD_SECONDS)
        # The caller is answered with the error of the upload, not with one of its removal.
        with suppress(DomainError):
            await self.uploads.discard(upload)


class PutArtifact:
    """Stores bytes as they come. Bytes of a broken call are kept for the next only if it named an upload id."""

    def __init__(self, storing: ArtifactStoring, contents: ContentStore, redactor: Redactor) -> None:
        self._storing = storing
        self._uploads = storing.uploads
        self._contents = contents
        self._redactor = redactor

    async def __call__(
        self, header: UploadHeader, messages: AsyncIterator[UploadBytes | UploadFinish]
    ) -> tuple[Artifact, Sequence[Redaction]]:
        """The artifact, and the secrets removed from its fields beside the bytes. Raises InvalidField,
        UploadOffsetMismatch, ContentMismatch, ValueRejected, QuotaExceeded, RequestIdReused, KeyMissing, NotFound for
        an upload to resume, StorageFull, StorageUnavailable, BytesUnavailable."""
        draft, field_redactions = await redacted_draft_off_loop(header.draft, self._redactor)
        limits = UploadLimits(header.offset, header.size, self._storing.settings.max_bytes)
        if header.size is not None and header.size > limits.max_size:
            raise invalid_field("header.size_bytes", f"must be at most {limits.max_size}")
        stream = UploadStream(messages, limits)
        upload = await self._open(header, draft)

        async def store(part: CompletePart, before: Before) -> None:
            await self._uploads.add_part(upload, part.part, part.progress, after=before)

        async with self._discarded_on_failure(upload, stream, is_resumable=bool(header.upload_id)):
            intake = await self._intake(upload)
            await store_blocks(stream.blocks(), intake, store)
            stream.check(intake.sha256_of_call)
            facts = await off_loop(UNBOUNDED, lambda: intake.facts(draft))
            request = _request(header, intake.sha256)
            artifact = await self._storing.finish(upload, draft, facts, request)
        return artifact, field_redactions

    async def find_upload(self, scope: Scope, upload_id: UploadId) -> Upload:
        """Raises NotFound, StorageUnavailable."""
        return await self._storing.find(scope, upload_id)

    async def _open(self, header: UploadHeader, draft: ArtifactDraft) -> Upload:
        """A new upload, which replaces an unfinished one of the same id, or the one to resume."""
        upload = new_upload(header.scope, draft, header.header_digest, header.upload_id)
        if header.offset == 0:
            try:
                await self._storing.begin(upload)
            except AlreadyExists:
                await self._uploads.discard(await self._unfinished(header))
                await self._storing.begin(upload)
            return upload
        begun = await self._unfinished(header)
        progress = begun.progress
        if progress.size != header.offset:
            raise UploadOffsetMismatch(progress.size, header.offset)
        if progress.sha256 != header.prefix_sha256:
            raise ContentMismatch("prefix_sha256", progress.sha256.hex(), header.prefix_sha256.hex())
        return await self._uploads.resume(begun)

    async def _unfinished(self, header: UploadHeader) -> Upload:
        if header.upload_id is None:
            raise invalid_field("header.upload_id", "is missing: there is nothing to go on with")
        upload = await self._storing.find(header.scope, header.upload_id)
        if upload.artifact_id is not None:
            raise AlreadyExists("upload", header.upload_id)
        if upload.header_digest != header.header_digest:
            raise invalid_field("header.artifact", "is not what the upload began with")
        return upload

    async def _intake(self, upload: Upload) -> ContentIntake:
        """Reads the stored bytes again where the upload is resumed."""
        stored = upload.progress.size
        if stored == 0:
            return ContentIntake()
        prefix = ResumedPrefix(upload.progress)
        async with aclosing(self._contents.blocks(upload.content, 0, stored)) as blocks:
            async for block in blocks:
                await off_loop(UNBOUNDED, partial(prefix.feed, block.data))
        return ContentIntake(prefix)

    @asynccontextmanager
    async def _discarded_on_failure(
        self, upload: Upload, stream: UploadStream, *, is_resumable: bool
    ) -> AsyncIterator[None]:
        """Deletes what a failed call stored, unless it can be resumed; then it is collected a day after it began."""
        try:
            yield
        except BaseException as error:
            fails_again = isinstance(error, FAILS_AGAIN) and not stream.is_cut_off
            if fails_again or not is_resumable:
                await self._storing.discard(upload)
            raise


def _request(header: UploadHeader, kept_sha256: bytes) -> RequestKey | None:
    if not header.request_id:
        return None
    digest = sha256(header.header_digest + kept_sha256).digest()
    return RequestKey(header.request_id, digest)
