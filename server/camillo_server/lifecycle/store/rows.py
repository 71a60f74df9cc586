"""Passes as parameters, rows and replay records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.writes import Written, replay_record
from camillo_server.lifecycle.plan import (
    Action,
    LifecyclePolicy,
    MemorySelector,
    PassDone,
    PlannedItem,
    Reason,
    Selected,
)
from camillo_server.memories.store.rows import ARCHIVED


class ItemRow(NamedTuple):
    """A planned item, in the order in which records keep it."""

    memory_id: MemoryId
    version: int
    kind: MemoryKind
    decayed_importance: float
    last_used_at: datetime
    reason: Reason
    action: Action


class CountRow(NamedTuple):
    """How many items there are for a reason."""

    action: Action
    reason: Reason
    number: int


@replay_record
@dataclass(frozen=True, slots=True)
class PassReplay:
    """A pass that was carried out; `receipt_id` is None where it found nothing to do."""

    receipt_id: UUID | None
    items: tuple[ItemRow, ...]
    counts: tuple[CountRow, ...]
    stores: Mapping[str, int]
    at: datetime
    digest: bytes


def policy_parameters(policy: LifecyclePolicy, at: datetime) -> dict[str, Any]:
    """Of the statement `to_maintain`."""
    return {
        "weekly_decay": policy.weekly_decay,
        "archive_below": policy.archive_below,
        "unimportant_below": policy.unimportant_below,
        "idle_since": at - policy.unimportant_after,
        "memory_quota": policy.memory_quota,
        "hidden_before": at - policy.retention,
        "now": at,
    }


def selector_parameters(work: Selected, weekly_decay: float, at: datetime) -> dict[str, Any]:
    """Of the statements `selected` and `selected_of_ids`."""
    selector: MemorySelector = work.selector
    return {
        "only_unarchived": work.action is Action.ARCHIVE,
        "archived": ARCHIVED[selector.archived],
        "memory_ids": list(selector.memory_ids),
        "unused_since": selector.unused_since,
        "created_before": selector.created_before,
        "tags_any": list(selector.tags_any) or None,
        "tags_all": list(selector.tags_all) or None,
        "kinds": [int(kind) for kind in selector.kinds] or None,
        "max_access_count": selector.max_access_count,
        "importance_below": selector.importance_below,
        "weekly_decay": weekly_decay,
        "now": at,
    }


def item_from(row: Sequence[Any], action: Action | None = None) -> PlannedItem:
    """The item in a row of these statements; without an action, the one of its reason."""
    memory_id, version, kind, decayed_importance, last_used_at, reason = row
    default = Action.REMOVE if reason == Reason.RETENTION else Action.ARCHIVE
    return PlannedItem(
        memory_id=MemoryId(memory_id),
        version=version,
        action=action or default,
        reason=Reason(reason),
        decayed_importance=decayed_importance,
        last_used_at=last_used_at,
        kind=MemoryKind(kind),
    )


def replay_of(done: PassDone) -> PassReplay:
    """The record from which a repeat of this pass is answered."""
    return PassReplay(
        receipt_id=done.receipt_id,
        items=tuple(_item_row(each) for each in done.items),
        counts=tuple(CountRow(*key, count) for key, count in done.counts.items()),
        stores=done.stores,
        at=done.at,
        digest=done.digest,
    )


def pass_from(written: Written[PassReplay]) -> PassDone:
    """The pass that a record describes."""
    record = written.record
    return PassDone(
        receipt_id=record.receipt_id,
        items=[PlannedItem(**row._asdict()) for row in record.items],
        counts={(row.action, row.reason): row.number for row in record.counts},
        stores=dict(sorted(record.stores.items())),
        at=record.at,
        revision=written.revision,
        digest=record.digest,
    )


def _item_row(item: PlannedItem) -> ItemRow:
    return ItemRow(
        memory_id=item.memory_id,
        version=item.version,
        kind=item.kind,
        decayed_importance=item.decayed_importance,
        last_used_at=item.last_used_at,
        reason=item.reason,
        action=item.action,
    )
