"""Recall, one query or many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Unpack

from camillo.v1.memory_service_pb2 import (
    BatchRecallRequest,
    BatchRecallResult,
    RecallRequest,
    RecallResponse,
)
from camillo_client._async.connection import Connection
from camillo_client._async.fresh_reads import FreshReads
from camillo_client.convert import reject_text
from camillo_client.errors import CamilloError, RevisionUnknown
from camillo_client.failures import from_status
from camillo_client.queries import RecallOptions, recall_request

MAX_BATCH = 32


class Recalls(FreshReads, Connection):
    """Finds the memories that answer a query best."""

    async def recall(
        self,
        query: str | None = None,
        *,
        agent_id: str | None = None,
        timeout: float | None = None,
        **options: Unpack[RecallOptions],
    ) -> RecallResponse:
        """The best hits for a text, or for `vector`; see RecallOptions for the rest."""
        request = recall_request(query, agent_id=self._agent(agent_id), **options)
        return await self._read(self._memories.Recall, request, timeout)

    async def recall_many(
        self,
        queries: Iterable[str | RecallRequest],
        *,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> list[RecallResponse | CamilloError]:
        """An answer or an error for each query, in the order given; `agent_id` is for those that name none."""
        reject_text(queries, "recall_many")
        requests = [_request(query, self._agent(agent_id)) for query in queries]
        outcomes: list[RecallResponse | CamilloError] = []
        for start in range(0, len(requests), MAX_BATCH):
            outcomes += await self._recall_batch(requests[start : start + MAX_BATCH], timeout)
        return outcomes

    async def _recall_batch(
        self, requests: Sequence[RecallRequest], timeout: float | None
    ) -> list[RecallResponse | CamilloError]:
        tickets = [self._carry(request) for request in requests]
        deadline = self._calls.deadline(timeout)
        outcomes = await self._ask_batch(requests, deadline)
        void = []
        for place, (ticket, outcome) in enumerate(zip(tickets, outcomes, strict=True)):
            if ticket is not None and isinstance(outcome, RevisionUnknown):
                self._drop(ticket, requests[place])
                void.append(place)
            elif ticket is not None and isinstance(outcome, RecallResponse):
                self._written.read(ticket, outcome.revision)
        if void:
            again = await self._ask_batch([requests[place] for place in void], deadline)
            for place, outcome in zip(void, again, strict=True):
                outcomes[place] = outcome
        return outcomes

    async def _ask_batch(
        self, requests: Sequence[RecallRequest], deadline: float
    ) -> list[RecallResponse | CamilloError]:
        batch = BatchRecallRequest(requests=requests)
        answer = await self._calls.unary_until(self._memories.BatchRecall, batch, deadline)
        return [_outcome(result) for result in answer.results]


def _request(query: str | RecallRequest, agent_id: str) -> RecallRequest:
    if isinstance(query, str):
        return recall_request(query, agent_id=agent_id)
    # A copy: the demand for freshness put into it is not the caller's.
    request = RecallRequest()
    request.CopyFrom(query)
    request.agent_id = query.agent_id or agent_id
    return request


def _outcome(result: BatchRecallResult) -> RecallResponse | CamilloError:
    return from_status(result.error) if result.HasField("error") else result.response
