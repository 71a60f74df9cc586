"""What the use cases of artifacts need of the outside."""

from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar
from uuid import UUID

from camillo_server.artifacts.artifact import (
    Artifact,
    ArtifactFilter,
    ArtifactId,
    ContentId,
    UploadId,
)
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.replay import replay_record
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.outputs.json_parts.pointer import JsonPart
from camillo_server.outputs.line_search.query import (
    Block,
    Found,
    RankedProgress,
    RankedWanted,
    Wanted,
)
from camillo_server.redaction.redaction import FoundSecret

R = TypeVar("R")

PART_BYTES = 1024 * 1024
"""Every part of a content has so many bytes, but the last, which may have fewer."""


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes as they are kept: in parts, perhaps shared by several artifacts of the tenant."""

    tenant_id: TenantId
    content_id: ContentId
    size: int
    is_sealed: bool


@dataclass(frozen=True, slots=True)
class ContentPart:
    """One part: bytes `number` x PART_BYTES and on. `first_line` is the number, from 1, of the line that its first
    byte belongs to; lines end with the byte \\n."""

    number: int
    first_line: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Held:
    """How far an upload has come: so many bytes in whole parts, the SHA-256 of what the caller sent for them, and the
    secrets found in them (the first 1,000; all of them counted by kind)."""

    size: int
    sha256: bytes
    found: Sequence[FoundSecret]
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Upload:
    """An upload under way. `header_digest` is of what its header said: going on with it needs the same. `generation`: how
    often it was gone on with; what an earlier call still sends is refused."""

    scope: Scope
    upload_id: UploadId
    content: Content
    header_digest: bytes
    held: Held
    artifact_id: ArtifactId | None = None
    generation: int = 0


@dataclass(frozen=True, slots=True)
class ArtifactCursor:
    """The last row of a page: lists go on behind it."""

    at: datetime
    artifact_id: ArtifactId


@dataclass(frozen=True, slots=True)
class Citing:
    """A memory that cites an artifact."""

    memory_id: MemoryId
    agent_id: AgentId


@dataclass(frozen=True, slots=True)
class Collected:
    """What a collection removed, or found wrong: counts. `lost` are contents that miss bytes in their store."""

    expired_artifacts: int = 0
    abandoned_uploads: int = 0
    contents: int = 0
    stray_contents: int = 0
    lost: int = 0


class ArtifactReader(Protocol):
    """Reads what is said about artifacts, of one scope and, beside it, of the tenant's shared scope. Every method
    raises StorageUnavailable, and KeyMissing where a sealed artifact's key is not there."""

    async def find(
        self,
        scope: Scope,
        artifact_id: ArtifactId,
        allowed: Collection[Sensitivity],
        *,
        now: datetime,
    ) -> tuple[Artifact, Content]:
        """Raises NotFound("artifact", id): not there, expired by `now`, another agent's, or not of an allowed level."""
        ...

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
        """Newest first (created_at, then artifact id, both descending), at most `size`, behind `after`."""
        ...

    async def citing(
        self, scope: Scope, artifact_id: ArtifactId, after: MemoryId | None, size: int
    ) -> Sequence[Citing]:
        """The scope's memories that cite it, in the order of their ids, at most `size`, behind `after`."""
        ...


@replay_record
@dataclass(frozen=True, slots=True)
class ArtifactReplay:
    """Which artifact was stored or changed."""

    artifact_id: ArtifactId


@replay_record
@dataclass(frozen=True, slots=True)
class DeletionReplay:
    """The receipt of a deleted artifact: its bytes, and the rows that went by store (`artifacts`, `content_parts`,
    `contents`)."""

    receipt_id: UUID
    size: int
    at: datetime
    stores: Mapping[str, int]
    bytes_deleted: bool


