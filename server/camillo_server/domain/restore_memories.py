"""RestoreMemories: take archived memories back into recall."""

from collections.abc import Sequence

from camillo_server.domain.clock import Clock
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.ports import MemoryWriter
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


class RestoreMemories:
    """Restores in one transaction; ids that are not archived are passed over."""

    def __init__(self, writer: MemoryWriter, clock: Clock) -> None:
        self._writer = writer
        self._clock = clock

    async def __call__(
        self, scope: Scope, memory_ids: Sequence[MemoryId], request: RequestKey | None
    ) -> tuple[int, int]:
        """How many were restored, and the revision that holds them. Raises RequestIdReused."""
        now = self._clock.now()
        written = await self._writer.restore(scope, memory_ids, request, now=now)
        return written.record.restored, written.revision
