"""What passes of the lifecycle take and tell, as parameters, rows and facts."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo_server.domain.ids import MemoryId
from camillo_server.domain.lifecycle.plan import (
    Action,
    MemorySelector,
    PassDone,
    PlannedItem,
    Reason,
    Selected,
)
from camillo_server.domain.lifecycle.policy import LifecyclePolicy
from camillo_server.domain.memory import MemoryKind
from camillo_server.domain.writes import Facts, Written
from camillo_server.storage.rows import ARCHIVED


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
    """The item in a row of these statements; without an action, what its reason asks for."""
    memory_id, version, kind, decayed_importance, last_used_at, reason = row
    asked = Action.REMOVE if reason == Reason.RETENTION else Action.ARCHIVE
    return PlannedItem(
        memory_id=MemoryId(memory_id),
        version=version,
        action=action or asked,
        reason=Reason(reason),
        decayed_importance=decayed_importance,
        last_used_at=last_used_at,
        kind=MemoryKind(kind),
    )


def facts_of(done: PassDone) -> Facts:
    """What a pass is told from again."""
    return {
        "receipt_id": str(done.receipt_id) if done.receipt_id else None,
        "items": [_item_facts(each) for each in done.items],
        "counts": [[*key, count] for key, count in done.counts.items()],
        "stores": dict(done.stores),
        "at": done.at.isoformat(),
        "digest": done.digest.hex(),
    }


def pass_from(written: Written) -> PassDone:
    """The pass that the facts tell of."""
    facts = written.facts
    return PassDone(
        receipt_id=UUID(facts["receipt_id"]) if facts["receipt_id"] else None,
        items=[_item_from_facts(each) for each in facts["items"]],
        counts={(Action(key), Reason(why)): count for key, why, count in facts["counts"]},
        stores=dict(sorted(facts["stores"].items())),
        at=datetime.fromisoformat(facts["at"]),
        revision=written.revision,
        digest=bytes.fromhex(facts["digest"]),
    )


def _item_facts(item: PlannedItem) -> Sequence[Any]:
    return (
        str(item.memory_id),
        item.version,
        item.kind,
        item.decayed_importance,
        item.last_used_at.isoformat(),
        item.reason,
        item.action,
    )


def _item_from_facts(facts: Sequence[Any]) -> PlannedItem:
    memory_id, *told, last_used_at, reason, action = facts
    row = (UUID(memory_id), *told, datetime.fromisoformat(last_used_at), reason)
    return item_from(row, Action(action))
