"""ImportMemories: stores a stream of memories as they were exported, batch by batch."""

from collections.abc import Awaitable, Sequence
from dataclasses import replace as replace_fields
from datetime import datetime

from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import MemoryId, time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import MemoryDraft, NewRow
from camillo_server.memories.store.writer import MemoryWriter
from camillo_server.memories.write_records import ImportedBatch
from camillo_server.redaction.redaction import Redaction, Redactor, redacted_drafts


class ImportMemories:
    """Stores one batch in one transaction. Vectors are the caller's; missing ones are embedded afterwards, in the
    background, so that an import runs at the speed of storage."""

    def __init__(
        self, writer: MemoryWriter, embedding: TextEmbedding, redactor: Redactor, clock: Clock
    ) -> None:
        self._writer = writer
        self._embedding = embedding
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        drafts: Sequence[MemoryDraft],
        *,
        replace: bool,
        after: Awaitable[object] | None = None,
    ) -> ImportedBatch:
        """Of two drafts with one id in a batch, the later one counts. Failures are named by the indexes of the drafts.
        Commits after `after`, the batch before it, during whose storing this one is prepared. Raises StorageUnavailable."""
        now = self._clock.now()
        rows: dict[MemoryId, tuple[int, NewRow]] = {}
        redactions: list[Redaction] = []
        for index, (draft, redacted) in enumerate(await redacted_drafts(drafts, self._redactor)):
            redactions += redacted
            row = self._row(scope, draft, now)
            rows[row.memory.memory_id] = (index, row)
        indexes, kept = zip(*rows.values(), strict=True)
        imported = await self._writer.import_rows(
            scope, kept, replace=replace, after=after, now=now
        )
        return replace_fields(
            imported,
            skipped=imported.skipped + len(drafts) - len(rows),
            failures={indexes[row]: error for row, error in imported.failures.items()},
            redactions=redactions,
        )

    def _row(self, scope: Scope, draft: MemoryDraft, now: datetime) -> NewRow:
        if draft.vector is not None and not draft.vector.model_id:
            draft = replace_fields(draft, vector=self._embedding.named(draft.vector))
        # An id costs more than the rest of the row: most imported memories bring one.
        memory_id = draft.memory_id or MemoryId(time_ordered_uuid(now))
        return NewRow(draft.memory(scope.agent_id, memory_id, now), draft.vector)
