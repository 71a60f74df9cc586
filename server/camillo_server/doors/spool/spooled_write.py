"""The items of the spool: writes that were acknowledged, and damaged ones that cannot be read any more."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from camillo_server.kernel.ids import TenantId
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
