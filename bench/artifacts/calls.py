"""Options of the parts of bench.artifacts, and uploads and reads by plain generated stubs."""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service

from bench.measure.client import Client
from bench.measure.echo_server import STREAM_MESSAGE

MIB = 1024 * 1024
BLOCK_BYTES = 16 * MIB
MESSAGE_BYTES = len(STREAM_MESSAGE)
STREAM_SECONDS = 600.0
AGENT = "bench"


@dataclass(frozen=True, slots=True)
class ArtifactOptions:
    """A full run; `quick()` is one that only shows that everything works."""

    rounds: int = 5
    stream_bytes: int = 256 * MIB
    memory_bytes: int = 1024 * MIB
    large_bytes: int = 1024 * MIB
    reads: int = 100
    offloads: int = 50
    chunk_rounds: int = 10
    cases: Path | None = None
    trajectories: Path | None = None

    @classmethod
    def quick(cls) -> "ArtifactOptions":
        return cls(
            rounds=1,
            stream_bytes=32 * MIB,
            memory_bytes=64 * MIB,
            large_bytes=64 * MIB,
            reads=10,
            offloads=5,
            chunk_rounds=1,
        )


async def put(client: Client, blocks: Iterable[bytes]) -> pb.Artifact:
    """Uploads blocks one after the other; they are whole multiples of a message, but for the last."""
    return await put_messages(client, upload_messages(blocks))


async def put_messages(client: Client, messages: Iterable[service.PutArtifactRequest]) -> pb.Artifact:
    answer = await client.send(messages, service.PutArtifactRequest, STREAM_SECONDS)
    artifact: pb.Artifact = answer.artifact
    return artifact


def read(
    client: Client,
    artifact_id: str,
    wanted: pb.ArtifactRange | None = None,
    encodings: Sequence[str] = (),
) -> AsyncIterator[service.ReadArtifactResponse]:
    request = service.ReadArtifactRequest(
        agent_id=AGENT, artifact_id=artifact_id, range=wanted, accept_encodings=encodings
    )
    answers: AsyncIterator[service.ReadArtifactResponse] = client(request, STREAM_SECONDS)
    return answers


def search(client: Client, artifact_id: str, literal: str) -> AsyncIterator[Any]:
    request = service.SearchArtifactRequest(agent_id=AGENT, artifact_id=artifact_id, literal=literal)
    answers: AsyncIterator[Any] = client(request, STREAM_SECONDS)
    return answers


async def offload(client: Client, output: bytes) -> service.OffloadOutputResponse:
    made_by = pb.NewArtifact(tool="shell", command="make test")
    answer: service.OffloadOutputResponse = await client(
        service.OffloadOutputRequest(agent_id=AGENT, output=output, artifact=made_by)
    )
    return answer


async def delete(client: Client, artifact_id: str) -> None:
    await client(service.DeleteArtifactRequest(agent_id=AGENT, artifact_id=artifact_id))


def upload_messages(blocks: Iterable[bytes]) -> Iterator[service.PutArtifactRequest]:
    """The messages of an upload."""
    header = service.PutArtifactHeader(agent_id=AGENT, artifact=pb.NewArtifact(name="bench.log"))
    yield service.PutArtifactRequest(header=header)
    digest, offset = sha256(), 0
    for block in blocks:
        digest.update(block)
        for at in range(0, len(block), MESSAGE_BYTES):
            data = block[at : at + MESSAGE_BYTES]
            yield service.PutArtifactRequest(bytes=service.ArtifactBytes(offset=offset, data=data))
            offset += len(data)
    yield service.PutArtifactRequest(finish=service.PutArtifactFinish(sha256=digest.digest()))


def log_blocks(log: bytes, size: int, *first_lines: str) -> Iterator[bytes]:
    """This log again and again; each time it begins with a line of its own: what is stored already is not found again.
    The first line of the first block, and of those after it."""
    for number in range(size // len(log)):
        yield with_first_line(log, f"block {number} {first_lines[min(number, len(first_lines) - 1)]}")


def with_first_line(log: bytes, line: str) -> bytes:
    """The log, of the same length, with this line over its beginning."""
    first = f"{line}\n".encode()
    return first + log[len(first) :]
