"""Limits of the contract as keywords of JSON Schema, and in words where it has no keyword for them."""

import math
from collections.abc import Iterator
from typing import Any

from camillo.v1 import options_pb2 as options
from camillo_server.doors.rpc.validate import LIMIT, PATTERN
from google.protobuf.descriptor import FieldDescriptor

Schema = dict[str, Any]
# Numbers that JSON of protobuf writes as texts.
LONG = frozenset(
    {
        FieldDescriptor.TYPE_INT64,
        FieldDescriptor.TYPE_UINT64,
        FieldDescriptor.TYPE_SINT64,
        FieldDescriptor.TYPE_FIXED64,
        FieldDescriptor.TYPE_SFIXED64,
    }
)
BYTES_IN_BASE64 = 3
CHARACTERS_OF_BASE64 = 4


def limit_of_field(field: Any) -> options.Limit:
    """The limit that the contract states, which may be empty."""
    limit: options.Limit = field.GetOptions().Extensions[LIMIT]
    return limit


def list_keywords(limit: options.Limit) -> Schema:
    """The keywords of a list as a whole."""
    items = limit.items
    most = items.max_sent or items.max
    return {
        **({"minItems": items.min} if items.min else {}),
        **({"maxItems": most} if most else {}),
    }


def value_keywords(field: Any) -> Schema:
    """The keywords of a value, or of each value of a list."""
    limit = limit_of_field(field)
    if field.type == field.TYPE_STRING:
        return _text(field, limit)
    if field.type == field.TYPE_BYTES:
        return _bytes(limit)
    if field.message_type is not None:
        return _object(limit) if limit.HasField("json") else {}
    if limit.HasField("integer") and field.type not in LONG:
        return _number(limit, limit.integer, has_max=limit.integer.HasField("max"))
    return _number(limit, limit.number, has_max=True) if limit.HasField("number") else {}


def limit_words(field: Any) -> Iterator[str]:
    """Sentences about limits that the keywords do not state."""
    limit = limit_of_field(field)
    if limit.visible:
        yield "At least one character is visible."
    if limit.HasField("bytes") and field.type != field.TYPE_BYTES:
        where = "in UTF-8" if field.type == field.TYPE_STRING else "as JSON"
        yield f"{_range(limit.bytes)} bytes {where}."
    if limit.HasField("integer") and (field.type in LONG or field.message_type is not None):
        yield f"{_range(limit.integer)}{' seconds' if field.message_type else ''}."
    if limit.items.max_sent and limit.items.max:
        yield f"At most {limit.items.max:,} when each is counted once."
    if limit.items.fail_alone:
        yield "An item that breaks a limit fails alone."
    if limit.json.max_levels:
        yield f"At most {limit.json.max_levels} levels of objects and lists."
    if limit.mask:
        yield f"Only what `{limit.mask}` names is used and checked; without it, everything."


def _text(field: Any, limit: options.Limit) -> Schema:
    if limit.form:
        is_optional = not (field.is_repeated or limit.required or field.has_presence)
        return {"pattern": f"^({_regex(limit.form)}){'?' if is_optional else ''}$"}
    bounds = limit.characters if limit.HasField("characters") else limit.bytes
    # A text of so many bytes has as many characters at most, and one at least.
    least = bounds.min if limit.HasField("characters") else min(bounds.min, 1)
    return {
        **({"minLength": max(least, int(limit.required))} if least or limit.required else {}),
        **({"maxLength": bounds.max} if bounds.HasField("max") else {}),
    }


def _regex(form: int) -> str:
    value = options.DESCRIPTOR.enum_types_by_name["Form"].values_by_number[form]
    return str(value.GetOptions().Extensions[PATTERN].regex)


def _bytes(limit: options.Limit) -> Schema:
    # Padding may be left out.
    low = math.ceil(limit.bytes.min * CHARACTERS_OF_BASE64 / BYTES_IN_BASE64)
    high = math.ceil(limit.bytes.max / BYTES_IN_BASE64) * CHARACTERS_OF_BASE64
    return {**({"minLength": low} if low else {}), **({"maxLength": high} if high else {})}


def _object(limit: options.Limit) -> Schema:
    keys = limit.json.key_characters
    flat = {"additionalProperties": {"type": ["string", "number", "boolean", "null"]}}
    names = {
        **({"minLength": keys.min} if keys.min else {}),
        **({"maxLength": keys.max} if keys.HasField("max") else {}),
    }
    return {
        **({} if limit.json.HasField("max_levels") else flat),
        **({"maxProperties": limit.json.max_keys} if limit.json.max_keys else {}),
        **({"propertyNames": names} if names else {}),
    }


def _number(limit: options.Limit, bounds: Any, *, has_max: bool) -> Schema:
    low, high = bounds.min, bounds.max
    if limit.HasField("zero_means"):
        low, high = min(low, 0), max(high, 0)
    return {
        "minimum": low,
        **({"maximum": high} if has_max else {}),
        **({"default": limit.zero_means} if limit.zero_means else {}),
    }


def _range(bounds: Any) -> str:
    if not bounds.HasField("max"):
        return f"At least {bounds.min:,}"
    return f"{bounds.min:,} to {bounds.max:,}" if bounds.min else f"At most {bounds.max:,}"
