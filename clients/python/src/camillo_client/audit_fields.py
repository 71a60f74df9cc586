"""Keyword arguments of a filter of audit entries, and of an action that is entered."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from functools import partial
from typing import Any, TypedDict, Unpack

from camillo.v1.audit_pb2 import NewAuditAction
from camillo.v1.audit_service_pb2 import AuditFilter
from camillo.v1.memory_pb2 import Sensitivity
from camillo_client.convert import SensitivityLevel, to_enum, to_struct, to_timestamp
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


class ActionFields(TypedDict, total=False):
    """Fields of an action; the limits are those of `NewAuditAction`. None is the same as left out."""

    meta: Mapping[str, Any]
    session_id: str
    sensitivity: SensitivityLevel
    occurred_at: datetime.datetime | None


def new_action(action: str, message: str, **fields: Unpack[ActionFields]) -> NewAuditAction:
    """An action to record."""
    allowed = ActionFields.__optional_keys__
    values = wire_values(fields, allowed, "an action", _CONVERSIONS)
    return NewAuditAction(action=action, message=message, **values)


_CONVERSIONS: Conversions = {
    "at_from": lambda value: to_timestamp(value, "at_from"),
    "meta": to_struct,
    "sensitivity": partial(to_enum, Sensitivity),
    "occurred_at": lambda value: to_timestamp(value, "occurred_at"),
    "at_before": lambda value: to_timestamp(value, "at_before"),
}


def audit_filter(**conditions: Unpack[AuditConditions]) -> AuditFilter:
    """The filter of these conditions."""
    allowed = AuditConditions.__optional_keys__
    return AuditFilter(**wire_values(conditions, allowed, "a filter of entries", _CONVERSIONS))
