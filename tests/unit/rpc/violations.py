"""Violations for which a request is refused."""

import pytest
from camillo_server.doors.rpc.field_limits import check_message
from camillo_server.doors.rpc.validate import Checks, OwnModel
from camillo_server.kernel.errors import InvalidField
from google.protobuf.message import Message


def fields(checks: Checks) -> list[str]:
    """The fields that are wrong."""
    return [violation.field for violation in checks.violations]


def refused_fields(caught: pytest.ExceptionInfo[InvalidField]) -> list[str]:
    return [violation.field for violation in caught.value.violations]


def broken(message: Message, path: str = "", own_model: OwnModel | None = None) -> list[str]:
    """The fields of a message that break a limit of the contract, or a rule of the server."""
    checks = Checks(own_model)
    check_message(message, checks, path)
    return fields(checks)
