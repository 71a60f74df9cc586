"""Parameters of a request in the path, the query and the headers, as http_requests.py reads them."""

from collections.abc import Iterator
from typing import Any

from camillo_server.doors.gateway.bindings import BODY_WHOLE, HttpBinding
from camillo_server.doors.gateway.http_answers import resumed_field
from camillo_server.doors.gateway.http_requests import is_text_message
from camillo_server.doors.rpc.field_limits import is_needed

from tools.openapi.examples import example_of, example_of_field
from tools.openapi.limits import Schema, limit_of_field
from tools.openapi.schemas import Schemas

# Deeper messages of queries than the contract has; one that contains itself would have no end.
MAX_DEPTH = 4
TIMEOUT, LAST_EVENT_ID = "RequestTimeout", "LastEventId"


def header_parameters() -> dict[str, Any]:
    """The headers that operations refer to."""
    return {
        TIMEOUT: {
            "name": "x-request-timeout",
            "in": "header",
            "description": "The deadline of the call, in seconds from its arrival; an hour at most. `grpc-timeout` "
            "does, too.",
            "schema": {"type": "number", "exclusiveMinimum": 0},
        },
        LAST_EVENT_ID: {
            "name": "last-event-id",
            "in": "header",
            "description": "The id of the last event that the caller has: the stream goes on behind it. Browsers send "
            "it by themselves.",
            "schema": {"type": "string"},
        },
    }


def parameters(binding: HttpBinding, schemas: Schemas) -> list[Schema]:
    """The parameters of an operation. Raises ValueError for messages within messages that have no end."""
    request = binding.descriptor.input_type
    fields = request.fields_by_name
    # An empty segment is no value, whatever the field takes elsewhere.
    in_path = [
        _parameter("path", name, fields[name], schemas) | {"required": True, "example": example_of_field(fields[name])}
        for name in binding.variables
    ]
    in_query = list[Schema]()
    if binding.body != BODY_WHOLE:
        example = example_of(binding.descriptor, binding.variables)
        in_query = [
            _parameter("query", ".".join(each.json_name for each in path), path[-1], schemas)
            | _required(path)
            | _example(path, example)
            for path in _paths(request)
            if path[0].name not in binding.variables
        ]
    resumes = binding.descriptor.server_streaming and resumed_field(request)
    headers = [TIMEOUT, LAST_EVENT_ID] if resumes else [TIMEOUT]
    return [
        *in_path,
        *in_query,
        *({"$ref": f"#/components/parameters/{name}"} for name in headers),
    ]


def _paths(message_type: Any, *before: Any) -> Iterator[tuple[Any, ...]]:
    """Paths of the fields that a query can have: values, lists of values, and fields of messages within."""
    for field in message_type.fields:
        if field.message_type is None or is_text_message(field):
            yield (*before, field)
        elif not (field.is_repeated or _is_of_protobuf(field.message_type)):
            if len(before) == MAX_DEPTH:
                raise ValueError(f"{field.full_name} is too deep for a query")
            yield from _paths(field.message_type, *before, field)


def _is_of_protobuf(message_type: Any) -> bool:
    name: str = message_type.full_name
    return name.startswith("google.")


def _required(path: tuple[Any, ...]) -> Schema:
    is_required = len(path) == 1 and is_needed(path[0], limit_of_field(path[0]))
    return {"required": True} if is_required and path[0].containing_oneof is None else {}


def _example(path: tuple[Any, ...], example: Any) -> Schema:
    """Where the example of the request has this field."""
    for field in path:
        example = example.get(field.json_name)
        if example is None:
            return {}
    return {"example": example}


def _parameter(where: str, name: str, field: Any, schemas: Schemas) -> Schema:
    described = schemas.describe(field)
    if oneof := _choice_words(field):
        described = f"{described} {oneof}"
    return {
        "name": name,
        "in": where,
        "description": described,
        "schema": schemas.plain_field(field),
        **({"deprecated": True} if field.GetOptions().deprecated else {}),
    }


def _choice_words(field: Any) -> str:
    oneof = field.containing_oneof
    if oneof is None or len(oneof.fields) == 1:
        return ""
    return f"At most one of {', '.join(f'`{each.json_name}`' for each in oneof.fields)}."
