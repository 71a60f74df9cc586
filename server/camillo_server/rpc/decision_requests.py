"""Decisions as callers state them and ask for them."""

from camillo.v1 import decision_pb2 as pb
from camillo.v1 import decision_service_pb2 as service

from camillo_server.domain.channel import Channel
from camillo_server.domain.decisions.decision import (
    DecisionDraft,
    DecisionFilter,
    DecisionId,
    DecisionReach,
    DecisionStatus,
)
from camillo_server.domain.decisions.query_decisions import DecisionsAsked
from camillo_server.rpc import context_fields as fields
from camillo_server.rpc import convert, limits
from camillo_server.rpc.artifact_requests import channel_of
from camillo_server.rpc.caller import scope_of
from camillo_server.rpc.validate import Checks


def decision_draft(message: pb.NewDecision, checks: Checks, path: str) -> DecisionDraft:
    """What a caller states. Adds to the checks what is wrong with it."""
    return DecisionDraft(
        decision=fields.statement(message.decision, checks, f"{path}.decision", least=1),
        refs=fields.refs(message.refs, checks, f"{path}.refs"),
        reach=fields.value_known(message.reach, checks, f"{path}.reach", DecisionReach.PROJECT),
        rationale=fields.statements(message.rationale, checks, f"{path}.rationale"),
        constraints=fields.statements(message.constraints, checks, f"{path}.constraints"),
        alternatives=fields.statements(message.alternatives, checks, f"{path}.alternatives"),
        consequences=fields.statements(message.consequences, checks, f"{path}.consequences"),
        session_id=convert.session_id(message.session_id, checks, f"{path}.session_id"),
        channel=fields.value_known(message.channel, checks, f"{path}.channel", Channel.PRIVATE),
        sensitivity=convert.sensitivity(message.sensitivity, checks, f"{path}.sensitivity"),
        tags=fields.tags(message.tags, checks, f"{path}.tags"),
        decided_at=convert.moment(message, "decided_at", checks, path),
    )


def decision_id(value: str, checks: Checks, field: str) -> DecisionId:
    return DecisionId(checks.uuid(field, value))


def successor_of(
    request: service.SupersedeDecisionRequest, checks: Checks
) -> DecisionDraft | DecisionId:
    """What takes the place: a new decision, or one that is in force already."""
    if request.WhichOneof("successor") == "successor_id":
        return decision_id(request.successor_id, checks, "successor_id")
    if not request.HasField("decision"):
        checks.fail("successor", "must say which decision takes the place")
        return DecisionDraft("", ())
    return decision_draft(request.decision, checks, "decision")


def query_of(request: service.QueryDecisionsRequest, checks: Checks) -> DecisionsAsked:
    """Which decisions are asked for. Raises ScopeForbidden."""
    return DecisionsAsked(
        scope=scope_of(request, checks),
        text=checks.text("text", request.text, 0, limits.QUERY_CHARACTERS),
        filter=decision_filter(request.filter, checks, "filter"),
        channel=channel_of(request.channel, checks, "channel"),
    )


def decision_filter(message: service.DecisionFilter, checks: Checks, path: str) -> DecisionFilter:
    """The conditions of a query; no status is those in force."""
    statuses = fields.values_known(message.statuses, checks, f"{path}.statuses", DecisionStatus)
    return DecisionFilter(
        statuses=statuses or (DecisionStatus.ACTIVE,),
        reaches=fields.values_known(message.reaches, checks, f"{path}.reaches", DecisionReach),
        session_id=convert.session_id(message.session_id, checks, f"{path}.session_id"),
        tags_any=fields.tags(message.tags_any, checks, f"{path}.tags_any"),
        ref=fields.ref(message.ref, checks, f"{path}.ref"),
    )
