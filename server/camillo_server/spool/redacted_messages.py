"""Messages of the contract without the secrets that their texts and objects hold: what the spool may keep."""

from functools import partial
from typing import Any

from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

from camillo_server.kernel.off_loop import off_loop
from camillo_server.redaction.redaction import CHARACTER_MICROSECONDS, FieldRedaction, Redactor
from camillo_server.rpc.json_values import fill_json, plain_object

# JSON in a text, which its feature redacts as JSON: a placeholder could break it.
JSON_TEXTS = frozenset({"json_content"})


async def redacted_body(message: Message, redactor: Redactor) -> bytes:
    """The encoded message without secrets. Changes the message."""
    cost = message.ByteSize() * CHARACTER_MICROSECONDS
    return await off_loop(cost, partial(_redacted, message, FieldRedaction(redactor)))


def _redacted(message: Message, redaction: FieldRedaction) -> bytes:
    _redact(message, redaction)
    return message.SerializeToString()


def _redact(message: Message, redaction: FieldRedaction) -> None:
    for field, value in message.ListFields():
        if field.message_type is not None:
            for each in value if field.is_repeated else (value,):
                _redact_message(each, field.name, redaction)
        elif field.type == field.TYPE_STRING and field.name not in JSON_TEXTS:
            if field.is_repeated:
                value[:] = redaction.texts(field.name, value)
            else:
                setattr(message, field.name, redaction.text(field.name, value))


def _redact_message(message: Any, name: str, redaction: FieldRedaction) -> None:
    if isinstance(message, Struct):
        values = plain_object(message)
        left = redaction.json(name, values)
        if left != values:
            message.Clear()
            fill_json(message, left)
    elif message.DESCRIPTOR.full_name.startswith("camillo."):
        _redact(message, redaction)
