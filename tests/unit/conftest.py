"""Who calls, as the pipeline would have found out."""

import pytest
from camillo_server.kernel.caller import Caller
from camillo_server.kernel.scope import Principal
from camillo_server.rpc.call import set_caller

from tests.unit.rpc.callers import ADA, OPERATOR


@pytest.fixture
def ada() -> Principal:
    """An agent's own credential."""
    set_caller(Caller(ADA))
    return ADA


@pytest.fixture
def operator() -> Principal:
    """A credential that reaches every agent of the tenant."""
    set_caller(Caller(OPERATOR))
    return OPERATOR
