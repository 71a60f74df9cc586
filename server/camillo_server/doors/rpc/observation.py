"""One call as the logs and figures see it."""

import asyncio
import logging
import os
import time
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from typing import Any, Self

from google.rpc.status_pb2 import Status

from camillo_server.doors.rpc.errors import internal_status, status_code, to_status
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Principal

logger = logging.getLogger(__name__)
# Nobody comes any more when so many looks in a row have seen nobody. Callers that come back at once are not waited for
# longer than all looks take.
LOOK_SECONDS = 0.02
QUIET_LOOKS = 5
LONGEST_LOOKS = 50


@dataclass(slots=True)
class Observed:
    """A call: its method and caller, what it holds, and how it ends."""

    method: str
    metadata: dict[str, str]
    request_id: str
    began: float
    # The tenant and the bytes of the request in flight, if it is large.
    large_body: tuple[TenantId, int] | None = None
    code: str = "OK"
    # None until the credential is known.
    principal: Principal | None = None
    _held: ExitStack | None = None

    @classmethod
    def of(cls, method: str, context: Any) -> Self:
        """A call that begins now."""
        metadata: dict[str, str] = {}
        for key, value in context.invocation_metadata() or ():
            if isinstance(value, str):
                # A key that comes twice is a list (RFC 9110, 5.3): of two credentials neither counts.
                metadata[key] = f"{metadata[key]}, {value}" if key in metadata else value
        # The caller's own id for the call, so that its logs and ours can be laid side by side.
        request_id = metadata.get("x-request-id", "")[:128] or os.urandom(8).hex()
        return cls(method, metadata, request_id, time.perf_counter())

    def hold(self, resource: AbstractContextManager[Any]) -> None:
        """Enters it, until the caller has the status. Raises what entering raises."""
        if self._held is None:
            self._held = ExitStack()
        self._held.enter_context(resource)

    def release(self) -> None:
        """Leaves what is held, the last one first."""
        if self._held is not None:
            self._held.close()

    def failed(self, error: Exception) -> Status:
        """The status that the caller is told; a defect is logged whole and told as nothing but its request id."""
        if isinstance(error, DomainError):
            self.code = status_code(error).name
            return to_status(error)
        self.code = "INTERNAL"
        logger.error("call failed", exc_info=error, extra={"method": self.method})
        return internal_status(self.request_id)


class Arrivals:
    """How many calls have come."""

    def __init__(self) -> None:
        self.count = 0

    async def ceased(self) -> None:
        """Returns when callers have heard that they are refused.

        gRPC holds calls that it has not handed over yet, and answers them CANCELLED at its stop, without a reason. It
        has no way to say "no more, and those to me": so each is refused by us, until none is left."""
        quiet = 0
        for _ in range(LONGEST_LOOKS):
            seen = self.count
            await asyncio.sleep(LOOK_SECONDS)
            quiet = quiet + 1 if seen == self.count else 0
            if quiet == QUIET_LOOKS:
                return
