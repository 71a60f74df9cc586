"""event record, list, show, forget, rebuild."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from camillo_server.cli.arguments import utc_now
from camillo_server.cli.artifact_options import ShownIn, name_of
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.events_options import EventContentOptions, EventFilterOptions, EventOptions
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.output import note, print_message, say
from camillo_server.cli.tables import printable, show_table
from camillo_server.cli.writing import RequestId

if TYPE_CHECKING:
    from camillo.v1.event_pb2 import Event
    from camillo_client import Camillo

PAGE_SIZE = 200


def record(
    client: ClientOptions,
    about: EventOptions,
    content: EventContentOptions,
    text: Annotated[
        list[str] | None, Argument(help="What was said; '-', or piped in: from standard input.")
    ] = None,
    request_id: RequestId = None,
) -> None:
    """Record what happened. It never changes afterwards.

    Example: camillo event record "Where is the tea?" --session s1 --actor human:ada
    """
    fields = {**about.fields(), **content.content(text, about.kind)}
    with connected(client) as camillo:
        recorded = camillo.events.record(fields.pop("text", None), request_id=request_id, **fields)
    if client.as_json:
        print_message(recorded)
        return
    say(f"recorded {recorded.event_id}")
    if recorded.artifact_id:
        note(f"the whole of it is the artifact {recorded.artifact_id}")


def list_events(
    client: ClientOptions,
    filters: EventFilterOptions,
    limit: Annotated[int | None, Option(min=1, help="At most this many. Default: all.")] = None,
    oldest_first: Annotated[
        bool, Option("--oldest-first", help="In the order of recording.")
    ] = False,
    channel: ShownIn = None,
) -> None:
    """List events, the latest first.

    Example: camillo event list --session s1 --kind tool_result --since 7d --limit 20
    """
    conditions = filters.conditions()
    with connected(client) as camillo:
        found = camillo.events.list(
            page_size=min(limit or PAGE_SIZE, PAGE_SIZE),
            newest_first=not oldest_first,
            channel=name_of(channel),
            **conditions,
        )
        if client.as_json:
            for event in islice(found, limit):
                print_message(event)
        else:
            _show_events(islice(found, limit))


def show(
    client: ClientOptions,
    event_id: Annotated[str, Argument(metavar="ID", help="The id of an event.")],
    channel: ShownIn = None,
) -> None:
    """Show one event.

    Example: camillo event show 0198c0de-0000-7000-8000-000000000001
    """
    from camillo_server.cli.events_wording import details, text_of

    with connected(client) as camillo:
        found = camillo.events.get(event_id, channel=name_of(channel))
    if client.as_json:
        print_message(found)
        return
    text = text_of(found.event.stated).rstrip("\n")
    say(printable(text) if sys.stdout.isatty() else text)
    say("")
    for name, value in details(found.event, len(found.chunk_ids)):
        say(f"{name:<12} {value}")


def forget(
    client: ClientOptions,
    event_ids: Annotated[
        list[str] | None, Argument(metavar="[ID]...", help="Ids; or give --session.")
    ] = None,
    session: Annotated[
        str, Option(help="All events of this conversation.", show_default=False)
    ] = "",
    dry_run: Annotated[bool, Option("--dry-run", help="Only tell what would go.")] = False,
    yes: Annotated[bool, Option("--yes", "-y", help="Do not ask.")] = False,
    request_id: RequestId = None,
) -> None:
    """Remove events for good, with everything that was derived from them.

    Example: camillo event forget --session s1 --dry-run
    """
    if bool(event_ids) == bool(session):
        raise CliError("give either ids or --session", ExitCode.USAGE)
    selector: dict[str, Any] = {"session_id": session} if session else {"ids": event_ids}
    with connected(client) as camillo:
        if not dry_run and not yes and sys.stdin.isatty():
            _confirm(camillo, selector)
        answer = camillo.events.forget(**selector, dry_run=dry_run, request_id=request_id)
    if client.as_json:
        print_message(answer)
        return
    say(f"{'would forget' if dry_run else 'forgot'} {counted(answer.forgotten)}")
    for store in answer.receipt.stores:
        note(f"{store.rows:>9,} {store.store.replace('_', ' ')}")
    if answer.receipt.invalidated_memory_ids:
        note(f"{len(answer.receipt.invalidated_memory_ids):>9,} summaries archived")
    if answer.receipt.receipt_id:
        note(f"receipt {answer.receipt.receipt_id}")


def rebuild(client: ClientOptions) -> None:
    """Drop every chunk of an agent's events and decisions, and make it again; no answer changes.

    Example: camillo event rebuild --agent ada --timeout 600
    """
    with connected(client) as camillo:
        answer = camillo.events.rebuild_chunks()
    if client.as_json:
        print_message(answer)
    else:
        say(f"made {answer.made:,} chunks in place of {answer.dropped:,}")


def counted(events: int) -> str:
    """A number of events, in words."""
    return f"{events:,} {'event' if events == 1 else 'events'}"


def _confirm(camillo: Camillo, selector: dict[str, Any]) -> None:
    found = camillo.events.forget(**selector, dry_run=True).forgotten
    if found:
        typer.confirm(f"Forget {counted(found)} for good?", abort=True, err=True)


def _show_events(events: Iterator[Event]) -> None:
    """Page by page, so that the first are seen before the last are read."""
    from camillo_server.cli.events_wording import COLUMNS, row

    now, shown = utc_now(), 0
    while page := list(islice(events, PAGE_SIZE)):
        show_table(COLUMNS, [row(event, now) for event in page])
        shown += len(page)
    if not shown:
        note("no events")
