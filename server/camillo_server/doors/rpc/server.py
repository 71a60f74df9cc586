"""The gRPC server: options, credentials, services, health, reflection, and an end without a failed call."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_reflection.v1alpha.reflection_pb2_grpc import add_ServerReflectionServicer_to_server

from camillo_server.doors.rpc.contract import SERVICES, methods
from camillo_server.doors.rpc.field_limits import compiled_check
from camillo_server.doors.rpc.open_calls import Health
from camillo_server.doors.rpc.pipeline import Pipeline
from camillo_server.kernel.system import OperatorError
from camillo_server.settings.sections import ServerSettings, TlsSettings

HEALTH_SERVICE = health_pb2.DESCRIPTOR.services_by_name["Health"].full_name
MAX_STREAMS_PER_CONNECTION = 1024
# Bytes of a message that may arrive unread. A part of an upload fits in: its sender hears why it is refused.
WINDOW_BYTES = 1024 * 1024
# How long a connection may take to begin.
HANDSHAKE_SECONDS = 20
# How long watchers of health have to hear of it before their streams end.
HEALTH_NEWS_SECONDS = 0.05

Registration = Callable[[Any], None]


def joined(*servicers: object) -> Any:
    """One servicer with the methods of all: for a service whose methods belong to several features."""
    methods = {
        name: getattr(servicer, name) for servicer in servicers for name in vars(type(servicer)) if name[0].isupper()
    }
    return SimpleNamespace(**methods)


class ServiceRegistry:
    """Takes services for a server, from the code that is generated for them, but registers none of their methods by
    itself.

    gRPC's Python server waits for the next call of each registered method separately, and goes through all these
    waits at every call: with 90 methods, that was an eighth of an echo. It finds unregistered methods by their name.
    """

    def __init__(self, server: grpc.aio.Server) -> None:
        self.add_generic_rpc_handlers = server.add_generic_rpc_handlers

    def add_registered_method_handlers(self, *_: object) -> None:
        """Leaves them out: the generated code gives them as generic handlers, too."""


class AddressInUse(OperatorError):
    """Another process listens there, or the address is not this machine's."""

    def __init__(self, address: str, option: str = "--port") -> None:
        super().__init__(f"cannot listen on {address}: is another server running there? (choose another with {option})")


class RpcServer:
    """One gRPC server in this process."""

    def __init__(
        self,
        settings: ServerSettings,
        tls: TlsSettings,
        pipeline: Pipeline,
        services: Sequence[Registration],
    ) -> None:
        self._settings = settings
        self._tls = tls
        self._pipeline = pipeline
        # Calls by HTTP are among them.
        self.arrivals = pipeline.arrivals
        self._server = grpc.aio.server(interceptors=[pipeline], options=_options(settings))
        self._health = Health(settings.stream_idle_seconds)
        registry: Any = ServiceRegistry(self._server)
        for register in services:
            register(registry)
        _compile_checks()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, registry)
        if settings.has_reflection:
            names = (*SERVICES, HEALTH_SERVICE, reflection.SERVICE_NAME)
            servicer = reflection.aio.ReflectionServicer(names)
            add_ServerReflectionServicer_to_server(servicer, registry)

    async def start(self) -> int:
        """Listens, then reports healthy. Returns the port. Raises AddressInUse."""
        port = self._bind()
        await self._server.start()
        for service in ("", *SERVICES):
            self._health.set(service, is_serving=True)
        return port

    def report(self, part: str, *, is_serving: bool) -> None:
        """Says of a part of the server, no service of it, whether it is well; the whole stays as it is."""
        self._health.set(part, is_serving=is_serving)

    def is_serving(self, part: str) -> bool | None:
        """Health of a part, or of "" for the whole; None where there is no such part."""
        return self._health.is_serving(part)

    async def leave(self, seconds: float, hurried: asyncio.Event) -> None:
        """Reports unhealthy and answers for so long, or until `hurried`: whoever asks for health goes elsewhere
        meanwhile."""
        self._health.leave()
        with suppress(TimeoutError):
            await asyncio.wait_for(hurried.wait(), seconds)

    async def stop(self, drain_seconds: float) -> None:
        """Reports unhealthy, takes no more calls, lets those in flight finish for so long, then ends them."""
        before = self.arrivals.count
        self._health.leave()
        await asyncio.sleep(HEALTH_NEWS_SECONDS)
        self._health.end()
        self._pipeline.drain()
        if self.arrivals.count > before:
            await self.arrivals.ceased()
        await self._server.stop(drain_seconds)

    def _bind(self) -> int:
        address = f"{self._settings.host}:{self._settings.port}"
        credentials = _credentials(self._tls)
        try:
            if credentials:
                port = self._server.add_secure_port(address, credentials)
            else:
                port = self._server.add_insecure_port(address)
        except RuntimeError:
            raise AddressInUse(address) from None
        if port == 0:
            raise AddressInUse(address)
        return port


def _credentials(tls: TlsSettings) -> grpc.ServerCredentials | None:
    """The credentials of the port; None where it is not encrypted. Raises OSError where a file cannot be read."""
    if tls.certificate_path is None or tls.private_key_path is None:
        return None
    pair = (tls.private_key_path.read_bytes(), tls.certificate_path.read_bytes())
    authority = tls.client_ca_path.read_bytes() if tls.client_ca_path else None
    return grpc.ssl_server_credentials([pair], root_certificates=authority, require_client_auth=authority is not None)


def _compile_checks() -> None:
    """The checks of every request, 5 ms for all: a limit that makes no sense ends the start, not a call."""
    for method in methods():
        compiled_check(method.input_type)


def _options(settings: ServerSettings) -> list[tuple[str, int]]:
    keepalive_ms = int(settings.keepalive_seconds * 1000)
    return [
        ("grpc.max_receive_message_length", settings.max_message_bytes),
        ("grpc.max_send_message_length", settings.max_message_bytes),
        # Several processes on one port, among which the kernel spreads connections; else the port is ours alone.
        ("grpc.so_reuseport", int(settings.workers > 1)),
        # More of them wait at the client.
        ("grpc.max_concurrent_streams", MAX_STREAMS_PER_CONNECTION),
        ("grpc.max_allowed_incoming_connections", settings.max_connections),
        ("grpc.server_handshake_timeout_ms", HANDSHAKE_SECONDS * 1000),
        ("grpc.max_connection_age_ms", int(settings.max_connection_age_seconds * 1000)),
        ("grpc.max_connection_age_grace_ms", int(settings.max_connection_grace_seconds * 1000)),
        # Always the same window: gRPC would widen it by what the line carries, and take as much for each call that
        # waits.
        ("grpc.http2.bdp_probe", 0),
        ("grpc.http2.lookahead_bytes", WINDOW_BYTES),
        ("grpc.keepalive_time_ms", keepalive_ms),
        ("grpc.keepalive_timeout_ms", 20_000),
        ("grpc.keepalive_permit_without_calls", 1),
        # Clients may ping as often as this without being taken for an attack.
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ]
