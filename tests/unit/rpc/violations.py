"""What a request is refused for."""

import pytest
from camillo_server.domain.errors import InvalidField
from camillo_server.rpc.validate import Checks


def fields(checks: Checks) -> list[str]:
    """The fields that are wrong."""
    return [violation.field for violation in checks.violations]


def refused_fields(caught: pytest.ExceptionInfo[InvalidField]) -> list[str]:
    return [violation.field for violation in caught.value.violations]
