"""Calls of tools in the server's own process, with the credential of the request of HTTP that carried them."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from camillo_server.doors.gateway.calls import Arrival, CallFailed, LocalMethods, one_message
from camillo_server.doors.gateway.mcp.calls import method_path, refusal_of, takes_agent


@dataclass(frozen=True, slots=True)
class LocalCalls:
    """One caller's calls, through the pipeline: it authenticates, bounds and audits each."""

    methods: LocalMethods
    metadata: Sequence[tuple[str, str]]
    peer: str
    deadline_seconds: float
    # Empty for the agent of the credential.
    agent_id: str = ""
    person: str = ""

    async def call(self, request: Message) -> Any:
        """Raises MemoryCallFailed."""
        sent: Any = self._addressed(request)
        if not _needs_freshness(sent):
            return await self._call(sent)
        # Stateless callers hold no revision: what they wrote a moment ago may be at another replica.
        sent.freshness.fully_consistent = True
        for each in getattr(sent, "spaces", ()):
            each.freshness.fully_consistent = True
        try:
            return await self._methods_call(sent)
        except CallFailed as error:
            refusal = refusal_of(error.status)
            if refusal.reason != "STORAGE_UNAVAILABLE":
                raise refusal from None
        # Without Postgres, what is in memory is better than nothing; the answer says so.
        sent.freshness.minimize_latency = True
        for each in getattr(sent, "spaces", ()):
            each.freshness.minimize_latency = True
        return await self._call(sent)

    async def stream(self, request: Message) -> AsyncGenerator[Any]:
        """Raises MemoryCallFailed."""
        sent = self._addressed(request)
        arrival = self._arrival(sent, None)
        messages = self.methods.stream(method_path(sent), arrival)
        try:
            async with aclosing(messages):
                async for message in messages:
                    yield message
        except CallFailed as error:
            raise refusal_of(error.status) from None

    async def _call(self, sent: Message) -> Any:
        try:
            return await self._methods_call(sent)
        except CallFailed as error:
            raise refusal_of(error.status) from None

    async def _methods_call(self, sent: Message) -> Any:
        arrival = self._arrival(sent, self.deadline_seconds)
        return await self.methods.call(method_path(sent), arrival)

    def _arrival(self, sent: Message, deadline_seconds: float | None) -> Arrival:
        body = one_message(sent)
        return Arrival(self.metadata, body, self.peer, deadline_seconds, door="mcp")

    def _addressed(self, request: Message) -> Message:
        copy: Any = type(request)()
        copy.CopyFrom(request)
        if self.agent_id and takes_agent(copy) and not copy.agent_id:
            copy.agent_id = self.agent_id
        return copy  # type: ignore[no-any-return]


def _needs_freshness(sent: Message) -> bool:
    return "freshness" in sent.DESCRIPTOR.fields_by_name and not sent.HasField("freshness")
