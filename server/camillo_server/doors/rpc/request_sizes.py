"""How large the requests of a method may be: as large as the limits of their fields allow, with some room for fields
that this server does not know."""

import math
from typing import Any

from camillo.v1 import options_pb2 as options
from google.protobuf.descriptor import FieldDescriptor

from camillo_server.doors.rpc.field_limits import DURATION, STRUCT
from camillo_server.doors.rpc.validate import LIMIT, TIMESTAMP

# For unknown fields; and no method has a smaller limit, so that it need not be known by most callers.
MIN_BYTES = 64 * 1024
# Bytes of a text without a limit: a token, an id or a name that the server compares with what it has.
UNLIMITED_TEXT_BYTES = 4096
# The longest text of a form: of those that take paths of spaces, and of any other.
PATH_BYTES, FORM_BYTES = 408, 128
PATH_FORMS = (options.FORM_AGENT, options.FORM_OWNER, options.FORM_GRANT)
UTF8_BYTES = 4
# Tag and length of a field, and any number.
FIELD_BYTES, NUMBER_BYTES = 6, 10
# In JSON: room for values of unknown fields, and the bytes of a value in a list of digits.
MIN_VALUES, BYTES_OF_VALUE = 1_000, 2
# A list of digits takes 5.5 times its bytes of JSON.
STRUCT_GROWTH = 8
# A list that may have duplicates has up to so many times the values that are kept, or that exist.
DUPLICATES = 4
# Messages that JSON writes as one text.
TEXTS_IN_JSON = {TIMESTAMP: 24, DURATION: 24, "google.protobuf.FieldMask": UNLIMITED_TEXT_BYTES}
# A token of a revision has up to 256 characters: a longer one is none, and refused where it is read.
FIXED_BYTES = {**TEXTS_IN_JSON, "camillo.v1.Revision": 1_024}


def max_request_bytes(message_type: Any) -> float:
    """Infinity where a field is unlimited."""
    return MIN_BYTES + _message_bytes(message_type)


def _message_bytes(message_type: Any) -> float:
    # The field of each oneof that may be largest: an optional field is a oneof, too.
    largest: dict[str, float] = {}
    for field in message_type.fields:
        name = field.containing_oneof.name if field.containing_oneof else f"{field.name}."
        largest[name] = max(largest.get(name, 0), _field_bytes(field))
    return sum(largest.values())


def _field_bytes(field: Any) -> float:
    limit: options.Limit = field.GetOptions().Extensions[LIMIT]
    return _count(field, limit.items) * (FIELD_BYTES + _value_bytes(field, limit))


def _count(field: Any, items: options.Limit.Items) -> float:
    if not field.is_repeated:
        return 1
    if field.enum_type is not None:
        return DUPLICATES * len(field.enum_type.values)
    if not items.HasField("max"):
        return math.inf
    return min(items.max_sent, DUPLICATES * items.max) if items.max_sent else items.max


def _value_bytes(field: Any, limit: options.Limit) -> float:
    if field.message_type is not None:
        name = field.message_type.full_name
        if name == STRUCT:
            return STRUCT_GROWTH * _maximum(limit.bytes, math.inf)
        return FIXED_BYTES.get(name) or _message_bytes(field.message_type)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _maximum(limit.bytes, math.inf)
    if field.type != FieldDescriptor.TYPE_STRING:
        return NUMBER_BYTES
    if limit.form:
        return PATH_BYTES if limit.form in PATH_FORMS else FORM_BYTES
    if limit.HasField("characters"):
        return UTF8_BYTES * _maximum(limit.characters, math.inf)
    return _maximum(limit.bytes, UNLIMITED_TEXT_BYTES)


def _maximum(bounds: options.Limit.Range, otherwise: float) -> float:
    return bounds.max if bounds.HasField("max") else otherwise


def max_request_values(message_type: Any) -> float:
    """How many values a request of this type has in JSON, with some room for unknown ones: elements of lists and
    members of objects, an empty one counted twice. Infinity where a field is unlimited."""
    return MIN_VALUES + _message_values(message_type)


def _message_values(message_type: Any) -> float:
    return sum(2 + _field_values(field) for field in message_type.fields)


def _field_values(field: Any) -> float:
    limit: options.Limit = field.GetOptions().Extensions[LIMIT]
    if field.message_type is None:
        return _count(field, limit.items)
    name = field.message_type.full_name
    if name == STRUCT:
        of_one = _maximum(limit.bytes, math.inf) / BYTES_OF_VALUE
    else:
        of_one = 1 if name in TEXTS_IN_JSON else _message_values(field.message_type)
    return _count(field, limit.items) * (2 + of_one)
