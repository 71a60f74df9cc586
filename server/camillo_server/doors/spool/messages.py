"""Spooled writes as the contract has them."""

from collections.abc import Sequence
from uuid import UUID

from camillo.v1 import spool_pb2 as pb

from camillo_server.doors.rpc import fields
from camillo_server.doors.spool.failures import UnstoredWrite


def write_message(write: UnstoredWrite, state: "pb.SpoolState") -> pb.SpooledWrite:
    """A write that waits, or failed."""
    message = pb.SpooledWrite(
        spool_id=str(write.spool_id),
        agent_id=write.scope.agent_id,
        method=write.method,
        request_id=write.key.request_id if write.has_request_id else "",
        byte_count=write.byte_count,
        state=state,
        reason=write.reason,
        message=write.message,
        may_be_retried=write.request is not None,
    )
    fields.fill_timestamp(message.accepted_at, write.accepted_at)
    if write.reason:
        fields.fill_timestamp(message.failed_at, write.failed_at)
    return message


def spool_ids(values: Sequence[str]) -> list[UUID]:
    """The ids in their order, each once."""
    return [UUID(value) for value in dict.fromkeys(values)]
