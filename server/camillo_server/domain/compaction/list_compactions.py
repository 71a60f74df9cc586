"""ListCompactions: what was put together, proposed and refused."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from camillo_server.domain.clock import Clock
from camillo_server.domain.compaction.compaction import Compaction, CompactionState
from camillo_server.domain.compaction.ports import CompactionStore
from camillo_server.domain.scope import Scope


class ListCompactions:
    """Newest first."""

    def __init__(self, store: CompactionStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        state: CompactionState | None,
        after: tuple[datetime, UUID] | None,
        size: int,
    ) -> Sequence[Compaction]:
        """In this state (None: any), behind this one of a page before. Raises KeyMissing, StorageUnavailable."""
        return await self._store.page(scope, state, after, size, now=self._clock.now())
