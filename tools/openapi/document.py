"""The document of OpenAPI 3.1 of what is called by HTTP: made of the contract, so that it has nothing that the server
does not."""

import json
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

from camillo.v1 import admin_pb2
from camillo_server.doors.gateway.bindings import BODY_WHOLE, HttpBinding
from camillo_server.doors.gateway.http_answers import EVENTS, JSON, LINES
from camillo_server.doors.rpc.admission import required_role
from camillo_server.kernel.scope import Role

from tools.openapi import errors
from tools.openapi.comments import Comments
from tools.openapi.examples import example_of
from tools.openapi.parameters import header_parameters, parameters
from tools.openapi.schemas import Schemas

PACKAGE_NAME = "camillo-server"
DESCRIPTION = """The memory service that agent runtimes call, by HTTP and JSON.

JSON is as protobuf maps it: what is empty, 0 or false may be left out, and is left out of answers; int64 is a text; bytes are base64.
Clients pass over fields that they do not know; the server refuses them in requests, which it also takes with the names of the contract,
such as `page_size`. The header `x-request-id` names a call in the server's log. Methods that take a stream of messages are
not among these: by their name, such as `POST /camillo.v1.MemoryService/ImportMemories`, they take lines of JSON, a message each."""  # noqa: E501
READING = {Role.READER}
PathItems = Mapping[str, Mapping[str, Any]]


def openapi_document(bindings: Iterable[HttpBinding], more_paths: PathItems | None = None) -> dict[str, Any]:
    """The document. `more_paths` are items for paths that are no methods of the contract; an operation without `tags`
    is shown apart, and all may refer to the components that the methods have. Raises ValueError where two operations
    have one path and method of HTTP, or one operationId."""
    listed = described_bindings(bindings)
    comments = Comments.load()
    methods = {each.descriptor.full_name: each.descriptor for each in listed}.values()
    schemas = Schemas(comments, [(each.input_type, each.output_type) for each in methods])
    paths = _paths(listed, schemas)
    for path, item in (more_paths or {}).items():
        for verb, operation in item.items():
            _add(paths, path, verb, operation)
    _require_unique_ids(paths)
    services = dict.fromkeys(each.containing_service for each in methods)
    return {
        "openapi": "3.1.0",
        "info": _info(),
        "servers": [{"url": "/", "description": "The server that this document is from."}],
        "security": [{"bearer": []}],
        "tags": [{"name": each.name, "description": comments[each.full_name]} for each in services],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": _bearer()},
            "parameters": header_parameters(),
            "headers": errors.error_headers(),
            "responses": errors.error_responses(comments),
            "schemas": dict(sorted((errors.error_schemas() | schemas.components).items())),
        },
    }


def described_bindings(bindings: Iterable[HttpBinding]) -> list[HttpBinding]:
    """The annotated bindings; for methods without an annotation, the one by name, which every method has. Omits methods
    that take a stream, for which OpenAPI 3.1 has no schema."""
    given = [each for each in bindings if not each.descriptor.client_streaming]
    annotated = {each.method for each in given if each.template != each.method}
    return [each for each in given if each.template != each.method or each.method not in annotated]


def _info() -> dict[str, Any]:
    return {
        "title": "Camillo HTTP",
        "version": version(PACKAGE_NAME),
        "description": DESCRIPTION,
        "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    }


def _bearer() -> dict[str, Any]:
    return {
        "type": "http",
        "scheme": "bearer",
        "description": "A key of an agent, a tenant or the operator, or a token that the server was told to trust.",
    }


def _paths(bindings: Iterable[HttpBinding], schemas: Schemas) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    counts: dict[str, int] = {}
    for binding in bindings:
        name = binding.descriptor.name
        counts[name] = counts.get(name, 0) + 1
        # Only further ways to call a method have a number.
        operation_id = name if counts[name] == 1 else f"{name}{counts[name]}"
        operation = _operation(binding, operation_id, schemas)
        _add(paths, binding.template, binding.http_method.lower(), operation)
    return paths


def _add(paths: dict[str, Any], path: str, verb: str, operation: Any) -> None:
    item = paths.setdefault(path, {})
    if verb in item:
        raise ValueError(f"two operations have {verb} {path}")
    item[verb] = operation


def _require_unique_ids(paths: Mapping[str, Any]) -> None:
    seen = set[str]()
    for path, item in paths.items():
        for operation in item.values():
            name = operation.get("operationId", "") if isinstance(operation, dict) else ""
            if name in seen:
                raise ValueError(f"two operations are {name}, one of them at {path}")
            seen |= {name} - {""}


def _operation(binding: HttpBinding, operation_id: str, schemas: Schemas) -> dict[str, Any]:
    method = binding.descriptor
    comment = schemas.comments[method.full_name]
    role = required_role(binding.method)
    body = {"requestBody": _body(binding, operation_id, schemas)} if binding.body else {}
    return {
        "operationId": operation_id,
        "tags": [method.containing_service.name],
        "summary": _summary(comment),
        "description": f"{comment}\n\nNeeds `{admin_pb2.Role.Name(role.value)}`.",
        "parameters": parameters(binding, schemas),
        **body,
        "responses": {
            "200": _answer(method, schemas),
            **errors.error_references(is_write=role not in READING),
        },
        **({"deprecated": True} if method.GetOptions().deprecated else {}),
    }


def _body(binding: HttpBinding, operation_id: str, schemas: Schemas) -> dict[str, Any]:
    """Raises ValueError for a body that http_requests.py does not read."""
    if binding.body != BODY_WHOLE:
        raise ValueError(f"{binding.method}: such a body is not known here")
    request, elsewhere = binding.descriptor.input_type, binding.variables
    return {
        "required": bool(schemas.needed(request, elsewhere)),
        "content": {
            JSON: {
                "schema": schemas.body(f"{operation_id}Body", request, elsewhere),
                "example": example_of(binding.descriptor, elsewhere),
            }
        },
    }


def _answer(method: Any, schemas: Schemas) -> dict[str, Any]:
    schema = {"schema": schemas.ref(method.output_type)}
    headers = {"x-request-id": {"$ref": "#/components/headers/x-request-id"}}
    described = schemas.comments[method.output_type.full_name]
    if not method.server_streaming:
        return {"description": described, "headers": headers, "content": {JSON: schema}}
    stream = (
        "A stream of these: each is the data of an event, or a line. A stream that fails ends with an event `error`, "
        "whose data is a "
        f"google.rpc.Status, or with a line `{json.dumps({'error': {}})}` that has it."
    )
    return {
        "description": f"{described} {stream}",
        "headers": headers,
        "content": {EVENTS: schema, LINES: schema},
    }


def _summary(comment: str) -> str:
    """The first sentence."""
    first = comment.partition("\n")[0].partition(". ")[0]
    return first.rstrip(".")