class ArtifactWriter(Protocol):
    """Writes what is said about artifacts. Every write is one transaction; a repeated request writes nothing and
    gives the first record. Every method raises StorageUnavailable and RequestIdReused."""

    async def update(
        self,
        scope: Scope,
        artifact: Artifact,
        expected_version: int,
        replay: ArtifactReplay,
        request: RequestKey | None,
        *,
        stated: Mapping[str, str],
        now: datetime,
    ) -> Written[ArtifactReplay]:
        """Puts the artifact in the place of the expected version; `stated` are the texts that are new in it, by field.
        Raises NotFound, VersionConflict, ValueRejected."""
        ...

    async def delete(
        self,
        scope: Scope,
        artifact: Artifact,
        replay: DeletionReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[DeletionReplay]:
        """Removes it, and its content if that was the last artifact of it. What the record tells of stores and bytes is
        found out here. Raises NotFound."""
        ...

    async def first_answer(
        self,
        scope: Scope,
        request: RequestKey | None,
        record_type: type[R],
        *,
        now: datetime,
    ) -> Written[R] | None:
        """The answer to the same request, if it came before. Raises RequestIdReused."""
        ...


class Uploads(Protocol):
    """Takes in bytes: each part is durable when `add_part` returns, and nothing of it is to be seen before `finish`.
    Every method raises StorageUnavailable, BytesUnavailable, StorageFull."""

    async def begin(self, upload: Upload, *, quota_bytes: int | None, now: datetime) -> None:
        """Raises QuotaExceeded where the tenant's contents have that many bytes already, AlreadyExists for the id."""
        ...

    async def find(self, scope: Scope, upload_id: UploadId, *, now: datetime) -> Upload:
        """Raises NotFound("upload", id) where there is none, or it began 24 hours ago."""
        ...

    async def go_on(self, upload: Upload) -> Upload:
        """Removes the parts behind `upload.held.size`, and gives the upload of the next generation: from here on only the
        call that holds that one stores parts and finishes. Raises NotFound, UploadOffsetMismatch."""
        ...

    async def add_part(
        self,
        upload: Upload,
        part: ContentPart,
        held: Held | None,
        *,
        after: Awaitable[object] | None = None,
    ) -> None:
        """Stores a part, and with it how far the upload has come; None leaves that as it was. In one transaction, which
        begins after `after`, the part before it, whose failure is then its own.
        Raises KeyMissing where the content is to be sealed and there is no key."""
        ...

    async def finish(
        self,
        upload: Upload,
        artifact: Artifact,
        request: RequestKey | None,
        *,
        quota_bytes: int | None,
        now: datetime,
    ) -> Written[ArtifactReplay]:
        """Makes the artifact visible, in one transaction; content that the tenant has already (by SHA-256, of the
        same sealing and, if RESTRICTED, the same agent) is not kept twice. A repeated
        request gives the first record and discards this content. Raises QuotaExceeded, RequestIdReused, NotFound
        where the upload is gone."""
        ...

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[ArtifactReplay] | None:
        """The answer to the same request, if it came before. Raises RequestIdReused."""
        ...

    async def discard(self, upload: Upload) -> None:
        """Removes an upload and its parts. Harmless where it is gone or finished."""
        ...


class ContentReader(Protocol):
    """Reads bytes. Raises StorageUnavailable, BytesUnavailable, BytesLost, KeyMissing."""

    def blocks(self, content: Content, start: int, end: int) -> AsyncGenerator[Block]:
        """Bytes `start` to `end`, in their order, in blocks of at most PART_BYTES; reads one part ahead at most."""
        ...

    async def block_of_line(self, content: Content, line: int) -> Block:
        """The last part that begins in this line or before it."""
        ...

    async def read(self, content: Content, start: int, size: int) -> bytes:
        """Some bytes; fewer at the end of the content."""
        ...


class LineSearch(Protocol):
    """Searches in the lines of a content. Blocks come in their order, the first from the beginning of a line."""

    def lines(self, blocks: AsyncIterator[Block], wanted: Wanted) -> AsyncGenerator[Found]:
        """Raises InvalidField for a pattern that is none. Reads no further than it has to."""
        ...

    def passages(
        self,
        blocks: AsyncIterator[Block],
        wanted: RankedWanted,
        read: Callable[[int, int], Awaitable[bytes]],
    ) -> AsyncGenerator[RankedProgress]:
        """`read` gives bytes again: from an offset, so many."""
        ...


class JsonValues(Protocol):
    """Finds values in JSON documents."""

    def value(self, blocks: AsyncIterator[bytes], wanted: JsonPart) -> AsyncGenerator[bytes]:
        """The value as JSON text in UTF-8. Raises NotJson, JsonValueNotFound."""
        ...


class Collector(Protocol):
    """Removes what nobody will ask for again: see `collect_artifacts`. Every method raises StorageUnavailable, BytesUnavailable."""

    async def tenants(self) -> Sequence[TenantId]: ...

    async def collect(
        self, tenant_id: TenantId, *, retention_from: datetime | None, now: datetime
    ) -> Collected:
        """Artifacts that have expired or (unpinned) were made before `retention_from`; uploads begun 24 hours ago;
        contents without an artifact; bytes outside of Postgres, a day old, that no content has; and counts ready
        contents whose bytes outside of Postgres are missing."""
        ...
