"""Decisions as callers state them and ask for them."""

from uuid import UUID

from camillo.v1 import decision_pb2 as pb
from camillo.v1 import decision_service_pb2 as service

from camillo_server.domain.decisions.decision import (
    DecisionDraft,
    DecisionFilter,
    DecisionId,
    DecisionReach,
    DecisionStatus,
)
from camillo_server.domain.decisions.ports import DecisionCursor
from camillo_server.domain.decisions.query_decisions import DecisionsAsked
from camillo_server.domain.scope import Scope
from camillo_server.rpc import context_tokens
from camillo_server.rpc.field_limits import rule
from camillo_server.rpc.field_values import (
    channel_of,
    distinct,
    member,
    members,
    sensitivity_of,
    time_of,
)
from camillo_server.rpc.validate import Checks


def decision_draft(message: pb.NewDecision) -> DecisionDraft:
    """What a caller states."""
    return DecisionDraft(
        decision=message.decision,
        refs=distinct(message.refs),
        reach=member(message.reach, DecisionReach.PROJECT),
        rationale=tuple(message.rationale),
        constraints=tuple(message.constraints),
        alternatives=tuple(message.alternatives),
        consequences=tuple(message.consequences),
        session_id=message.session_id,
        channel=channel_of(message.channel),
        sensitivity=sensitivity_of(message.sensitivity),
        tags=distinct(message.tags),
        decided_at=time_of(message, "decided_at"),
    )


def decision_id(value: str) -> DecisionId:
    return DecisionId(UUID(value))


@rule(service.SupersedeDecisionRequest)
def check_successor(request: service.SupersedeDecisionRequest, path: str, checks: Checks) -> None:
    """Something has to take the place."""
    if request.WhichOneof("successor") is None:
        checks.fail("successor", "must say which decision takes the place")


def successor_of(request: service.SupersedeDecisionRequest) -> DecisionDraft | DecisionId:
    """What takes the place: a new decision, or one that is in force already."""
    if request.WhichOneof("successor") == "successor_id":
        return decision_id(request.successor_id)
    return decision_draft(request.decision)


def query_of(request: service.QueryDecisionsRequest, scope: Scope) -> DecisionsAsked:
    """Which decisions are asked for."""
    return DecisionsAsked(
        scope=scope,
        text=request.text,
        filter=decision_filter(request.filter),
        channel=channel_of(request.channel),
    )


def decision_filter(message: service.DecisionFilter) -> DecisionFilter:
    """The conditions of a query; no status is those in force."""
    return DecisionFilter(
        statuses=members(message.statuses, DecisionStatus) or (DecisionStatus.ACTIVE,),
        reaches=members(message.reaches, DecisionReach),
        session_id=message.session_id,
        tags_any=distinct(message.tags_any),
        ref=message.ref,
    )


def list_start(request: service.QueryDecisionsRequest, binding: bytes) -> DecisionCursor | None:
    """The decision behind which the page begins. Raises InvalidPageToken."""
    found = context_tokens.read_moment_token(binding, request.page_token)
    return DecisionCursor(found[0], DecisionId(found[1])) if found else None
