"""ForgetMemories: remove for good, or tell what would go."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from camillo_server.domain.clock import Clock
from camillo_server.domain.forgetting.ports import Forgetting, MemoryForgetting
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import Facts, RequestKey


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The receipt: ids in order (1,000 at most), rows by store, in the order of their names, and how many values may not
    be stated again. Of a dry run, `receipt_id` is None."""

    receipt_id: UUID | None
    memory_ids: Sequence[str]
    stores: dict[str, int]
    blocked_values: int
    at: datetime
    revision: int

    @property
    def memories(self) -> int:
        """How many memories went, or would."""
        return self.stores["memories"]


class ForgetMemories:
    """Forgets what a selector means with what was derived from it, in one transaction."""

    def __init__(self, forgetting: MemoryForgetting, clock: Clock) -> None:
        self._forgetting = forgetting
        self._clock = clock

    async def __call__(
        self, scope: Scope, what: Forgetting, request: RequestKey | None, *, dry_run: bool
    ) -> Forgotten:
        """Raises RequestIdReused, StorageUnavailable; KeyMissing and BytesLost where a value cannot be read that is to be
        blocked. Ids that are not there are passed over."""
        now = self._clock.now()
        if dry_run:
            facts, revision = await self._forgetting.would_forget(scope, what, now=now)
            return _forgotten(facts, revision)
        written = await self._forgetting.forget(scope, what, request, now=now)
        return _forgotten(written.facts, written.revision)


def _forgotten(facts: Facts, revision: int) -> Forgotten:
    return Forgotten(
        receipt_id=UUID(facts["receipt_id"]) if facts["receipt_id"] else None,
        memory_ids=facts["memory_ids"],
        stores=dict(sorted(facts["stores"].items())),
        blocked_values=facts["blocked_values"],
        at=datetime.fromisoformat(facts["forgotten_at"]),
        revision=revision,
    )
