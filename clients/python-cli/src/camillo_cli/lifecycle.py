"""lifecycle maintain, prune, archive, restore: memories are archived and removed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.connection import ClientOptions, administering, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted, field_text
from camillo_cli.output import (
    message_dict,
    note,
    print_json,
    print_message,
    print_value,
    progress_bar,
)
from camillo_cli.removals import rows_by_store, run_confirmed
from camillo_cli.tables import Column, age_in, show_items, show_table

if TYPE_CHECKING:
    from camillo.v1.lifecycle_pb2 import LifecyclePass

# Every row of these scopes is counted while one call waits.
SCOPES_PER_CALL = 10
PAST_TENSE = {"archive": "archived", "remove": "removed"}

Plan = Annotated[
    str,
    Option(
        "--plan",
        metavar="TOKEN",
        help="Do exactly what this dry run has shown.",
        show_default=False,
    ),
]
AllScopes = Annotated[
    bool,
    Option("--all-scopes", help="All spaces of the tenant; needs a key that may act for any agent."),
]
which = options.panel("Which memories")


@dataclass(frozen=True, slots=True)
class SelectorOptions(options.ClientFields):
    """Conditions that all have to hold; pinned memories are never selected."""

    memory_ids: Annotated[options.Words, Argument(metavar="[ID]...", help="Ids; or give conditions, or both.")] = None
    unused_since: Annotated[
        datetime | None,
        options.ago(which, "Not stored, changed or recalled since: 2026-01-31, or 90d."),
    ] = None
    created_before: Annotated[
        datetime | None, options.ago(which, "Stored before: 2026-01-31, or 365d.", "--before")
    ] = None
    tags_all: options.AllTags = field(default_factory=list)
    tags_any: options.AnyTags = field(default_factory=list)
    kinds: Annotated[list[options.MemoryKind], which("Of this kind; repeated: of one of them.", "--kind")] = field(
        default_factory=list
    )
    max_access_count: Annotated[int | None, which("Recalled at most this many times.", "--max-recalls", min=0)] = None
    importance_below: Annotated[float | None, which("Less important than this.", min=0, max=1)] = None
    archived: Annotated[options.Archived | None, which("Archived memories. Default: include.")] = None

    def conditions(self) -> dict[str, Any]:
        """The values by keyword of the client. Raises CliError if there is none."""
        fields = self.fields()
        if all(value in (None, []) for value in fields.values()):
            raise CliError("name the memories: ids, or at least one condition", ExitCode.USAGE)
        return fields | {"memory_ids": self.memory_ids or []}


def maintain(
    client: ClientOptions,
    dry_run: options.DryRun = False,
    plan: Plan = "",
    all_scopes: AllScopes = False,
    request_id: options.RequestId = None,
) -> None:
    """Archive memories that have decayed, are unimportant or exceed the quota, and remove those archived or expired for
    long.

    The server does this by itself once an hour.

    Example: camillo lifecycle maintain --dry-run
    """
    if all_scopes and (plan or request_id):
        raise CliError("--plan and --request-id are of one space", ExitCode.USAGE)
    if all_scopes:
        _maintain_all(client, dry_run=dry_run)
        return
    with connected(client) as camillo:
        done = camillo.lifecycle.maintain(dry_run=dry_run, plan_token=plan, request_id=request_id)
    _show_pass(client, done, dry_run=dry_run)


def prune(
    client: ClientOptions,
    selector: SelectorOptions,
    dry_run: options.DryRun = False,
    plan: Plan = "",
    yes: options.Yes = False,
    request_id: options.RequestId = None,
) -> None:
    """Remove memories permanently. Unlike after 'forget', the same texts may be stored again.

    Example: camillo lifecycle prune --unused-since 90d --importance-below 0.3 --dry-run
    """
    conditions = selector.conditions()
    with connected(client) as camillo:
        run = partial(camillo.lifecycle.prune, **conditions)
        if plan:
            # It was shown, and is carried out or nothing is.
            done = run(dry_run=dry_run, plan_token=plan, request_id=request_id)
        else:
            done = run_confirmed(run, _removed, dry_run=dry_run, yes=yes, request_id=request_id, verb="remove")
    _show_pass(client, done, dry_run=dry_run)


def archive(
    client: ClientOptions,
    selector: SelectorOptions,
    dry_run: options.DryRun = False,
    plan: Plan = "",
    request_id: options.RequestId = None,
) -> None:
    """Archive memories: they are kept, but recall leaves them out.

    Example: camillo lifecycle archive --tag trip --before 365d
    """
    conditions = selector.conditions()
    with connected(client) as camillo:
        done = camillo.lifecycle.archive(dry_run=dry_run, plan_token=plan, request_id=request_id, **conditions)
    _show_pass(client, done, dry_run=dry_run)


def restore(
    client: ClientOptions,
    memory_ids: Annotated[list[str], Argument(metavar="ID...", help="Ids of archived memories.")],
    request_id: options.RequestId = None,
) -> None:
    """Restore archived memories, so that recall finds them again.

    Example: camillo lifecycle restore 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        restored = camillo.restore(memory_ids, request_id=request_id)
    print_value({"restored": restored}, f"restored {counted(restored)}", as_json=client.as_json)


