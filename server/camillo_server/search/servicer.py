"""Recall and BatchRecall of MemoryService: converts, calls the use case, converts back."""

import asyncio
from typing import Any

from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import supersession_pb2

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import CallReader, demanded_freshness, names
from camillo_server.doors.rpc.errors import to_status
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.off_loop import next_turn
from camillo_server.rows.filter_messages import memory_filter
from camillo_server.search.contradictions import Contradictions
from camillo_server.search.history import HitHistory
from camillo_server.search.messages import (
    contradiction_message,
    fill_histories,
    recall_query,
    recall_response,
    superseding_hits,
)
from camillo_server.search.recall import Recall
from camillo_server.storage.database import Database


class RecallServicer:
    """The methods of MemoryService that search."""

    def __init__(
        self,
        recall: Recall,
        history: HitHistory,
        contradictions: Contradictions,
        calls: CallReader,
        database: Database,
    ) -> None:
        self._recall = recall
        self._contradictions = contradictions
        self._history = history
        self._calls = calls
        self._database = database

    async def Recall(self, request: service.RecallRequest, context: Any) -> service.RecallResponse:
        call = await self._calls.read(request)
        query = recall_query(request, call)
        answer = await self._recall(query)
        response = recall_response(answer, call, is_away=self._database.is_away)
        if query.explain and (hits := superseding_hits(response)):
            fill_histories(response, await self._history(query, [*hits.values()]), hits)
        return response

    async def ListContradictions(
        self, request: supersession_pb2.ListContradictionsRequest, context: Any
    ) -> supersession_pb2.ListContradictionsResponse:
        call = await self._calls.read(request)
        filter_bytes = request.filter.SerializeToString(deterministic=True)
        binding = tokens.query_binding("ListContradictions", *names(call.scope), filter_bytes)
        page = await self._contradictions(
            call.scope,
            memory_filter(request.filter),
            tokens.read_page_token(binding, request.page_token),
            stated_or_default(request, "page_size"),
            demanded_freshness(request.freshness, call),
            judge=request.judge,
        )
        return supersession_pb2.ListContradictionsResponse(
            contradictions=[*map(contradiction_message, page.contradictions)],
            next_page_token=tokens.page_token(binding, page.next_cursor),
            revision=call.revision(page.revision),
            degraded=[int(each) for each in page.degraded],  # type: ignore[misc]
        )

    async def BatchRecall(self, request: service.BatchRecallRequest, context: Any) -> service.BatchRecallResponse:
        await self._calls.read(request)
        # The queries run together, so that their texts are embedded together; but each in a turn of its own.
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._recalled(one, context)) for one in request.requests]
        return service.BatchRecallResponse(results=[task.result() for task in tasks])

    async def _recalled(self, request: service.RecallRequest, context: Any) -> service.BatchRecallResult:
        await next_turn()
        try:
            return service.BatchRecallResult(response=await self.Recall(request, context))
        except DomainError as error:
            return service.BatchRecallResult(error=to_status(error))
