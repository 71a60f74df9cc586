"""The caller of the current call, and its method."""

from contextvars import ContextVar
from typing import NamedTuple

from camillo_server.kernel.scope import Principal


class Caller(NamedTuple):
    """The caller of the current call. A tuple: a frozen dataclass takes twice as long to create."""

    principal: Principal
    # The agent of requests that name none.
    default_agent_id: str = ""
    # As gRPC names it: `/camillo.v1.MemoryService/Remember`.
    method: str = ""
    # The id that the logs have, too.
    request_id: str = ""
    # The other end of the connection, as gRPC names it.
    peer: str = ""


current_caller: ContextVar[Caller] = ContextVar("current_caller")
# The name of the background job that runs without a caller; empty otherwise.
current_job: ContextVar[str] = ContextVar("current_job", default="")
