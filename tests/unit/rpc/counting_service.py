"""A server with the real pipeline, and a service behind it that counts what arrives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import artifact_service_pb2_grpc as stubs
from camillo_server.doors.identity.credentials import Peer
from camillo_server.doors.rpc.pipeline import Pipeline
from camillo_server.kernel.errors import CredentialInvalid
from camillo_server.kernel.scope import Principal
from camillo_server.settings.sections import QuotaSettings, ServerSettings
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.database import Database
from camillo_server.storage.quotas import Quotas
from camillo_server.telemetry.instruments import Instruments
from camillo_server.telemetry.tracing import Tracing, no_tracing

from tests.unit.rpc.callers import ADA


@dataclass
class OneKey:
    """The credential of one agent, which can be revoked."""

    is_revoked: bool = False

    def cached(self, metadata: dict[str, str]) -> Principal | None:
        return None if self.is_revoked else ADA

    async def authenticate(self, metadata: dict[str, str], peer: Peer) -> Principal:
        raise CredentialInvalid("the key is revoked")


@dataclass
class CountingService(stubs.ArtifactServiceServicer):
    """Counts the messages of uploads, and tells when one has begun and when the key goes."""

    key: OneKey
    revoke_at: int
    counts: list[int] = field(default_factory=list)
    begun: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(0))

    async def PutArtifact(  # noqa: N802
        self, request_iterator: AsyncIterator[service.PutArtifactRequest], context: Any
    ) -> service.PutArtifactResponse:
        self.counts.append(0)
        number = len(self.counts) - 1
        async for _ in request_iterator:
            self.counts[number] += 1
            self.begun.release()
            if self.counts[number] == self.revoke_at:
                self.key.is_revoked = True
        return service.PutArtifactResponse()

    async def GetUpload(  # noqa: N802
        self, request: service.GetUploadRequest, context: Any
    ) -> service.GetUploadResponse:
        return service.GetUploadResponse(held_bytes=len(self.counts))


def counting_service(revoke_at: int = 0) -> CountingService:
    """A service with a key that holds, or is revoked when so many messages have come."""
    # The methods that it lacks answer UNIMPLEMENTED.
    return CountingService(OneKey(), revoke_at)  # type: ignore[abstract]


@asynccontextmanager
async def serving(
    counting: CountingService, settings: ServerSettings, instruments: Instruments, tracing: Tracing | None = None
) -> AsyncIterator[stubs.ArtifactServiceAsyncStub]:
    """A stub that reaches the service through the pipeline."""
    # Nothing is counted: it is never opened.
    database = Database("postgresql://nobody.invalid", DatabaseSettings())
    quotas = Quotas(database, database, QuotaSettings())
    pipeline = Pipeline(counting.key, settings, instruments, tracing or no_tracing(), quotas)
    server = grpc.aio.server(interceptors=[pipeline])
    stubs.add_ArtifactServiceServicer_to_server(counting, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield stubs.ArtifactServiceStub(channel)
    finally:
        await server.stop(0)
