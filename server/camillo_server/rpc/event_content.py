"""What an event tells: content of messages into domain values, and back."""

from camillo.v1 import event_pb2 as pb

from camillo_server.domain.events.event import (
    EventContent,
    EventKind,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)
from camillo_server.rpc import limits
from camillo_server.rpc.context_fields import large_text
from camillo_server.rpc.context_json import fill_json, json_object
from camillo_server.rpc.validate import Checks

# Which content an event of a kind may have; every other kind has text or JSON.
CONTENT_OF_KIND = {
    EventKind.TOOL_CALL: ("tool_call",),
    EventKind.TOOL_RESULT: ("tool_result",),
}
PLAIN = ("text", "json")
NOTHING = TextContent("")


def content_of(message: pb.NewEvent, kind: EventKind, checks: Checks, path: str) -> EventContent:
    """What was stated. Adds to the checks what is wrong with it."""
    name = message.WhichOneof("content")
    allowed = CONTENT_OF_KIND.get(kind, PLAIN)
    if name not in allowed:
        wanted = " or ".join(f"`{each}`" for each in allowed)
        checks.fail(f"{path}.content", f"must be {wanted} for an event of this kind")
        return NOTHING
    match name:
        case "tool_call":
            return _tool_call(message.tool_call, checks, f"{path}.tool_call")
        case "tool_result":
            return _tool_result(message.tool_result, checks, f"{path}.tool_result")
        case "json":
            found = json_object(message.json, checks, f"{path}.json", limits.EVENT_JSON_BYTES)
            return JsonContent(found)
    bounds = (1, limits.EVENT_TEXT_BYTES)
    return TextContent(large_text(message.text, checks, f"{path}.text", bounds))


def _tool_call(message: pb.ToolCall, checks: Checks, path: str) -> ToolCallContent:
    most = limits.ARGUMENTS_JSON_BYTES
    return ToolCallContent(
        tool=_tool(message.tool, checks, path),
        call_id=_call_id(message.call_id, checks, path),
        arguments=json_object(message.arguments, checks, f"{path}.arguments", most),
    )


def _tool_result(message: pb.ToolResult, checks: Checks, path: str) -> ToolResultContent:
    bounds = (0, limits.TOOL_OUTPUT_BYTES)
    text = large_text(message.excerpt_text, checks, f"{path}.excerpt_text", bounds)
    first_line, last_line = _lines(message, text, checks, path)
    artifact_id = message.artifact_id
    checks.text(f"{path}.artifact_id", artifact_id, 0, limits.ARTIFACT_ID_CHARACTERS)
    if message.truncated and not artifact_id:
        checks.fail(f"{path}.artifact_id", "must name the whole of a text that is `truncated`")
    return ToolResultContent(
        tool=_tool(message.tool, checks, path),
        call_id=_call_id(message.call_id, checks, path),
        path=checks.text(f"{path}.path", message.path, 0, limits.PATH_CHARACTERS),
        excerpt_text=text,
        first_line=first_line,
        last_line=last_line,
        truncated=message.truncated,
        artifact_id=artifact_id,
        is_error=message.is_error,
        exit_code=message.exit_code if message.HasField("exit_code") else None,
    )


def _lines(message: pb.ToolResult, text: str, checks: Checks, path: str) -> tuple[int, int]:
    """Which lines the text holds, both ends among them; of an empty text the last is before the first."""
    if not message.HasField("line_range"):
        return 1, text.count("\n") + (bool(text) and not text.endswith("\n"))
    held = message.line_range
    checks.whole(f"{path}.line_range.first", held.first, 1)
    if held.last < held.first:
        checks.fail(f"{path}.line_range.last", "must not be before first")
    return held.first, held.last


def _tool(value: str, checks: Checks, path: str) -> str:
    return checks.text(f"{path}.tool", value, 1, limits.EVENT_TOOL_CHARACTERS)


def _call_id(value: str, checks: Checks, path: str) -> str:
    return checks.text(f"{path}.call_id", value, 0, limits.CALL_ID_CHARACTERS)


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
