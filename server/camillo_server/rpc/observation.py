"""One call as the logs and figures see it."""

import asyncio
import logging
from contextlib import ExitStack
from dataclasses import dataclass

from google.rpc.status_pb2 import Status

from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import TenantId
from camillo_server.rpc.errors import internal_status, status_code, to_status

logger = logging.getLogger(__name__)
# Nobody comes any more when so many looks in a row have seen nobody. Callers that come back at once are not waited for longer
# than all looks take.
LOOK_SECONDS = 0.02
QUIET_LOOKS = 5
LONGEST_LOOKS = 50


@dataclass(slots=True)
class Observed:
    """What the call is, and how it ends."""

    method: str
    metadata: dict[str, str]
    request_id: str
    # Holds the span from when the caller is known; None: no spans are recorded.
    span: ExitStack | None = None
    # Whose request in flight is large, and its bytes.
    large_body: tuple[TenantId, int] | None = None
    code: str = "OK"

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

        gRPC holds calls that it has not handed over yet, and answers them CANCELLED at its stop, without a reason. It has no way
        to say "no more, and those to me": so each is refused by us, until none is left.
        """
        quiet = 0
        for _ in range(LONGEST_LOOKS):
            seen = self.count
            await asyncio.sleep(LOOK_SECONDS)
            quiet = quiet + 1 if seen == self.count else 0
            if quiet == QUIET_LOOKS:
                return
