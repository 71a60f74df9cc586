"""The details of a failed call, and the error that is made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grpc import StatusCode

from camillo_client.convert import number_in


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One field of a request that breaks a limit."""

    field: str
    description: str


@dataclass(frozen=True, slots=True)
class Failure:
    """The details of a failed call, as the server sent them."""

    code: StatusCode
    message: str = ""
    # Without the prefix `ERROR_REASON_`; empty where the failure did not come from Camillo.
    reason: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    field_violations: tuple[FieldViolation, ...] = ()
    retry_after_seconds: float | None = None
    # Request id of the mutation that failed: sent again with it, the mutation happens once at most.
    request_id: str = ""


class CamilloError(Exception):
    """Base of all errors of calls. An unknown reason is kept in `reason`."""

    def __init__(self, failure: Failure) -> None:
        # The one argument keeps errors picklable.
        super().__init__(failure)
        self.code = failure.code
        self.message = failure.message
        self.reason = failure.reason
        self.metadata = failure.metadata
        self.field_violations = failure.field_violations
        self.retry_after_seconds = failure.retry_after_seconds
        self.request_id = failure.request_id

    def __str__(self) -> str:
        told = (f"{violation.field}: {violation.description}" for violation in self.field_violations)
        # Servers say it in their message, too.
        fields = "".join(f"; {text}" for text in told if text not in self.message)
        return f"{self.reason or self.code.name}: {self.message}{fields}"

    def _number(self, key: str) -> int | None:
        return number_in(self.metadata.get(key, ""))


class InvalidArgument(CamilloError):
    """The request is invalid, whatever the server's state."""


class NotFound(CamilloError):
    """The thing is not there, or not visible to the caller."""


class AlreadyExists(CamilloError):
    """The tenant or agent exists already."""


class FailedPrecondition(CamilloError):
    """The request is valid, but not in the present state."""


class Unavailable(CamilloError):
    """The server, or a system that it needs, cannot be reached at the moment."""
