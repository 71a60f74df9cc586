"""Bodies of JSON at every door: bounded as those of gRPC are before anything is made of them, and made messages of in
pieces."""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, TypeVar

from camillo_formats.enum_names import number_of, one_of
from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from camillo_server.doors.gateway.json_bounds import MAX_DEPTH, JsonBounds, JsonRefused
from camillo_server.doors.gateway.json_pieces import JsonText
from camillo_server.doors.rpc.field_limits import STRUCT, excess_problem
from camillo_server.doors.rpc.request_bodies import HeldBody
from camillo_server.doors.rpc.request_sizes import TEXTS_IN_JSON, max_request_bytes, max_request_values
from camillo_server.kernel.errors import DomainError, InvalidField, invalid_field
from camillo_server.kernel.off_loop import ROW, UNBOUNDED, off_loop, yield_turn
from camillo_server.kernel.strict_base64 import from_base64url

Built = TypeVar("Built")

# A control character has six bytes in JSON, and so has half of an emoji that has four in UTF-8.
JSON_GROWTH = 6
# Values of any body. As objects of Python they take 50 MiB at most: so much counts as held, while it is read.
MAX_VALUES, VALUE_BYTES = 200_000, 250
# Names in a path of errors. Beside every value of a list the path of the list would be made again, however long its
# name.
MAX_PATH_CHARACTERS = 200
# From here on neighbouring whole numbers are the same as doubles.
EXACT_WHOLE = 2**53
# An enumeration's number has 32 bits.
MAX_ENUM = 1 << 31
# Where a word of a field's name in JSON begins.
_CAPITAL = re.compile("(?<=[a-z0-9])[A-Z]")
_INTEGER = re.compile(r"-?[0-9]{1,10}")
# Messages that any value, and any list, may be.
ANY_JSON = frozenset({"google.protobuf.Value", "google.protobuf.ListValue"})
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


class JsonBody:
    """One body of JSON, from its first part until something is built of it. `where` names it in errors; "" leaves them
    as JsonRefused."""

    def __init__(self, bounds: JsonBounds, where: str, held: HeldBody) -> None:
        self._bounds = bounds
        self._where = where
        self._held = held
        self.text = JsonText(bounds.max_values)

    async def add(self, part: bytes) -> None:
        """Takes the next part. Raises InvalidField as soon as there is too much, and Overloaded."""
        text = self.text
        if len(text.body) + len(part) > self._bounds.max_bytes:
            raise self.too_large()
        text.append(part)
        self._held.resize(len(text.body) + self._values * VALUE_BYTES)
        if text.is_large:
            # Others have their turns, however fast the parts come.
            await off_loop(UNBOUNDED, partial(self._reading, text.look))

    async def build(self, make: Callable[[Any], Built]) -> Built:
        """Calls `make` with the value of the body, an empty object if the body is empty; in a thread if that takes
        long. Raises InvalidField, and what `make` raises."""
        cost = len(self.text.body) / 64 + self._values * ROW / 4
        return await off_loop(cost, partial(self._make, make))

    def _make(self, make: Callable[[Any], Built]) -> Built:
        try:
            return make(self._reading(self.text.value))
        except (DomainError, JsonRefused) as error:
            # Its frames, and the parser's, hold all values, which are freed here, and not on the event loop.
            error.__context__ = None
            raise error.with_traceback(None)  # noqa: B904

    def too_large(self) -> InvalidField:
        """An error that says how many bytes there may be."""
        problem = f"must have at most {self._bounds.max_bytes} bytes in this method"
        return invalid_field(self._where or "body", problem)

    @property
    def _values(self) -> int:
        return min(self.text.most_values, self._bounds.max_values)

    def _reading(self, read: Callable[[], Built]) -> Built:
        try:
            return read()
        except JsonRefused as error:
            if not self._where:
                raise
            raise invalid_field(self._where, str(error)) from None


def fill(where: str, value: Any, message: Message) -> None:
    """Sets the fields of a message by the rules of its JSON. Raises InvalidField."""
    parser = _MessageParser(ignore_unknown_fields=False, descriptor_pool=None, max_recursion_depth=MAX_DEPTH)
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
        path = path[:MAX_PATH_CHARACTERS] if path else message.DESCRIPTOR.name
        _require_forms(value, message.DESCRIPTOR, path)
        super().ConvertMessage(value, message, path)

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
        yield_turn()
        if isinstance(js_value, dict | list) and repeated_field.enum_type is None:
            raise invalid_field(_field_path(path), "must be no list and no object")
        if repeated_field.type == FieldDescriptor.TYPE_BYTES:
            getattr(message, repeated_field.name).append(_bytes_of(js_value, path))
        elif repeated_field.type == FieldDescriptor.TYPE_ENUM:
            getattr(message, repeated_field.name).append(_number_of(js_value, repeated_field, path))
        else:
            super()._ConvertAndAppendScalar(message, repeated_field, js_value, path)


def _require_forms(value: Any, message_type: Any, path: str) -> None:
    """Lists of a message are no longer than the contract allows, before anything is made of them; and lists and objects
    are where they may be: the parser would write all of them into its error. Raises InvalidField."""
    if message_type.full_name in ANY_JSON or not isinstance(value, dict | list):
        return
    if message_type.full_name in TEXTS_IN_JSON:
        raise invalid_field(_field_path(path), "must be a text")
    if isinstance(value, list):
        raise invalid_field(_field_path(path), "must be an object")
    if message_type.full_name == STRUCT:
        return
    for name, item in value.items():
        if isinstance(item, dict | list):
            fields = message_type.fields_by_camelcase_name, message_type.fields_by_name
            field = fields[0].get(name) or fields[1].get(name)
            if field is not None and (problem := _problem_of(field, item)):
                raise invalid_field(".".join(filter(None, (_field_path(path), field.name))), problem)


def _field_path(path: str) -> str:
    """A path of the parser, which begins with the name of the message and has the names that were sent, as errors by
    gRPC have it."""
    return _CAPITAL.sub(lambda letter: f"_{letter[0].lower()}", path.partition(".")[2])


def _problem_of(field: Any, value: dict[str, Any] | list[Any]) -> str:
    """Why a field takes no such list or object; empty if it does, and for enumerations, which have their own check."""
    if field.enum_type is not None and not field.is_repeated:
        return ""
    is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
    if isinstance(value, dict):
        is_object = is_map or (field.message_type is not None and not field.is_repeated)
        return "" if is_object else f"must be {'a list' if field.is_repeated else 'a single value'}"
    if not field.is_repeated or is_map:
        return "must be no list"
    return excess_problem(field, len(value)) or ""


def _number_of(value: Any, field: FieldDescriptor, path: str) -> int:
    """Value of an enumeration, by number or by either name; numbers that no value has are for the limits of fields.
    Raises InvalidField."""
    number = number_of(field.enum_type, value) if isinstance(value, str) else value
    if number is None and isinstance(value, str) and _INTEGER.fullmatch(value):
        number = int(value)
    if type(number) is not int or not -MAX_ENUM <= number < MAX_ENUM:
        raise invalid_field(_field_path(path), one_of(field.enum_type))
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
