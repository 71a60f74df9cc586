"""Remember: store what an agent has distilled."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from camillo_server.domain.clock import Clock
from camillo_server.domain.ids import MemoryId, TenantId, time_ordered_uuid
from camillo_server.domain.memory import Memory, MemoryDraft
from camillo_server.domain.ports import MemoryWriter, NewRow
from camillo_server.domain.redaction import Redaction, Redactor, redacted_draft
from camillo_server.domain.scope import Scope
from camillo_server.domain.text_embedding import TextEmbedding
from camillo_server.domain.writes import Facts, RequestKey


@dataclass(frozen=True, slots=True)
class Remembered:
    """The memory, the revision that holds it, and the secrets that were taken out of it."""

    memory: Memory
    revision: int
    redactions: Sequence[Redaction]


class Remember:
    """Stores a draft without its secrets, with a vector: the caller's, or one made here if the provider can."""

    def __init__(
        self, writer: MemoryWriter, embedding: TextEmbedding, redactor: Redactor, clock: Clock
    ) -> None:
        self._writer = writer
        self._embedding = embedding
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self, scope: Scope, draft: MemoryDraft, request: RequestKey | None
    ) -> Remembered:
        """Raises AlreadyExists, RequestIdReused, StorageUnavailable."""
        now = self._clock.now()
        draft, redactions = redacted_draft(draft, self._redactor)
        (draft,) = await with_vectors([draft], self._embedding, scope.tenant_id)
        row = NewRow(
            draft.memory(scope.agent_id, MemoryId(time_ordered_uuid(now)), now), draft.vector
        )
        facts = first_facts([row], now)
        written = await self._writer.remember(scope, row, facts, request, now=now)
        if written.facts is facts:
            return Remembered(row.memory, written.revision, redactions)
        answered = as_answered(draft, scope, 0, written.facts)
        return Remembered(answered, written.revision, redactions)


async def with_vectors(
    drafts: Sequence[MemoryDraft], embedding: TextEmbedding, tenant_id: TenantId
) -> list[MemoryDraft]:
    """The drafts, those without a vector given one where the provider can; a vector that names no model is taken
    to be of the server's own."""
    wanting = [draft for draft in drafts if draft.vector is None]
    contents = [draft.content for draft in wanting]
    made = await embedding.vectors(contents, tenant_id) if wanting else []
    vectors = iter(made if made is not None else [None] * len(wanting))
    return [
        replace(
            draft, vector=next(vectors) if draft.vector is None else embedding.named(draft.vector)
        )
        for draft in drafts
    ]


def first_facts(rows: Sequence[NewRow], now: datetime) -> Facts:
    """What the answer to a repeated request is made from, beside the request itself."""
    return {
        "at": now.isoformat(),
        "memory_ids": [str(row.memory.memory_id) for row in rows],
        "models": [row.memory.vector_model_id for row in rows],
    }


def as_answered(draft: MemoryDraft, scope: Scope, place: int, facts: Facts) -> Memory:
    """The memory as the first answer had it: the same request, the id and time of then."""
    memory_id = MemoryId(UUID(facts["memory_ids"][place]))
    memory = draft.memory(scope.agent_id, memory_id, datetime.fromisoformat(facts["at"]))
    return memory._replace(vector_model_id=facts["models"][place])
