"""Spooled writes as the requests that they were, and memories among them as `camillo import` takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from camillo_server.doors.spool.spooled_write import SpooledWrite

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory
    from google.protobuf.message import Message

PACKAGE = "camillo.v1"


def request_of(write: SpooledWrite) -> Message | None:
    """The request in a body; None where it is none that this version knows, to its last field."""
    from google.protobuf.message import DecodeError
    from google.protobuf.unknown_fields import UnknownFieldSet

    request_type = _request_type(write.method)
    try:
        request: Message | None = request_type.FromString(write.body) if request_type else None
    except DecodeError:
        return None
    return None if request is None or len(UnknownFieldSet(request)) else request


def memory_of(write: SpooledWrite, request: Any) -> Memory | None:
    """The memory that it would have become, under the same id; None where it is of another method."""
    from camillo.v1.memory_pb2 import Memory
    from camillo_cli.output import message_dict
    from google.protobuf.json_format import ParseDict

    if write.method != "MemoryService.Remember":
        return None
    memory: Memory = ParseDict(message_dict(request.memory), Memory(), ignore_unknown_fields=True)
    memory.memory_id = memory.memory_id or str(write.spool_id)
    if not memory.HasField("occurred_at"):
        memory.occurred_at.FromDatetime(write.accepted_at)
    return memory


def _request_type(method: str) -> Any:
    """The class of the method's requests; None for one that this version does not have."""
    # Each makes its services known.
    from camillo.v1 import (  # noqa: F401
        event_service_pb2,
        memory_service_pb2,
        run_service_pb2,
        slot_service_pb2,
    )
    from google.protobuf.descriptor_pool import Default
    from google.protobuf.message_factory import GetMessageClass

    service, _, name = method.partition(".")
    try:
        found = Default().FindServiceByName(f"{PACKAGE}.{service}")
        return GetMessageClass(found.methods_by_name[name].input_type)
    except KeyError:
        return None
