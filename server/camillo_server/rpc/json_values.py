"""JSON objects of messages into plain values, and back."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from camillo.v1 import options_pb2 as options
from google.protobuf.struct_pb2 import Struct, Value

from camillo_server.kernel.kinds import Scalar
from camillo_server.rpc.validate import Checks

# Beyond it, neighbouring whole numbers are the same number.
EXACT_WHOLE = 2**53


def plain_object(message: Struct) -> dict[str, Any]:
    """The object as plain values, its keys in order."""
    # Messages have no order of keys: another reading might give another one.
    return {name: _plain_value(message.fields[name]) for name in sorted(message.fields)}


def flat_object(message: Struct) -> dict[str, Scalar]:
    """The object as plain values, its keys as they come; of one level alone."""
    return {key: _scalar(value) for key, value in message.fields.items()}


def _scalar(value: Value) -> Scalar:
    kind = value.WhichOneof("kind")
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
    """A whole number is told without a point, as callers have it."""
    return int(number) if number.is_integer() and abs(number) <= EXACT_WHOLE else number


def fill_json(message: Struct, value: Mapping[str, Any]) -> None:
    """Puts an object into a message, an empty one too."""
    message.SetInParent()
    message.update(dict(value))


# JSON takes at most so many times the bytes of the message: a control character is six in JSON.
JSON_GROWTH = 6
# Of a path whose keys a caller chose.
PATH_CHARACTERS = 256
KEY_CHARACTERS = 40


def json_check(name: str, limit: options.Limit) -> Callable[[Any, str, Checks], None]:
    """The check of a field that holds an object."""
    describe = _check_deep if limit.json.HasField("max_levels") else _check_flat

    def check(message: Any, path: str, checks: Checks) -> None:
        describe(getattr(message, name), path + name, limit, checks)

    return check


def _check_flat(message: Struct, field: str, limit: options.Limit, checks: Checks) -> None:
    """One level, of texts, numbers, booleans and null."""
    if len(message.fields) > limit.json.max_keys:
        checks.fail(field, f"must have at most {limit.json.max_keys} keys")
        return
    keys = limit.json.key_characters
    count = len(checks.violations)
    for key, value in message.fields.items():
        checks.text(f"{field} key", key, keys.min, keys.max)
        if value.WhichOneof("kind") in ("struct_value", "list_value"):
            checks.fail(f"{field}.{key[:KEY_CHARACTERS]}", "must be a string, number, bool or null")
        elif problem := _scalar_problem(value):
            checks.fail(f"{field}.{key[:KEY_CHARACTERS]}", problem)
    if len(checks.violations) == count and message.ByteSize() * JSON_GROWTH > limit.bytes.max:
        size = len(json.dumps(flat_object(message), ensure_ascii=False).encode())
        if size > limit.bytes.max:
            checks.fail(field, f"must take at most {limit.bytes.max} bytes as JSON")


def _check_deep(message: Struct, field: str, limit: options.Limit, checks: Checks) -> None:
    """Several levels: tells of the first thing that is wrong with them."""
    wrong = _ObjectWalk(field, limit.json.max_levels).problem(message, field, 1)
    if wrong is not None:
        path, problem = wrong
        checks.fail(path[:PATH_CHARACTERS], problem)
    elif message.ByteSize() * JSON_GROWTH > limit.bytes.max:
        plain = json.dumps(plain_object(message), ensure_ascii=False, separators=(",", ":"))
        size = len(plain.encode())
        if size > limit.bytes.max:
            checks.fail(
                field,
                f"must take at most {limit.bytes.max} bytes as JSON, takes {size}; store what is "
                "larger by ArtifactService.PutArtifact",
            )


class _ObjectWalk:
    """Looks through one object for the first thing that is wrong with it."""

    def __init__(self, field: str, max_levels: int) -> None:
        self._field = field
        self._max_levels = max_levels

    def problem(self, message: Struct, path: str, level: int) -> tuple[str, str] | None:
        """Where, and what; None where nothing is."""
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
    if "\0" in value.string_value:
        return "must not contain NUL"
    if not math.isfinite(value.number_value):
        return "must be a finite number"
    return None
