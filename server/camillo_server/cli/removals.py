"""lifecycle reset, receipts, lift."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from camillo_server.cli.arguments import given_text, utc_now
from camillo_server.cli.connection import DEFAULT_AGENT, ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.lifecycle_options import DryRun
from camillo_server.cli.lifecycle_wording import rows_by_store
from camillo_server.cli.output import note, print_json, print_message, say
from camillo_server.cli.tables import Column, show_table
from camillo_server.cli.wording import age
from camillo_server.cli.writing import RequestId

if TYPE_CHECKING:
    from camillo.v1.lifecycle_pb2 import Receipt
    from camillo_client import Camillo

PAGE_SIZE = 200
COLUMNS = (
    Column("id", style="dim"),
    Column("age", right=True),
    Column("cause"),
    Column("blocked", right=True, optional=True),
    Column("removed"),
)


def reset(
    client: ClientOptions,
    confirm: Annotated[
        str | None,
        Option(metavar="NAME", help="The agent, or the tenant for its shared scope: do not ask."),
    ] = None,
    dry_run: DryRun = False,
    request_id: RequestId = None,
) -> None:
    """Empty a scope for good: all memories, events, decisions, tasks and artifacts of an agent.

    Example: camillo lifecycle reset --agent support --dry-run
    """
    with connected(client) as camillo:
        name = _scope_name(client, camillo)
        if not dry_run and confirm is None:
            confirm = _typed(camillo, name)
        receipt = camillo.lifecycle.reset(
            name if confirm is None else confirm, dry_run=dry_run, request_id=request_id
        )
    if client.as_json:
        print_message(receipt)
        return
    say(f"{'would empty' if dry_run else 'emptied'} {name}: {rows_by_store(receipt.stores)}")
    if receipt.receipt_id:
        note(f"receipt {receipt.receipt_id}")


def receipts(
    client: ClientOptions,
    limit: Annotated[int | None, Option(min=1, help="At most this many. Default: all.")] = None,
) -> None:
    """List what was removed, newest first.

    Example: camillo lifecycle receipts --limit 10
    """
    with connected(client) as camillo:
        found = islice(
            camillo.lifecycle.receipts(page_size=min(limit or PAGE_SIZE, PAGE_SIZE)), limit
        )
        if client.as_json:
            for receipt in found:
                print_message(receipt)
            return
        rows = [_row(receipt) for receipt in found]
    if rows:
        show_table(COLUMNS, rows, lines=2)
    else:
        note("no receipts")


def lift(
    client: ClientOptions,
    text: Annotated[
        list[str] | None, Argument(help="What was forgotten; '-': from standard input.")
    ] = None,
    receipt: Annotated[
        str | None, Option(metavar="ID", help="All that this forgetting took, instead.")
    ] = None,
    request_id: RequestId = None,
) -> None:
    """Let something be stated again that was forgotten.

    Example: camillo lifecycle lift "Ada prefers tea to coffee"
    """
    if text and receipt:
        raise CliError("give either a text or --receipt", ExitCode.USAGE)
    content = None if receipt else given_text(text)
    with connected(client) as camillo:
        lifted = camillo.lifecycle.lift(content, receipt_id=receipt, request_id=request_id)
    if client.as_json:
        print_json({"lifted": lifted})
    else:
        say(f"{lifted:,} {'value' if lifted == 1 else 'values'} may be stated again")


def _scope_name(client: ClientOptions, camillo: Camillo) -> str:
    """What has to be typed out: the agent's id, or the tenant's for its shared scope."""
    caller = camillo.who_am_i()
    agent = client.agent
    if agent is None:
        agent = DEFAULT_AGENT if caller.any_agent else caller.agent_id
    return agent or caller.tenant_id


def _typed(camillo: Camillo, name: str) -> str:
    """What somebody at a terminal types who has been told what would go."""
    if not sys.stdin.isatty():
        raise CliError(f"this removes everything: say so with --confirm {name}", ExitCode.USAGE)
    planned = camillo.lifecycle.reset(name, dry_run=True)
    note(f"This removes for good: {rows_by_store(planned.stores)}.")
    typed: str = typer.prompt(f"Type {name} to go on", err=True)
    if typed != name:
        raise typer.Abort
    return typed


def _row(receipt: Receipt) -> list[str]:
    from camillo_client import to_datetime

    return [
        receipt.receipt_id,
        age(to_datetime(receipt.at), utc_now()),
        receipt.cause.replace("_", " "),
        f"{receipt.blocked_values:,}",
        rows_by_store(receipt.stores),
    ]
