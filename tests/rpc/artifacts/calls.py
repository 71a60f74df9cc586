"""Short ways to say what most tests of the artifact service do."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import google_crc32c
from camillo.v1.artifact_pb2 import (
    Artifact,
    ArtifactFilter,
    ArtifactRange,
    ByteRange,
    JsonValue,
    LineRange,
    LinesAround,
    NewArtifact,
)
from camillo.v1.artifact_service_pb2 import (
    ArtifactBytes,
    ListArtifactsRequest,
    OffloadOutputRequest,
    OffloadOutputResponse,
    PutArtifactFinish,
    PutArtifactHeader,
    PutArtifactRequest,
    PutArtifactResponse,
    ReadArtifactRequest,
    ReadArtifactResponse,
    UpdateArtifactRequest,
)
from camillo_server.storage.parts.object_parts import MARKER_NAME

from tests.server_fixtures import Caller

MIB = 1024 * 1024
MESSAGE_BYTES = 256 * 1024
HEADER_FIELDS = {"request_id", "agent_id", "upload_id", "size_bytes", "offset", "prefix_sha256"}
OFFLOAD_FIELDS = {"request_id", "agent_id", "threshold_tokens"}


def part_files(directory: Path) -> list[Path]:
    """The files of a store in a directory, but for what it says about itself."""
    found = (path for path in directory.rglob("*") if path.is_file())
    return [path for path in found if path.name != MARKER_NAME]


def upload(
    data: bytes, *, message_bytes: int = MESSAGE_BYTES, digest: bytes | None = None, **fields: Any
) -> Iterator[PutArtifactRequest]:
    """The messages that store these bytes; fields are those of the header or of the artifact."""
    of_header = {name: value for name, value in fields.items() if name in HEADER_FIELDS}
    stated = NewArtifact(**{name: value for name, value in fields.items() if name not in HEADER_FIELDS})
    yield PutArtifactRequest(header=PutArtifactHeader(artifact=stated, **of_header))
    start = of_header.get("offset", 0)
    for at in range(0, len(data), message_bytes):
        part = ArtifactBytes(offset=start + at, data=data[at : at + message_bytes])
        yield PutArtifactRequest(bytes=part)
    yield PutArtifactRequest(finish=PutArtifactFinish(sha256=sha256(data).digest() if digest is None else digest))


async def put(caller: Caller, data: bytes, **fields: Any) -> PutArtifactResponse:
    """The answer to an upload."""
    answer: PutArtifactResponse = await caller.send(upload(data, **fields), "PutArtifact")
    return answer


async def put_text(caller: Caller, text: str, **fields: Any) -> Artifact:
    """The stored artifact."""
    return (await put(caller, text.encode(), **fields)).artifact


def output(data: bytes | str, **fields: Any) -> OffloadOutputRequest:
    """A tool's output; fields are those of the request or of the artifact."""
    of_request = {name: value for name, value in fields.items() if name in OFFLOAD_FIELDS}
    stated = {name: value for name, value in fields.items() if name not in OFFLOAD_FIELDS}
    return OffloadOutputRequest(
        output=data.encode() if isinstance(data, str) else data, artifact=NewArtifact(**stated), **of_request
    )


async def offload(caller: Caller, data: bytes | str, **fields: Any) -> OffloadOutputResponse:
    """The answer to an output."""
    answer: OffloadOutputResponse = await caller(output(data, **fields))
    return answer


def change(artifact_id: str, version: int, **values: Any) -> UpdateArtifactRequest:
    """An update of the fields given."""
    request = UpdateArtifactRequest(artifact_id=artifact_id, expected_version=version, artifact=NewArtifact(**values))
    request.update_mask.paths.extend(values)
    return request


async def listed(caller: Caller, wanted: ArtifactFilter | None = None, **fields: Any) -> list[Artifact]:
    """All artifacts of a list, page after page."""
    request = ListArtifactsRequest(filter=wanted, **fields)
    found: list[Artifact] = []
    while True:
        page = await caller(request)
        found += page.artifacts
        if not page.next_page_token:
            return found
        assert len(page.artifacts) == (request.page_size or 50)
        request.page_token = page.next_page_token


def of_bytes(start: int, end: int = 0) -> ArtifactRange:
    return ArtifactRange(bytes=ByteRange(start=start, end=end))


def of_lines(first: int, last: int = 0) -> ArtifactRange:
    return ArtifactRange(lines=LineRange(first=first, last=last))


def around(line: int, context: int) -> ArtifactRange:
    return ArtifactRange(around=LinesAround(line=line, context=context))


def of_json(pointer: str, **part: int) -> ArtifactRange:
    return ArtifactRange(json=JsonValue(pointer=pointer, **part))


async def read_messages(
    caller: Caller, artifact_id: str, wanted: ArtifactRange | None = None, **fields: Any
) -> list[ReadArtifactResponse]:
    """All messages of a read."""
    request = ReadArtifactRequest(artifact_id=artifact_id, range=wanted, **fields)
    return [message async for message in caller.begin(request)]


async def read(caller: Caller, artifact_id: str, wanted: ArtifactRange | None = None, **fields: Any) -> bytes:
    """The bytes of a read, whose sums were right."""
    messages = await read_messages(caller, artifact_id, wanted, **fields)
    crc32c = fields.get("resume_crc32c", 0)
    for message in messages:
        crc32c = google_crc32c.extend(crc32c, message.data)
        assert message.crc32c == crc32c
    return b"".join(message.data for message in messages)
