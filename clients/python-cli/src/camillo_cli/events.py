"""event record, list, show, forget, rebuild: the events of an agent."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.arguments import json_object, read_words
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import counted, field_text
from camillo_cli.output import (
    note,
    note_durability,
    print_message,
    print_result,
    print_text,
    say,
)
from camillo_cli.removals import run_confirmed
from camillo_cli.tables import Column, age_in, pages, print_list, show_details

if TYPE_CHECKING:
    from camillo.v1.event_pb2 import Event

content_option = options.panel("Content")


@dataclass(frozen=True, slots=True)
class EventOptions(options.ClientFields):
    """The fields of a new event, apart from its content."""

    session_id: Annotated[str, options.about("The session it belongs to.", "--session")]
    actor: Annotated[
        str | None,
        options.about(
            "Who caused it: human:ada. Default: of a tool's output the tool, of its call the agent, else human:user.",
            metavar="TYPE:NAME",
        ),
    ] = None
    kind: Annotated[
        options.EventKind | None,
        options.about("Its kind. Default: from the content, else message."),
    ] = None
    channel: Annotated[options.Channel | None, options.about("Where it happened. Default: private.", "--channel")] = (
        None
    )
    sensitivity: options.SensitivityLevel = None
    tags: options.Tags = field(default_factory=list)
    refs: Annotated[list[str], options.about("Id of a record it is about; may be repeated.", "--ref")] = field(
        default_factory=list
    )
    occurred_at: options.OccurredAt = None
    importance: Annotated[
        float | None,
        options.about("From 0 to 1. Default: by the rules of the server.", min=0, max=1),
    ] = None


@dataclass(frozen=True, slots=True)
class EventContentOptions:
    """The content of an event, where that is more than a text."""

    data: Annotated[
        dict[str, Any] | None,
        content_option("A JSON object in place of a text.", metavar="JSON", parser=json_object("--data")),
    ] = None
    tool: Annotated[str, content_option("The tool; the text is its output.")] = ""
    arguments: Annotated[
        dict[str, Any] | None,
        content_option(
            "A call of the tool with these arguments, a JSON object.",
            metavar="JSON",
            parser=json_object("--arguments"),
        ),
    ] = None
    call_id: Annotated[str, content_option("Links a call and its result.")] = ""
    path: Annotated[str, content_option("The file that the tool read.")] = ""
    exit_code: Annotated[int | None, content_option("Exit code of the tool.")] = None
    failed: Annotated[bool, content_option("The tool failed.", "--failed")] = False

    def content(self, text: options.Words, kind: options.EventKind | None) -> dict[str, Any]:
        """The content as the client takes it, read from standard input where that is asked for. Raises CliError."""
        from camillo_client import tool_call, tool_result

        is_call = self.arguments is not None or kind is options.EventKind.TOOL_CALL
        if (is_call or kind is options.EventKind.TOOL_RESULT) and not self.tool:
            raise CliError("name the tool with --tool", ExitCode.USAGE)
        if (is_call or self.data is not None) and text:
            raise CliError("give a text, --data or --arguments, not several", ExitCode.USAGE)
        if is_call:
            return {"tool_call": tool_call(self.tool, self.arguments, call_id=self.call_id)}
        if self.data is not None:
            return {"json": self.data}
        # The output of a tool is stored with its last line end.
        content = read_words(text, exact=bool(self.tool))
        if not self.tool:
            return {"text": content}
        result = tool_result(
            self.tool,
            content,
            call_id=self.call_id,
            path=self.path,
            is_error=self.failed,
            exit_code=self.exit_code,
        )
        return {"tool_result": result}


@dataclass(frozen=True, slots=True)
class EventFilterOptions(options.ClientFields):
    """Conditions of a filter of events; all of them have to hold."""

    session_id: options.OfSession = ""
    kinds: Annotated[list[options.EventKind], options.of_kinds] = field(default_factory=list)
    actor_types: Annotated[
        list[options.ActorType],
        options.where("Caused by this type; repeated: by one of them.", "--actor"),
    ] = field(default_factory=list)
    tags_all: options.AllTags = field(default_factory=list)
    tags_any: options.AnyTags = field(default_factory=list)
    occurred_from: options.OccurredFrom = None
    occurred_before: options.OccurredBefore = None
    max_sensitivity: options.MaxSensitivity = None
    ref: Annotated[str, options.where("With this id among its references.", "--ref")] = ""
    workflow: Annotated[str, options.where("Steps of this workflow.", "--workflow")] = ""
    workflow_run: Annotated[str, options.where("Steps of this run.", "--run")] = ""
    workflow_step: Annotated[str, options.where("Steps of this name.", "--step")] = ""
    workflow_status: Annotated[
        options.WorkflowStatus | None, options.where("Only steps with this status.", "--status")
    ] = None


def record(
    client: ClientOptions,
    event: EventOptions,
    content: EventContentOptions,
    text: Annotated[options.Words, options.words("The text of the event")] = None,
    omit_forgotten: options.OmitForgotten = False,
    request_id: options.RequestId = None,
) -> None:
    """Record an event. It never changes afterwards.

    Example: camillo event record "Where is the tea?" --session s1 --actor human:ada
    """
    fields = event.fields() | content.content(text, event.kind)
    if event.actor is None and not content.tool:
        # Who types a command is a person; of tools the server knows better.
        fields["actor"] = "human:user"
    with connected(client) as camillo:
        recorded = camillo.events.record(
            fields.pop("text", None),
            omit_forgotten=omit_forgotten,
            request_id=request_id,
            **fields,
        )
    print_result(client, recorded, f"recorded {recorded.event_id}")
    note_durability(recorded)
    if recorded.artifact_id and not client.as_json:
        note(f"the full content is the artifact {recorded.artifact_id}")


def list_events(
    client: ClientOptions,
    filters: EventFilterOptions,
    limit: options.Limit = None,
    oldest_first: Annotated[bool, Option("--oldest-first", help="In order of recording.")] = False,
    channel: options.ShownIn = None,
) -> None:
    """List events, the latest first.

    Example: camillo event list --session s1 --kind tool_result --since 7d --limit 20
    """
    with connected(client) as camillo:
        order = {"newest_first": not oldest_first, "channel": channel}
        listed = pages(camillo.events.list, limit, **order, **filters.fields())
        print_list(client, listed, COLUMNS, empty="no events")


def show(
    client: ClientOptions,
    event_id: Annotated[str, Argument(metavar="ID", help="The id of an event.")],
    channel: options.ShownIn = None,
) -> None:
    """Show one event.

    Example: camillo event show 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        answer = camillo.events.get(event_id, channel=options.literal(channel))
    if client.as_json:
        print_message(answer)
        return
    print_text(event_text(answer.event).rstrip("\n"))
    say("")
    show_details(answer.event, DETAILS)
    say(f"{'chunks':<12} {len(answer.chunk_ids):,}")


