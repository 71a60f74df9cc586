"""The bytes of artifacts in the document of OpenAPI: paths that are no methods of the contract."""

from collections.abc import Mapping
from typing import Any

from camillo_server.gateway.http_answers import JSON
from camillo_server.gateway.http_requests import CONTENT_DIGEST, PREFIX_DIGEST
from camillo_server.gateway.openapi.errors import error_references

BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
TAG = "ArtifactService"
DIGEST_PATTERN = "^sha-256=:[A-Za-z0-9+/]{43}=:$"
# Of what is said about an artifact, those fields that a query can state.
_STATED: Mapping[str, Mapping[str, Any]] = {
    "name": {"type": "string", "maxLength": 256},
    "description": {"type": "string", "maxLength": 200},
    "tool": {"type": "string", "maxLength": 64},
    "command": {"type": "string", "maxLength": 4000},
    "session_id": {"type": "string", "maxLength": 128},
    "tags": {"type": "array", "maxItems": 64, "items": {"type": "string", "maxLength": 128}},
    "sensitivity": {"type": "string"},
    "pinned": {"type": "boolean"},
    "is_shared": {"type": "boolean"},
}
# As much of PutArtifactResponse as is of use here.
_STORED: Mapping[str, Any] = {
    "type": "object",
    "required": ["artifact"],
    "properties": {"artifact": {"$ref": "#/components/schemas/Artifact"}},
}
_AGENT = {"type": "string", "maxLength": 128}


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
        "description": "Stores the bytes of the body as an artifact; with an `upload_id`, one that broke goes on where it ended.",
        "parameters": [
            _query("agent_id", _AGENT, "The agent, for credentials that reach several."),
            _query(
                "request_id",
                {"type": "string", "maxLength": 128},
                "The same one again stores nothing.",
            ),
            _query(
                "upload_id",
                {"type": "string", "format": "uuid"},
                "By it a broken upload can be gone on with for 24 hours.",
            ),
            *(
                _query(name, schema, f"See `{name}` of NewArtifact.")
                for name, schema in _STATED.items()
            ),
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
            _query("agent_id", _AGENT, "The agent, for credentials that reach several."),
            _query("channel", {"type": "string"}, "Where it will be shown."),
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


def _query(name: str, schema: Mapping[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "description": description, "schema": dict(schema)}


def _header(name: str, schema: Mapping[str, Any], description: str) -> dict[str, Any]:
    return {"name": name, "in": "header", "description": description, "schema": dict(schema)}
