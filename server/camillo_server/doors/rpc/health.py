"""Health by the gRPC protocol for it. The servicer of grpc-health-checking tells one watcher after the other under a
lock: a watcher that reads nothing would keep the server from stopping."""

import asyncio
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from camillo_server.doors.rpc.admission import send
from camillo_server.kernel.clock import SharedTimeout

Status = health_pb2.HealthCheckResponse


class Health(health_pb2_grpc.HealthServicer):  # type: ignore[misc]
    """Tells by name which services and which parts of the server are serving."""

    def __init__(self, send_seconds: float) -> None:
        self._idle = SharedTimeout(send_seconds)
        self._statuses: dict[str, Any] = {}
        self._changed = asyncio.Event()
        self._is_leaving = False
        self._has_ended = False

    def set(self, name: str, *, is_serving: bool) -> None:
        """Tells everyone who watches, unless the server leaves."""
        if not self._is_leaving:
            self._tell({name: Status.SERVING if is_serving else Status.NOT_SERVING})

    def is_serving(self, name: str) -> bool | None:
        """Whether the name is serving; None for a name that is not known."""
        status = self._statuses.get(name)
        return None if status is None else bool(status == Status.SERVING)

    def leave(self) -> None:
        """Reports everything as not serving from here on."""
        self._is_leaving = True
        self._tell(dict.fromkeys(self._statuses, Status.NOT_SERVING))

    def end(self) -> None:
        """Ends the watches."""
        self._has_ended = True
        self._tell({})

    async def Check(self, request: Any, context: Any) -> Any:  # noqa: N802
        status = self._statuses.get(request.service)
        if status is None:
            await context.abort(grpc.StatusCode.NOT_FOUND, "unknown service")
        return Status(status=status)

    async def Watch(self, request: Any, context: Any) -> None:  # noqa: N802
        sent = None
        while not self._has_ended:
            changed = self._changed
            status = self._statuses.get(request.service, Status.SERVICE_UNKNOWN)
            if status != sent:
                await send(context, Status(status=status), self._idle)
                sent = status
            await changed.wait()

    def _tell(self, statuses: dict[str, Any]) -> None:
        self._statuses |= statuses
        self._changed.set()
        self._changed = asyncio.Event()
