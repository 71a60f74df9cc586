"""JSON objects of messages into plain values, and back."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from camillo.v1 import options_pb2 as options
from camillo_formats.characters import composed
from google.protobuf.struct_pb2 import Struct, Value

from camillo_server.doors.rpc.validate import STORE_ELSEWHERE, Checks, characters_problem
from camillo_server.kernel.kinds import Scalar

# Beyond it, neighbouring whole numbers are the same number.
EXACT_WHOLE = 2**53
# Ids have up to 64 bits; a larger number is a measurement.
MAX_ID = 2**64
# JSON is at most this many times as long as the message: a control character becomes six.
JSON_GROWTH = 6
# Characters of a path and of a key that an error names: a caller chose the keys.
PATH_CHARACTERS = 256
KEY_CHARACTERS = 40


def plain_object(message: Struct) -> dict[str, Any]:
    """The object as plain values, its keys in order."""
    # Messages have no order of keys: another reading might give another one.
    return {name: _plain_value(message.fields[name]) for name in sorted(message.fields)}


def flat_object(message: Struct) -> dict[str, Scalar]:
    """The object as plain values, its keys as they come; of one level alone. Keys and texts are composed (NFC)."""
    return {composed(key): _scalar(value) for key, value in message.fields.items()}


def _scalar(value: Value) -> Scalar:
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        return composed(value.string_value)
    return None if kind in (None, "null_value") else getattr(value, kind)


def _plain_value(value: Value) -> Any:
    match value.WhichOneof("kind"):
        case "string_value":
            return value.string_value
        case "number_value":
            return _plain_number(value.number_value)
        case "struct_value":
            return plain_object(value.struct_value)
        case "list_value":
            return [_plain_value(each) for each in value.list_value.values]
        case "bool_value":
            return value.bool_value
    return None


def _plain_number(number: float) -> int | float:
    """A whole number as an int, as callers wrote it."""
    return int(number) if number.is_integer() and abs(number) <= EXACT_WHOLE else number


def fill_json(message: Struct, value: Mapping[str, Any]) -> None:
    """Puts an object into a message, an empty one too."""
    message.SetInParent()
    message.update(dict(value))


def json_check(name: str, limit: options.Limit) -> Callable[[Any, str, Checks], None]:
    """The check of a field that holds an object."""
    return _deep_check(name, limit) if limit.json.HasField("max_levels") else _flat_check(name, limit)


def _flat_check(name: str, limit: options.Limit) -> Callable[[Any, str, Checks], None]:
    """A flat object of strings, numbers, booleans and null."""
    max_keys, max_bytes = limit.json.max_keys, limit.bytes.max
    key_problem = characters_problem(limit.json.key_characters)

    def check(message: Struct, path: str, checks: Checks) -> None:
        field, count = path + name, len(checks.violations)
        if len(message.fields) > max_keys:
            checks.fail(field, f"must have at most {max_keys} keys")
            return
        for key, value in message.fields.items():
            problem = key_problem(key)
            if problem is not None:
                checks.fail(f"{field} key", problem)
            problem = _scalar_problem(value) or _digits_problem(value)
            if problem is not None:
                checks.fail(f"{field}.{key[:KEY_CHARACTERS]}", problem)
        if len(checks.violations) == count and message.ByteSize() * JSON_GROWTH > max_bytes:
            size = len(json.dumps(flat_object(message), ensure_ascii=False).encode())
            if size > max_bytes:
                checks.fail(field, f"must take at most {max_bytes} bytes as JSON")

    return check


def _digits_problem(value: Value) -> str | None:
    """A whole number of 64 bits that may have been another one before it became a message."""
    number = abs(value.number_value)
    if EXACT_WHOLE <= number <= MAX_ID and number.is_integer():
        return "must be a text: whole numbers from 9007199254740992 on would lose digits"
    return None


def _deep_check(name: str, limit: options.Limit) -> Callable[[Any, str, Checks], None]:
    """Nested objects and lists; reports the first violation only."""
    max_levels, max_bytes = limit.json.max_levels, limit.bytes.max

    def check(message: Struct, path: str, checks: Checks) -> None:
        field = path + name
        wrong = _ObjectWalk(field, max_levels).problem(message, field, 1)
        if wrong is not None:
            checks.fail(wrong[0][:PATH_CHARACTERS], wrong[1])
        elif message.ByteSize() * JSON_GROWTH > max_bytes:
            plain = json.dumps(plain_object(message), ensure_ascii=False, separators=(",", ":"))
            size = len(plain.encode())
            if size > max_bytes:
                checks.fail(
                    field,
                    f"must take at most {max_bytes} bytes as JSON, takes {size}; {STORE_ELSEWHERE}",
                )

    return check


class _ObjectWalk:
    """Searches one object for its first violation."""

    def __init__(self, field: str, max_levels: int) -> None:
        self._field = field
        self._max_levels = max_levels

    def problem(self, message: Struct, path: str, level: int) -> tuple[str, str] | None:
        """The path and the description; None if there is none."""
        if level > self._max_levels:
            return self._too_deep()
        # Messages have no order of keys: another look might find another one first.
        for name in sorted(message.fields):
            if "\0" in name:
                return path, "must not contain NUL in a key"
            value = message.fields[name]
            if wrong := self._value_problem(value, f"{path}.{name[:KEY_CHARACTERS]}", level):
                return wrong
        return None

    def _value_problem(self, value: Value, path: str, level: int) -> tuple[str, str] | None:
        match value.WhichOneof("kind"):
            case "struct_value":
                return self.problem(value.struct_value, path, level + 1)
            case "list_value":
                return self._list_problem(value, path, level + 1)
        problem = _scalar_problem(value)
        return (path, problem) if problem else None

    def _list_problem(self, value: Value, path: str, level: int) -> tuple[str, str] | None:
        if level > self._max_levels:
            return self._too_deep()
        for i, each in enumerate(value.list_value.values):
            if wrong := self._value_problem(each, f"{path}[{i}]", level):
                return wrong
        return None

    def _too_deep(self) -> tuple[str, str]:
        return self._field, f"must be at most {self._max_levels} levels deep"


def _scalar_problem(value: Value) -> str | None:
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        return "must not contain NUL" if "\0" in value.string_value else None
    if kind == "number_value":
        return None if math.isfinite(value.number_value) else "must be a finite number"
    is_scalar = kind not in ("struct_value", "list_value")
    return None if is_scalar else "must be a string, number, bool or null"
