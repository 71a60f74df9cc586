"""Bodies of JSON at every door: bounded as those of gRPC are before anything is made of them, and made messages of in pieces."""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, TypeVar

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from camillo_server.gateway import json_bounds, json_pieces
from camillo_server.gateway.json_bounds import JsonBounds, JsonRefused, most_values
from camillo_server.kernel.errors import InvalidField, invalid_field
from camillo_server.kernel.off_loop import off_loop, yield_turn
from camillo_server.kernel.strict_base64 import from_base64url
from camillo_server.rpc.enum_names import number_of, one_of
from camillo_server.rpc.request_bodies import HeldBody
from camillo_server.rpc.request_sizes import max_request_bytes, max_request_values

Built = TypeVar("Built")

# A control character has six bytes in JSON, and so has half of an emoji that has four in UTF-8.
JSON_GROWTH = 6
# Values of any body. As objects of Python they take 50 MiB at most: so much counts as held, while it is read.
MAX_VALUES, VALUE_BYTES = 200_000, 250
# Reading JSON: of a byte, and of a value, of which a message is filled.
BYTE_MICROSECONDS, VALUE_MICROSECONDS = 0.004, 8.0
# Names in a path of errors. Beside every value of a list the path of the list would be made again, however long its name.
MAX_PATH_CHARACTERS = 200
# From here on neighbouring whole numbers are the same as doubles.
EXACT_WHOLE = 2**53
# An enumeration's number has 32 bits.
MAX_ENUM = 1 << 31
_INTEGER = re.compile(r"-?[0-9]{1,10}")
# Whole groups of four characters.
BASE64_CHARACTERS = 64 * 1024


# Errors that the parser raises beside its own.
_UNFIT: Mapping[type[Exception], str] = {
    RecursionError: "is too deep",
    OverflowError: "a number is too large",
    AttributeError: "must be an object",
    TypeError: "must be an object",
    ValueError: "a text has half of a character",
}


@cache
def bounds_of(message_type: Any, max_bytes: int) -> JsonBounds:
    """Bounds of the requests of a type: what the contract lets them have in gRPC, as JSON writes it."""
    return JsonBounds(
        int(min(max_bytes, JSON_GROWTH * max_request_bytes(message_type))),
        int(min(MAX_VALUES, max_request_values(message_type))),
    )


async def read_json(
    body: bytes, bounds: JsonBounds, where: str, held: HeldBody, build: Callable[[Any], Built]
) -> Built:
    """Builds a message of the value that a body is, in a thread where that takes long. `where` names the body in errors. Raises
    InvalidField, Overloaded, and what building raises."""
    values = min(most_values(body), bounds.max_values)
    held.resize(len(body) + values * VALUE_BYTES)

    def work() -> Built:
        try:
            value = json_pieces.parsed(body, bounds.max_values)
        except JsonRefused as error:
            raise invalid_field(where, str(error)) from None
        return build(value)

    return await off_loop(len(body) * BYTE_MICROSECONDS + values * VALUE_MICROSECONDS, work)


async def check_json(body: bytes, bounds: JsonBounds, held: HeldBody) -> None:
    """For a body that something else makes values of. Raises JsonRefused, Overloaded."""
    values = min(most_values(body), bounds.max_values)
    held.resize(len(body) + values * VALUE_BYTES)
    await off_loop(len(body) * BYTE_MICROSECONDS, partial(json_bounds.check, body, bounds))


def fill(where: str, value: Any, message: Message) -> None:
    """Sets the fields of a message by the rules of its JSON. Raises InvalidField."""
    parser = _MessageParser(
        ignore_unknown_fields=False, descriptor_pool=None, max_recursion_depth=json_bounds.MAX_DEPTH
    )
    try:
        parser.ConvertMessage(value, message, None)
    except (
        *(json_format.ParseError, RecursionError, OverflowError, AttributeError),
        *(TypeError, ValueError),
    ) as error:
        raise _unreadable(where, error) from None


class _MessageParser(json_format._Parser):  # type: ignore[name-defined, misc]
    """The parser of protobuf, which lets others have their turns, and takes no characters that are no base64."""

    def ConvertMessage(self, value: Any, message: Message, path: str | None) -> None:  # noqa: N802
        yield_turn()
        super().ConvertMessage(value, message, path and path[:MAX_PATH_CHARACTERS])

    def _ConvertValueMessage(self, value: Any, message: Any, path: str) -> None:  # noqa: N802
        if type(value) is int and abs(value) >= EXACT_WHOLE:
            # As a text it keeps its digits, which a number of JSON in a message loses.
            message.string_value = str(value)
        else:
            super()._ConvertValueMessage(value, message, path)

    def _ConvertAndSetScalar(self, message: Any, field: Any, js_value: Any, path: str) -> None:  # noqa: N802
        if field.type == FieldDescriptor.TYPE_BYTES:
            setattr(message, field.name, _bytes_of(js_value, path))
        elif field.type == FieldDescriptor.TYPE_ENUM:
            setattr(message, field.name, _number_of(js_value, field, path))
        else:
            super()._ConvertAndSetScalar(message, field, js_value, path)

    def _ConvertAndAppendScalar(  # noqa: N802
        self, message: Any, repeated_field: Any, js_value: Any, path: str
    ) -> None:
        if repeated_field.type == FieldDescriptor.TYPE_BYTES:
            getattr(message, repeated_field.name).append(_bytes_of(js_value, path))
        elif repeated_field.type == FieldDescriptor.TYPE_ENUM:
            getattr(message, repeated_field.name).append(_number_of(js_value, repeated_field, path))
        else:
            super()._ConvertAndAppendScalar(message, repeated_field, js_value, path)


def _number_of(value: Any, field: FieldDescriptor, path: str) -> int:
    """Value of an enumeration, by number or by either name; numbers that no value has are for the limits of fields. Raises InvalidField."""
    number = number_of(field.enum_type, value) if isinstance(value, str) else value
    if number is None and isinstance(value, str) and _INTEGER.fullmatch(value):
        number = int(value)
    if type(number) is not int or not -MAX_ENUM <= number < MAX_ENUM:
        # Without the name of the message, with which the parser's paths begin.
        raise invalid_field(path.partition(".")[2], one_of(field.enum_type))
    return number


def _bytes_of(value: Any, path: str) -> bytes:
    """Bytes of base64 in either alphabet, with its padding or without. Raises ParseError."""
    text = value.rstrip("=") if isinstance(value, str) else "="
    padding = len(value) - len(text) if isinstance(value, str) else 0
    if padding and (padding > 2 or len(value) % 4):
        text = "="
    parts = list[bytes]()
    for at in range(0, len(text), BASE64_CHARACTERS):
        yield_turn()
        part = text[at : at + BASE64_CHARACTERS].replace("+", "-").replace("/", "_")
        decoded = from_base64url(part)
        if decoded is None:
            raise json_format.ParseError(f"must be base64 at {path}")
        parts.append(decoded)
    return b"".join(parts)


def _unreadable(where: str, error: Exception) -> InvalidField:
    """Without the values, which the parser's message may have: only what is wrong with which field."""
    if isinstance(error, json_format.ParseError):
        said = _without_values(str(error).splitlines()[0])
    else:
        said = _UNFIT.get(type(error), "a text has half of a character")
    return invalid_field(where, f"is not JSON of this message: {said}")


def _without_values(said: str) -> str:
    # `Failed to parse limit field: Couldn't parse integer: xyz.` says the value after its last colon.
    parts = said.split(": ")
    return ": ".join(parts[:-1] if len(parts) > 2 else parts)[:200]
