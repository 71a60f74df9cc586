"""Reading large requests without holding up the event loop."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from camillo_server.domain.off_loop import off_loop

Read = TypeVar("Read")

# Reading one byte of a request: of JSON; text takes less.
READ_MICROSECONDS = 1 / 16


def read_request(request: Any, read: Callable[[Any], Read]) -> Awaitable[Read]:
    """Reads a request, in a thread where that takes long."""
    return off_loop(request.ByteSize() * READ_MICROSECONDS, lambda: read(request))
