"""The details of a failed call, of which errors are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grpc import StatusCode


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
