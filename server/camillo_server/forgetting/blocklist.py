"""LiftValueBlocks: lets what was forgotten be stated again."""

from uuid import UUID

from camillo_server.forgetting.ports import ValueBlocks
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey


class LiftValueBlocks:
    """Lifts the block of one text, or all blocks of one forgetting."""

    def __init__(self, blocks: ValueBlocks, clock: Clock) -> None:
        self._blocks = blocks
        self._clock = clock

    async def __call__(self, scope: Scope, what: str | UUID, request: RequestKey | None) -> int:
        """How many values may be stated again. Raises NotFound for a receipt that is not there, RequestIdReused,
        StorageUnavailable."""
        return await self._blocks.lift(scope, what, request, now=self._clock.now())
