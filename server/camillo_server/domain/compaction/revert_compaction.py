"""RevertCompaction: undo it; the sources are back, the merged memory is gone."""

from dataclasses import dataclass
from uuid import UUID

from camillo_server.domain.clock import Clock
from camillo_server.domain.compaction.compaction import Compaction, CompactionId
from camillo_server.domain.compaction.ports import CompactionStore
from camillo_server.domain.errors import NotFound
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


@dataclass(frozen=True, slots=True)
class Reverted:
    """The compaction as it is now, how many sources are back, and the revision that holds them."""

    compaction: Compaction
    restored: int
    revision: int


class RevertCompaction:
    """Sources that were forgotten since stay so, and those that somebody took back are back already."""

    def __init__(self, store: CompactionStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(
        self, scope: Scope, compaction_id: UUID, request: RequestKey | None
    ) -> Reverted:
        """Raises NotFound, WrongState where it is not committed, RequestIdReused, StorageUnavailable."""
        now, wanted = self._clock.now(), CompactionId(compaction_id)
        written = await self._store.revert(scope, wanted, request, now=now)
        found = (await self._store.get(scope, [wanted], now=now)).get(wanted)
        if found is None:
            raise NotFound("compaction", compaction_id)
        return Reverted(found, written.record.restored, written.revision)
