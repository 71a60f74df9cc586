"""From what callers state to the memories that are stored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from camillo_server.domain.clock import Clock
from camillo_server.domain.draft_redaction import redacted_drafts
from camillo_server.domain.ids import MemoryId, TenantId, time_ordered_uuid
from camillo_server.domain.memory import Memory, MemoryDraft, MemoryKind
from camillo_server.domain.ports import MemoriesReplay, NewRow
from camillo_server.domain.redaction import Redaction, Redactor
from camillo_server.domain.scope import Scope
from camillo_server.domain.text_embedding import TextEmbedding

# When a memory of a kind ends that is stored at a time without a word about it; None for never.
Lifetimes = Callable[[MemoryKind, datetime], datetime | None]


@dataclass(frozen=True, slots=True)
class MadeRows:
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


class MemoryMaking:
    """Takes secrets out, sets an end where the kind has one, and makes vectors if the provider can; in this order."""

    def __init__(
        self, embedding: TextEmbedding, redactor: Redactor, lifetimes: Lifetimes, clock: Clock
    ) -> None:
        self._embedding = embedding
        self._redactor = redactor
        self._lifetimes = lifetimes
        self._clock = clock

    async def made(self, scope: Scope, drafts: Sequence[MemoryDraft]) -> MadeRows:
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
        return MadeRows(complete, [taken for _, taken in redacted], rows, now)

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