def _maintain_all(client: ClientOptions, *, dry_run: bool) -> None:
    passes: dict[str, LifecyclePass] = {}
    from camillo_client import SHARED

    with administering(client) as camillo:
        scopes = camillo.lifecycle.all_usage(page_size=SCOPES_PER_CALL)
        agents = [usage.agent_id for usage in scopes]
        affected = 0
        with progress_bar("maintaining", len(agents)) as report:
            for agent in agents:
                done = passes[agent] = camillo.lifecycle.maintain(dry_run=dry_run, agent_id=agent or SHARED)
                affected += _total(done)
                report(len(passes), affected)
    if client.as_json:
        for agent, done in passes.items():
            print_json({"agent_id": agent, "pass": message_dict(done, all_fields=True)})
        return
    rows = [
        [f"{_total(done, 'archive'):,}", f"{_total(done, 'remove'):,}", agent or SHARED]
        for agent, done in passes.items()
    ]
    columns = [Column("archived", right=True), Column("removed", right=True), Column("agent")]
    show_table(columns, rows)


def _show_pass(client: ClientOptions, done: LifecyclePass, *, dry_run: bool) -> None:
    """Prints the memories that the server has named, and notes totals by reason and how to continue."""
    if client.as_json:
        print_message(done)
        return
    if not done.counts:
        note("nothing to do")
        return
    show_items(done.items, ITEMS)
    if (unnamed := _total(done) - len(done.items)) > 0:
        note(f"and {counted(unnamed)} more")
    for line in _totals(done, dry_run=dry_run):
        note(line)
    if done.stores:
        note(f"rows: {rows_by_store(done.stores)}")
    # Archiving can be undone, and leaves no receipt.
    if done.stores and done.receipt_id:
        note(f"receipt {done.receipt_id}")
    if dry_run:
        note(f"to do exactly this: the same with --plan {done.plan_token} instead of --dry-run")


def _totals(done: LifecyclePass, *, dry_run: bool) -> list[str]:
    """A line for each action: how many memories, and for which reasons."""
    reasons: dict[str, list[str]] = {}
    for count in done.counts:
        action = field_text(count, "action")
        reasons.setdefault(action, []).append(f"{count.memories:,} {_reason(count)}")
    return [
        f"{f'would {action}' if dry_run else PAST_TENSE[action]} {counted(_total(done, action))}: {', '.join(parts)}"
        for action, parts in reasons.items()
    ]


def _total(done: LifecyclePass, action: str = "") -> int:
    """The memories that an action was done to, by default any."""
    actions = ((field_text(count, "action"), count.memories) for count in done.counts)
    return sum(memories for name, memories in actions if not action or name == action)


def _removed(planned: LifecyclePass) -> str:
    """The memories that would be removed; empty where there are none."""
    found = _total(planned, "remove")
    return counted(found) if found else ""


def _reason(item: Any) -> str:
    return field_text(item, "reason").replace("_", " ")


# At 80 columns all but the time without use have room, and the ids are whole.
ITEMS = (
    Column("memory", "memory_id", style="dim"),
    Column("action", "action", styles={"archive": "yellow", "remove": "red"}),
    Column("imp.", "decayed_importance", right=True),
    Column("unused", age_in("last_used_at"), right=True, optional=True),
    Column("reason", _reason),
    Column("kind", "kind"),
)
