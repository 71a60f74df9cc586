"""The items of the spool, writes that were acknowledged, and damaged ones that cannot be read any more; and a write as
bytes, before it is encrypted: what is known of it as JSON, then its body."""

import struct
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar
from uuid import UUID

from pydantic import ConfigDict, TypeAdapter, ValidationError

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Caller, Scope
from camillo_server.kernel.writes import RequestKey


@dataclass(frozen=True, slots=True)
class SpooledWrite:
    """A write that waits to be stored in Postgres."""

    spool_id: UUID
    # The name of the method, such as `MemoryService.Remember`.
    method: str
    scope: Scope
    accepted_at: datetime
    # The caller's, or one made of the spool id: a replay that is repeated stores nothing twice.
    request: RequestKey
    has_request_id: bool
    # Used to attribute and authorise the replay.
    caller: Caller
    # The values to store, in an encoding of the method's own.
    body: bytes


@dataclass(frozen=True, slots=True)
class DamagedFrame:
    """Bytes of a spool file that were a write, or several. The spool id is the write's own where that can be read, else
    one made of the file and the offset: the same each time."""

    spool_id: UUID
    # None where the bytes do not tell it.
    tenant_id: TenantId | None
    file_id: UUID
    offset: int
    byte_count: int
    why: str


Waiting = SpooledWrite | DamagedFrame


_LENGTH = struct.Struct(">I")


class UnreadableContent(Exception):
    """The bytes are not those of a write that this version knows. The text shows nothing of them."""


@dataclass(frozen=True, slots=True)
class _Description:
    """All of a write but its body, and what the frame tells in clear. A field that is added needs a default."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(defer_build=True)

    method: str
    agent_id: AgentId
    accepted_at: datetime
    request_id: str
    content_digest: str
    has_request_id: bool
    caller: Caller


_ADAPTER = TypeAdapter(_Description)


def encode_description(write: SpooledWrite) -> bytes:
    """The description that precedes the body, with its length."""
    description = _Description(
        write.method,
        write.scope.agent_id,
        write.accepted_at,
        write.request.request_id,
        write.request.content_digest.hex(),
        write.has_request_id,
        write.caller,
    )
    encoded = _ADAPTER.dump_json(description)
    return _LENGTH.pack(len(encoded)) + encoded


def decode_content(tenant_id: TenantId, spool_id: UUID, content: bytes) -> SpooledWrite:
    """The write of a description and a body. Raises UnreadableContent."""
    try:
        (length,) = _LENGTH.unpack_from(content)
        begin = _LENGTH.size + length
        described = _ADAPTER.validate_json(content[_LENGTH.size : begin])
        request = RequestKey(described.request_id, bytes.fromhex(described.content_digest))
    except struct.error:
        raise UnreadableContent("it is too short") from None
    except (ValidationError, ValueError):
        # The cause is dropped, since its text may have contents.
        raise UnreadableContent("its description is of another form") from None
    return SpooledWrite(
        spool_id,
        described.method,
        Scope(tenant_id, described.agent_id),
        described.accepted_at,
        request,
        described.has_request_id,
        described.caller,
        content[begin:],
    )
