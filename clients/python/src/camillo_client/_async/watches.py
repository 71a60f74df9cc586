"""Following the changes of a scope."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from camillo.v1.consistency_pb2 import Revision
from camillo.v1.memory_pb2 import MemoryChange
from camillo.v1.memory_service_pb2 import WatchMemoriesRequest
from camillo_client._async.connection import Connection
from camillo_client._async.resumed_watches import Patience, resumed
from camillo_client.watch_starts import check_start


class Watches(Connection):
    """Streams that outlive a connection."""

    def watch(
        self,
        *,
        resume_token: str = "",
        after_revision: Revision | None = None,
        from_beginning: bool = False,
        max_reconnects: int = 10,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[MemoryChange]:
        """The changes of the scope in the order of their revisions, checkpoints among them, without end. ValueError unless one
        of `resume_token`, `after_revision` and `from_beginning` says where it begins.

        When the server goes away, the watch resumes after the last change handed out; it gives up after
        `max_reconnects` attempts in a row that brought nothing. The timeout is that of each connection.
        """
        # Now, not with the first change that is asked for.
        request = _start(self._agent(agent_id), resume_token, after_revision, from_beginning)
        return self._followed(request, Patience(max_reconnects, timeout))

    async def _followed(
        self, request: WatchMemoriesRequest, patience: Patience
    ) -> AsyncGenerator[MemoryChange]:
        stream = resumed(self._calls, self._memories.WatchMemories, request, patience)
        async with aclosing(stream) as answers:
            async for answer in answers:
                yield answer.change


def _start(
    agent_id: str, resume_token: str, after_revision: Revision | None, from_beginning: bool
) -> WatchMemoriesRequest:
    check_start(resume_token, after_revision, from_beginning)
    return WatchMemoriesRequest(
        agent_id=agent_id,
        resume_token=resume_token or None,
        after_revision=after_revision,
        from_beginning=from_beginning or None,
    )
