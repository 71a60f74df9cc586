"""What a caller selects to be forgotten, and the records from which a repeated request is answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.writes import replay_record
from camillo_server.memories.memory_filter import MemoryFilter


@dataclass(frozen=True, slots=True)
class ForgetSelection:
    """Memories that are forgotten with all that was derived from them.

    With `include_events` the events go that they rest on, too. Unless `allow_restating` is set, a later write that
    repeats one of their texts is refused.
    """

    selector: Sequence[MemoryId] | MemoryFilter
    allow_restating: bool = False
    include_events: bool = False


@replay_record
@dataclass(frozen=True, slots=True)
class ForgottenReplay:
    """The receipt of forgotten memories: at most 1,000 ids, in order, and removed rows by store. Of a dry run, without
    an id."""

    receipt_id: UUID | None
    memory_ids: tuple[MemoryId, ...]
    stores: Mapping[str, int]
    blocked_values: int
    forgotten_at: datetime


@replay_record
@dataclass(frozen=True, slots=True)
class ResetReplay:
    """The receipt of an emptied scope. Of a dry run, without an id."""

    receipt_id: UUID | None
    stores: Mapping[str, int]
    at: datetime


@replay_record
@dataclass(frozen=True, slots=True)
class LiftedReplay:
    """How many values may be stated again."""

    lifted: int
