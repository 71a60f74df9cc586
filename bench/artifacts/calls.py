"""The calls to the service of artifacts that benchmarks make, by plain generated stubs."""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, cast

import grpc
from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import artifact_service_pb2_grpc as stubs

from bench.measure.client import authorization
from bench.measure.echo_server import STREAM_MESSAGE

MESSAGE_BYTES = len(STREAM_MESSAGE)
TIMEOUT_SECONDS = 600
AGENT = "bench"


class ArtifactCalls:
    """One caller of one server."""

    def __init__(self, channel: grpc.aio.Channel, secret: str) -> None:
        self._stub = cast("Any", stubs.ArtifactServiceStub(channel))
        self._options = {"metadata": authorization(secret), "timeout": TIMEOUT_SECONDS}

    async def put(self, requests: Iterable[service.PutArtifactRequest]) -> pb.Artifact:
        answer: service.PutArtifactResponse = await self._stub.PutArtifact(
            requests, **self._options
        )
        return answer.artifact

    async def read(
        self, artifact_id: str, wanted: pb.ArtifactRange | None = None
    ) -> AsyncIterator[service.ReadArtifactResponse]:
        request = service.ReadArtifactRequest(agent_id=AGENT, artifact_id=artifact_id, range=wanted)
        async for message in self._stub.ReadArtifact(request, **self._options):
            yield message

    async def search(
        self, artifact_id: str, **wanted: Any
    ) -> AsyncIterator[service.SearchArtifactResponse]:
        request = service.SearchArtifactRequest(agent_id=AGENT, artifact_id=artifact_id, **wanted)
        async for message in self._stub.SearchArtifact(request, **self._options):
            yield message

    async def offload(self, output: bytes) -> service.OffloadOutputResponse:
        request = service.OffloadOutputRequest(
            agent_id=AGENT,
            output=output,
            artifact=pb.NewArtifact(tool="shell", command="make test"),
        )
        answer: service.OffloadOutputResponse = await self._stub.OffloadOutput(
            request, **self._options
        )
        return answer

    async def delete(self, artifact_id: str) -> None:
        await self._stub.DeleteArtifact(
            service.DeleteArtifactRequest(agent_id=AGENT, artifact_id=artifact_id), **self._options
        )


def upload_messages(blocks: Sequence[bytes]) -> list[service.PutArtifactRequest]:
    """All messages of an upload, made before the clock starts."""
    return list(upload_stream(blocks))


def upload_stream(blocks: Iterable[bytes]) -> Iterator[service.PutArtifactRequest]:
    """The messages of an upload, one after the other; blocks are whole multiples of a message, but the last."""
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
