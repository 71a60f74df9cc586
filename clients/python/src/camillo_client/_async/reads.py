"""Memories by id and by filter, their history, their export."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from camillo.v1.memory_pb2 import Memory, MemoryFilter, MemoryRevision
from camillo.v1.memory_service_pb2 import (
    ExportMemoriesRequest,
    GetMemoryRequest,
    ListMemoriesRequest,
    ListMemoryRevisionsRequest,
)
from camillo_client._async.connection import Connection
from camillo_client._async.fresh_reads import FreshReads
from camillo_client.freshness import FreshnessLike, to_freshness


class Reads(FreshReads, Connection):
    """Reads without a search. Iterators ask for the next page when the one before has been taken."""

    async def get(
        self,
        memory_id: str,
        *,
        include_vector: bool = False,
        freshness: FreshnessLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Memory:
        """One memory, archived or not; MemoryNotFound if there is none."""
        request = GetMemoryRequest(
            agent_id=self._agent(agent_id),
            memory_id=memory_id,
            freshness=to_freshness(freshness),
            include_vector=include_vector,
        )
        return (await self._read(self._memories.GetMemory, request, timeout)).memory

    async def list_memories(
        self,
        filter: MemoryFilter | None = None,
        *,
        page_size: int = 0,
        freshness: FreshnessLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[Memory]:
        """All memories that pass the filter, newest first; the timeout is that of each page."""
        request = ListMemoriesRequest(
            agent_id=self._agent(agent_id),
            filter=filter,
            page_size=page_size,
            freshness=to_freshness(freshness),
        )
        pages = self._calls.pages(
            lambda page: self._read(self._memories.ListMemories, page, timeout), request
        )
        async for page in pages:
            for memory in page.memories:
                yield memory

    async def history(
        self,
        memory_id: str,
        *,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[MemoryRevision]:
        """A memory as it was at each version, newest first; the timeout is that of each page."""
        request = ListMemoryRevisionsRequest(
            agent_id=self._agent(agent_id), memory_id=memory_id, page_size=page_size
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._memories.ListMemoryRevisions, page, timeout),
            request,
        )
        async for page in pages:
            for revision in page.revisions:
                yield revision

    async def export(
        self,
        filter: MemoryFilter | None = None,
        *,
        include_vectors: bool = False,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[Memory]:
        """All memories that pass the filter as of one revision, oldest first; without a timeout unless given."""
        request = ExportMemoriesRequest(
            agent_id=self._agent(agent_id), filter=filter, include_vectors=include_vectors
        )
        stream = self._calls.stream(self._memories.ExportMemories, request, timeout)
        async with aclosing(stream) as parts:
            async for part in parts:
                for memory in part.memories:
                    yield memory
