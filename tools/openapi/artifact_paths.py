"""The bytes of artifacts in the document of OpenAPI: paths that are no methods of the contract."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo_server.doors.gateway.http_answers import JSON
from camillo_server.doors.gateway.http_requests import CONTENT_DIGEST, PREFIX_DIGEST
from google.protobuf.message import Message

from tools.openapi.comments import Comments
from tools.openapi.errors import error_references
from tools.openapi.limits import limit_of_field, list_keywords, value_keywords

BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
TAG = "ArtifactService"
DIGEST_PATTERN = "^sha-256=:[A-Za-z0-9+/]{43}=:$"
# Fields about an upload and about its artifact that a query can state.
_OF_HEADER = ("agent_id", "request_id", "upload_id")
_OF_ARTIFACT = (
    "name",
    "description",
    "tool",
    "command",
    "session_id",
    "tags",
    "sensitivity",
    "pinned",
    "is_shared",
)
_OF_LOOKUP = ("agent_id", "channel")
# As much of PutArtifactResponse as is of use here.
_STORED: Mapping[str, Any] = {
    "type": "object",
    "required": ["artifact"],
    "properties": {"artifact": {"$ref": "#/components/schemas/Artifact"}},
}


def artifact_paths() -> dict[str, dict[str, Any]]:
    """`PUT /v1/artifacts/upload`, and `GET /v1/artifacts/{artifact_id}/content`."""
    return {
        "/v1/artifacts/upload": {"put": _upload()},
        "/v1/artifacts/{artifact_id}/content": {"get": _content()},
    }


def _upload() -> dict[str, Any]:
    return {
        "operationId": "UploadArtifact",
        "tags": [TAG],
        "summary": "Stores the bytes of the body as an artifact.",
        "description": "Stores the bytes of the body as an artifact; with an `upload_id`, one that broke goes on "
        "where it ended.",
        "parameters": [
            *_fields(service.PutArtifactHeader, _OF_HEADER),
            *_fields(pb.NewArtifact, _OF_ARTIFACT),
            _header(
                "content-range",
                {"type": "string", "pattern": r"^bytes \d+-\d+/(\d+|\*)$"},
                "Where the bytes belong, for the rest of a broken upload.",
            ),
            _header(
                CONTENT_DIGEST,
                {"type": "string", "pattern": DIGEST_PATTERN},
                "SHA-256 of the body (RFC 9530).",
            ),
            _header(
                PREFIX_DIGEST,
                {"type": "string", "pattern": DIGEST_PATTERN},
                "SHA-256 of the bytes before the body, with content-range.",
            ),
        ],
        "requestBody": {"required": True, "content": BYTES},
        "responses": {
            "201": {
                "description": "It is stored; `location` is the path of its bytes.",
                "headers": {
                    "location": {
                        "description": "The path of its bytes.",
                        "schema": {"type": "string"},
                    }
                },
                "content": {JSON: {"schema": _STORED}},
            },
            **error_references(is_write=True),
        },
    }


def _content() -> dict[str, Any]:
    return {
        "operationId": "DownloadArtifact",
        "tags": [TAG],
        "summary": "The bytes of an artifact, or a range of them.",
        "description": "The bytes of an artifact, or a range of them, with the validators of RFC 9110.",
        "parameters": [
            {
                "name": "artifact_id",
                "in": "path",
                "required": True,
                "description": "Which; also a whole memory ref.",
                "schema": {"type": "string"},
            },
            *_fields(service.GetArtifactRequest, _OF_LOOKUP),
            _header("range", {"type": "string"}, "One range of bytes."),
            _header("if-none-match", {"type": "string"}, "Tags of what the caller has."),
            _header("if-range", {"type": "string"}, "The range only if this is still the tag."),
        ],
        "responses": {
            "200": {"description": "All bytes.", "content": BYTES},
            "206": {"description": "The range.", "content": BYTES},
            "304": {"description": "The caller has them."},
            "416": {"description": "There are no bytes there."},
            **error_references(is_write=False),
        },
    }


def _fields(message_type: type[Message], names: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Fields of the contract as parameters of a query."""
    comments, fields = Comments.load(), message_type.DESCRIPTOR.fields_by_name
    for name in names:
        field: Any = fields[name]
        kind = "boolean" if field.type == field.TYPE_BOOL else "string"
        schema: dict[str, Any] = {"type": kind, **value_keywords(field)}
        if field.is_repeated:
            schema = {"type": "array", "items": schema, **list_keywords(limit_of_field(field))}
        described = comments[field.full_name]
        yield {"name": name, "in": "query", "description": described, "schema": schema}


def _header(name: str, schema: Mapping[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": "header", "description": description, "schema": dict(schema)}
