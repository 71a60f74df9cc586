"""Decisions as the contract has them."""

from camillo.v1 import decision_pb2 as pb
from camillo.v1 import decision_service_pb2 as service
from camillo.v1 import memory_pb2

from camillo_server.domain.decisions.decision import Decision, DecisionDraft
from camillo_server.domain.decisions.ports import DecisionCursor
from camillo_server.domain.decisions.query_decisions import FoundDecisions
from camillo_server.rpc import context_tokens, convert
from camillo_server.rpc.context_pages import fitting


def decision_message(decision: Decision) -> pb.Decision:
    """A decision as the contract has it."""
    message = pb.Decision(
        decision_id=str(decision.decision_id),
        agent_id=decision.agent_id,
        status=int(decision.status),  # type: ignore[arg-type]
        supersedes=[str(each) for each in decision.supersedes],
        superseded_by=str(decision.superseded_by or ""),
        version=decision.version,
    )
    _fill_stated(message.stated, decision.stated)
    convert.fill_timestamp(message.created_at, decision.created_at)
    if decision.superseded_at is not None:
        convert.fill_timestamp(message.superseded_at, decision.superseded_at)
    return message


def _fill_stated(message: pb.NewDecision, stated: DecisionDraft) -> None:
    message.decision = stated.decision
    message.reach = int(stated.reach)  # type: ignore[assignment]
    for name in ("rationale", "constraints", "alternatives", "consequences", "refs", "tags"):
        getattr(message, name).extend(getattr(stated, name))
    message.session_id = stated.session_id
    message.channel = int(stated.channel)  # type: ignore[assignment]
    message.sensitivity = int(stated.sensitivity)  # type: ignore[assignment]
    if stated.decided_at is not None:
        convert.fill_timestamp(message.decided_at, stated.decided_at)


def query_response(
    found: FoundDecisions, binding: bytes, *, is_ranked: bool
) -> service.QueryDecisionsResponse:
    """What was found, or so much of its beginning as fits in a message: of the latest, the rest is on the next page; of
    those that answer a text there is one page."""
    messages = fitting(found.decisions, _found)
    cursor = found.next_cursor
    if len(messages) < len(found.decisions):
        last, _ = found.decisions[len(messages) - 1]
        cursor = None if is_ranked else _behind(last)
    return service.QueryDecisionsResponse(
        decisions=messages,
        next_page_token=context_tokens.moment_token(binding, cursor.at, cursor.decision_id)
        if cursor
        else "",
        degraded=_degraded(found),
    )


def _behind(decision: Decision) -> DecisionCursor:
    return DecisionCursor(decision.created_at, decision.decision_id)


def _found(found: tuple[Decision, float]) -> service.FoundDecision:
    decision, score = found
    return service.FoundDecision(decision=decision_message(decision), score=score)


def _degraded(found: FoundDecisions) -> list[memory_pb2.DegradedReason]:
    reasons = {
        memory_pb2.DEGRADED_REASON_EMBEDDING_UNAVAILABLE: found.embedding_failed,
        memory_pb2.DEGRADED_REASON_VECTORS_PENDING: found.vectors_pending,
        memory_pb2.DEGRADED_REASON_SEALED_NOT_SEARCHED: found.sealed_not_searched,
    }
    return [reason for reason, holds in reasons.items() if holds]
