"""BatchRemember: store several drafts in one transaction, each with its own result."""

from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.domain.errors import DomainError
from camillo_server.domain.memory import MemoryDraft
from camillo_server.domain.memory_making import MemoryMaking
from camillo_server.domain.ports import MemoryWriter
from camillo_server.domain.remember import Remembered, outcomes
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


@dataclass(frozen=True, slots=True)
class BatchRemembered:
    """What became of each draft, in order, and the revision that holds those that were stored."""

    results: Sequence[Remembered | DomainError]
    revision: int


class BatchRemember:
    """Stores the drafts whose ids are free, or adds them to what says the same; the others fail alone."""

    def __init__(self, writer: MemoryWriter, making: MemoryMaking) -> None:
        self._writer = writer
        self._making = making

    async def __call__(
        self, scope: Scope, drafts: Sequence[MemoryDraft], request: RequestKey | None
    ) -> BatchRemembered:
        """Of two drafts with one id the first is stored. Results are as Remember raises them. Raises RequestIdReused,
        StorageUnavailable."""
        made = await self._making.made(scope, drafts)
        stored = await self._writer.remember_many(
            scope, made.rows, made.replay, request, now=made.now
        )
        return BatchRemembered(outcomes(made, scope, stored), stored.revision)
