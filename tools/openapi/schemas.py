"""Messages as schemas of JSON, as protobuf maps them: camelCase names, int64 as texts, bytes in base64, enumerations by
name."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from camillo_server.doors.rpc.field_limits import is_needed
from google.protobuf.descriptor import FieldDescriptor

from tools.openapi.comments import Comments
from tools.openapi.limits import (
    LONG,
    Schema,
    limit_of_field,
    limit_words,
    list_keywords,
    value_keywords,
)

PACKAGE = "camillo.v1."
STATUS = "google.rpc.Status"
_SIGNED: Schema = {"type": "integer", "format": "int32"}
_UNSIGNED: Schema = {"type": "integer", "minimum": 0, "maximum": 2**32 - 1}
_PLAIN: dict[int, Schema] = {
    FieldDescriptor.TYPE_STRING: {"type": "string"},
    FieldDescriptor.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_FLOAT: {"type": "number", "format": "float"},
    FieldDescriptor.TYPE_DOUBLE: {"type": "number", "format": "double"},
    FieldDescriptor.TYPE_INT32: _SIGNED,
    FieldDescriptor.TYPE_SINT32: _SIGNED,
    FieldDescriptor.TYPE_SFIXED32: _SIGNED,
    FieldDescriptor.TYPE_UINT32: _UNSIGNED,
    FieldDescriptor.TYPE_FIXED32: _UNSIGNED,
    **{kind: {"type": "string", "format": "int64", "pattern": "^-?[0-9]+$"} for kind in LONG},
}
# Types of protobuf that have JSON of their own.
WELL_KNOWN: dict[str, Schema] = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$"},
    "google.protobuf.FieldMask": {"type": "string"},
    "google.protobuf.Struct": {"type": "object", "additionalProperties": True},
    "google.protobuf.ListValue": {"type": "array", "items": {}},
    "google.protobuf.Value": {},
    "google.protobuf.Empty": {"type": "object"},
    "google.protobuf.Any": {
        "type": "object",
        "required": ["@type"],
        "properties": {"@type": {"type": "string"}},
        "additionalProperties": True,
    },
    **{
        f"google.protobuf.{name}Value": _PLAIN[kind]
        for name, kind in {
            "String": FieldDescriptor.TYPE_STRING,
            "Bytes": FieldDescriptor.TYPE_BYTES,
            "Bool": FieldDescriptor.TYPE_BOOL,
            "Float": FieldDescriptor.TYPE_FLOAT,
            "Double": FieldDescriptor.TYPE_DOUBLE,
            "Int32": FieldDescriptor.TYPE_INT32,
            "UInt32": FieldDescriptor.TYPE_UINT32,
            "Int64": FieldDescriptor.TYPE_INT64,
            "UInt64": FieldDescriptor.TYPE_UINT64,
        }.items()
    },
}
_FORMS = {
    "google.protobuf.Duration": "Seconds with an `s` behind them, such as `1.5s`.",
    "google.protobuf.FieldMask": "Names of fields in camelCase, with commas between them.",
}


class Schemas:
    """The schemas that were referred to, by their names among the components."""

    def __init__(self, comments: Comments, message_types: Iterable[tuple[Any, Any]]) -> None:
        """`message_types` are requests and their answers."""
        self.comments = comments
        self.components: dict[str, Schema] = {}
        pairs = list(message_types)
        self._answered = reachable(answer for _, answer in pairs)
        # JSON leaves out what is empty, and a mask what is not to be changed: of these, nothing may be demanded.
        self._partial = self._answered | set(_masked(reachable(request for request, _ in pairs)))

    def ref(self, message_type: Any) -> Schema:
        """A reference to the schema of a message, or the schema itself where protobuf defines it."""
        if message_type.full_name in WELL_KNOWN:
            return WELL_KNOWN[message_type.full_name]
        name = message_type.full_name.removeprefix(PACKAGE)
        if name not in self.components and name != STATUS:
            # Before its fields: one of them may be of the same type.
            self.components[name] = {}
            self.components[name] = self._message(message_type, ())
        return _reference(name)

    def body(self, name: str, message_type: Any, without: Collection[str]) -> Schema:
        """References the schema of a request, named `name` if fields are left out that the request has elsewhere."""
        if not without:
            return self.ref(message_type)
        self.components[name] = self._message(message_type, without)
        return _reference(name)

    def needed(self, message_type: Any, without: Collection[str] = ()) -> list[str]:
        """The fields that a request has to have, by their names in JSON."""
        return [
            field.json_name
            for field in message_type.fields
            if choice_of(field) is None and field.name not in without and is_needed(field, limit_of_field(field))
        ]

    def value(self, field: Any) -> Schema:
        """The schema of a value, or of each value of a list."""
        if field.enum_type is not None:
            return self._enum(field.enum_type)
        if field.message_type is None:
            return _PLAIN[field.type] | value_keywords(field)
        schema = self.ref(field.message_type) | value_keywords(field)
        # Required only in requests: the schema of the message itself cannot require it, since answers share it.
        is_shared = field.message_type in self._partial and not limit_of_field(field).mask
        is_of_request = field.containing_type not in self._partial
        needed = self.needed(field.message_type) if is_shared and is_of_request else []
        return schema | {"required": needed} if needed else schema

    def field(self, field: Any) -> Schema:
        """The schema of a field, with its description."""
        return self.plain_field(field) | {
            "description": self.describe(field),
            **({"deprecated": True} if field.GetOptions().deprecated else {}),
        }

    def plain_field(self, field: Any) -> Schema:
        """The schema of a field without the words."""
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            entry = field.message_type.fields_by_name["value"]
            return {"type": "object", "additionalProperties": self.value(entry)}
        if field.is_repeated:
            keywords = list_keywords(limit_of_field(field))
            return {"type": "array", "items": self.value(field)} | keywords
        return self.value(field)

    def describe(self, field: Any) -> str:
        """The comment of a field, and what of its limits is said in words alone."""
        kind = field.message_type.full_name if field.message_type is not None else ""
        form = [_FORMS[kind]] if kind in _FORMS else []
        return " ".join([self.comments[field.full_name], *limit_words(field), *form])

    def _message(self, message_type: Any, without: Collection[str]) -> Schema:
        needed = [] if message_type in self._partial else self.needed(message_type, without)
        fields = [field for field in message_type.fields if field.name not in without]
        oneofs = list(choices(fields))
        described = [self.comments[message_type.full_name], *map(self._describe_choice, oneofs)]
        excluded = [each for choice in oneofs for each in self._excluded(choice)]
        return {
            "type": "object",
            "description": "\n\n".join(described),
            "properties": {field.json_name: self.field(field) for field in fields},
            **({"required": needed} if needed else {}),
            **({"not": {"anyOf": excluded}} if excluded else {}),
            # An answer may have fields that this version does not know; in a request they are refused.
            **({} if message_type in self._answered else {"additionalProperties": False}),
        }

    def _describe_choice(self, choice: Sequence[Any]) -> str:
        oneof = choice[0].containing_oneof
        names = ", ".join(f"`{field.json_name}`" for field in choice)
        count = "Exactly" if is_demanded(choice) else "At most"
        comment = self.comments.of_choice(f"{choice[0].containing_type.full_name}.{oneof.name}")
        return f"{count} one of {names}: {comment}"

    def _excluded(self, choice: Sequence[Any]) -> Iterator[Schema]:
        """No two of a oneof, nor none where one is demanded. `oneOf` would say it as well, but generators of code take
        that for a type of its own."""
        names = [field.json_name for field in choice]
        for index, name in enumerate(names):
            yield from ({"required": [name, other]} for other in names[index + 1 :])
        if is_demanded(choice) and choice[0].containing_type not in self._partial:
            yield {"not": {"anyOf": [{"required": [name]} for name in names]}}

    def _enum(self, enum: Any) -> Schema:
        name = enum.full_name.removeprefix(PACKAGE)
        if name not in self.components:
            values = [f"- `{value.name}`: {self.comments[f'{enum.full_name}.{value.name}']}" for value in enum.values]
            self.components[name] = {
                "type": "string",
                "description": "\n".join([self.comments[enum.full_name], "", *values]),
                "enum": [value.name for value in enum.values],
            }
        return _reference(name)


def reachable(message_types: Iterable[Any]) -> set[Any]:
    """These messages and those in their fields, but for protobuf's own."""
    found: set[Any] = set()
    waiting = list(message_types)
    while waiting:
        message_type = waiting.pop()
        if message_type not in found and message_type.full_name.startswith(PACKAGE):
            found.add(message_type)
            waiting += [each.message_type for each in message_type.fields if each.message_type]
    return found


def _masked(message_types: Iterable[Any]) -> Iterator[Any]:
    for message_type in message_types:
        for field in message_type.fields:
            if limit_of_field(field).mask:
                yield field.message_type


def choice_of(field: Any) -> Any:
    """The oneof of a field. An optional field is one of a oneof that was made for it alone."""
    oneof = field.containing_oneof
    is_made = oneof is not None and oneof.name == f"_{field.name}"
    return None if is_made else oneof


def choices(fields: Iterable[Any]) -> Iterator[Sequence[Any]]:
    """The fields of each oneof, of those given."""
    by_oneof: dict[str, list[Any]] = {}
    for field in fields:
        if (oneof := choice_of(field)) is not None:
            by_oneof.setdefault(oneof.name, []).append(field)
    yield from by_oneof.values()


def is_demanded(choice: Sequence[Any]) -> bool:
    """Whether one of a oneof has to be set."""
    return any(limit_of_field(field).required for field in choice)


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
