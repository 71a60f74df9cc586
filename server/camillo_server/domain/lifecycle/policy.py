"""How long memories live, and from when on nobody needs them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType

from camillo_server.domain.memory import MemoryKind

DEFAULT_LIFETIMES: Mapping[MemoryKind, timedelta] = MappingProxyType(
    {
        MemoryKind.CONVERSATION: timedelta(days=7),
        MemoryKind.TASK_OUTCOME: timedelta(days=30),
        MemoryKind.DECISION: timedelta(days=90),
        MemoryKind.ERROR: timedelta(days=14),
    }
)


@dataclass(frozen=True, slots=True)
class LifecyclePolicy:
    """What an operator may choose. A kind without a lifetime never expires by itself; a quota of 0 is no bound.

    `weekly_decay`: what is left of an importance after a week without use, more than 0 and at most 1.
    """

    lifetimes: Mapping[MemoryKind, timedelta] = field(default_factory=lambda: DEFAULT_LIFETIMES)
    weekly_decay: float = 0.95
    archive_below: float = 0.1
    unimportant_below: float = 0.2
    unimportant_after: timedelta = timedelta(days=7)
    memory_quota: int = 10_000
    retention: timedelta = timedelta(days=365)

    def expires_at(self, kind: MemoryKind, now: datetime) -> datetime | None:
        """When a memory of this kind expires that is stored now without a word about it; None for never."""
        lifetime = self.lifetimes.get(kind)
        return None if lifetime is None else now + lifetime
