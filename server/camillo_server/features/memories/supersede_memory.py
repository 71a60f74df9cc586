"""SupersedeMemory: one memory in the place of another that says what was true before."""

from dataclasses import dataclass

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.rows.merging import MemorySupersession
from camillo_server.rows.row import Row
from camillo_server.rows.store.reader import MemoryReader
from camillo_server.rows.store.writer import MemoryWriter


@dataclass(frozen=True, slots=True)
class SupersededMemory:
    """The memory in force, the one whose place it took, and the revision that holds both."""

    memory: Row
    superseded: Row
    revision: int


class SupersedeMemory:
    """Links two memories of a scope; neither text changes."""

    def __init__(self, reader: MemoryReader, writer: MemoryWriter, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._clock = clock

    async def __call__(self, scope: Scope, asked: MemorySupersession, request: RequestKey | None) -> SupersededMemory:
        """Both as they are now. Raises NotFound, VersionConflict, SupersessionCycle, MemoryRepeated, InvalidField,
        RequestIdReused."""
        now = self._clock.now()
        written = await self._writer.supersede(scope, asked, request, now=now)
        record = written.record
        return SupersededMemory(
            await self._version(scope, record.memory_id, record.version),
            await self._version(scope, record.superseded_id, record.superseded_version),
            written.revision,
        )

    async def _version(self, scope: Scope, memory_id: MemoryId, version: int) -> Row:
        """The memory in this version, as the first answer had it."""
        for each in await self._reader.versions(scope, memory_id, version + 1, 1, now=None):
            if each.memory.version == version:
                return each.memory
        raise NotFound("memory", memory_id)
