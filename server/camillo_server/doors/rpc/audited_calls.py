"""Leaves entries in the audit trail for calls that change nothing: administration and exports always, other reads where
the tenant asks for it, and refused calls of administrators' methods."""

import enum
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import aclosing
from typing import Any

from camillo.v1 import options_pb2 as options
from google.protobuf.message import Message

from camillo_server.doors.rpc.admission import required_role
from camillo_server.doors.rpc.call import agent_problem, principal, scope_of_request
from camillo_server.doors.rpc.contract import AUDIT, RETURNS_NO_CONTENT, option, writes
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Caller, Principal, Role, Scope, current_caller
from camillo_server.storage.audit_queue import AuditQueue

Serve = Callable[[Any, Any], Any]
NO_TENANTS: frozenset[TenantId] = frozenset()


class CallKind(enum.Enum):
    """When the audit trail has an entry of a call, beside those of what it changes."""

    ADMINISTRATIVE_READ = enum.auto()
    EXPORT = enum.auto()
    READ = enum.auto()
    OTHER = enum.auto()


KINDS = {
    options.CALL_AUDIT_ALWAYS: CallKind.ADMINISTRATIVE_READ,
    options.CALL_AUDIT_EXPORT: CallKind.EXPORT,
    options.CALL_AUDIT_ON_REQUEST: CallKind.READ,
}


def call_kind(method: str) -> CallKind:
    """The kind by the contract: by the option `audit`, else by the role of a method that reads."""
    try:
        if writes(method) or option(method, RETURNS_NO_CONTENT):
            return CallKind.OTHER
    except KeyError:
        return CallKind.OTHER
    if audit := option(method, AUDIT):
        return KINDS[audit]
    role = required_role(method)
    if role >= Role.TENANT_ADMIN:
        return CallKind.ADMINISTRATIVE_READ
    return CallKind.READ if role is Role.READER else CallKind.OTHER


def is_administrative(method: str) -> bool:
    """Whether refused calls are entered."""
    is_always = call_kind(method) is CallKind.ADMINISTRATIVE_READ
    return is_always or required_role(method) >= Role.TENANT_ADMIN


class AuditedCalls:
    """Enters calls of one process."""

    def __init__(self, queue: AuditQueue) -> None:
        self._queue = queue
        self.reading = queue.reading

    def entered(self, method: str, serve: Serve, *, is_stream: bool) -> Serve:
        """The method, which leaves an entry of each call where it administrates or exports."""
        kind = call_kind(method)
        if kind is CallKind.EXPORT:
            return self._exporting(serve)
        if kind is not CallKind.ADMINISTRATIVE_READ:
            return serve
        return self._streaming(serve) if is_stream else self._answering(serve)

    def note(self, request: Any, response: Any) -> None:
        """Enters a read behind its answer."""
        self._queue.note(_scope(request), counts(response))

    async def noted(self, request: Any, responses: AsyncIterator[Any], *, is_endless: bool) -> AsyncIterator[Any]:
        """The messages of a stream, of which an entry follows when it ends; of one without end, when it begins."""
        messages = 0
        if is_endless:
            self._queue.note(_scope(request), {})
        try:
            async with aclosing(responses):  # type: ignore[type-var]
                async for response in responses:
                    messages += 1
                    yield response
        finally:
            if not is_endless:
                self._queue.note(_scope(request), {"messages_count": messages})

    def note_refusal(self, caller: Caller, code: str) -> None:
        """Enters that an administrator's method was refused."""
        current_caller.set(caller)
        found = caller.principal
        self._queue.note_refusal(found.tenant_id, found.credential, code)

    def _answering(self, serve: Serve) -> Serve:
        async def served(request: Any, context: Any) -> Any:
            response = await serve(request, context)
            await self._enter(request, counts(response))
            return response

        return served

    def _streaming(self, serve: Serve) -> Serve:
        async def served(request: Any, context: Any) -> AsyncIterator[Any]:
            async with aclosing(serve(request, context)) as responses:
                is_entered = False
                async for response in responses:
                    # Not before the servicer has let the caller pass.
                    if not is_entered:
                        await self._enter(request, {})
                    is_entered = True
                    yield response
                if not is_entered:
                    await self._enter(request, {})

        return served

    def _exporting(self, serve: Serve) -> Serve:
        async def served(request: Any, context: Any) -> AsyncIterator[Any]:
            found: dict[str, int] = {}
            is_entered = False
            async with aclosing(serve(request, context)) as responses:
                try:
                    async for response in responses:
                        if not is_entered:
                            await self._queue.enter(_scope(request), {"outcome": "STARTED"})
                        is_entered = True
                        for name, number in counts(response).items():
                            found[name] = found.get(name, 0) + number
                        yield response
                finally:
                    if is_entered:
                        self._queue.note(_scope(request), found)

        return served

    async def _enter(self, request: Any, facts: Mapping[str, Any]) -> None:
        """Enters the call in the trail of the caller's tenant, and in that of the tenant that was read."""
        caller = principal()
        asked = _tenant(request, caller)
        own = Scope(caller.tenant_id, AgentId(""))
        if asked == caller.tenant_id:
            await self._queue.enter(own, facts)
            return
        await self._queue.enter(Scope(asked, AgentId("")), facts)
        await self._queue.enter(own, {"tenant_id": asked, **facts})


def counts(response: Message) -> dict[str, int]:
    """How many there are of each kind in an answer."""
    return {f"{field.name}_count": len(value) for field, value in response.ListFields() if field.is_repeated}


def _tenant(request: Any, caller: Principal) -> TenantId:
    fields = type(request).DESCRIPTOR.fields_by_name
    return TenantId((request.tenant_id if "tenant_id" in fields else "") or caller.tenant_id)


def _scope(request: Any) -> Scope:
    """The scope that was read, or was to be: what names none is entered in the shared one, and no text of it."""
    shared = Scope(principal().tenant_id, AgentId(""))
    try:
        scope = scope_of_request(request)
    except DomainError:
        return shared
    # A stream without end is entered before its request has been checked.
    return shared if agent_problem(scope.agent_id) else scope
