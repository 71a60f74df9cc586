"""Calls of tools to a server by gRPC, through the Python client, which sees its own writes on whichever replica it
reads."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any
from uuid import uuid4

from camillo_client import AsyncCamillo, CamilloError
from google.protobuf.message import Message

from camillo_server.doors.gateway.mcp.calls import MemoryCallFailed, method_path

# The client at hand; where one is given that found no server, another one, if there is any.
Connection = Callable[[AsyncCamillo | None], Awaitable[AsyncCamillo]]


class RemoteCalls:
    """One connection's calls. Where the server has gone, they ask once for another one."""

    def __init__(self, connection: Connection, person: str = "") -> None:
        self._connection = connection
        self.person = person

    async def call(self, request: Message) -> Any:
        """Raises MemoryCallFailed."""
        path, sent = method_path(request), _repeatable(request)
        camillo = await self._connection(None)
        try:
            return await camillo.call(path, sent)
        except CamilloError as error:
            if not _found_no_server(error):
                raise _refusal(error) from None
        camillo = await self._connection(camillo)
        try:
            return await camillo.call(path, sent)
        except CamilloError as error:
            raise _refusal(error) from None

    async def stream(self, request: Message) -> AsyncGenerator[Any]:
        """Raises MemoryCallFailed."""
        camillo = await self._connection(None)
        try:
            async with aclosing(camillo.stream(method_path(request), request)) as messages:
                async for message in messages:
                    yield message
        except CamilloError as error:
            raise _refusal(error) from None


def _repeatable(request: Message) -> Message:
    """Copies the request with an id of its own, by which a write that is sent twice happens once."""
    copy: Any = type(request)()
    copy.CopyFrom(request)
    if "request_id" in copy.DESCRIPTOR.fields_by_name:
        copy.request_id = copy.request_id or uuid4().hex
    return copy  # type: ignore[no-any-return]


def _found_no_server(error: CamilloError) -> bool:
    # Every failure that a server tells has a reason.
    return error.code.name == "UNAVAILABLE" and not error.reason


def _refusal(error: CamilloError) -> MemoryCallFailed:
    return MemoryCallFailed(
        code=error.code.name,
        message=error.message,
        reason=error.reason,
        fields=[f"{each.field}: {each.description}" for each in error.field_violations],
        metadata=error.metadata,
        retry_seconds=error.retry_after_seconds,
    )
