"""The port for HTTP: uvicorn in the event loop of the gRPC server, without its own signals and logs."""

import asyncio
import socket
import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import uvicorn

from camillo_server.doors.rpc.server import AddressInUse
from camillo_server.settings.sections import ServerSettings, TlsSettings

# Headers of one request, its line included.
MAX_HEADER_BYTES = 64 * 1024
KEEP_ALIVE_SECONDS = 75
# Who has sent no whole head of a request after so long is cut off, and so is who takes nothing of an answer.
HEAD_SECONDS, STALLED_SECONDS = 20.0, 60.0
LOOK_SECONDS = 5.0


class _Server(uvicorn.Server):
    """One that leaves signals to the process, which has a gRPC server to stop as well."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class SlowConnections:
    """Cuts off connections that take part in nothing: uvicorn has a limit only for those between two requests."""

    def __init__(self, connections: Iterable[Any]) -> None:
        self._connections = connections
        # Since when each has been as it is, and how many bytes it had not taken then.
        self._since: dict[Any, tuple[float, int]] = {}

    async def run(self) -> None:
        """Runs until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.cut_off(time.monotonic())

    def cut_off(self, now: float) -> None:
        """Looks at each of them once; `now` in seconds."""
        before, self._since = self._since, {}
        for each in tuple(self._connections):
            untaken = each.transport.get_write_buffer_size()
            is_busy = each.cycle is not None and not each.cycle.response_complete
            if is_busy and not untaken:
                continue
            since, untaken_before = before.get(each, (now, untaken))
            if untaken != untaken_before:
                since = now
            elif now - since >= (STALLED_SECONDS if untaken else _waiting_seconds(each)):
                each.transport.abort()
                continue
            self._since[each] = since, untaken


def _waiting_seconds(connection: Any) -> float:
    """How long a connection may have no request: longer between two of them, which uvicorn itself ends."""
    return HEAD_SECONDS if connection.timeout_keep_alive_task is None else 2 * KEEP_ALIVE_SECONDS


class HttpServer:
    """One HTTP port of this process."""

    def __init__(self, application: Any, settings: ServerSettings, tls: TlsSettings) -> None:
        self._settings = settings
        self._server = _Server(_config(application, settings, tls))
        self._slow = SlowConnections(self._server.server_state.connections)
        self._serving: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None

    async def start(self) -> int:
        """Listens; the port. Raises AddressInUse."""
        listening = _listening(self._settings)
        self._serving = asyncio.create_task(self._server.serve([listening]))
        self._looking = asyncio.create_task(self._slow.run())
        # uvicorn takes it up in its own time; what connects meanwhile waits in the queue of the socket.
        listening.listen()
        port: int = listening.getsockname()[1]
        return port

    async def stop(self) -> None:
        """Takes no more connections, lets requests in flight finish for the time of the drain, then ends them."""
        self._server.should_exit = True
        if self._serving is not None:
            with suppress(asyncio.CancelledError):
                await self._serving
        if self._looking is not None:
            self._looking.cancel()


def _listening(settings: ServerSettings) -> socket.socket:
    """Bound as the gRPC port is. Raises AddressInUse."""
    host, port = settings.host.strip("[]"), settings.http_listens_on
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # asyncio sends at once, without Nagle's delay, only where a socket says that it is of TCP.
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if settings.workers > 1:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.bind(address)
    except OSError:
        raise AddressInUse(f"{settings.host}:{port}", "--http-port") from None
    return listening


def _config(application: Any, settings: ServerSettings, tls: TlsSettings) -> uvicorn.Config:
    needs_certificate = tls.client_ca_path is not None
    return uvicorn.Config(
        application,
        lifespan="off",
        http="h11",
        interface="asgi3",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        # Whom Envoy or a proxy speaks for is said by them in headers that anybody may send.
        proxy_headers=False,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        limit_concurrency=settings.max_connections,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=max(1, round(settings.drain_seconds)),
        ssl_certfile=tls.certificate_path,
        ssl_keyfile=tls.private_key_path,
        ssl_ca_certs=str(tls.client_ca_path) if needs_certificate else None,
        ssl_cert_reqs=ssl.CERT_REQUIRED if needs_certificate else ssl.CERT_NONE,
    )
