"""ForgetMemories: remove for good, or tell what would go."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from camillo_server.domain.clock import Clock
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import MemoryFilter
from camillo_server.domain.ports import MemoryReader, MemoryWriter
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import Facts, RequestKey

RECEIPTS = UUID("6f1d0c5e-8a55-4f0e-9d7e-2f1d5c8f4f10")


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The receipt: ids in order (1,000 at most), rows by store, in the order of their names. Of a dry run, `receipt_id` is None."""

    receipt_id: UUID | None
    memory_ids: Sequence[str]
    stores: dict[str, int]
    at: datetime
    revision: int

    @property
    def memories(self) -> int:
        """How many memories went, or would."""
        return self.stores["memories"]


class ForgetMemories:
    """Forgets what a selector means, in one transaction."""

    def __init__(self, reader: MemoryReader, writer: MemoryWriter, clock: Clock) -> None:
        self._reader = reader
        self._writer = writer
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        selector: Sequence[MemoryId] | MemoryFilter,
        request: RequestKey | None,
        *,
        dry_run: bool,
    ) -> Forgotten:
        """Raises RequestIdReused, StorageUnavailable. Ids that are not there are passed over."""
        now = self._clock.now()
        if dry_run:
            facts, revision = await self._reader.would_forget(scope, selector, now=now)
            return _forgotten(None, facts, now, revision)
        written = await self._writer.forget(scope, selector, request, now=now)
        # Scope and revision name one forgetting, so a repeated request gets the same receipt.
        receipt_id = uuid5(RECEIPTS, f"{scope.tenant_id}\0{scope.agent_id}\0{written.revision}")
        at = datetime.fromisoformat(written.facts["forgotten_at"])
        return _forgotten(receipt_id, written.facts, at, written.revision)


def _forgotten(
    receipt_id: UUID | None, facts: Facts | dict[str, Any], at: datetime, revision: int
) -> Forgotten:
    stores = dict(sorted(facts["stores"].items()))
    return Forgotten(receipt_id, facts["memory_ids"], stores, at, revision)
