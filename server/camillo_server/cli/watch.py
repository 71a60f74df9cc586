"""watch, event watch: changes as they are committed, a line each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

from typer import Option

from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.events import EventFilterOptions, actor_name, event_text
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.format import clean, field_text
from camillo_server.cli.options import ShownIn, literal
from camillo_server.cli.output import print_message, say

if TYPE_CHECKING:
    from camillo.v1.consistency_pb2 import Revision
    from camillo.v1.event_pb2 import EventChange
    from camillo.v1.memory_pb2 import MemoryChange
    from camillo_client import Camillo

MAX_LINE_TEXT = 200
Resume = Annotated[str, Option(metavar="TOKEN", help="Continue after the change with this token.")]
FromBeginning = Annotated[
    bool, Option("--from-beginning", help="Start with everything that is stored already.")
]
ChangeLimit = Annotated[int | None, Option(min=1, help="End after so many changes.")]


def watch(
    client: ClientOptions,
    resume: Resume = "",
    from_beginning: FromBeginning = False,
    limit: ChangeLimit = None,
) -> None:
    """Print the changes of an agent's memories as they are committed, until interrupted (exit code 130).

    With --json each line has a resume_token, with which a later watch continues; checkpoints are printed as well.
    Example: camillo watch --json --from-beginning
    """
    _check_start(resume, from_beginning)
    with connected(client) as camillo:
        start = _start(camillo, resume, from_beginning)
        _print_changes(client, camillo.watch(**start), _memory_line, limit)


def watch_events(
    client: ClientOptions,
    filters: EventFilterOptions,
    resume: Resume = "",
    from_beginning: FromBeginning = False,
    limit: ChangeLimit = None,
    channel: ShownIn = None,
) -> None:
    """Print an agent's events as they are recorded, until interrupted (exit code 130).

    With --json each line has a resume_token, with which a later watch continues; checkpoints are printed as well.
    Example: camillo event watch --session s1 --from-beginning
    """
    _check_start(resume, from_beginning)
    with connected(client) as camillo:
        start = _start(camillo, resume, from_beginning) | filters.fields()
        changes = camillo.events.watch(channel=literal(channel), **start)
        _print_changes(client, changes, _event_line, limit)


def _check_start(resume: str, from_beginning: bool) -> None:
    if resume and from_beginning:
        raise CliError("give either --resume or --from-beginning", ExitCode.USAGE)


def _start(camillo: Camillo, resume: str, from_beginning: bool) -> dict[str, Any]:
    """Where a watch starts, as the client takes it."""
    return {
        "resume_token": resume,
        "after_revision": None if resume or from_beginning else _present_revision(camillo),
        "from_beginning": from_beginning,
    }


def _present_revision(camillo: Camillo) -> Revision:
    """The revision that the scope has now, from a recall that cannot find anything."""
    from camillo_client import fully_consistent, memory_filter

    nothing = memory_filter(tags_all=[uuid4().hex])
    return camillo.recall("now", limit=1, filter=nothing, freshness=fully_consistent()).revision


def _print_changes(
    client: ClientOptions,
    changes: Generator[Any],
    line_of: Callable[[Any], str],
    limit: int | None,
) -> None:
    seen = 0
    with closing(changes):
        for change in changes:
            line = line_of(change)
            if client.as_json:
                print_message(change)
            elif line:
                say(line)
            sys.stdout.flush()
            # A checkpoint has no line, and is no change.
            seen += bool(line)
            if seen == limit:
                return


def _memory_line(change: MemoryChange) -> str:
    event = change.WhichOneof("event")
    if event == "forgotten_memory_id":
        return f"forgotten   {change.forgotten_memory_id}"
    if event != "changed":
        return ""
    memory = change.changed
    verb = "remembered" if memory.version == 1 else f"version {memory.version}"
    return f"{verb:<11} {memory.memory_id}  {clean(memory.content)[:MAX_LINE_TEXT]}"


def _event_line(change: EventChange) -> str:
    match change.WhichOneof("change"):
        case "forgotten_event_id":
            return f"{change.forgotten_event_id}  forgotten"
        case "recorded":
            event = change.recorded
            who = clean(f"{actor_name(event)} {field_text(event, 'stated.kind')}")
            text = clean(event_text(event)[: 2 * MAX_LINE_TEXT])[:MAX_LINE_TEXT]
            return f"{event.event_id}  {who}: {text}"
    return ""
