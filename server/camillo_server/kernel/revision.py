"""Points in the history of a scope, and what a read demands of them."""

from dataclasses import dataclass
from uuid import UUID

LOST_POSITION = (
    "the position of the watch is of another database, or of a state that it has lost; start again without it"
)


@dataclass(frozen=True, slots=True)
class History:
    """The history that revisions count in. When Postgres goes on from an earlier state (a standby that was behind takes
    over, a backup is restored), it begins another timeline, and later revisions are not those of before.
    `system_identifier` and `timeline` are 0 where Postgres does not tell them. A snapshot that is started as it is
    stays in its timeline: the server that notices it begins another epoch."""

    database_id: UUID
    system_identifier: int = 0
    timeline: int = 0
    epoch: int = 0


@dataclass(frozen=True, slots=True)
class MinimizeLatency:
    """Answer from what this replica holds."""


@dataclass(frozen=True, slots=True)
class AtLeastAsFresh:
    """Answer from this revision of the scope or a later one. `is_committed`: and with nothing that is spooled."""

    revision: int
    is_committed: bool = False


@dataclass(frozen=True, slots=True)
class FullyConsistent:
    """Answer from everything committed when the call arrives."""


Freshness = MinimizeLatency | AtLeastAsFresh | FullyConsistent

MINIMIZE_LATENCY = MinimizeLatency()
FULLY_CONSISTENT = FullyConsistent()


def demands_committed(freshness: Freshness) -> bool:
    """Whether what is spooled, which no revision holds, has no place in the answer."""
    if isinstance(freshness, AtLeastAsFresh):
        return freshness.is_committed
    return isinstance(freshness, FullyConsistent)


def min_revision(freshness: Freshness) -> int:
    """The revision below which an answer would break the demand."""
    return freshness.revision if isinstance(freshness, AtLeastAsFresh) else 0
