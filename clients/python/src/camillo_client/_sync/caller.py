# Generated from _async/caller.py by tools/generate_sync.py: do not edit.
"""The base of every part of a client: reads that see the client's own writes, and writes that may be repeated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Protocol, Self, TypeVar
from uuid import uuid4

from grpc import UnaryUnaryMultiCallable

from camillo.v1.consistency_pb2 import Revision
from camillo.v1.knowledge_pb2 import SkillLevel
from camillo.v1.memory_service_pb2 import (
    BatchRecallRequest,
    BatchRecallResponse,
    BatchRecallResult,
    RecallRequest,
)
from camillo_client._sync.calls import Calls
from camillo_client.call_metadata import SHARED
from camillo_client.demands import Demands
from camillo_client.errors import RevisionUnknown
from camillo_client.failures import from_status
from camillo_client.freshness import FreshRead, RevisedAnswer
from camillo_client.named_arguments import NamesArguments
from camillo_client.revisions import WrittenRevisions
from camillo_client.spaces import NOTHING, Beside


class Mutation(Protocol):
    """A request that carries an id of its own."""

    agent_id: str
    request_id: str


class PlannedMutation(Mutation, Protocol):
    """A request that may only ask what would be done."""

    dry_run: bool


R = TypeVar("R")
FreshQ = TypeVar("FreshQ", bound=FreshRead)
RevisedR = TypeVar("RevisedR", bound=RevisedAnswer)
WriteQ = TypeVar("WriteQ", bound=Mutation)
PlanQ = TypeVar("PlanQ", bound=PlannedMutation)


class Caller(NamesArguments):
    """Calls under one credential, and the revisions of what they wrote, which all parts of a client share."""

    def __init__(self, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        self._calls = calls
        self._written = written
        self._agent_id = agent_id
        self._beside = NOTHING

    def _in_space(self, space: str, beside: Beside = NOTHING) -> Self:
        """A copy of this part, and of the parts in it, for another space, and what is read beside it."""
        bound = copy(self)
        bound._agent_id = space
        bound._beside = beside
        for name, part in vars(self).items():
            if isinstance(part, Caller):
                setattr(bound, name, part._in_space(space, beside))
        return bound

    def _agent(self, agent_id: str | None) -> str:
        return agent_id or self._agent_id

    def _write(
        self,
        method: UnaryUnaryMultiCallable[WriteQ, RevisedR],
        request: WriteQ,
        request_id: str | None,
        timeout: float | None,
    ) -> RevisedR:
        """Sends a mutation and keeps the revision that holds it; `request_id` is the caller's own, if it gave one."""
        request.request_id = request.request_id or request_id or new_request_id()
        ticket = self._written.begin(_changed_scope(request))
        answer = self._calls.unary(method, request, timeout)
        self._written.wrote(ticket, answer.revision, repeatable=bool(request_id))
        return answer

    def _write_or_plan(
        self,
        method: UnaryUnaryMultiCallable[PlanQ, RevisedR],
        request: PlanQ,
        request_id: str | None,
        timeout: float | None,
    ) -> RevisedR:
        """Sends a mutation, or a dry run of it, whose revision is none that later reads have to reach."""
        if not request.dry_run:
            return self._write(method, request, request_id, timeout)
        request.request_id = request_id or new_request_id()
        return self._calls.unary(method, request, timeout)

    def _read(
        self,
        method: UnaryUnaryMultiCallable[FreshQ, RevisedR],
        request: FreshQ,
        timeout: float | None,
    ) -> RevisedR:
        """Demands the revision of the last write, unless the request demands something itself."""
        return self._read_at(method, request, lambda answer: answer.revision, timeout)

    def _read_at(
        self,
        method: UnaryUnaryMultiCallable[FreshQ, R],
        request: FreshQ,
        revision_of: Callable[[R], Revision],
        timeout: float | None,
    ) -> R:
        """Reads like `_read`; `revision_of` finds the revision of an answer that keeps it somewhere else."""
        demands, deadline = Demands(self._written, request), self._calls.deadline(timeout)
        try:
            answer = self._calls.unary_until(method, request, deadline)
        except RevisionUnknown:
            if not demands:
                raise
            # Not the caller's demand but ours, and void: the database was restored, or the scope removed.
            demands.drop()
            return self._calls.unary_until(method, request, deadline)
        if demands:
            demands.met(revision_of(answer), answer)
            # The next page of a list is asked for with the same message.
            demands.take_back()
        return answer

    def _recall_batch(
        self,
        method: UnaryUnaryMultiCallable[BatchRecallRequest, BatchRecallResponse],
        requests: Sequence[RecallRequest],
        deadline: float,
    ) -> list[BatchRecallResult]:
        """Each recall makes its own demand; recalls whose revision, written by this client, the server does not know
        are sent once more."""
        demanded = [Demands(self._written, request) for request in requests]
        batch = BatchRecallRequest(requests=requests)
        results = [*(self._calls.unary_until(method, batch, deadline)).results]
        void = []
        for index, (demands, result) in enumerate(zip(demanded, results, strict=True)):
            if not demands:
                continue
            if result.HasField("response"):
                demands.met(result.response.revision, result.response)
            elif isinstance(from_status(result.error), RevisionUnknown):
                demands.drop()
                void.append(index)
        if void:
            batch = BatchRecallRequest(requests=[requests[index] for index in void])
            again = self._calls.unary_until(method, batch, deadline)
            for index, result in zip(void, again.results, strict=True):
                results[index] = result
        return results


def _changed_scope(request: Mutation) -> str:
    """The agent's, or of a skill of the tenant its shared scope."""
    is_tenants = getattr(request, "level", None) == SkillLevel.SKILL_LEVEL_TENANT
    return SHARED if is_tenants else request.agent_id


def new_request_id() -> str:
    """An id that nobody else uses."""
    return uuid4().hex
