"""One call as its servicer sees it: who makes it, where it acts, and under which request id."""

import hashlib
from collections.abc import Awaitable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from camillo.v1.consistency_pb2 import Revision
from google.protobuf.message import Message

from camillo_server.domain.scope import Principal, Scope
from camillo_server.domain.writes import RequestKey
from camillo_server.rpc.caller import principal
from camillo_server.rpc.context_reading import read_request
from camillo_server.rpc.field_limits import CompiledCheck, compiled_check
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks, OwnModel


class Call(NamedTuple):
    """One call, whose request has been checked. A tuple: a frozen dataclass takes twice as long to make."""

    principal: Principal
    # Of the agent that the request names, or else of the caller's own.
    scope: Scope
    # None where the request has no id, or cannot have one.
    request_key: RequestKey | None
    revisions: RevisionTokens

    @property
    def is_operator(self) -> bool:
        """Whether the credential reaches every agent of the tenant."""
        return self.principal.agent_id is None

    def revision(self, number: int) -> Revision:
        """A revision of the scope as clients keep it."""
        return self.revisions.revision(self.scope, number)


@dataclass(frozen=True, slots=True)
class CallReader:
    """Makes calls of requests."""

    revisions: RevisionTokens
    own_model: OwnModel

    def read(self, request: Any) -> Awaitable[Call]:
        """The call that the current task's caller makes with a request. Raises InvalidField, ScopeForbidden."""
        return read_request(request, self.read_at_once)

    def read_at_once(self, request: Any) -> Call:
        """As `read`, without leaving the thread. Takes the request id out of the request."""
        form = _form_of(request.__class__)
        caller = principal()
        scope = caller.scope(request.agent_id if form.names_scope else "")
        checks = Checks(self.own_model, scope)
        form.check(request, "", checks)
        checks.done()
        key = _request_key(request) if form.has_request_id else None
        return Call(caller, scope, key, self.revisions)


@dataclass(frozen=True, slots=True)
class RequestForm:
    """What requests of one type have."""

    check: CompiledCheck
    # `agent_id` says where the call acts; beside a tenant's id it names what is to be managed.
    names_scope: bool
    has_request_id: bool


@cache
def _form_of(request_type: type[Message]) -> RequestForm:
    descriptor = request_type.DESCRIPTOR
    names = descriptor.fields_by_name.keys()
    return RequestForm(
        check=compiled_check(descriptor),
        names_scope="agent_id" in names and "tenant_id" not in names,
        has_request_id="request_id" in names,
    )


def _request_key(request: Any) -> RequestKey | None:
    """The request's id with a digest of everything else in it."""
    request_id = request.request_id
    if not request_id:
        return None
    request.ClearField("request_id")
    content = (
        type(request).__name__.encode() + b"\0" + request.SerializeToString(deterministic=True)
    )
    return RequestKey(request_id, hashlib.sha256(content).digest())
