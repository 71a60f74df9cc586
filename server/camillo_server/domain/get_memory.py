"""GetMemory: one memory by its id."""

from camillo_server.domain.clock import Clock
from camillo_server.domain.errors import NotFound
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import Memory, Vector
from camillo_server.domain.ports import MemoryReader
from camillo_server.domain.revision import Freshness
from camillo_server.domain.scope import Scope


class GetMemory:
    """Reads one memory, archived or not."""

    def __init__(self, reader: MemoryReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock

    async def __call__(
        self, scope: Scope, memory_id: MemoryId, freshness: Freshness, *, with_vector: bool
    ) -> tuple[Memory, Vector | None, int]:
        """The memory, its vector if asked for, the revision read at. Raises NotFound, RevisionBehind."""
        now = self._clock.now()
        memory, revision = await self._reader.get(scope, memory_id, freshness, now=now)
        if memory is None:
            raise NotFound("memory", memory_id)
        vectors = await self._reader.vectors(scope, [memory_id]) if with_vector else {}
        return memory, vectors.get(memory_id), revision
