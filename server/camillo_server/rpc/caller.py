"""Who makes the current call, put there by the pipeline before a servicer runs."""

import hashlib
from contextvars import ContextVar
from typing import Any, Protocol

from camillo_server.domain.scope import Principal, Scope
from camillo_server.domain.writes import RequestKey
from camillo_server.rpc import limits
from camillo_server.rpc.validate import Checks

_principal: ContextVar[Principal] = ContextVar("principal")


class Mutation(Protocol):
    """A request that may be repeated."""

    request_id: str

    def SerializeToString(self, *, deterministic: bool = ...) -> bytes: ...  # noqa: N802

    def ClearField(self, field_name: str) -> None: ...  # noqa: N802


def set_principal(principal: Principal) -> None:
    """States for the current task who calls."""
    _principal.set(principal)


def principal() -> Principal:
    """The authenticated caller of the current call."""
    return _principal.get()


def scope_of(request: Any, checks: Checks) -> Scope:
    """The scope that the caller means. Raises ScopeForbidden."""
    if request.agent_id:
        checks.name("agent_id", request.agent_id)
    return principal().scope(request.agent_id)


def names(scope: Scope) -> tuple[str, str]:
    return scope.tenant_id, scope.agent_id


def request_key(request: Mutation, checks: Checks) -> RequestKey | None:
    """The request's id with a digest of everything else in it; takes the id out of the request."""
    request_id = checks.text("request_id", request.request_id, 0, limits.REQUEST_ID_CHARACTERS)
    if not request_id:
        return None
    request.ClearField("request_id")
    content = (
        type(request).__name__.encode() + b"\0" + request.SerializeToString(deterministic=True)
    )
    return RequestKey(request_id, hashlib.sha256(content).digest())
