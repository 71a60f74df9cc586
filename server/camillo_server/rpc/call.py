"""One call as its servicer sees it: who makes it, where it acts, and under which request id."""

import hashlib
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

from camillo.v1.consistency_pb2 import Revision
from google.protobuf.descriptor import Descriptor

from camillo_server.domain.scope import Principal, Scope
from camillo_server.domain.writes import RequestKey
from camillo_server.rpc.caller import principal
from camillo_server.rpc.context_reading import read_request
from camillo_server.rpc.field_limits import check_message
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks, OwnModel


@dataclass(frozen=True, slots=True)
class Call:
    """One call, whose request has been checked."""

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
        caller = principal()
        scope = caller.scope(request.agent_id if _names_scope(request.DESCRIPTOR) else "")
        checks = Checks(self.own_model, scope)
        check_message(request, checks)
        checks.done()
        return Call(caller, scope, _request_key(request), self.revisions)


def _names_scope(descriptor: Descriptor) -> bool:
    """Whether `agent_id` says where the call acts; beside a tenant's id it names what is to be managed."""
    fields = descriptor.fields_by_name
    return "agent_id" in fields and "tenant_id" not in fields


def _request_key(request: Any) -> RequestKey | None:
    """The request's id with a digest of everything else in it."""
    request_id = getattr(request, "request_id", "")
    if not request_id:
        return None
    request.ClearField("request_id")
    content = (
        type(request).__name__.encode() + b"\0" + request.SerializeToString(deterministic=True)
    )
    return RequestKey(request_id, hashlib.sha256(content).digest())
