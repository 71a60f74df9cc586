"""JSON objects of messages into plain values, and back."""

import json
import math
from collections.abc import Mapping
from typing import Any

from google.protobuf.struct_pb2 import ListValue, Struct, Value

from camillo_server.domain.memory import Scalar
from camillo_server.rpc import limits
from camillo_server.rpc.validate import Checks

# Beyond it, neighbouring whole numbers are the same number.
EXACT_WHOLE = 2**53


def json_object(message: Struct, checks: Checks, field: str, most_bytes: int) -> dict[str, Any]:
    """The object, its keys in order; empty where it breaks a limit, which the checks tell."""
    found = _JsonReader(checks, field).object(message, field, 1)
    size = len(json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode())
    if size > most_bytes:
        checks.fail(
            field,
            f"must take at most {most_bytes} bytes as JSON, takes {size}; store what is larger "
            "by ArtifactService.PutArtifact",
        )
        return {}
    return found


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


class _JsonReader:
    """Reads one object; tells of the first thing that is wrong with it."""

    def __init__(self, checks: Checks, field: str) -> None:
        self._checks = checks
        self._field = field
        self._is_refused = False

    def object(self, message: Struct, path: str, level: int) -> dict[str, Any]:
        if self._is_too_deep(level):
            return {}
        found = {}
        # Messages have no order of keys: another reading might give another one.
        for name in sorted(message.fields):
            if "\0" in name:
                self._refuse(path, "must not contain NUL in a key")
            found[name] = self._value(message.fields[name], f"{path}.{name[:40]}", level)
        return found

    def _array(self, message: ListValue, path: str, level: int) -> list[Any]:
        if self._is_too_deep(level):
            return []
        return [self._value(value, f"{path}[{i}]", level) for i, value in enumerate(message.values)]

    def _value(self, value: Value, path: str, level: int) -> Any:
        match value.WhichOneof("kind"):
            case "string_value":
                return self._text(value.string_value, path)
            case "number_value":
                return self._number(value.number_value, path)
            case "struct_value":
                return self.object(value.struct_value, path, level + 1)
            case "list_value":
                return self._array(value.list_value, path, level + 1)
            case "bool_value":
                return value.bool_value
        return None

    def _text(self, text: str, path: str) -> str:
        if "\0" in text:
            self._refuse(path, "must not contain NUL")
        return text

    def _number(self, number: float, path: str) -> int | float:
        """A whole number is told without a point, as callers have it."""
        if not math.isfinite(number):
            self._refuse(path, "must be a finite number")
            return 0
        return int(number) if number.is_integer() and abs(number) <= EXACT_WHOLE else number

    def _is_too_deep(self, level: int) -> bool:
        if level > limits.JSON_LEVELS:
            self._refuse(self._field, f"must be at most {limits.JSON_LEVELS} levels deep")
        return level > limits.JSON_LEVELS

    def _refuse(self, path: str, description: str) -> None:
        if not self._is_refused:
            self._checks.fail(path[: limits.REF_CHARACTERS], description)
        self._is_refused = True


def fill_json(message: Struct, value: Mapping[str, Any]) -> None:
    """Puts an object into a message, an empty one too."""
    message.SetInParent()
    message.update(dict(value))
