"""Remember: store what an agent has distilled, or add it to the memory that says exactly the same."""

from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.domain.errors import AlreadyExists, DomainError, NotFound, ValueRejected
from camillo_server.domain.memory import Memory, MemoryDraft
from camillo_server.domain.memory_making import MadeRows, MemoryMaking, as_answered
from camillo_server.domain.ports import MemoryWriter, Stored
from camillo_server.domain.redaction import Redaction
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


@dataclass(frozen=True, slots=True)
class Remembered:
    """The memory, the revision that holds it, and the secrets that were taken out of what was stated."""

    memory: Memory
    revision: int
    redactions: Sequence[Redaction]


class Remember:
    """Stores a draft without its secrets, with a vector: the caller's, or one made here if the provider can."""

    def __init__(self, writer: MemoryWriter, making: MemoryMaking) -> None:
        self._writer = writer
        self._making = making

    async def __call__(
        self, scope: Scope, draft: MemoryDraft, request: RequestKey | None
    ) -> Remembered:
        """Raises AlreadyExists, ValueRejected, RequestIdReused, StorageUnavailable; NotFound where a repeated request was
        added to a memory that is gone."""
        made = await self._making.made(scope, [draft])
        stored = await self._writer.remember(
            scope, made.rows[0], made.replay, request, now=made.now
        )
        (outcome,) = outcomes(made, scope, stored)
        if isinstance(outcome, DomainError):
            raise outcome
        return outcome


def outcomes(made: MadeRows, scope: Scope, stored: Stored) -> list[Remembered | DomainError]:
    """What each draft is answered, in their order: the same for a repeated request."""
    record = stored.record
    failed: dict[int, DomainError] = {
        place: AlreadyExists("memory", record.memory_ids[place]) for place in record.taken
    }
    for place, number in record.refused:
        failed[place] = ValueRejected(list(made.rows[place].memory.texts)[number])
    for row in record.merged:
        if row.place not in stored.merged:
            failed[row.place] = NotFound("memory", row.memory_id)
    return [
        failed.get(place)
        or Remembered(
            stored.merged.get(place) or as_answered(draft, scope, place, record),
            stored.revision,
            made.redactions[place],
        )
        for place, draft in enumerate(made.drafts)
    ]
