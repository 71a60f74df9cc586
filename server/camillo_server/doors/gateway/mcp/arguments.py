"""Arguments of a tool, read by its own schema. Clients and models send many forms of one value: `"3"` for 3, `"home"`
for `["home"]`, JSON as text. A form that can mean only one thing is understood; any other is refused in words that a
model can act on."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from camillo_server.doors.gateway.json_bounds import MESSAGE_BOUNDS, TooMuchJson, check
from camillo_server.doors.gateway.mcp.tool import Arguments, Schema, ToolDefinition, ToolRefused

MAX_DIGITS = 30
MAX_NAMES = 100
# Optional arguments whose text may be one of the words that clients send for "not given".
_FREE_TEXTS = frozenset({"grep"})
_NOT_GIVEN = frozenset({"", "null", "none", "undefined"})
_BOOLEANS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_EXAMPLES = {
    "integer": "a whole number such as 5",
    "number": "a number such as 0.8",
    "boolean": "true or false",
    "array": 'an array of texts such as ["home", "work"]',
    "object": 'an object such as {"kind": "user"}',
    "string": "a text",
}
_SEPARATORS = re.compile(r"[\s_-]+")
# Names of values as the contract and camel case have them.
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CONTRACT = re.compile(r"^(?:memory|event)_kind_|^actor_type_|^channel_|^sensitivity_")
_NOTHING = object()


@dataclass(frozen=True, slots=True)
class ReadArguments:
    """Values by the names of the schema, and the names of what was sent beside them and left out."""

    values: Arguments
    ignored: tuple[str, ...] = ()

    def note(self, tool: ToolDefinition) -> str:
        """One line about what was left out; empty where nothing was."""
        if not self.ignored:
            return ""
        names = ", ".join(repr(name[:80]) for name in self.ignored[:5])
        return f"left out: {tool.name} takes no {names}; it takes {', '.join(tool.arguments)}"


def read_arguments(tool: ToolDefinition, given: Any) -> ReadArguments:
    """The arguments that a client sent, in whatever form. Raises ToolRefused, which names everything that is wrong."""
    values, ignored = _named(tool, _whole(given))
    problems = [f"{name} is missing" for name in tool.required if name not in values]
    read: dict[str, Any] = {}
    for name, value in values.items():
        schema = tool.arguments[name]
        try:
            read[name] = _read(schema, value)
            _check(schema, read[name])
        except ValueError as error:
            problems.append(f"{name} {error}")
    if ignored and "dry_run" in tool.arguments:
        # A misspelt dry_run must not erase anything.
        problems += [f"there is no argument {name[:80]!r}" for name in ignored]
    if problems:
        if ignored:
            problems.append(f"{tool.name} takes {', '.join(tool.arguments)}")
        raise ToolRefused("INVALID_ARGUMENTS", "; ".join(problems))
    return ReadArguments(read, ignored)


def moment(name: str, value: str) -> Timestamp:
    """A time of an argument: `2026-01-31` or `2026-01-31T10:00:00Z`. Raises ToolRefused."""
    found = Timestamp()
    try:
        parsed = datetime.fromisoformat(value.strip())
        found.FromDatetime(parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC))
        found.ToJsonString()
    except (ValueError, OverflowError):
        raise ToolRefused("INVALID_ARGUMENTS", f"{name} must be a date such as 2026-01-31") from None
    return found


def _whole(given: Any) -> Mapping[str, Any]:
    """All arguments: an object, or one as JSON text. PHP and Lua send an empty object as `[]`. Raises ToolRefused."""
    if isinstance(given, str):
        given = _json_of(given) if given.strip() else {}
    if given is None or given == []:
        return {}
    if not isinstance(given, dict):
        raise ToolRefused("INVALID_ARGUMENTS", 'arguments must be an object such as {"query": "…"}')
    if len(given) > MAX_NAMES:
        raise ToolRefused("INVALID_ARGUMENTS", f"there may be at most {MAX_NAMES} arguments")
    return given


def _named(tool: ToolDefinition, given: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The arguments by the names of the schema, without optional ones that mean "not given"; and names that it
    lacks."""
    spellings = {_bare(name): name for name in tool.arguments}
    values, ignored = dict[str, Any](), list[str]()
    for sent, value in given.items():
        name = sent if sent in tool.arguments else spellings.get(_bare(sent), "")
        if not name or (name != sent and name in given):
            ignored.append(sent)
        elif not _is_absent(tool, name, value):
            values[name] = value
    return values, tuple(ignored)


