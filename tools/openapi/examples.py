"""An example of each request that the server takes: one of examples.json, or what the request has to have."""

import json
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from camillo.v1 import options_pb2 as options
from camillo_server.doors.rpc.field_limits import is_needed
from google.protobuf.descriptor import FieldDescriptor

from tools.openapi.limits import LONG, limit_of_field
from tools.openapi.schemas import PACKAGE, choices, is_demanded

FILE = Path(__file__).with_name("examples.json")
# By the name of a field.
_VALUES: Mapping[str, Any] = {
    "action": "deploy.finished",
    "agent_id": "planner",
    "artifact_id": "art_0123456789",
    "content": "Ada prefers dark mode",
    "decision": "Keep the API in English",
    "goal": "Release version 2",
    "id": "ada",
    "message": "Version 2 was deployed",
    "session_id": "standup",
    "tenant_id": "acme",
    "text": "Ada prefers dark mode",
    "title": "Write the release notes",
    "workflow": "release",
}
_FORMS: Mapping[int, str] = {
    options.FORM_UUID: "01890a5d-ac96-774b-bcce-b302099a8057",
    options.FORM_NAME: "acme",
    options.FORM_SHORT_NAME: "release-notes",
    options.FORM_AGENT: "planner",
    options.FORM_OWNER: "planner",
}
_WELL_KNOWN: Mapping[str, Any] = {
    "google.protobuf.Timestamp": "2026-01-15T09:30:00Z",
    "google.protobuf.Duration": "60s",
    "google.protobuf.Struct": {"theme": "dark"},
    # Which fields may change is known to those who write examples.json.
    "google.protobuf.FieldMask": "",
}


def example_of(method: Any, elsewhere: Collection[str] = ()) -> dict[str, Any]:
    """The request of a method as JSON, but for the fields that the path has."""
    written = _written().get(method.name)
    return written or _message(method.input_type, elsewhere)


def example_of_field(field: Any) -> Any:
    """A value of a field; of a list one item."""
    return [_value(field)] if field.is_repeated else _value(field)


@cache
def _written() -> Mapping[str, dict[str, Any]]:
    written: dict[str, dict[str, Any]] = json.loads(FILE.read_text())
    return written


def _message(message_type: Any, elsewhere: Collection[str] = ()) -> dict[str, Any]:
    fields = [field for field in message_type.fields if field.name not in elsewhere]
    shown = list(_needed(fields)) or [field for field in fields if field.name == "page_size"]
    return {field.json_name: example_of_field(field) for field in shown}


def _needed(fields: Collection[Any]) -> Iterable[Any]:
    demanded = {
        next(field for field in choice if limit_of_field(field).required).name
        for choice in choices(fields)
        if is_demanded(choice)
    }
    return (
        field
        for field in fields
        if field.name in demanded or (field.containing_oneof is None and is_needed(field, limit_of_field(field)))
    )


def _value(field: Any) -> Any:
    limit = limit_of_field(field)
    if field.message_type is not None:
        name = field.message_type.full_name
        return _message(field.message_type) if name.startswith(PACKAGE) else _WELL_KNOWN.get(name, {})
    if field.enum_type is not None:
        return field.enum_type.values[1].name
    if field.type == field.TYPE_BOOL:
        return True
    if field.type == field.TYPE_STRING:
        known = _VALUES.get(field.name) or _FORMS.get(limit.form)
        return known or field.name.replace("_", " ")
    if field.type == field.TYPE_BYTES:
        return "Y2FtaWxsbw=="
    if field.type in (FieldDescriptor.TYPE_FLOAT, FieldDescriptor.TYPE_DOUBLE):
        return limit.number.max / 2
    number = limit.zero_means or max(limit.integer.min, 1)
    return str(number) if field.type in LONG else number
