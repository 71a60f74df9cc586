"""The gRPC server: options, credentials, services, health, reflection, and an end without a failed call."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import grpc
from camillo.v1 import (
    admin_service_pb2,
    artifact_service_pb2,
    decision_service_pb2,
    event_service_pb2,
    lifecycle_service_pb2,
    memory_service_pb2,
    run_service_pb2,
    snapshot_service_pb2,
    task_service_pb2,
)
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from camillo_server.rpc.pipeline import Pipeline

CONTRACT = (
    memory_service_pb2,
    artifact_service_pb2,
    event_service_pb2,
    decision_service_pb2,
    task_service_pb2,
    snapshot_service_pb2,
    lifecycle_service_pb2,
    run_service_pb2,
    admin_service_pb2,
)
SERVICES = tuple(
    service.full_name
    for module in CONTRACT
    for service in module.DESCRIPTOR.services_by_name.values()
)

# So long do those who watch health have to hear of it before their streams end.
HEALTH_NEWS_SECONDS = 0.05

Registration = Callable[[grpc.aio.Server], None]


class AddressInUse(Exception):
    """Another process listens there, or the address is not this machine's."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"cannot listen on {address}: is another server running there? "
            "(choose another with --port)"
        )


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """PEM files. With a client authority, callers have to show a certificate of it."""

    certificate: Path
    private_key: Path
    client_authority: Path | None

    def credentials(self) -> grpc.ServerCredentials:
        """Raises OSError where a file cannot be read."""
        pair = (self.private_key.read_bytes(), self.certificate.read_bytes())
        authority = self.client_authority.read_bytes() if self.client_authority else None
        return grpc.ssl_server_credentials(
            [pair], root_certificates=authority, require_client_auth=authority is not None
        )


@dataclass(frozen=True, slots=True)
class Listening:
    """Where and how to listen."""

    host: str
    port: int
    tls: TlsFiles | None
    # Several processes on one port, among which the kernel spreads connections; else the port is ours alone.
    shared_port: bool
    max_message_bytes: int
    keepalive_seconds: float
    reflection: bool


class RpcServer:
    """One gRPC server in this process."""

    def __init__(
        self, listening: Listening, pipeline: Pipeline, services: Sequence[Registration]
    ) -> None:
        self._listening = listening
        self._pipeline = pipeline
        self._server = grpc.aio.server(interceptors=[pipeline], options=_options(listening))
        self._health = health.aio.HealthServicer()
        for register in services:
            register(self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        if listening.reflection:
            names = (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, self._server)

    async def start(self) -> int:
        """Listens, then reports healthy. Returns the port. Raises AddressInUse."""
        port = self._bind()
        await self._server.start()
        for service in ("", *SERVICES):
            await self._health.set(service, health_pb2.HealthCheckResponse.SERVING)
        return port

    async def report(self, part: str, *, is_serving: bool) -> None:
        """Says of a part of the server, no service of it, whether it is well; the whole stays as it is."""
        statuses = health_pb2.HealthCheckResponse
        await self._health.set(part, statuses.SERVING if is_serving else statuses.NOT_SERVING)

    async def leave(self, seconds: float, hurried: asyncio.Event) -> None:
        """Reports unhealthy and answers for so long, or until `hurried`: whoever asks for health goes elsewhere meanwhile."""
        await self._health.enter_graceful_shutdown()
        with suppress(TimeoutError):
            await asyncio.wait_for(hurried.wait(), seconds)

    async def stop(self, drain_seconds: float) -> None:
        """Reports unhealthy, takes no more calls, lets those in flight finish for so long, then ends them."""
        arrivals = self._pipeline.arrivals
        before = arrivals.count
        await self._health.enter_graceful_shutdown()
        await asyncio.sleep(HEALTH_NEWS_SECONDS)
        self._pipeline.drain()
        if arrivals.count > before:
            await arrivals.ceased()
        await self._server.stop(drain_seconds)

    def _bind(self) -> int:
        address = f"{self._listening.host}:{self._listening.port}"
        try:
            if self._listening.tls:
                port = self._server.add_secure_port(address, self._listening.tls.credentials())
            else:
                port = self._server.add_insecure_port(address)
        except RuntimeError:
            raise AddressInUse(address) from None
        if port == 0:
            raise AddressInUse(address)
        return port


def _options(listening: Listening) -> list[tuple[str, int]]:
    keepalive_ms = int(listening.keepalive_seconds * 1000)
    return [
        ("grpc.max_receive_message_length", listening.max_message_bytes),
        ("grpc.max_send_message_length", listening.max_message_bytes),
        ("grpc.so_reuseport", int(listening.shared_port)),
        ("grpc.keepalive_time_ms", keepalive_ms),
        ("grpc.keepalive_timeout_ms", 20_000),
        ("grpc.keepalive_permit_without_calls", 1),
        # Clients may ping as often as this without being taken for an attack.
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ]
