"""watch, event watch, slots watch, audit watch: changes as they are committed, a line each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

from typer import Argument, Option

from camillo_cli.audit import AuditFilterOptions, entry_line
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.events import EventFilterOptions, actor_name, event_text
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import clean, field_text
from camillo_cli.options import ShownIn, literal
from camillo_cli.output import print_message, say

if TYPE_CHECKING:
    from camillo.v1.event_pb2 import EventChange
    from camillo.v1.memory_pb2 import MemoryChange
    from camillo.v1.memory_service_pb2 import RecallResponse
    from camillo.v1.slot_pb2 import SlotChange
    from camillo_client import Camillo

MAX_LINE_TEXT = 200


@dataclass(frozen=True, slots=True)
class RangeOptions:
    """Options of which changes to print. Raises CliError for two beginnings."""

    resume: Annotated[str, Option(metavar="TOKEN", help="Continue after the change with this token.")] = ""
    from_beginning: Annotated[
        bool, Option("--from-beginning", help="Start with everything that is stored already.")
    ] = False
    limit: Annotated[int | None, Option(min=1, help="End after so many changes.")] = None

    def __post_init__(self) -> None:
        if self.resume and self.from_beginning:
            raise CliError("give either --resume or --from-beginning", ExitCode.USAGE)

    def start(self, camillo: Camillo, *, shared: bool = False, spaces: Sequence[str] = ()) -> dict[str, Any]:
        """Where a watch of the agent's space, or of the shared one, and of these starts, as the client takes it."""
        beside: dict[str, Any] = {"spaces": spaces} if spaces else {}
        if self.resume or self.from_beginning:
            return {"resume_token": self.resume, "from_beginning": self.from_beginning, **beside}
        present = _present(camillo, shared=shared, spaces=spaces)
        return {"after_revision": present.revision, **({"spaces": present.spaces} if spaces else {})}


def watch(
    client: ClientOptions,
    changes: RangeOptions,
    read_space: Annotated[
        list[str] | None,
        Option(metavar="PATH", help="Watch this space, too: users/42, projects/shop; may be repeated."),
    ] = None,
) -> None:
    """Print the changes of an agent's memories as they are committed, until interrupted (exit code 130).

    With --json each line has a resume_token, with which a later watch of the same spaces continues; checkpoints are
    printed as well.
    Example: camillo watch --json --from-beginning
    """
    with connected(client) as camillo:
        watched = camillo.watch(**changes.start(camillo, spaces=read_space or ()))
        _print_changes(client, watched, _memory_line, changes.limit)


def watch_events(
    client: ClientOptions,
    filters: EventFilterOptions,
    changes: RangeOptions,
    channel: ShownIn = None,
) -> None:
    """Print an agent's events as they are recorded, until interrupted (exit code 130).

    With --json each line has a resume_token, with which a later watch continues; checkpoints are printed as well.
    Example: camillo event watch --session s1 --from-beginning
    """
    with connected(client) as camillo:
        start = changes.start(camillo) | filters.fields()
        watched = camillo.events.watch(channel=literal(channel), **start)
        _print_changes(client, watched, _event_line, changes.limit)


def watch_slots(
    client: ClientOptions,
    changes: RangeOptions,
    prefix: Annotated[str, Argument(metavar="[PREFIX]", help="Only slots below this key, itself among them.")] = "",
    triggers: Annotated[bool, Option("--triggers", help="Also say when the trigger_at of a slot comes.")] = False,
    shared: Annotated[bool, Option("--shared", help="Those of the space that all agents of the tenant share.")] = False,
    channel: ShownIn = None,
) -> None:
    """Print the versions of slots as they are written, until interrupted (exit code 130).

    With --json each line has a resume_token, with which a later watch continues; checkpoints are printed as well.
    Example: camillo slots watch /user --triggers
    """
    with connected(client) as camillo:
        watched = camillo.slots.watch(
            prefix,
            triggers_after=datetime.now(UTC) if triggers else None,
            shared=shared,
            channel=literal(channel),
            **changes.start(camillo, shared=shared),
        )
        _print_changes(client, watched, _slot_line, changes.limit)


def _present(camillo: Camillo, *, shared: bool, spaces: Sequence[str]) -> RecallResponse:
    """The revisions that the spaces have now, from a recall that cannot find anything."""
    from camillo.v1.consistency_pb2 import SpaceRead
    from camillo_client import SHARED, fully_consistent, memory_filter

    nothing = memory_filter(tags_all=[uuid4().hex])
    agent = SHARED if shared else None
    read = [SpaceRead(space=each, freshness=fully_consistent()) for each in spaces]
    asked: dict[str, Any] = {"limit": 1, "filter": nothing, "freshness": fully_consistent(), "agent_id": agent}
    return camillo.recall("now", spaces=read, **asked).message


def watch_audit(
    client: ClientOptions,
    filters: AuditFilterOptions,
    resume: Annotated[str, Option(metavar="TOKEN", help="Continue after the entry with this token.")] = "",
    limit: Annotated[int | None, Option(min=1, help="End after so many entries.")] = None,
) -> None:
    """Print changes in the order in which they were committed, from the oldest, until interrupted (exit code 130).

    With --json each line has a resume_token, with which a later watch continues: so the trail is kept elsewhere.
    Example: camillo audit watch --json --method MemoryService/
    """
    with connected(client) as camillo:
        watched = camillo.audit.watch(resume_token=resume, **filters.fields())
        _print_changes(client, watched, entry_line, limit)


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
    # Only where several spaces are watched.
    space = f"{change.agent_id}  " if change.agent_id else ""
    if event == "forgotten_memory_id":
        return f"{space}forgotten   {change.forgotten_memory_id}"
    if event != "changed":
        return ""
    memory = change.changed
    verb = "remembered" if memory.version == 1 else f"version {memory.version}"
    return f"{space}{verb:<11} {memory.memory_id}  {clean(memory.content)[:MAX_LINE_TEXT]}"


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


def _slot_line(change: SlotChange) -> str:
    match change.WhichOneof("change"):
        case "forgotten_slot_id":
            return f"forgotten  {change.forgotten_slot_id}"
        case "hidden_slot_id":
            return f"hidden     {change.hidden_slot_id}"
        case "triggered":
            return f"due        {clean(change.triggered.key)}  {clean(change.triggered.summary)}"
        case "written":
            slot = change.written
            verb = "set" if slot.valid else "removed"
            said = clean(slot.json_content if slot.valid else "")[:MAX_LINE_TEXT]
            return f"{verb:<10} {clean(slot.key)}  {slot.version}  {said}".rstrip()
    return ""
