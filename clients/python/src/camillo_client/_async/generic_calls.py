"""Calls of any method of the contract by its name."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, TypeVar

from google.protobuf.message import Message
from grpc.aio import Channel

from camillo.v1.consistency_pb2 import Revision
from camillo.v1.memory_service_pb2 import BatchRecallRequest, BatchRecallResponse
from camillo_client._async.caller import Caller, new_request_id
from camillo_client._async.calls import Calls
from camillo_client._async.resumed_streams import Patience, resumed_watch
from camillo_client.call_metadata import SHARED
from camillo_client.methods import Method, has_field, method_named
from camillo_client.revisions import WrittenRevisions
from camillo_client.spaces import READ_SPACES

M = TypeVar("M", bound=Message)

MAX_RECONNECTS = 10


class GenericCalls(Caller):
    """Calls methods that have no Python method of their own. Requests are copied before fields are filled in."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._channel = channel

    async def call(
        self,
        method: str,
        request: Message,
        *,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Any:
        """The answer of a unary method such as `camillo.v1.MemoryService/Recall`.

        The client's agent and spaces, a request id and the revision of its last write are filled in where the request
        has such a field and leaves it empty. ValueError if there is no such method.
        """
        known = _checked(method_named(method), method, answers_stream=False)
        sent: Any = self._addressed(request, agent_id)
        stub: Any = self._channel.unary_unary(
            known.path,
            request_serializer=known.request.SerializeToString,
            response_deserializer=known.response.FromString,
        )
        if isinstance(sent, BatchRecallRequest):
            deadline = self._calls.deadline(timeout)
            results = await self._recall_batch(stub, sent.requests, deadline)
            return BatchRecallResponse(results=results)
        if has_field(sent, "freshness"):
            return await self._read_at(stub, sent, _revision_of, timeout)
        if _writes(known) and not getattr(sent, "dry_run", False):
            return await self._write(stub, sent, sent.request_id or None, timeout)
        if not has_field(sent, "request_id"):
            return await self._calls.unary(stub, sent, timeout)
        repeatable = bool(sent.request_id)
        sent.request_id = sent.request_id or new_request_id()
        ticket = self._written.begin(SHARED)
        answer = await self._calls.unary(stub, sent, timeout)
        if has_field(answer, "shared_revision"):
            self._written.wrote(ticket, answer.shared_revision, repeatable=repeatable)
        return answer

    async def pages(
        self,
        method: str,
        request: Message,
        *,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[Any]:
        """All pages of a list, each requested when the one before has been used; the timeout applies to each page."""
        asked: Any = _copy(request)
        pages = self._calls.pages(lambda page: self.call(method, page, agent_id=agent_id, timeout=timeout), asked)
        async for page in pages:
            yield page

    async def stream(
        self,
        method: str,
        request: Message,
        *,
        max_reconnects: int = MAX_RECONNECTS,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[Any]:
        """The messages of a method that answers with a stream. A watch resumes behind the last message returned when
        the server goes away; the timeout applies to each connection, none unless given."""
        known = _checked(method_named(method), method, answers_stream=True)
        sent: Any = self._addressed(request, agent_id)
        stub: Any = self._channel.unary_stream(
            known.path,
            request_serializer=known.request.SerializeToString,
            response_deserializer=known.response.FromString,
        )
        messages: AsyncGenerator[Any]
        if has_field(sent, "resume_token"):
            messages = resumed_watch(self._calls, stub, sent, Patience(max_reconnects, timeout))
        else:
            messages = self._calls.stream(stub, sent, timeout)
        async with aclosing(messages) as each:
            async for message in each:
                yield message

    def _addressed(self, request: M, agent_id: str | None) -> M:
        """A copy with the agent filled in."""
        sent = _copy(request)
        parts: Any = sent.requests if isinstance(sent, BatchRecallRequest) else (sent,)
        for part in parts:
            if _takes_agent(part) and not part.agent_id:
                part.agent_id = self._agent(agent_id)
                if isinstance(part, READ_SPACES) and not agent_id:
                    self._beside.fill(part)
        return sent


def _copy(request: M) -> M:
    copy = type(request)()
    copy.CopyFrom(request)
    return copy


def _takes_agent(request: Message) -> bool:
    """Whether an agent may be filled in: not beside an alternative, nor for all scopes, nor where the field names the
    agent to be created, deleted or given a key."""
    field = request.DESCRIPTOR.fields_by_name.get("agent_id")
    if field is None or field.containing_oneof is not None or getattr(request, "all_scopes", False):
        return False
    return not request.DESCRIPTOR.file.name.endswith("/admin_service.proto")


def _checked(known: Method, name: str, *, answers_stream: bool) -> Method:
    if known.sends_stream or known.answers_stream != answers_stream:
        raise ValueError(f"{name} is called otherwise: it has streams")
    return known


def _writes(known: Method) -> bool:
    """Whether the answer says which revision holds what was written."""
    return has_field(known.request, "request_id") and has_field(known.response, "revision")


def _revision_of(answer: Any) -> Revision:
    # A bundle tells its own.
    revision: Revision = answer.revision if has_field(answer, "revision") else answer.bundle.revision
    return revision
