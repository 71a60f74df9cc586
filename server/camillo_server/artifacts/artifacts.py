"""GetArtifact: what is known of one artifact."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from camillo_server.artifacts.artifact import Artifact, ArtifactFilter, ArtifactId
from camillo_server.artifacts.ports import (
    ArtifactCursor,
    ArtifactReader,
    ArtifactReplay,
    ArtifactWriter,
    Citing,
    Collected,
    Collector,
    Content,
    DeletionReplay,
)
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound, ScopeForbidden, VersionConflict
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redaction import Redaction, Redactor, redacted_values
from camillo_server.text.value_fingerprints import OF_ARTIFACTS, stated_in


@dataclass(frozen=True, slots=True)
class ArtifactAsked:
    """Which artifact is asked for, by whom, and where it will be shown."""

    scope: Scope
    artifact_id: ArtifactId
    channel: Channel = Channel.PRIVATE


class GetArtifact:
    """Finds an artifact of the scope, or of the tenant's shared scope, that the channel may load."""

    def __init__(self, reader: ArtifactReader, policy: ChannelPolicy, clock: Clock) -> None:
        self._reader = reader
        self._policy = policy
        self._clock = clock

    async def __call__(self, asked: ArtifactAsked) -> Artifact:
        """Raises NotFound, KeyMissing, StorageUnavailable."""
        artifact, _ = await self.found(asked)
        return artifact

    async def to_change(
        self, scope: Scope, artifact_id: ArtifactId, *, is_operator: bool
    ) -> Artifact:
        """One that the caller may change or delete: any of its own scope, of the shared scope what it put there.
        Raises ScopeForbidden too."""
        artifact = await self(ArtifactAsked(scope, artifact_id))
        if not (is_operator or artifact.created_by == scope.agent_id):
            raise ScopeForbidden("the artifact was put there by another agent")
        return artifact

    async def found(self, asked: ArtifactAsked) -> tuple[Artifact, Content]:
        """The same, and where its bytes are."""
        return await self._reader.find(
            asked.scope,
            asked.artifact_id,
            self._policy.allowed(asked.channel),
            now=self._clock.now(),
        )


@dataclass(frozen=True, slots=True)
class ArtifactsAsked:
    """Which artifacts are asked for, by whom, and where they will be shown."""

    scope: Scope
    filter: ArtifactFilter
    channel: Channel
    include_shared: bool


@dataclass(frozen=True, slots=True)
class ArtifactPage:
    """A page, and where the next one begins (None after the last)."""

    artifacts: Sequence[Artifact]
    next_cursor: ArtifactCursor | None


class ListArtifacts:
    """Reads one page."""

    def __init__(self, reader: ArtifactReader, policy: ChannelPolicy, clock: Clock) -> None:
        self._reader = reader
        self._policy = policy
        self._clock = clock

    async def __call__(
        self, asked: ArtifactsAsked, after: ArtifactCursor | None, size: int
    ) -> ArtifactPage:
        """Raises KeyMissing, StorageUnavailable."""
        # One more than asked for tells whether there is a next page.
        found = await self._reader.page(
            asked.scope,
            asked.filter,
            self._policy.allowed(asked.channel, asked.filter.max_sensitivity),
            after,
            size + 1,
            include_shared=asked.include_shared,
            now=self._clock.now(),
        )
        page = found[:size]
        if len(found) <= size:
            return ArtifactPage(page, None)
        return ArtifactPage(page, ArtifactCursor(page[-1].created_at, page[-1].artifact_id))


@dataclass(frozen=True, slots=True)
class CitationPage:
    """A page in the order of the ids, and behind which the next one begins (None after the last)."""

    citations: Sequence[Citing]
    next_after: MemoryId | None


class ListCitations:
    """Reads one page."""

    def __init__(self, get: GetArtifact, reader: ArtifactReader) -> None:
        self._get = get
        self._reader = reader

    async def __call__(
        self, scope: Scope, artifact_id: ArtifactId, after: MemoryId | None, size: int
    ) -> CitationPage:
        """Raises NotFound, KeyMissing, StorageUnavailable."""
        await self._get(ArtifactAsked(scope, artifact_id, Channel.PRIVATE))
        found = await self._reader.citing(scope, artifact_id, after, size + 1)
        page = found[:size]
        return CitationPage(page, page[-1].memory_id if len(found) > size else None)


@dataclass(frozen=True, slots=True)
class ArtifactChange:
    """New values by the names of fields of ArtifactDraft, for an artifact of this version."""

    scope: Scope
    artifact_id: ArtifactId
    expected_version: int
    values: Mapping[str, Any]


class UpdateArtifact:
    """Puts new values in the place of fields, their secrets taken out."""

    def __init__(
        self, get: GetArtifact, writer: ArtifactWriter, redactor: Redactor, clock: Clock
    ) -> None:
        self._get = get
        self._writer = writer
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self, wanted: ArtifactChange, request: RequestKey | None, *, is_operator: bool
    ) -> tuple[Artifact, Sequence[Redaction]]:
        """Of a repeated request, the artifact as it is by now. Raises NotFound, ScopeForbidden, VersionConflict,
        ValueRejected, RequestIdReused, KeyMissing, StorageUnavailable."""
        now = self._clock.now()
        scope, expected_version = wanted.scope, wanted.expected_version
        cleaned, redactions = redacted_values(wanted.values, self._redactor)
        artifact = await self._current(wanted, is_operator=is_operator)
        if await self._writer.first_answer(scope, request, ArtifactReplay, now=now) is not None:
            # Read anew: the first may have ended since.
            return await self._current(wanted, is_operator=is_operator), redactions
        if artifact.version != expected_version:
            raise VersionConflict("artifact", expected_version, artifact.version)
        changed = replace(
            artifact,
            stated=replace(artifact.stated, **cleaned),
            updated_at=now,
            version=expected_version + 1,
        )
        replay = ArtifactReplay(wanted.artifact_id)
        stated = stated_in({name: cleaned[name] for name in OF_ARTIFACTS if name in cleaned})
        written = await self._writer.update(
            scope, changed, expected_version, replay, request, stated=stated, now=now
        )
        if written.is_repeat:
            changed = await self._current(wanted, is_operator=is_operator)
        return changed, redactions

    async def _current(self, wanted: ArtifactChange, *, is_operator: bool) -> Artifact:
        return await self._get.to_change(wanted.scope, wanted.artifact_id, is_operator=is_operator)


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


class CollectArtifacts:
    """Goes through every tenant. Harmless to run twice, or in several processes at once."""

    def __init__(
        self, collector: Collector, clock: Clock, retention: timedelta | None = None
    ) -> None:
        """With `retention`, artifacts that are older and not pinned have expired."""
        self._collector = collector
        self._clock = clock
        self._retention = retention

    async def __call__(self) -> Collected:
        """What it came to in all tenants. Raises StorageUnavailable, BytesUnavailable."""
        total = Collected()
        now = self._clock.now()
        for tenant_id in await self._collector.tenants():
            retention_from = None if self._retention is None else now - self._retention
            collected = await self._collector.collect(
                tenant_id, retention_from=retention_from, now=now
            )
            total = _sum(total, collected)
        return total


def _sum(one: Collected, other: Collected) -> Collected:
    names = [field.name for field in fields(Collected)]
    return Collected(**{name: getattr(one, name) + getattr(other, name) for name in names})
