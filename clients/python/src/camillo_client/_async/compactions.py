"""Compactions: several memories that become one."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from typing import Unpack

from camillo.v1.lifecycle_pb2 import Compaction, CompactionState
from camillo.v1.lifecycle_service_pb2 import (
    CompactionIds,
    CompactRequest,
    CompactResponse,
    ListCompactionsRequest,
    RevertCompactionRequest,
    RevertCompactionResponse,
)
from camillo_client._async.lifecycle_caller import LifecycleCaller
from camillo_client.convert import to_enum, to_strings
from camillo_client.lifecycle_fields import CompactionStateLike, CriteriaFields, criteria


class Compactions(LifecycleCaller):
    """The sources of a compaction are archived, never removed."""

    async def compact(
        self,
        *,
        dry_run: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **what: Unpack[CriteriaFields],
    ) -> CompactResponse:
        """Puts memories together that share a tag or say nearly the same; with `dry_run` only proposes. At most 100 at once:
        call again while the answer says `more`."""
        request = CompactRequest(
            agent_id=self._agent(agent_id), criteria=criteria(**what), dry_run=dry_run
        )
        return await self._pass(self._lifecycle.Compact, request, request_id, timeout)

    async def commit(
        self,
        proposals: Iterable[str],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> CompactResponse:
        """Carries out proposals of a dry run, by their ids."""
        request = CompactRequest(
            agent_id=self._agent(agent_id),
            proposals=CompactionIds(ids=to_strings(proposals, "proposals")),
        )
        return await self._write(self._lifecycle.Compact, request, request_id, timeout)

    async def revert(
        self,
        compaction_id: str,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> RevertCompactionResponse:
        """Undoes a compaction: the sources are back in recall, the merged memory is gone."""
        request = RevertCompactionRequest(
            agent_id=self._agent(agent_id), compaction_id=compaction_id
        )
        return await self._write(self._lifecycle.RevertCompaction, request, request_id, timeout)

    async def compactions(
        self,
        *,
        state: CompactionStateLike | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[Compaction]:
        """Newest first; the timeout is that of each page."""
        request = ListCompactionsRequest(
            agent_id=self._agent(agent_id),
            state=None if state is None else to_enum(CompactionState, state),
            page_size=page_size,
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._lifecycle.ListCompactions, page, timeout), request
        )
        async for page in pages:
            for compaction in page.compactions:
                yield compaction
