"""The memories that a turn may touch."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from camillo_server.features.distillation.selection import MAX_SENT
from camillo_server.features.distillation.statement import Known, Turn
from camillo_server.features.events.event import EventId
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import Row
from camillo_server.rows.store.rows import RowReader
from camillo_server.storage.connection_pool import StorageDamaged
from camillo_server.storage.database import Database
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/distillation/store/known")
NEAREST = 6


class KnownMemories:
    """Memories of one scope that may be sent. Every method raises StorageUnavailable, KeyMissing, BytesLost."""

    def __init__(self, database: Database, keyring: Keyring, embedding: TextEmbedding) -> None:
        self._database = database
        self._keyring = keyring
        self._embedding = embedding

    async def near(self, scope: Scope, turns: Sequence[Turn], now: datetime) -> Mapping[EventId, Sequence[Known]]:
        """The memories in force that are nearest to each turn, the nearest first; none where the provider of vectors
        is away."""
        vectors = await self._embedding.vectors([turn.text for turn in turns], scope) if turns else []
        found: dict[EventId, Sequence[Known]] = {}
        for turn, vector in zip(turns, vectors or [None] * len(turns), strict=True):
            if vector is None:
                continue
            parameters = {
                **scope_parameters(scope),
                "embedding": vector.values,
                "model_id": vector.model_id,
                "max_sensitivity": int(MAX_SENT),
                "now": now,
                "size": NEAREST,
            }
            try:
                rows = await self._database.rows(scope, SQL["nearest"], parameters)
            except StorageDamaged:
                # Without its vectors the model is shown none.
                return found
            memories = await RowReader(scope, self._keyring).memories([row[:-1] for row in rows])
            found[turn.event_id] = [_known(memory, row[-1]) for memory, row in zip(memories, rows, strict=True)]
        return found

    async def versions(
        self, scope: Scope, versions: Sequence[tuple[MemoryId, int]]
    ) -> Mapping[tuple[MemoryId, int], Known]:
        """Memories as they were in these versions; those that are gone are left out."""
        parameters = {
            **scope_parameters(scope),
            "memory_ids": [memory_id for memory_id, _ in versions],
            "versions": [version for _, version in versions],
        }
        rows = await self._database.rows(scope, SQL["of_versions"], parameters) if versions else []
        memories = await RowReader(scope, self._keyring).memories(rows)
        return {(memory.memory_id, memory.version): _known(memory, 0.0) for memory in memories}


def _known(memory: Row, cosine: float) -> Known:
    return Known(
        memory_id=memory.memory_id,
        version=memory.version,
        kind=MemoryKind(memory.kind),
        content=memory.content,
        occurred_at=memory.occurred_at,
        cosine=float(cosine),
    )
