"""From what callers state to the memories that are stored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import AlreadyExists, DomainError, NotFound, ValueRejected
from camillo_server.kernel.ids import MemoryId, TenantId, time_ordered_uuid
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.memories.memory import Memory, MemoryDraft, NewRow
from camillo_server.memories.store.writer import MemoryWriter
from camillo_server.memories.write_records import MemoriesReplay, Stored
from camillo_server.redaction.redaction import Redaction, Redactor, redacted_drafts

# When a memory of a kind ends that is stored at a time without a word about it; None for never.
Lifetimes = Callable[[MemoryKind, datetime], datetime | None]


@dataclass(frozen=True, slots=True)
class BuiltRows:
    """Drafts as they are stored, in their order: what was taken out of each, its row, and the moment of all."""

    drafts: Sequence[MemoryDraft]
    redactions: Sequence[Sequence[Redaction]]
    rows: Sequence[NewRow]
    now: datetime

    @property
    def replay(self) -> MemoriesReplay:
        """The record from which, with the request in hand, a repeat is answered."""
        memories = [row.memory for row in self.rows]
        return MemoriesReplay(
            at=self.now,
            memory_ids=tuple([memory.memory_id for memory in memories]),
            models=tuple([memory.vector_model_id for memory in memories]),
            ends=tuple([memory.expires_at for memory in memories]),
        )


class MemoryBuilder:
    """Takes secrets out, sets an end where the kind has one, and makes vectors if the provider can; in this order."""

    def __init__(
        self, embedding: TextEmbedding, redactor: Redactor, lifetimes: Lifetimes, clock: Clock
    ) -> None:
        self._embedding = embedding
        self._redactor = redactor
        self._lifetimes = lifetimes
        self._clock = clock

    async def build(self, scope: Scope, drafts: Sequence[MemoryDraft]) -> BuiltRows:
        """A row for each draft, with the caller's vector or one made here."""
        now = self._clock.now()
        redacted = await redacted_drafts(drafts, self._redactor)
        ended = [self._with_end(draft, now) for draft, _ in redacted]
        complete = await self._with_vectors(ended, scope.tenant_id)
        rows = [
            NewRow(
                draft.memory(scope.agent_id, MemoryId(time_ordered_uuid(now)), now), draft.vector
            )
            for draft in complete
        ]
        return BuiltRows(complete, [taken for _, taken in redacted], rows, now)

    def _with_end(self, draft: MemoryDraft, now: datetime) -> MemoryDraft:
        if draft.expires_at is not None or draft.is_pinned or draft.never_expires:
            return draft
        return replace(draft, expires_at=self._lifetimes(draft.kind, now))

    async def _with_vectors(
        self, drafts: Sequence[MemoryDraft], tenant_id: TenantId
    ) -> list[MemoryDraft]:
        """A vector that names no model is taken to be of the server's own."""
        contents = [draft.content for draft in drafts if draft.vector is None]
        made = await self._embedding.vectors(contents, tenant_id) if contents else []
        vectors = iter(made if made is not None else [None] * len(contents))
        return [
            replace(
                draft,
                vector=next(vectors)
                if draft.vector is None
                else self._embedding.named(draft.vector),
            )
            for draft in drafts
        ]


def as_answered(draft: MemoryDraft, scope: Scope, place: int, record: MemoriesReplay) -> Memory:
    """The memory as the first answer had it: the same request, the id, the time and the end of then."""
    memory = draft.memory(scope.agent_id, record.memory_ids[place], record.at)
    # Requests from before there were lifetimes tell of no end.
    end = draft.expires_at if record.ends is None else record.ends[place]
    return memory._replace(vector_model_id=record.models[place], expires_at=end)


@dataclass(frozen=True, slots=True)
class Remembered:
    """The memory, the revision that holds it, and the secrets that were taken out of what was stated."""

    memory: Memory
    revision: int
    redactions: Sequence[Redaction]


class Remember:
    """Stores a draft without its secrets, with a vector: the caller's, or one made here if the provider can."""

    def __init__(self, writer: MemoryWriter, making: MemoryBuilder) -> None:
        self._writer = writer
        self._making = making

    async def __call__(
        self, scope: Scope, draft: MemoryDraft, request: RequestKey | None
    ) -> Remembered:
        """Raises AlreadyExists, ValueRejected, RequestIdReused, StorageUnavailable; NotFound where a repeated request was
        added to a memory that is gone."""
        made = await self._making.build(scope, [draft])
        stored = await self._writer.remember(
            scope, made.rows[0], made.replay, request, now=made.now
        )
        (outcome,) = outcomes(made, scope, stored)
        if isinstance(outcome, DomainError):
            raise outcome
        return outcome


def outcomes(made: BuiltRows, scope: Scope, stored: Stored) -> list[Remembered | DomainError]:
    """What each draft is answered, in their order: the same for a repeated request."""
    record = stored.record
    failed: dict[int, DomainError] = {
        place: AlreadyExists("memory", record.memory_ids[place]) for place in record.taken
    }
    for place, number in record.refused:
        failed[place] = ValueRejected(list(made.rows[place].memory.texts)[number])
    for row in record.merged:
        if row.place not in stored.merged:
            failed[row.place] = NotFound("memory", row.memory_id)
    return [
        failed.get(place)
        or Remembered(
            stored.merged.get(place) or as_answered(draft, scope, place, record),
            stored.revision,
            made.redactions[place],
        )
        for place, draft in enumerate(made.drafts)
    ]


@dataclass(frozen=True, slots=True)
class BatchRemembered:
    """What became of each draft, in order, and the revision that holds those that were stored."""

    results: Sequence[Remembered | DomainError]
    revision: int


class BatchRemember:
    """Stores the drafts whose ids are free, or adds them to what says the same; the others fail alone."""

    def __init__(self, writer: MemoryWriter, making: MemoryBuilder) -> None:
        self._writer = writer
        self._making = making

    async def __call__(
        self, scope: Scope, drafts: Sequence[MemoryDraft], request: RequestKey | None
    ) -> BatchRemembered:
        """Of two drafts with one id the first is stored. Results are as Remember raises them. Raises RequestIdReused,
        StorageUnavailable."""
        made = await self._making.build(scope, drafts)
        stored = await self._writer.remember_many(
            scope, made.rows, made.replay, request, now=made.now
        )
        return BatchRemembered(outcomes(made, scope, stored), stored.revision)
