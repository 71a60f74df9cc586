# Generated from _async/supersession.py by tools/generate_sync.py: do not edit.
"""Memories in the place of others, and those that contradict each other."""

from __future__ import annotations

import datetime
from collections.abc import Generator

from grpc import Channel

from camillo.v1.memory_pb2 import MemoryFilter
from camillo.v1.memory_service_pb2_grpc import MemoryServiceStub
from camillo.v1.supersession_pb2 import (
    Contradiction,
    ListContradictionsRequest,
    ListContradictionsResponse,
    SupersedeMemoryRequest,
    SupersedeMemoryResponse,
)
from camillo_client._sync.caller import Caller
from camillo_client._sync.calls import Calls
from camillo_client.convert import to_timestamp
from camillo_client.freshness import FreshnessLike, to_freshness
from camillo_client.revisions import WrittenRevisions


class AsyncSupersession(Caller):
    """The methods of Memories for supersession."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._memories = MemoryServiceStub(channel)

    def supersede(
        self,
        memory_id: str,
        expected_version: int,
        successor_id: str,
        *,
        since: datetime.datetime | None = None,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> SupersedeMemoryResponse:
        """Puts a memory in the place of another, which stays readable as history; VersionConflict if that is no longer
        at `expected_version`, or was superseded already. `since`: from when on the successor is true, and the other no
        longer; by default, as the successor says."""
        request = SupersedeMemoryRequest(
            agent_id=self._agent(agent_id),
            memory_id=memory_id,
            expected_version=expected_version,
            successor_id=successor_id,
            since=since and to_timestamp(since, "since"),
        )
        return self._write(self._memories.SupersedeMemory, request, request_id, timeout)

    def contradictions(
        self,
        filter: MemoryFilter | None = None,
        *,
        judge: bool = False,
        page_size: int = 0,
        freshness: FreshnessLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Contradiction]:
        """Pairs of memories that probably contradict each other, the newest first; nothing is changed by itself. The
        timeout applies to each page, for which up to `page_size` memories are compared with the others.

        With `judge`, the server's language model says of each pair what it thinks of it, and proposes others; allow
        more time for that. `contradiction_pages` also tells why it could not."""
        pages = self.contradiction_pages(
            filter,
            judge=judge,
            page_size=page_size,
            freshness=freshness,
            agent_id=agent_id,
            timeout=timeout,
        )
        for page in pages:
            for found in page.contradictions:
                yield found

    def contradiction_pages(
        self,
        filter: MemoryFilter | None = None,
        *,
        judge: bool = False,
        page_size: int = 0,
        freshness: FreshnessLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[ListContradictionsResponse]:
        """The pages of `contradictions`, each with the reasons (`degraded`) for which pairs were not judged."""
        request = ListContradictionsRequest(
            agent_id=self._agent(agent_id),
            filter=filter,
            page_size=page_size,
            freshness=to_freshness(freshness),
            judge=judge,
        )
        pages = self._calls.pages(lambda page: self._read(self._memories.ListContradictions, page, timeout), request)
        for page in pages:
            yield page