def _bare(name: str) -> str:
    """One form for `maxTokens`, `max-tokens` and `max_tokens`, and for `tag` and `tags`."""
    return _SEPARATORS.sub("", name).lower().removesuffix("s")


def _is_absent(tool: ToolDefinition, name: str, value: Any) -> bool:
    kinds = _kinds(tool.arguments[name])
    if value is None:
        return "null" not in kinds
    if name in tool.required or not isinstance(value, str):
        return False
    word = value.strip().lower()
    return not word or (word in _NOT_GIVEN and name not in _FREE_TEXTS)


def _read(schema: Schema, value: Any) -> Any:
    """The value in the first form of the schema that it can have. Raises ValueError with what to send."""
    kinds = _kinds(schema)
    if "null" in kinds:
        return _any_json(value)
    for kind in kinds:
        if (found := _as(kind, schema, value)) is not _NOTHING:
            return found
    raise ValueError(f"must be {' or '.join(_EXAMPLES.get(kind, kind) for kind in kinds)}")


def _as(kind: str, schema: Schema, value: Any) -> Any:
    """The value as one kind of JSON; `_NOTHING` where it is none. Raises ValueError where it can mean two things."""
    match kind:
        case "string":
            return _as_text(schema, value)
        case "integer" | "number":
            return _as_number(kind, value)
        case "boolean":
            return _as_boolean(value)
        case "array":
            return _as_array(schema, value)
        case _:
            found = _json_of(value) if isinstance(value, str) else value
            return found if isinstance(found, dict) else _NOTHING


def _as_text(schema: Schema, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return _NOTHING
    text = value if isinstance(value, str) else str(value)
    return enum_value(schema["enum"], text) if "enum" in schema else text


def enum_value(values: Sequence[str], text: str) -> str:
    """The value that a text means, in whichever case and with or without the contract's prefix; the text where it means
    none."""
    word = _SEPARATORS.sub("_", _CAMEL.sub("_", text.strip())).lower()
    bare = _CONTRACT.sub("", word)
    return next((each for each in values if each in (word, bare)), text)


def _as_number(kind: str, value: Any) -> Any:
    if isinstance(value, str):
        value = _number_of(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _NOTHING
    # JSON knows no whole numbers: some clients send 5.0.
    if kind == "integer" and isinstance(value, float):
        return int(value) if value.is_integer() else _NOTHING
    return value


def _number_of(text: str) -> Any:
    stripped = text.strip()
    if len(stripped) > MAX_DIGITS or not stripped.isascii():
        return _NOTHING
    found = _json_of(stripped)
    return found if isinstance(found, int | float) else _NOTHING


def _as_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    is_word = isinstance(value, str | int | float)
    return _BOOLEANS.get(str(value).strip().lower(), _NOTHING) if is_word else _NOTHING


def _as_array(schema: Schema, value: Any) -> Any:
    if isinstance(value, str):
        found = _json_of(value)
        if isinstance(found, list | str):
            value = found
        elif "," in value:
            parts = json.dumps([each.strip() for each in value.split(",") if each.strip()], ensure_ascii=False)
            raise ValueError(f"must be an array: send {parts[:200]}")
        else:
            value = [value.strip()]
    if not isinstance(value, list):
        value = [value]
    return [_read(schema["items"], each) for each in value] if "items" in schema else value


def _check(schema: Schema, value: Any) -> None:
    """Raises ValueError with what to send."""
    if isinstance(value, list):
        for each in value:
            _check(schema.get("items", {}), each)
    if "enum" in schema and value not in schema["enum"]:
        raise ValueError(f"must be one of {', '.join(schema['enum'])}")
    if isinstance(value, str) and not _is_unicode(value):
        raise ValueError("has half of a character (a lone surrogate)")


def _kinds(schema: Schema) -> tuple[str, ...]:
    kind = schema["type"]
    return (kind,) if isinstance(kind, str) else tuple(kind)


def _json_of(text: str) -> Any:
    """The value that a text is as JSON; `_NOTHING` where it is none. Raises TooMuchJson, a ValueError."""
    try:
        check(text.encode(errors="replace"), MESSAGE_BOUNDS)
        return json.loads(text, parse_constant=_refuse)
    except TooMuchJson:
        raise
    except (ValueError, RecursionError):
        return _NOTHING


def _any_json(value: Any) -> Any:
    """Any value. A text that is JSON of an object, an array, a text or null stands for that; "5" may be meant as it
    stands."""
    found = _json_of(value) if isinstance(value, str) else value
    return value if found is _NOTHING or isinstance(found, bool | int | float) else found


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
