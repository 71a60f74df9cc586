"""ImportMemories: store a stream of memories as they were exported, batch by batch."""

from collections.abc import Sequence

from camillo_server.domain.clock import Clock
from camillo_server.domain.ids import MemoryId, time_ordered_uuid
from camillo_server.domain.memory import MemoryDraft
from camillo_server.domain.ports import Imported, MemoryWriter, NewRow
from camillo_server.domain.scope import Scope
from camillo_server.domain.text_embedding import TextEmbedding


class ImportMemories:
    """Stores one batch in one transaction. Vectors are the caller's; the rest are made afterwards, in the
    background, so that an import runs at the speed of storage."""

    def __init__(self, writer: MemoryWriter, embedding: TextEmbedding, clock: Clock) -> None:
        self._writer = writer
        self._embedding = embedding
        self._clock = clock

    async def __call__(
        self, scope: Scope, drafts: Sequence[MemoryDraft], *, replace: bool
    ) -> Imported:
        """Of two drafts with one id in a batch, the later one counts. Raises StorageUnavailable."""
        now = self._clock.now()
        rows: dict[MemoryId, NewRow] = {}
        for draft in drafts:
            memory = draft.memory(scope.agent_id, MemoryId(time_ordered_uuid(now)), now)
            vector = self._embedding.named(draft.vector) if draft.vector is not None else None
            rows[memory.memory_id] = NewRow(memory.with_vector_of(vector), vector)
        imported = await self._writer.import_rows(
            scope, list(rows.values()), replace=replace, now=now
        )
        repeated = len(drafts) - len(rows)
        return Imported(imported.revision, imported.stored, imported.skipped + repeated)
