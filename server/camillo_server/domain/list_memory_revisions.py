"""ListMemoryRevisions: a memory as it was at each version, newest first, in pages."""

from collections.abc import Sequence

from camillo_server.domain.clock import Clock
from camillo_server.domain.errors import NotFound
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import MemoryVersion
from camillo_server.domain.ports import MemoryReader
from camillo_server.domain.scope import Scope


class ListMemoryRevisions:
    """Reads one page of a memory's history."""

    def __init__(self, reader: MemoryReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def __call__(
        self, scope: Scope, memory_id: MemoryId, below_version: int | None, size: int
    ) -> tuple[Sequence[MemoryVersion], int | None]:
        """The versions below one, and the version below which the next page begins. Raises NotFound."""
        now = self._clock.now()
        found = await self._reader.versions(scope, memory_id, below_version, size + 1, now=now)
        if not found and below_version is None:
            raise NotFound("memory", memory_id)
        page = found[:size]
        return page, page[-1].memory.version if len(found) > size else None
