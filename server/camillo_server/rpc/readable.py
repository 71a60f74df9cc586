"""Messages that cannot be read: grpc answers them with INTERNAL, though it is the caller who is mistaken."""

from collections.abc import Callable
from typing import Any

from google.protobuf.message import DecodeError

from camillo_server.kernel.errors import invalid_field

UNREADABLE = object()


def reader(deserialize: Callable[[bytes], Any] | None) -> Callable[[bytes], Any]:
    """Gives a marker for what cannot be read, so that the pipeline says what it is: a bad argument."""
    assert deserialize is not None  # noqa: S101

    def read(data: bytes) -> Any:
        try:
            return deserialize(data)
        except DecodeError:
            return UNREADABLE

    return read


def readable(request: Any) -> Any:
    """The request itself. Raises InvalidField for the marker."""
    if request is UNREADABLE:
        raise invalid_field("request", "is not a message of this method (is its text valid UTF-8?)")
    return request
