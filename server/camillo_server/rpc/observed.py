"""One call as the logs and figures see it."""

import logging
from dataclasses import dataclass

from google.rpc.status_pb2 import Status

from camillo_server.domain.errors import DomainError
from camillo_server.rpc.errors import internal_status, status_code, to_status

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Observed:
    """What the call is, and how it ends."""

    method: str
    metadata: dict[str, str]
    request_id: str
    code: str = "OK"

    def failed(self, error: Exception) -> Status:
        """The status that the caller is told; a defect is logged whole and told as nothing but its request id."""
        if isinstance(error, DomainError):
            self.code = status_code(error).name
            return to_status(error)
        self.code = "INTERNAL"
        logger.error("call failed", exc_info=error, extra={"method": self.method})
        return internal_status(self.request_id)
