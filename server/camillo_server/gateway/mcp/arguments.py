"""Arguments of a tool, checked against its own schema, so that what is wrong is said in words a model can act on."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from camillo_server.gateway.mcp.tool import Arguments, Schema, ToolDefinition, ToolRefused

_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def checked(tool: ToolDefinition, given: Mapping[str, Any] | None) -> Arguments:
    """The arguments without those that are null, as optional ones often are sent. Raises ToolRefused."""
    nullable = {name for name, schema in tool.arguments.items() if _takes_null(schema)}
    values = {
        name: value
        for name, value in (given or {}).items()
        if value is not None or name in nullable
    }
    problems = list(_problems(tool, values))
    if problems:
        raise ToolRefused("INVALID_ARGUMENTS", "; ".join(problems))
    return values


def moment(name: str, value: str) -> Timestamp:
    """A time of an argument: `2026-01-31` or `2026-01-31T10:00:00Z`. Raises ToolRefused."""
    try:
        parsed = datetime.fromisoformat(value)
        # By its zone a time may lie before the year 1, or behind 9999.
        utc = parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise ToolRefused(
            "INVALID_ARGUMENTS", f"{name} must be a date such as 2026-01-31"
        ) from None
    found = Timestamp()
    found.FromDatetime(utc)
    return found


def _problems(tool: ToolDefinition, values: Arguments) -> Iterator[str]:
    known = ", ".join(tool.arguments)
    for name in values.keys() - tool.arguments.keys():
        yield f"there is no argument {name[:80]!r}; there are {known}"
    for name in tool.required:
        if name not in values:
            yield f"{name} is missing"
    for name, value in values.items():
        schema = tool.arguments.get(name)
        if schema is not None and (problem := _problem(schema, value)):
            yield f"{name} {problem}"


def _problem(schema: Schema, value: Any) -> str:
    expected = _expected(schema)
    if expected and not any(_is_of(kind, value) for kind in expected):
        return f"must be {' or '.join(expected)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"must be one of {', '.join(schema['enum'])}"
    if isinstance(value, str) and not _is_unicode(value):
        return "has half of a character (a lone surrogate)"
    if isinstance(value, list) and "items" in schema:
        return next(filter(None, (_problem(schema["items"], each) for each in value)), "")
    return ""


def _expected(schema: Schema) -> tuple[str, ...]:
    kind = schema.get("type", ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def _is_of(kind: str, value: Any) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    # JSON knows no whole numbers: some clients send 5.0.
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[kind])


def _takes_null(schema: Schema) -> bool:
    return "type" not in schema


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
