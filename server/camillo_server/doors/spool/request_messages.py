"""Requests as the spool and its failed writes keep them, without secrets; and what their callers are
told meanwhile."""

from functools import partial
from typing import Any
from uuid import UUID

from camillo.v1 import options_pb2 as options
from camillo.v1.consistency_pb2 import DURABILITY_DROPPED, DURABILITY_SPOOLED
from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message
from google.protobuf.struct_pb2 import Struct

from camillo_server.doors.rpc.contract import SECRETS
from camillo_server.doors.rpc.json_values import fill_json, plain_object
from camillo_server.kernel.off_loop import off_loop
from camillo_server.lib.redaction.redaction import FieldRedaction, Redactor

RequestJson = dict[str, Any]


class UnknownRequest(Exception):
    """The bytes or the JSON are of no request that this version of the server knows."""


def request_of(request_type: type[Message], body: bytes) -> Message:
    """Raises UnknownRequest."""
    try:
        return request_type.FromString(body)
    except DecodeError as error:
        raise UnknownRequest from error


def request_of_json(request_type: type[Message], as_json: RequestJson) -> Message:
    """Raises UnknownRequest."""
    try:
        return json_format.ParseDict(as_json, request_type())
    except json_format.ParseError:
        # The cause is dropped, since its text has contents.
        raise UnknownRequest from None


def json_of_request(request_type: type[Message], body: bytes) -> RequestJson:
    """Raises UnknownRequest."""
    as_json: RequestJson = json_format.MessageToDict(request_of(request_type, body))
    return as_json


def mark_spooled(response: Any, spool_id: UUID) -> None:
    """The answer says that the write is spooled."""
    response.durability = DURABILITY_SPOOLED
    response.spool_id = str(spool_id)


def mark_dropped(response: Any) -> None:
    """The answer says that the write is lost."""
    response.durability = DURABILITY_DROPPED


async def redacted_body(message: Any, redactor: Redactor) -> bytes:
    """The encoded message without secrets. Changes the message."""
    return await off_loop(message.ByteSize(), partial(_redacted, message, FieldRedaction(redactor)))


def _redacted(message: Message, redaction: FieldRedaction) -> bytes:
    _redact(message, redaction)
    return message.SerializeToString()


def _redact(message: Message, redaction: FieldRedaction) -> None:
    for field, value in message.ListFields():
        if field.message_type is not None:
            for each in value if field.is_repeated else (value,):
                _redact_message(each, field.name, redaction)
        elif field.type == field.TYPE_STRING and not _is_json(field):
            if field.is_repeated:
                value[:] = redaction.texts(field.name, value)
            else:
                setattr(message, field.name, redaction.text(field.name, value))


def _is_json(field: Any) -> bool:
    """Whether the feature redacts a text as JSON, which a placeholder could break."""
    secrets: int = field.GetOptions().Extensions[SECRETS]
    return secrets == options.SECRETS_REDACTED_AS_JSON


def _redact_message(message: Any, name: str, redaction: FieldRedaction) -> None:
    if isinstance(message, Struct):
        values = plain_object(message)
        left = redaction.json(name, values)
        if left != values:
            message.Clear()
            fill_json(message, left)
    elif message.DESCRIPTOR.full_name.startswith("camillo."):
        _redact(message, redaction)
