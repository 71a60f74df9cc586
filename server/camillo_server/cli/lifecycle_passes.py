"""lifecycle maintain, prune, archive, restore."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from camillo_server.cli.arguments import utc_now
from camillo_server.cli.connection import ClientOptions, administering, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.lifecycle_options import (
    SCOPES_AT_ONCE,
    AllScopes,
    DryRun,
    Plan,
    SelectorOptions,
)
from camillo_server.cli.lifecycle_wording import show_pass, total_of
from camillo_server.cli.output import counted, print_json, print_message, say
from camillo_server.cli.progress import progress_bar
from camillo_server.cli.tables import Column, show_table
from camillo_server.cli.writing import RequestId

if TYPE_CHECKING:
    from camillo.v1.lifecycle_pb2 import LifecyclePass
    from camillo_client import Camillo

SCOPES = (
    Column("archived", right=True),
    Column("removed", right=True),
    Column("agent"),
)


def maintain(
    client: ClientOptions,
    dry_run: DryRun = False,
    plan: Plan = "",
    all_scopes: AllScopes = False,
    request_id: RequestId = None,
) -> None:
    """Archive what has decayed, is unimportant or over the quota; remove what was hidden for long.

    The server does so by itself, once an hour. Example: camillo lifecycle maintain --dry-run
    """
    if all_scopes and (plan or request_id):
        raise CliError("--plan and --request-id are of one scope", ExitCode.USAGE)
    if all_scopes:
        _maintain_all(client, dry_run=dry_run)
        return
    with connected(client) as camillo:
        done = camillo.lifecycle.maintain(dry_run=dry_run, plan_token=plan, request_id=request_id)
    _told(client, done, dry_run=dry_run)


def prune(
    client: ClientOptions,
    which: SelectorOptions,
    dry_run: DryRun = False,
    plan: Plan = "",
    yes: Annotated[bool, Option("--yes", "-y", help="Do not ask.")] = False,
    request_id: RequestId = None,
) -> None:
    """Remove memories for good; unlike what is forgotten, they may be stated again.

    Example: camillo lifecycle prune --unused-since 90d --importance-below 0.3 --dry-run
    """
    fields = which.fields()
    with connected(client) as camillo:
        if not (dry_run or plan or yes) and sys.stdin.isatty():
            # What is asked about is what is done, or nothing.
            planned = camillo.lifecycle.prune(dry_run=True, **fields)
            if found := total_of(planned, "remove"):
                typer.confirm(f"Remove {counted(found)} for good?", abort=True, err=True)
                plan = planned.plan_token
        done = camillo.lifecycle.prune(
            dry_run=dry_run, plan_token=plan, request_id=request_id, **fields
        )
    _told(client, done, dry_run=dry_run)


def archive(
    client: ClientOptions,
    which: SelectorOptions,
    dry_run: DryRun = False,
    plan: Plan = "",
    request_id: RequestId = None,
) -> None:
    """Take memories out of recall and keep them.

    Example: camillo lifecycle archive --tag trip --before 365d
    """
    with connected(client) as camillo:
        done = camillo.lifecycle.archive(
            dry_run=dry_run, plan_token=plan, request_id=request_id, **which.fields()
        )
    _told(client, done, dry_run=dry_run)


def restore(
    client: ClientOptions,
    memory_ids: Annotated[list[str], Argument(metavar="ID...", help="Ids of archived memories.")],
    request_id: RequestId = None,
) -> None:
    """Take archived memories back into recall.

    Example: camillo lifecycle restore 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        restored = camillo.restore(memory_ids, request_id=request_id)
    if client.as_json:
        print_json({"restored": restored})
    else:
        say(f"restored {counted(restored)}")


def _told(client: ClientOptions, done: LifecyclePass, *, dry_run: bool) -> None:
    if client.as_json:
        print_message(done)
    else:
        show_pass(done, utc_now(), dry_run=dry_run)


def _maintain_all(client: ClientOptions, *, dry_run: bool) -> None:
    with administering(client) as camillo:
        passes = _passes(camillo, dry_run=dry_run)
    if client.as_json:
        for agent, done in passes.items():
            print_json({"agent_id": agent, "pass": _as_dict(done)})
        return
    rows = [
        [f"{total_of(done, 'archive'):,}", f"{total_of(done, 'remove'):,}", agent or "(shared)"]
        for agent, done in passes.items()
    ]
    show_table(SCOPES, rows)


def _passes(camillo: Camillo, *, dry_run: bool) -> dict[str, LifecyclePass]:
    """What was done in each scope, by agent."""
    scopes = camillo.lifecycle.all_usage(page_size=SCOPES_AT_ONCE)
    agents = [usage.agent_id for usage in scopes]
    passes: dict[str, LifecyclePass] = {}
    with progress_bar("maintaining", len(agents)) as report:
        taken = 0
        for agent in agents:
            done = camillo.lifecycle.maintain(dry_run=dry_run, agent_id=agent)
            taken += sum(count.memories for count in done.counts)
            passes[agent] = done
            report(len(passes), taken)
    return passes


def _as_dict(done: LifecyclePass) -> object:
    from google.protobuf.json_format import MessageToDict

    return MessageToDict(
        done, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
