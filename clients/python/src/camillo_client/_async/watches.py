"""Following the changes of a scope."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from grpc import StatusCode

from camillo.v1.consistency_pb2 import Revision
from camillo.v1.memory_pb2 import MemoryChange
from camillo.v1.memory_service_pb2 import WatchMemoriesRequest
from camillo_client._async.connection import Connection
from camillo_client.back_off import pause_seconds
from camillo_client.errors import Failure, Unavailable

# A watch has no end; a server that closes one in good order is going away.
ENDED = Failure(StatusCode.UNAVAILABLE, "the server ended the watch")


class Watches(Connection):
    """Streams that outlive a connection."""

    async def watch(
        self,
        *,
        resume_token: str = "",
        after_revision: Revision | None = None,
        from_beginning: bool = False,
        max_reconnects: int = 10,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[MemoryChange]:
        """The changes of the scope in the order of their revisions, checkpoints among them, without end.

        When the server goes away, the watch resumes after the last change handed out; it gives up after
        `max_reconnects` attempts in a row that brought nothing. The timeout is that of each connection.
        """
        request = _start(self._agent(agent_id), resume_token, after_revision, from_beginning)
        failures = 0
        while True:
            break_off = Unavailable(ENDED)
            stream = self._calls.stream(self._memories.WatchMemories, request, timeout)
            try:
                async with aclosing(stream) as answers:
                    async for answer in answers:
                        failures = 0
                        request.resume_token = answer.change.resume_token
                        yield answer.change
            except Unavailable as error:
                break_off = error
            failures += 1
            if failures > max_reconnects:
                raise break_off
            await self._calls.pause(pause_seconds(failures, break_off.retry_after_seconds))


def _start(
    agent_id: str, resume_token: str, after_revision: Revision | None, from_beginning: bool
) -> WatchMemoriesRequest:
    if bool(resume_token) + (after_revision is not None) + from_beginning > 1:
        raise ValueError("a watch begins at one place: token, revision or beginning")
    return WatchMemoriesRequest(
        agent_id=agent_id,
        resume_token=resume_token or None,
        after_revision=after_revision,
        from_beginning=from_beginning or None,
    )
