"""JSON objects of messages into plain values, and back."""

from collections.abc import Mapping
from typing import Any

from google.protobuf.struct_pb2 import Struct, Value

from camillo_server.domain.memory import Scalar

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
