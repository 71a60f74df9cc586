"""What an event tells: content of messages into domain values, and back."""

from uuid import UUID

from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as service

from camillo_server.events import page_tokens as events_page_tokens
from camillo_server.events.event import (
    ActorType,
    EventContent,
    EventFilter,
    EventId,
    EventKind,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)
from camillo_server.events.events import EventQuery
from camillo_server.kernel.paging import EventCursor
from camillo_server.rpc.call import Call
from camillo_server.rpc.field_limits import rule
from camillo_server.rpc.fields import channel_of, distinct, levels_up_to, members, time_of
from camillo_server.rpc.json_values import fill_json, plain_object
from camillo_server.rpc.validate import Checks

# Which content an event of a kind may have; every other kind has text or JSON.
CONTENT_OF_KIND: dict[int, tuple[str, ...]] = {
    EventKind.TOOL_CALL: ("tool_call",),
    EventKind.TOOL_RESULT: ("tool_result",),
}
PLAIN = ("text", "json")


@rule(pb.NewEvent)
def check_content(message: pb.NewEvent, path: str, checks: Checks) -> None:
    """An event of a kind has the content of its kind."""
    allowed = CONTENT_OF_KIND.get(message.kind, PLAIN)
    if message.WhichOneof("content") not in allowed:
        wanted = " or ".join(f"`{each}`" for each in allowed)
        checks.fail(f"{path}content", f"must be {wanted} for an event of this kind")


@rule(pb.ToolResult)
def check_tool_result(message: pb.ToolResult, path: str, checks: Checks) -> None:
    """What is a part names the whole; lines are in their order."""
    if message.truncated and not message.artifact_id:
        checks.fail(f"{path}artifact_id", "must name the whole of a text that is `truncated`")
    held = message.line_range
    if message.HasField("line_range") and held.last < held.first:
        checks.fail(f"{path}line_range.last", "must not be before first")


def content_of(message: pb.NewEvent) -> EventContent:
    """What was stated."""
    match message.WhichOneof("content"):
        case "tool_call":
            return _tool_call(message.tool_call)
        case "tool_result":
            return _tool_result(message.tool_result)
        case "json":
            return JsonContent(plain_object(message.json))
    return TextContent(message.text)


def _tool_call(message: pb.ToolCall) -> ToolCallContent:
    return ToolCallContent(message.tool, message.call_id, plain_object(message.arguments))


def _tool_result(message: pb.ToolResult) -> ToolResultContent:
    first_line, last_line = _lines(message)
    return ToolResultContent(
        tool=message.tool,
        call_id=message.call_id,
        path=message.path,
        excerpt_text=message.excerpt_text,
        first_line=first_line,
        last_line=last_line,
        truncated=message.truncated,
        artifact_id=message.artifact_id,
        is_error=message.is_error,
        exit_code=message.exit_code if message.HasField("exit_code") else None,
    )


def _lines(message: pb.ToolResult) -> tuple[int, int]:
    """Which lines the text holds, both ends among them; of an empty text the last is before the first."""
    if message.HasField("line_range"):
        return message.line_range.first, message.line_range.last
    text = message.excerpt_text
    return 1, text.count("\n") + (bool(text) and not text.endswith("\n"))


def fill_content(message: pb.NewEvent, content: EventContent) -> None:
    """Puts what an event tells into its message."""
    match content:
        case TextContent():
            message.text = content.text
        case JsonContent():
            fill_json(message.json, content.value)
        case ToolCallContent():
            message.tool_call.tool = content.tool
            message.tool_call.call_id = content.call_id
            fill_json(message.tool_call.arguments, content.arguments)
        case ToolResultContent():
            _fill_tool_result(message.tool_result, content)


def _fill_tool_result(message: pb.ToolResult, content: ToolResultContent) -> None:
    message.tool = content.tool
    message.call_id = content.call_id
    message.path = content.path
    message.excerpt_text = content.excerpt_text
    message.line_range.first = content.first_line
    message.line_range.last = content.last_line
    message.truncated = content.truncated
    message.artifact_id = content.artifact_id
    message.is_error = content.is_error
    if content.exit_code is not None:
        message.exit_code = content.exit_code


def list_of(request: service.ListEventsRequest, call: Call) -> EventQuery:
    """Which events are to be listed."""
    return EventQuery(
        scope=call.scope,
        filter=event_filter(request.filter),
        channel=channel_of(request.channel),
        newest_first=request.newest_first,
    )


def event_filter(message: pb.EventFilter) -> EventFilter:
    """The conditions of a list or a watch."""
    return EventFilter(
        session_id=message.session_id,
        kinds=members(message.kinds, EventKind),
        actor_types=members(message.actor_types, ActorType),
        tags_any=distinct(message.tags_any),
        tags_all=distinct(message.tags_all),
        occurred_from=time_of(message, "occurred_from"),
        occurred_before=time_of(message, "occurred_before"),
        ref=message.ref,
        sensitivities=levels_up_to(message.max_sensitivity),
    )


@rule(service.WatchEventsRequest)
def check_start(request: service.WatchEventsRequest, path: str, checks: Checks) -> None:
    """Nobody is sent everything who forgot to say where to begin."""
    start = request.WhichOneof("start")
    if start is None or (start == "from_beginning" and not request.from_beginning):
        checks.fail("start", "must say where to begin")


def watch_start(request: service.WatchEventsRequest, call: Call) -> EventCursor | None:
    """The place behind which a watch begins; None for the beginning. Raises InvalidField, InvalidPageToken,
    RevisionUnknown."""
    match request.WhichOneof("start"):
        case "resume_token":
            token = request.resume_token
            return events_page_tokens.read_resume_token(call.revisions, call.scope, token)
        case "after_revision":
            token = request.after_revision.token
            number = call.revisions.read_revision(call.scope, token, "after_revision.token")
            return events_page_tokens.after_revision(number)
    return None


def selector_of(request: service.ForgetEventsRequest) -> list[EventId] | str:
    """These events, or those of a session."""
    if request.WhichOneof("selector") == "session_id":
        return request.session_id
    return [EventId(UUID(value)) for value in dict.fromkeys(request.event_ids.ids)]
