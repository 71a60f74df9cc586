"""How passes, receipts and compactions read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from camillo_server.cli.output import counted, note
from camillo_server.cli.tables import Column, show_table
from camillo_server.cli.wording import age

if TYPE_CHECKING:
    from camillo.v1.lifecycle_pb2 import LifecycleCount, LifecycleItem, LifecyclePass
    from camillo.v1.memory_pb2 import StoreCount

# At 80 columns all but the time without use has room, and the ids stay whole.
ITEMS = (
    Column("memory", style="dim"),
    Column("action", styles={"archive": "yellow", "remove": "red"}),
    Column("imp.", right=True),
    Column("unused", right=True, optional=True),
    Column("reason"),
    Column("kind"),
)
DONE = {"archive": "archived", "remove": "removed"}


def show_pass(done: LifecyclePass, now: datetime, *, dry_run: bool) -> None:
    """Each memory that is named, then how many there are for each reason, and what a script may go on with."""
    if not done.counts:
        note("nothing to do")
        return
    show_table(ITEMS, [_row(item, now) for item in done.items])
    taken = sum(count.memories for count in done.counts)
    if taken > len(done.items):
        note(f"and {counted(taken - len(done.items))} more")
    for line in totals(done, dry_run=dry_run):
        note(line)
    if done.stores:
        note(f"rows: {rows_by_store(done.stores)}")
    # What is archived can be brought back, and leaves no receipt.
    if done.stores and done.receipt_id:
        note(f"receipt {done.receipt_id}")
    if dry_run:
        note(f"to do exactly this: the same with --plan {done.plan_token} instead of --dry-run")


def totals(done: LifecyclePass, *, dry_run: bool) -> list[str]:
    """A line for each action: how many memories it takes, and for which reasons."""
    by_action: dict[str, list[tuple[str, int]]] = {}
    for count in done.counts:
        action, reason = _names(count)
        by_action.setdefault(action, []).append((reason, count.memories))
    return [_total(action, reasons, dry_run) for action, reasons in by_action.items()]


def total_of(done: LifecyclePass, action: str) -> int:
    """How many memories one action takes."""
    return sum(count.memories for count in done.counts if _names(count)[0] == action)


def rows_by_store(stores: Iterable[StoreCount]) -> str:
    """What was removed where, on one line."""
    return ", ".join(f"{each.store} {each.rows:,}" for each in stores if each.rows) or "none"


def _total(action: str, reasons: list[tuple[str, int]], dry_run: bool) -> str:
    verb = f"would {action}" if dry_run else DONE[action]
    told = ", ".join(f"{memories:,} {reason}" for reason, memories in reasons)
    return f"{verb} {counted(sum(memories for _, memories in reasons))}: {told}"


def _row(item: LifecycleItem, now: datetime) -> list[str]:
    from camillo.v1.memory_pb2 import MemoryKind
    from camillo_client import enum_name, to_datetime

    action, reason = _names(item)
    return [
        item.memory_id,
        action,
        f"{item.decayed_importance:.2f}",
        age(to_datetime(item.last_used_at), now),
        reason,
        enum_name(MemoryKind, item.kind),
    ]


def _names(told: LifecycleItem | LifecycleCount) -> tuple[str, str]:
    """The action and the reason of an item or a count, in words."""
    from camillo.v1.lifecycle_pb2 import LifecycleAction, LifecycleReason
    from camillo_client import enum_name

    reason = enum_name(LifecycleReason, told.reason).replace("_", " ")
    return enum_name(LifecycleAction, told.action), reason
