"""Who makes the current call, put there by the pipeline before a servicer runs."""

from contextvars import ContextVar

from camillo_server.domain.scope import Principal, Scope

_principal: ContextVar[Principal] = ContextVar("principal")


def set_principal(principal: Principal) -> None:
    """States for the current task who calls."""
    _principal.set(principal)


def principal() -> Principal:
    """The authenticated caller of the current call."""
    return _principal.get()


def names(scope: Scope) -> tuple[str, str]:
    return scope.tenant_id, scope.agent_id
