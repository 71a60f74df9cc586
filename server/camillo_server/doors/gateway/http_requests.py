"""Requests of HTTP as messages of the contract: variables of the path, the query, a body of JSON, digests in
headers."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from camillo.v1.memory_service_pb2 import BatchRecallRequest, RecallRequest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from camillo_server.doors.gateway.bindings import BODY_WHOLE, HttpBinding
from camillo_server.doors.gateway.json_bodies import fill
from camillo_server.kernel.errors import invalid_field
from camillo_server.kernel.strict_base64 import from_base64

# Well-known types whose JSON is a text.
_TEXT_MESSAGES = frozenset(
    {
        "google.protobuf.Timestamp",
        "google.protobuf.Duration",
        "google.protobuf.FieldMask",
    }
)
_TRUTHS = {"true": True, "1": True, "false": False, "0": False}
CONTENT_DIGEST = "content-digest"
# Digest of the bytes of an upload that were sent before; the RFC has no header for it.
PREFIX_DIGEST = "camillo-prefix-digest"
SHA256_BYTES = 32
_SHA256 = re.compile(r"sha-256=:([A-Za-z0-9+/=]{1,100}):", re.ASCII)
_OFFSET = re.compile(r"[+-](?:0\d|1[0-4]):[0-5]\d$")
MAX_QUERY_FIELDS = 10_000


def read_message(
    binding: HttpBinding,
    variables: Mapping[str, str],
    query: Sequence[tuple[str, str]],
    body: Any,
) -> Message:
    """The request of a call, of which the body is the value of its JSON. Raises InvalidField."""
    message: Message = GetMessageClass(binding.descriptor.input_type)()
    if binding.body == BODY_WHOLE:
        fill("body", body, message)
        keep_offset(body, message)
        if query:
            raise invalid_field("query", "must be empty: this method takes all of its fields in the body")
    else:
        fill_from_query(message, query)
    if variables:
        given = {name: [value] for name, value in variables.items()}
        fill("path", _nested(message.DESCRIPTOR, given), message)
    return message


def fill_from_query(message: Message, query: Sequence[tuple[str, str]]) -> None:
    """Sets the fields that a query names. Raises InvalidField."""
    fill("query", _fields_of_query(message.DESCRIPTOR, query), message)


def sha256_of(headers: Mapping[str, str], name: str) -> bytes | None:
    """The SHA-256 in a header of RFC 9530, 32 bytes; None where there is no such header. Raises InvalidField."""
    if name not in headers:
        return None
    for each in headers[name].split(","):
        parsed = _SHA256.fullmatch(each.strip())
        if parsed is not None:
            digest = from_base64(parsed[1])
            if digest is not None and len(digest) == SHA256_BYTES:
                return digest
            break
    raise invalid_field(name, "must be sha-256=:BASE64:, the digest of 32 bytes")


def keep_offset(stated: Any, message: Any) -> None:
    """Takes the offset of `query_time` in JSON, which a message loses, for the time zone where none is named."""
    if message.DESCRIPTOR.full_name == RecallRequest.DESCRIPTOR.full_name:
        _take_offset(stated, message)
    elif message.DESCRIPTOR.full_name == BatchRecallRequest.DESCRIPTOR.full_name:
        for each, request in zip(stated.get("requests") or (), message.requests, strict=True):
            _take_offset(each, request)


def _take_offset(stated: Mapping[str, Any], message: Any) -> None:
    asked_at = stated.get("queryTime") or stated.get("query_time") or ""
    if not message.time_zone and (found := _OFFSET.search(asked_at)):
        message.time_zone = found[0]


def _fields_of_query(message_type: Any, query: Sequence[tuple[str, str]]) -> dict[str, Any]:
    if len(query) > MAX_QUERY_FIELDS:
        raise invalid_field("query", f"must have at most {MAX_QUERY_FIELDS} fields")
    given: dict[str, list[str]] = {}
    for name, value in query:
        given.setdefault(name, []).append(value)
    return _nested(message_type, given)


def _nested(message_type: Any, given: Mapping[str, list[str]]) -> dict[str, Any]:
    """Builds JSON from dotted paths of fields, which have their names in the contract or in JSON."""
    whole: dict[str, Any] = {}
    for path, values in given.items():
        at, described, names = whole, message_type, path.split(".")
        for name in names[:-1]:
            field = _field(described, name, path)
            _require_nameable(field, path)
            if field.message_type is None or is_text_message(field):
                raise invalid_field(path[:200], "is not a field of this method")
            at, described = at.setdefault(field.json_name, {}), field.message_type
        field = _field(described, names[-1], path)
        value = _value(field, values, path)
        # By its name in the contract as well as in JSON.
        before = at.get(field.json_name)
        if before is not None and not field.is_repeated:
            raise invalid_field(path[:200], "must be given once")
        at[field.json_name] = value if before is None else before + value
    return whole


def _field(message_type: Any, name: str, path: str) -> Any:
    field = message_type.fields_by_name.get(name) or message_type.fields_by_camelcase_name.get(name)
    if field is None:
        raise invalid_field(path[:200], "is not a field of this method")
    return field


def _value(field: Any, values: list[str], path: str) -> Any:
    _require_nameable(field, path)
    if field.message_type is not None and not is_text_message(field):
        raise invalid_field(path[:200], "is a message: name its fields, joined by dots")
    read = [_scalar(field, value, path) for value in values]
    if field.is_repeated:
        return read
    if len(read) > 1:
        raise invalid_field(path[:200], "must be given once")
    return read[0]


def _require_nameable(field: Any, path: str) -> None:
    if field.message_type is not None and field.is_repeated and not is_text_message(field):
        raise invalid_field(path[:200], "is a list of messages, which the query of a URL cannot name: call it by gRPC")


def _scalar(field: Any, value: str, path: str) -> Any:
    if field.type == field.TYPE_BOOL:
        if value not in _TRUTHS:
            raise invalid_field(path[:200], "must be true or false")
        return _TRUTHS[value]
    return value


def is_text_message(field: Any) -> bool:
    """Whether a field is of a type whose JSON is a text, such as a time."""
    return field.message_type is not None and field.message_type.full_name in _TEXT_MESSAGES