def forget(
    client: ClientOptions,
    event_ids: Annotated[options.Words, Argument(metavar="[ID]...", help="Ids; or give --session.")] = None,
    session: Annotated[str, options.option("All events of this session.")] = "",
    dry_run: options.DryRun = False,
    yes: options.Yes = False,
    request_id: options.RequestId = None,
) -> None:
    """Remove events permanently, with everything derived from them.

    Example: camillo event forget --session s1 --dry-run
    """
    if bool(event_ids) == bool(session):
        raise CliError("give either ids or --session", ExitCode.USAGE)
    selector: dict[str, Any] = {"session_id": session} if session else {"ids": event_ids}
    with connected(client) as camillo:
        answer = run_confirmed(
            partial(camillo.events.forget, **selector),
            lambda planned: _counted_events(planned.forgotten) if planned.forgotten else "",
            dry_run=dry_run,
            yes=yes,
            request_id=request_id,
        )
    verb = "would forget" if dry_run else "forgot"
    print_result(client, answer, f"{verb} {_counted_events(answer.forgotten)}")
    if client.as_json:
        return
    receipt = answer.receipt
    for store in receipt.stores:
        if store.rows:
            note(f"{store.rows:>9,} {store.store.replace('_', ' ')}")
    if receipt.receipt_id:
        note(f"receipt {receipt.receipt_id}")


def _counted_events(number: int) -> str:
    return counted(number, "event", "events")


def rebuild(client: ClientOptions) -> None:
    """Delete the chunks of an agent's events and decisions, and make them again. No answer of the server changes.

    Example: camillo event rebuild --agent ada --timeout 600
    """
    with connected(client) as camillo:
        answer = camillo.events.rebuild_chunks()
    print_result(client, answer, f"made {answer.made:,} chunks in place of {answer.dropped:,}")


def actor_name(event: Event) -> str:
    """The type and the id of an actor: `human:ada`."""
    return f"{field_text(event, 'stated.actor.type')}:{event.stated.actor.id}"


def event_text(event: Event) -> str:
    """The content of an event as text."""
    stated = event.stated
    match stated.WhichOneof("content"):
        case "tool_call":
            return f"{stated.tool_call.tool} {_json(stated.tool_call.arguments)}"
        case "tool_result":
            return stated.tool_result.excerpt_text
        case "workflow_step":
            step = stated.workflow_step
            return f"{step.workflow} / {step.step}: {field_text(step, 'status')}\n{step.output}"
        case "json":
            return _json(stated.json)
    return stated.text


def _json(struct: Any) -> str:
    from google.protobuf.json_format import MessageToDict

    return json.dumps(MessageToDict(struct), ensure_ascii=False, sort_keys=True)


def _lines(event: Event) -> str:
    result = event.stated.tool_result
    lines = result.line_range
    return f"{lines.first:,}-{lines.last:,}" if result.HasField("line_range") else ""


def _artifact(event: Event) -> str:
    stated = event.stated
    is_step = stated.WhichOneof("content") == "workflow_step"
    result = stated.workflow_step if is_step else stated.tool_result
    return f"{result.artifact_id} (shown: its beginning)" if result.truncated else result.artifact_id


COLUMNS = (
    Column("id", "event_id", style="dim"),
    Column("age", age_in("stated.occurred_at"), right=True),
    Column("actor", actor_name, style="green", optional=True),
    Column("kind", "stated.kind", optional=True),
    Column("session", "stated.session_id", optional=True),
    Column("content", event_text),
)
DETAILS = (
    ("id", "event_id"),
    ("kind", "stated.kind"),
    ("actor", actor_name),
    ("session", "stated.session_id"),
    ("run", "stated.workflow_step.run"),
    ("tool", "stated.tool_result.tool"),
    ("path", "stated.tool_result.path"),
    ("lines", _lines),
    ("whole", _artifact),
    ("exit code", "stated.tool_result.exit_code"),
    ("failed", "stated.tool_result.is_error"),
    ("call id", lambda event: event.stated.tool_call.call_id or event.stated.tool_result.call_id),
    ("tags", "stated.tags"),
    ("refs", "stated.refs"),
    ("importance", "stated.importance"),
    ("channel", "stated.channel"),
    ("sensitivity", "stated.sensitivity"),
    ("happened", "stated.occurred_at"),
    ("recorded", "recorded_at"),
)
