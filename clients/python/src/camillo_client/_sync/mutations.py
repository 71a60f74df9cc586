# Generated from _async/mutations.py by tools/generate_sync.py: do not edit.
"""Writes that may arrive twice and happen once."""

from __future__ import annotations

from typing import Protocol, TypeVar
from uuid import uuid4

from grpc import UnaryUnaryMultiCallable

from camillo_client._sync.caller import Caller
from camillo_client.freshness import RevisedAnswer


class Mutation(Protocol):
    """A request that carries an id of its own."""

    agent_id: str
    request_id: str


WQ = TypeVar("WQ", bound=Mutation)
WR = TypeVar("WR", bound=RevisedAnswer)


class Mutations(Caller):
    """Gives each write a request id and remembers the revision that holds it."""

    def _write(
        self,
        method: UnaryUnaryMultiCallable[WQ, WR],
        request: WQ,
        request_id: str | None,
        timeout: float | None,
    ) -> WR:
        """Sends it; `request_id` is the caller's own, if it gave one."""
        request.request_id = request.request_id or request_id or new_request_id()
        ticket = self._written.begin(request.agent_id)
        answer = self._calls.unary(method, request, timeout)
        self._written.wrote(ticket, answer.revision, repeatable=bool(request_id))
        return answer


def new_request_id() -> str:
    """An id that nobody else uses."""
    return uuid4().hex
