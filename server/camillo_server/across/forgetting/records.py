"""The selection of a forgetting, and the receipt of the removed records."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from camillo_server.across.forgetting.excerpts import ExcerptQuery, FoundValues
from camillo_server.kernel.ids import MAX_NAMED_IDS, MemoryId
from camillo_server.kernel.writes import NO_PLAN, PlanConsent, replay_record
from camillo_server.lib.text.value_spans import SoughtValues
from camillo_server.rows.row_filter import MemoryFilter

# Ids in small letters, and names of views and skills, by store: the key is the name of a table.
Records = Mapping[str, Collection[str]]
# Stores whose records have names that somebody chose: recipes are only found, and stay.
NAMED = ("views", "skills", "recipes")


@dataclass(frozen=True, slots=True)
class OfSession:
    """All events of a conversation."""

    session_id: str


@dataclass(frozen=True, slots=True)
class Repeating:
    """All records that repeat one of these texts, as a whole or inside a sentence."""

    values: Sequence[str]


@dataclass(frozen=True, slots=True)
class ForgottenElsewhere:
    """All records that cite records forgotten in another scope, or have one of these values."""

    cited: Collection[str]
    sought: SoughtValues


Selector = Sequence[MemoryId] | MemoryFilter | Records | OfSession | Repeating | ForgottenElsewhere


@dataclass(frozen=True, slots=True)
class ForgetSelection:
    """Records that are forgotten with all that was derived from them.

    With `include_events` the events go that they rest on, too; with `include_linked` what has a link to them, with
    `include_merged` what holds a name that was merged with one of the values, with `repeats` what repeats their texts,
    but for `keep`, and with `all_scopes` in every scope of the tenant. Unless `allow_restating` is set, a later write
    that repeats one of their texts is refused. A dry run with `excerpts` shows where the values stand. With `redact`
    memories and events stay without the values where they say something else.
    """

    selector: Selector
    allow_restating: bool = False
    include_events: bool = False
    include_linked: bool = False
    include_merged: bool = False
    redact: bool = False
    repeats: bool = False
    all_scopes: bool = False
    consent: PlanConsent = NO_PLAN
    excerpts: ExcerptQuery | None = None
    keep: Records = field(default_factory=dict)


@replay_record
@dataclass(frozen=True, slots=True)
class ForgottenReplay:
    """The receipt of forgotten records: removed rows by store, and at most 1,000 ids of each store, in order. `records`
    are the ids in other stores than memories, `left_ids` those of records that hold something forgotten and stay,
    `names` the names among both, which are not kept with the request. The receipt of a dry run has no id."""

    receipt_id: UUID | None
    memory_ids: tuple[MemoryId, ...]
    stores: Mapping[str, int]
    blocked_values: int
    forgotten_at: datetime
    records: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    left_ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scopes: int = 1
    unblocked_values: int = 0
    names: Annotated[Mapping[str, tuple[str, ...]], Field(exclude=True)] = field(default_factory=dict)

    def with_rest(self, rest: Sequence["ForgottenReplay"]) -> "ForgottenReplay":
        """The receipt for this scope and others."""
        every = (self, *rest)
        return ForgottenReplay(
            receipt_id=self.receipt_id,
            memory_ids=tuple(each for one in every for each in one.memory_ids)[:MAX_NAMED_IDS],
            stores=summed([each.stores for each in every]),
            blocked_values=self.blocked_values,
            forgotten_at=self.forgotten_at,
            records=_joined([each.records for each in every]),
            left_ids=_joined([each.left_ids for each in every]),
            scopes=sum(each.scopes for each in every),
            unblocked_values=self.unblocked_values,
            names=_joined([each.names for each in every]),
        )


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The receipt, and the revision from which it holds. A dry run has the digest of its plan, and the
    excerpts that it was asked for, which no receipt keeps."""

    receipt: ForgottenReplay
    revision: int
    plan_digest: bytes = b""
    found: FoundValues | None = None


@replay_record
@dataclass(frozen=True, slots=True)
class ResetReplay:
    """The receipt of an emptied scope; that of a dry run has no id."""

    receipt_id: UUID | None
    stores: Mapping[str, int]
    at: datetime


@replay_record
@dataclass(frozen=True, slots=True)
class LiftedReplay:
    """How many values may be stated again."""

    lifted: int


@replay_record
@dataclass(frozen=True, slots=True)
class ForgottenEvents:
    """The receipt of a forgetting, without an id of a dry run: the events, rows by store, and the summaries that cited
    them and are archived; at most 1,000 ids of each kind. `revision` is set once it is known."""

    receipt_id: UUID | None
    event_ids: tuple[UUID, ...]
    total: int
    stores: Mapping[str, int]
    invalidated: tuple[MemoryId, ...]
    forgotten_at: datetime
    revision: int = 0


def summed(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Rows by store, in the order of the stores' names."""
    names = sorted({name for each in counts for name in each})
    return {name: sum(each.get(name, 0) for each in counts) for name in names}


def named(records: Records, *leave_out: str) -> dict[str, tuple[str, ...]]:
    """At most 1,000 ids of each store, in order; stores without any, and these, are left out."""
    return {
        store: tuple(sorted(ids)[:MAX_NAMED_IDS])
        for store, ids in sorted(records.items())
        if ids and store not in leave_out
    }


def event_receipt(receipt: ForgottenReplay) -> ForgottenEvents:
    """The receipt of forgotten events; `invalidated` are the memories that were derived from them."""
    return ForgottenEvents(
        receipt_id=receipt.receipt_id,
        event_ids=tuple(UUID(each) for each in receipt.records.get("events", ())),
        total=receipt.stores.get("events", 0),
        stores=receipt.stores,
        invalidated=receipt.memory_ids,
        forgotten_at=receipt.forgotten_at,
    )


def _joined(records: Sequence[Records]) -> dict[str, tuple[str, ...]]:
    stores = {store for each in records for store in each}
    return named({store: {i for each in records for i in each.get(store, ())} for store in stores})
