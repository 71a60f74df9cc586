"""Who calls, as the pipeline would have found out."""

from collections.abc import Iterator

import pytest
from camillo_server.kernel.off_loop import current_tenant
from camillo_server.kernel.scope import Caller, Principal, current_caller

from tests.unit.rpc.callers import ADA, OPERATOR


@pytest.fixture
def ada() -> Iterator[Principal]:
    """An agent's own credential."""
    yield from calling(ADA)


@pytest.fixture
def operator() -> Iterator[Principal]:
    """A credential that reaches every agent of the tenant."""
    yield from calling(OPERATOR)


def calling(principal: Principal) -> Iterator[Principal]:
    """Calls for the time of a test: a caller that stays would be found by tasks of later ones."""
    caller, tenant = current_caller.set(Caller(principal)), current_tenant.set(principal.tenant_id)
    yield principal
    current_tenant.reset(tenant)
    current_caller.reset(caller)
