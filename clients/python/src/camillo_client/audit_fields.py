"""Keyword arguments of a filter of audit entries."""

from __future__ import annotations

import datetime
from typing import TypedDict, Unpack

from camillo.v1.audit_service_pb2 import AuditFilter
from camillo_client.convert import to_timestamp
from camillo_client.keyword_fields import Conversions, wire_values


class AuditConditions(TypedDict, total=False):
    """Conditions that all have to hold; the limits are those of `AuditFilter`. None is the same as left out."""

    # The agent whose scope was changed, or `SHARED`.
    scope_agent_id: str
    # Or a service with its slash, such as `MemoryService/`.
    method: str
    # The id of an API key, or the subject of a token.
    credential: str
    # An id that the entry names, of whatever kind.
    id: str
    at_from: datetime.datetime | None
    at_before: datetime.datetime | None


_CONVERSIONS: Conversions = {
    "at_from": lambda value: to_timestamp(value, "at_from"),
    "at_before": lambda value: to_timestamp(value, "at_before"),
}


def audit_filter(**conditions: Unpack[AuditConditions]) -> AuditFilter:
    """The filter of these conditions."""
    allowed = AuditConditions.__optional_keys__
    return AuditFilter(**wire_values(conditions, allowed, "a filter of entries", _CONVERSIONS))
