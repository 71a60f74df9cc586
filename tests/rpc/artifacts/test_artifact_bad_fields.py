"""Fields that a caller states about an artifact, and an upload's header: each limit, and what is just within it."""

import math
from datetime import UTC, datetime
from typing import Any

import pytest
from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp

from tests.rpc.artifacts.calls import output, put, put_text, upload
from tests.rpc.artifacts.test_artifact_bad_input import TOO_LATE, assert_limit
from tests.rpc.memories.calls import UNKNOWN_ID
from tests.server_fixtures import Server

# Each field of NewArtifact, a value that breaks its limit, one just within it.
STATED: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("name", {"name": "字" * 257}, {"name": "字" * 256}),
    ("name", {"name": "a\0b"}, {"name": "a\x01b"}),
    ("description", {"description": "🧠" * 201}, {"description": "🧠" * 200}),
    ("description", {"description": "\0"}, {"description": "\u202e]\n["}),
    ("media_type", {"media_type": "x" * 129}, {"media_type": "x" * 128}),
    ("media_type", {"media_type": "\0"}, {"media_type": "é"}),
    ("tool", {"tool": "x" * 65}, {"tool": "ü" * 64}),
    ("tool", {"tool": "\0"}, {"tool": " "}),
    ("command", {"command": "x" * 4001}, {"command": "x" * 4000}),
    ("command", {"command": "\0"}, {"command": "a\nb"}),
    ("session_id", {"session_id": "x" * 129}, {"session_id": "x" * 128}),
    ("session_id", {"session_id": "\0"}, {"session_id": "\t"}),
    ("tags", {"tags": list(map(str, range(65)))}, {"tags": list(map(str, range(64)))}),
    ("tags[1]", {"tags": ["a", ""]}, {"tags": ["a", " "]}),
    ("tags[0]", {"tags": ["x" * 129]}, {"tags": ["x" * 128, "x" * 128]}),
    ("source_refs", {"source_refs": list(map(str, range(65)))}, {"source_refs": ["x" * 256]}),
    ("source_refs[0]", {"source_refs": ["x" * 257]}, {"source_refs": ["\x01"]}),
    ("source_refs[0]", {"source_refs": ["\0"]}, {"source_refs": []}),
    ("metadata.deep", {"metadata": {"deep": {"er": 1}}}, {"metadata": {"deep": None}}),
    ("metadata.n", {"metadata": {"n": math.nan}}, {"metadata": {"n": 1e308}}),
    ("metadata.n", {"metadata": {"n": "\0"}}, {"metadata": {"n": "\x01"}}),
    ("metadata key", {"metadata": {"k" * 129: 1}}, {"metadata": {"k" * 128: 1}}),
    ("metadata key", {"metadata": {"": 1}}, {"metadata": {" ": 1}}),
    ("metadata key", {"metadata": {"\0": 1}}, {"metadata": {"\x01": 1}}),
    ("metadata", {"metadata": {str(i): 1 for i in range(65)}}, {"metadata": {str(i): 1 for i in range(64)}}),
    ("metadata", {"metadata": {"k": "x" * 16_377}}, {"metadata": {"k": "x" * 16_375}}),
    ("expires_at", {"expires_at": TOO_LATE}, {"expires_at": datetime(9999, 12, 31, tzinfo=UTC)}),
    ("expires_at", {"expires_at": Timestamp(nanos=-1)}, {"expires_at": Timestamp(seconds=2**31)}),
]
# Fields that only a new artifact has.
STATED_ONCE: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("sensitivity", {"sensitivity": 5}, {"sensitivity": 4}),
    ("sensitivity", {"sensitivity": -1}, {"sensitivity": 0}),
    ("sensitivity", {"sensitivity": 4, "is_shared": True}, {"sensitivity": 3, "is_shared": True}),
]
UPDATED = {"name", "description", "session_id", "tags", "metadata", "expires_at", "source_refs"}


@pytest.mark.parametrize("how", ["put", "offload", "update"])
async def test_a_stated_field_beyond_its_limit_is_named(server: Server, how: str) -> None:
    artifact_id = (await put_text(server.alice, "x")).artifact_id

    def put_it(**fields: Any) -> Any:
        return put(server.alice, b"x", **fields)

    def offload_it(**fields: Any) -> Any:
        return server.alice(output("x", threshold_tokens=1, **fields))

    async def update_it(**fields: Any) -> Any:
        got = await server.alice(service.GetArtifactRequest(artifact_id=artifact_id))
        request = service.UpdateArtifactRequest(
            artifact_id=artifact_id,
            expected_version=got.artifact.version,
            update_mask=FieldMask(paths=fields),
            artifact=pb.NewArtifact(**fields),
        )
        return await server.alice(request)

    send = {"put": put_it, "offload": offload_it, "update": update_it}[how]
    prefix = "header.artifact" if how == "put" else "artifact"
    for field, bad, good in [*STATED, *(STATED_ONCE if how != "update" else [])]:
        if how == "update" and not bad.keys() <= UPDATED:
            continue
        await assert_limit(
            f"{prefix}.{field}",
            lambda bad=bad: send(**bad),  # type: ignore[misc]
            lambda good=good: send(**good),  # type: ignore[misc]
            (how, field, str(bad)[:100]),
        )


HEADERS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("request_id", {"request_id": "x" * 129}, {"request_id": "x" * 128}),
    ("request_id", {"request_id": "\0"}, {"request_id": "\x01"}),
    ("upload_id", {"upload_id": "x" * 36}, {"upload_id": UNKNOWN_ID}),
    ("size_bytes", {"size_bytes": 0}, {"size_bytes": 1}),
    ("size_bytes", {"size_bytes": -1}, {}),
    ("size_bytes", {"size_bytes": 2**63 - 1}, {}),
    ("offset", {"offset": -1}, {"offset": 0}),
    ("prefix_sha256", {"prefix_sha256": b"short"}, {"prefix_sha256": b""}),
    ("prefix_sha256", {"offset": 5, "upload_id": UNKNOWN_ID}, {}),
    ("upload_id", {"offset": 5, "prefix_sha256": bytes(32)}, {}),
]


async def test_a_header_beyond_its_limits_is_named(server: Server) -> None:
    for field, bad, good in HEADERS:
        await assert_limit(
            f"header.{field}",
            lambda bad=bad: server.alice.send(upload(b"x", **bad), "PutArtifact"),  # type: ignore[misc]
            lambda good=good: server.alice.send(upload(b"x", **good), "PutArtifact"),  # type: ignore[misc]
            (field, str(bad)[:100]),
        )
