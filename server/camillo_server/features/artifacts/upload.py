"""Uploads: bytes on their way in, and the stream that brings them."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import uuid4

from camillo_server.features.artifacts.artifact import (
    PART_BYTES,
    ArtifactDraft,
    ArtifactId,
    Content,
    ContentId,
    UploadId,
)
from camillo_server.kernel.errors import ContentMismatch, UploadOffsetMismatch, invalid_field
from camillo_server.kernel.scope import Scope
from camillo_server.lib.redaction.redaction import FoundSecret


@dataclass(frozen=True, slots=True)
class ContentPart:
    """One part: the bytes from `number` x PART_BYTES. `first_line` is the number, from 1, of the line that its first
    byte belongs to; lines end with the byte \\n."""

    number: int
    first_line: int
    data: bytes


@dataclass(frozen=True, slots=True)
class UploadProgress:
    """How many bytes of an upload are stored in whole parts, the SHA-256 of what the caller sent for them, and the
    secrets found in them (the first 1,000; `counts` has all of them by kind)."""

    size: int
    sha256: bytes
    found: Sequence[FoundSecret]
    counts: Mapping[str, int]


NO_PROGRESS = UploadProgress(0, sha256().digest(), (), {})


@dataclass(frozen=True, slots=True)
class Upload:
    """An upload under way, or finished once it has an artifact id.

    `header_digest` is of the header that began it: only the same header may resume it. `generation` counts the calls
    that resumed it; what an earlier call still sends is refused.
    """

    scope: Scope
    upload_id: UploadId
    content: Content
    header_digest: bytes
    progress: UploadProgress
    artifact_id: ArtifactId | None = None
    generation: int = 0


def new_upload(scope: Scope, draft: ArtifactDraft, header_digest: bytes, upload_id: UploadId | None = None) -> Upload:
    """An upload of which nothing is stored yet."""
    content = Content(scope.tenant_id, ContentId(uuid4()), 0, draft.is_encrypted)
    return Upload(scope, upload_id or UploadId(uuid4()), content, header_digest, NO_PROGRESS)


@dataclass(frozen=True, slots=True)
class UploadHeader:
    """The announcement of an upload. The digest is of the artifact's fields; an offset above 0 resumes the upload."""

    scope: Scope
    draft: ArtifactDraft
    request_id: str
    header_digest: bytes
    upload_id: UploadId | None
    size: int | None
    offset: int = 0
    prefix_sha256: bytes = b""


@dataclass(frozen=True, slots=True)
class UploadBytes:
    """Bytes, and the offset where they belong."""

    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class UploadFinish:
    """The end of the stream: the SHA-256 of the bytes of this call."""

    sha256: bytes


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """Where a stream begins, the size announced for the upload (None: none was), and its largest size."""

    start: int
    size: int | None
    max_size: int


class UploadStream:
    """Checks the messages of an upload and joins them to blocks of about a part."""

    def __init__(self, messages: AsyncIterator[UploadBytes | UploadFinish], limits: UploadLimits) -> None:
        self._messages = messages
        self._limits = limits
        self._offset = limits.start
        self._finish: UploadFinish | None = None
        self.is_cut_off = False
        """Whether it ended before its finish, as it does where the connection broke."""

    async def blocks(self) -> AsyncIterator[bytes]:
        """Raises UploadOffsetMismatch, ContentMismatch for another size than was announced, InvalidField."""
        pending: list[bytes] = []
        start = self._offset
        async for message in self._messages:
            if isinstance(message, UploadFinish):
                self._end(message)
                break
            self._accept(message)
            pending.append(message.data)
            if self._offset - start >= PART_BYTES:
                yield b"".join(pending)
                pending, start = [], self._offset
        else:
            self.is_cut_off = True
            raise invalid_field("finish", "is missing: the stream ended before it")
        async for _ in self._messages:
            raise invalid_field("part", "comes after the finish")
        if pending:
            yield b"".join(pending)

    def check(self, sha256: bytes) -> None:
        """Raises ContentMismatch where the caller sent another checksum."""
        if self._finish is not None and self._finish.sha256 != sha256:
            raise ContentMismatch("sha256", self._finish.sha256.hex(), sha256.hex())

    def _accept(self, message: UploadBytes) -> None:
        if message.offset != self._offset:
            raise UploadOffsetMismatch(self._offset, message.offset)
        if not message.data:
            raise invalid_field("bytes.data", "must have at least 1 byte")
        self._offset += len(message.data)
        if self._offset > self._limits.max_size:
            raise invalid_field("bytes", f"must be at most {self._limits.max_size} bytes in all")
        if self._limits.size is not None and self._offset > self._limits.size:
            raise ContentMismatch("size", self._limits.size, self._offset)

    def _end(self, finish: UploadFinish) -> None:
        self._finish = finish
        if self._offset == 0:
            raise invalid_field("bytes", "must be at least 1 byte in all")
        if self._limits.size is not None and self._offset != self._limits.size:
            raise ContentMismatch("size", self._limits.size, self._offset)
