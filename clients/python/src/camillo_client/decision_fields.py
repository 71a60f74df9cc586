"""Keyword arguments that describe a decision, and filters of decisions."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from functools import partial
from typing import Literal, TypeAlias, TypedDict, Unpack

from camillo.v1.decision_pb2 import DecisionReach, DecisionStatus, NewDecision
from camillo.v1.decision_service_pb2 import DecisionFilter
from camillo.v1.memory_pb2 import Sensitivity
from camillo_client.artifact_fields import ChannelLike
from camillo_client.convert import SensitivityLevel, to_enum
from camillo_client.keyword_fields import Conversions, to_enums, wire_values

ReachName: TypeAlias = Literal["project", "user", "global"]
DecisionStatusName: TypeAlias = Literal["active", "superseded"]


class NewDecisionFields(TypedDict, total=False):
    """Fields of a new decision. None is the same as left out."""

    # Ids of the items that it rests on; at least one.
    refs: Iterable[str]
    # Default: project.
    reach: ReachName | DecisionReach
    # Its reasons, the constraints on it, the rejected alternatives, and its consequences.
    rationale: Iterable[str]
    constraints: Iterable[str]
    alternatives: Iterable[str]
    consequences: Iterable[str]
    session_id: str
    # Where it was made; default: private.
    channel: ChannelLike | None
    # Default: internal.
    sensitivity: SensitivityLevel | Sensitivity
    tags: Iterable[str]
    # Default: now.
    decided_at: datetime.datetime | None


class DecisionFilterFields(TypedDict, total=False):
    """Conditions that all have to hold; the limits are those of `DecisionFilter`."""

    # Default: in force.
    statuses: Iterable[DecisionStatusName | DecisionStatus]
    reaches: Iterable[ReachName | DecisionReach]
    session_id: str
    tags_any: Iterable[str]
    # Names this id among its refs.
    ref: str


def new_decision(decision: str, **fields: Unpack[NewDecisionFields]) -> NewDecision:
    """A decision to record; the limits are those of `NewDecision`."""
    allowed = NewDecisionFields.__optional_keys__
    values = wire_values(fields, allowed, "a decision", _CONVERSIONS)
    return NewDecision(decision=decision, **values)


def decision_filter(**fields: Unpack[DecisionFilterFields]) -> DecisionFilter:
    """The filter of a query for decisions."""
    allowed = DecisionFilterFields.__optional_keys__
    return DecisionFilter(**wire_values(fields, allowed, "a filter of decisions", _CONVERSIONS))


_CONVERSIONS: Conversions = {
    "reach": partial(to_enum, DecisionReach),
    "reaches": partial(to_enums, DecisionReach),
    "statuses": partial(to_enums, DecisionStatus),
}
