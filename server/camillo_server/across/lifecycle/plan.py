"""Plans of passes over a scope: the memories that a pass takes, why, and a digest that identifies the plan."""

import enum
import math
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple
from uuid import UUID

from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import NO_PLAN, PlanConsent, RequestKey
from camillo_server.rows.row_filter import Archived
from camillo_server.settings.lifecycle import LifecycleSettings

DEFAULT_LIFETIMES: Mapping[MemoryKind, timedelta] = MappingProxyType(
    {
        MemoryKind.CONVERSATION: timedelta(days=7),
        MemoryKind.TASK_OUTCOME: timedelta(days=30),
        MemoryKind.DECISION: timedelta(days=90),
        MemoryKind.ERROR: timedelta(days=14),
    }
)
MAX_NAMED_ITEMS = 1_000
# An item in a digest: id, version, action, reason.
ITEM = struct.Struct(">16sqBB")
WEEK = timedelta(weeks=1)
# The quota neither counts nor takes newer memories: whoever imports a large archive has time to raise the quota.
NEW_FOR = timedelta(days=1)
# One pass takes no more for the quota: it holds the scope's lock while it writes, and the next pass takes the next.
MAX_OVER_QUOTA = 10_000
# Far below any bound, and far above what a double cannot hold: Postgres refuses to compute what is smaller than that.
MIN_EXPONENT = -300.0


@dataclass(frozen=True, slots=True)
class LifecyclePolicy:
    """The settings of an operator. A kind without a lifetime never expires by itself; a quota of 0 is no bound.

    `weekly_decay`: what is left of an importance after a week without use, more than 0 and at most 1.
    """

    lifetimes: Mapping[MemoryKind, timedelta] = field(default_factory=lambda: DEFAULT_LIFETIMES)
    weekly_decay: float = 0.95
    archive_below: float = 0.1
    unimportant_below: float = 0.2
    unimportant_after: timedelta = timedelta(days=7)
    memory_quota: int = 1_000_000
    retention: timedelta = timedelta(days=365)

    @classmethod
    def of(cls, settings: LifecycleSettings) -> "LifecyclePolicy":
        """The policy that the settings describe."""
        days = settings.lifetime_days.model_dump()
        return cls(
            lifetimes={
                MemoryKind[kind.upper()]: timedelta(days=each) for kind, each in days.items() if each is not None
            },
            weekly_decay=settings.weekly_decay,
            archive_below=settings.archive_below,
            unimportant_below=settings.unimportant_below,
            unimportant_after=timedelta(days=settings.unimportant_after_days),
            memory_quota=settings.memory_quota,
            retention=timedelta(days=settings.retention_days),
        )

    def expires_at(self, kind: MemoryKind, now: datetime) -> datetime | None:
        """When a memory of this kind expires that is stored now without a word about it; None for never."""
        lifetime = self.lifetimes.get(kind)
        return None if lifetime is None else now + lifetime


class Action(enum.IntEnum):
    """The change to a memory. The numbers are those of the contract."""

    ARCHIVE = 1
    REMOVE = 2


class Reason(enum.IntEnum):
    """Why. The numbers are those of the contract."""

    DECAYED = 1
    UNIMPORTANT = 2
    OVER_QUOTA = 3
    RETENTION = 4
    REQUESTED = 5


class PlannedItem(NamedTuple):
    """One memory that a pass takes, in the version that it was seen in."""

    # Records of requests keep it as an array: the order of the fields never changes.

    memory_id: MemoryId
    version: int
    kind: MemoryKind
    decayed_importance: float
    last_used_at: datetime
    reason: Reason
    action: Action


@dataclass(frozen=True, slots=True)
class MemorySelector:
    """Conditions that all have to hold; None and empty ask for nothing. Pinned memories never pass."""

    memory_ids: Sequence[MemoryId] = ()
    unused_since: datetime | None = None
    created_before: datetime | None = None
    tags_any: Sequence[str] = ()
    tags_all: Sequence[str] = ()
    kinds: Sequence[MemoryKind] = ()
    max_access_count: int | None = None
    importance_below: float | None = None
    archived: Archived = Archived.INCLUDE

    @property
    def is_empty(self) -> bool:
        """It holds no condition."""
        return self == EVERYTHING

    def checked(self) -> "MemorySelector":
        """Itself. Raises InvalidField where it is empty: it would take everything."""
        if self.is_empty:
            raise invalid_field("selector", "must hold at least one condition")
        return self


EVERYTHING = MemorySelector()


@dataclass(frozen=True, slots=True)
class Selected:
    """The work of a requested pass: this action, on all memories that pass the selector."""

    action: Action
    selector: MemorySelector

    def undated(self) -> "Selected":
        """This work without the moments of its selector."""
        selector = replace(self.selector, unused_since=None, created_before=None)
        return replace(self, selector=selector)


# A pass of maintenance goes by the policy, any other by what its caller selected.
Work = LifecyclePolicy | Selected


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that work takes of a scope, as it counts at a moment, in the order of the ids."""

    scope: Scope
    work: Work
    at: datetime
    items: Sequence[PlannedItem]

    @property
    def counts(self) -> dict[tuple[Action, Reason], int]:
        """How many for each reason, in the order of actions and reasons."""
        return dict(sorted(Counter((each.action, each.reason) for each in self.items).items()))

    def taken_by(self, action: Action) -> list[MemoryId]:
        """The ids of what this is done to."""
        return [each.memory_id for each in self.items if each.action == action]

    def digest(self) -> bytes:
        """A digest that only an equal list, moment, work and scope share; moments of a selector do not count."""
        work = self.work.undated() if isinstance(self.work, Selected) else self.work
        # A server of another version may write these in another way: the digests then differ, and a client plans again.
        digest = sha256(repr((self.scope, work, self.at)).encode())
        for each in self.items:
            digest.update(ITEM.pack(each.memory_id.bytes, each.version, int(each.action), int(each.reason)))
        return digest.digest()


@dataclass(frozen=True, slots=True)
class PassOrder:
    """How a caller wants a pass carried out: under a request id, and as it was planned."""

    request: RequestKey | None = None
    consent: PlanConsent = NO_PLAN


NO_ORDER = PassOrder()


@dataclass(frozen=True, slots=True)
class PassDone:
    """The result of a pass or of its dry run: at most 1,000 items, but all counts. `stores` counts removed rows.

    `receipt_id` is None for a dry run, and where there was nothing to do.
    """

    receipt_id: UUID | None
    items: Sequence[PlannedItem]
    counts: Mapping[tuple[Action, Reason], int]
    stores: Mapping[str, int]
    at: datetime
    revision: int
    digest: bytes


def decayed_importance(importance: float, weekly_decay: float, last_used_at: datetime, now: datetime) -> float:
    """importance x weekly_decay^(weeks since the last use); a use in the future counts as one now.

    The formula, with 0.95 a week, is that of the design for engines with episodic and semantic memory
    (docs/adr/lifecycle-and-compaction.md). Postgres computes the same for whole scopes: the fragment
    `decayed_importance`."""
    weeks = max((now - last_used_at) / WEEK, 0.0)
    return importance * math.exp(max(math.log(weekly_decay) * weeks, MIN_EXPONENT))
