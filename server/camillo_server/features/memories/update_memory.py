"""Changes of one memory: a new version instead of the one that its caller has read, or another memory that
supersedes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from camillo_server.features.memories.memories import Remembered
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope, TrustLevel
from camillo_server.kernel.writes import MINIMIZE_LATENCY, RequestKey
from camillo_server.lib.redaction.redaction import Redactor, redacted_values_off_loop
from camillo_server.models.embedding.embedder import Vector
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.builder import shortened_content
from camillo_server.rows.merging import MemorySupersession, check_end
from camillo_server.rows.occurrences import NO_OCCURRENCES
from camillo_server.rows.row import NewRow, Row, over
from camillo_server.rows.store.reader import MemoryReader
from camillo_server.rows.store.refs import Lineage
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.rows.write_records import UpdatedVersions, UpdateReplay
from camillo_server.storage.blocklist import OmittedText

_DISTINGUISHING = frozenset({"content", "session_id", "occurred_at", "metadata"})


@dataclass(frozen=True, slots=True)
class MemoryUpdate:
    """New values by the field names of Memory, validated, those of the caller's attribution among them; `vector` only
    where the caller sent one."""

    memory_id: MemoryId
    expected_version: int
    values: Mapping[str, Any]
    vector: Vector | None
    omit_forgotten: bool = False


class UpdateMemory:
    """Changes fields of one memory; what was replaced becomes history."""

    def __init__(
        self,
        reader: MemoryReader,
        writer: MemoryWriter,
        embedding: TextEmbedding,
        redactor: Redactor,
        lineage: Lineage,
        clock: Clock,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._embedding = embedding
        self._redactor = redactor
        self._lineage = lineage
        self._clock = clock

    async def __call__(self, scope: Scope, update: MemoryUpdate, request: RequestKey | None) -> Remembered:
        """The memory as it is now. Raises NotFound, VersionConflict, MemoryRepeated, ValueRejected, RequestIdReused,
        and InvalidField where it would end before it begins."""
        now = self._clock.now()
        end = update.values.get("expires_at")
        # A repeat is answered as the first request was.
        if end is not None and end < now and not await self._is_repeat(scope, request, now):
            raise over("memory.expires_at", end)
        # Expired or not: a new date brings it back.
        current, _ = await self._reader.get(scope, update.memory_id, MINIMIZE_LATENCY, now=None)
        if current is None:
            raise NotFound("memory", update.memory_id)
        values, redactions = await redacted_values_off_loop(update.values, self._redactor)
        omitted: Sequence[OmittedText] = ()
        if update.omit_forgotten and "content" in values:
            texts = {"content": values["content"]}
            if found := await self._writer.without_forgotten(scope, texts):
                content, redactions, omitted = shortened_content(redactions, found["content"])
                values = {**values, "content": content}
        if current.stale is not None and "content" in values:
            # It was archived for nothing but what it said.
            values = {"archived": False, **values}
        if not _DISTINGUISHING.isdisjoint(values):
            # Earlier statements do not hold for what is stated now.
            values = {**values, "occurrences": NO_OCCURRENCES}
        changed = current._replace(**values, version=update.expected_version + 1, updated_at=now, stale=None)
        if "valid_from" in values or "valid_until" in values:
            check_end(changed)
        changed = changed._replace(trust_level=await self._trust(scope, current, changed))
        row = await self._row(scope, current, changed, update.vector)
        written = await self._writer.update(
            scope,
            row,
            UpdatedVersions(update.expected_version, current.version, _new_texts(current, changed)),
            UpdateReplay(changed.version, changed.stated_count),
            request,
            now=now,
        )
        # An archived source of a merged memory may be in force again.
        if not written.is_repeat and not row.memory.archived:
            return Remembered(row.memory, written.revision, redactions, omitted)
        first = written.record
        answered = await _version(self._reader, scope, update.memory_id, first.version)
        return Remembered(answered._replace(stated_count=first.stated_count), written.revision, redactions, omitted)

    async def _is_repeat(self, scope: Scope, request: RequestKey | None, now: datetime) -> bool:
        first = await self._writer.first_answer(scope, request, UpdateReplay, now=now)
        return first is not None

    async def _row(self, scope: Scope, current: Row, changed: Row, vector: Vector | None) -> NewRow:
        """With the caller's vector, the one there is if the content stays, or a new one."""
        if vector is not None:
            vector = self._embedding.named(vector)
        elif changed.content != current.content:
            vector = await self._embedding.vector(changed.content, scope)
        elif current.vector_model_id:
            vector = (await self._reader.vectors(scope, [current.memory_id])).get(current.memory_id)
        return NewRow(changed.with_vector_of(vector), vector)

    async def _trust(self, scope: Scope, current: Row, changed: Row) -> TrustLevel:
        """The level of who changes it, lowered to that of what it was before, unless a person says it anew; and to
        those of its sources."""
        is_new = changed.content != current.content and changed.trust_level is TrustLevel.USER
        before = changed.trust_level if is_new else current.trust_level
        (sources,) = await self._lineage.least_trust(scope, [changed.source_refs])
        return min(changed.trust_level, before, sources)


def _new_texts(current: Row, changed: Row) -> dict[str, str]:
    """The texts that the update states: those that stay were checked when they were written."""
    before = set(current.texts.values())
    return {name: text for name, text in changed.texts.items() if text not in before}


@dataclass(frozen=True, slots=True)
class SupersededMemory:
    """The memory in force, the one that it supersedes, and the revision that holds both."""

    memory: Row
    superseded: Row
    revision: int


class SupersedeMemory:
    """Links two memories of a scope; neither text changes."""

    def __init__(self, reader: MemoryReader, writer: MemoryWriter, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._clock = clock

    async def __call__(self, scope: Scope, asked: MemorySupersession, request: RequestKey | None) -> SupersededMemory:
        """Both as they are now. Raises NotFound, VersionConflict, SupersessionCycle, MemoryRepeated, InvalidField,
        RequestIdReused."""
        now = self._clock.now()
        written = await self._writer.supersede(scope, asked, request, now=now)
        record = written.record
        return SupersededMemory(
            await _version(self._reader, scope, record.memory_id, record.version),
            await _version(self._reader, scope, record.superseded_id, record.superseded_version),
            written.revision,
        )


async def _version(reader: MemoryReader, scope: Scope, memory_id: MemoryId, version: int) -> Row:
    """The memory in this version, as the first answer had it. Raises NotFound."""
    for each in await reader.versions(scope, memory_id, version + 1, 1, now=None):
        if each.memory.version == version:
            return each.memory
    raise NotFound("memory", memory_id)
