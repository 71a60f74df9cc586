"""BatchRemember: store several drafts in one transaction, each with its own result."""

from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.domain.clock import Clock
from camillo_server.domain.errors import AlreadyExists
from camillo_server.domain.ids import MemoryId, time_ordered_uuid
from camillo_server.domain.memory import MemoryDraft
from camillo_server.domain.ports import MemoryWriter, NewRow
from camillo_server.domain.redaction import Redactor, redacted_drafts
from camillo_server.domain.remember import Remembered, as_answered, first_facts, with_vectors
from camillo_server.domain.scope import Scope
from camillo_server.domain.text_embedding import TextEmbedding
from camillo_server.domain.writes import RequestKey


@dataclass(frozen=True, slots=True)
class BatchRemembered:
    """What became of each draft, in order, and the revision that holds those that were stored."""

    results: Sequence[Remembered | AlreadyExists]
    revision: int


class BatchRemember:
    """Stores the drafts whose ids are free; the others fail alone."""

    def __init__(
        self, writer: MemoryWriter, embedding: TextEmbedding, redactor: Redactor, clock: Clock
    ) -> None:
        self._writer = writer
        self._embedding = embedding
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self, scope: Scope, drafts: Sequence[MemoryDraft], request: RequestKey | None
    ) -> BatchRemembered:
        """Of two drafts with one id the first is stored. Raises RequestIdReused, StorageUnavailable."""
        now = self._clock.now()
        redacted = await redacted_drafts(drafts, self._redactor)
        drafts = await with_vectors(
            [draft for draft, _ in redacted], self._embedding, scope.tenant_id
        )
        rows = [
            NewRow(
                draft.memory(scope.agent_id, MemoryId(time_ordered_uuid(now)), now), draft.vector
            )
            for draft in drafts
        ]
        written = await self._writer.remember_many(
            scope, rows, first_facts(rows, now), request, now=now
        )
        taken = set(written.facts["taken"])
        results = [
            AlreadyExists("memory", written.facts["memory_ids"][place])
            if place in taken
            else Remembered(
                as_answered(draft, scope, place, written.facts), written.revision, redactions
            )
            for place, (draft, (_, redactions)) in enumerate(zip(drafts, redacted, strict=True))
        ]
        return BatchRemembered(results, written.revision)
