"""DecisionService: converts, calls the use case, converts back."""

from typing import Any
from uuid import UUID

from camillo.v1 import decision_pb2 as pb
from camillo.v1 import decision_service_pb2 as service
from camillo.v1 import decision_service_pb2_grpc as stubs
from camillo.v1 import memory_pb2

from camillo_server.doors.rpc import fields, tokens
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.field_limits import rule, stated_or_default
from camillo_server.doors.rpc.fields import (
    channel_of,
    distinct,
    member,
    members,
    redaction_messages_off_loop,
    sensitivity_of,
    tags_of,
    time_of,
)
from camillo_server.doors.rpc.page_tokens import fitting, list_binding
from camillo_server.doors.rpc.validate import Checks
from camillo_server.features.decisions.decision import (
    Decision,
    DecisionDraft,
    DecisionFilter,
    DecisionId,
    DecisionReach,
    DecisionStatus,
)
from camillo_server.features.decisions.decisions import DecisionPage, DecisionQuery, Decisions, QueryDecisions
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.scope import Scope


class DecisionServicer(stubs.DecisionServiceServicer):
    """The service of proto/camillo/v1/decision_service.proto."""

    def __init__(self, decisions: Decisions, query: QueryDecisions, calls: CallReader) -> None:
        self._decisions = decisions
        self._query = query
        self._calls = calls

    async def RecordDecision(
        self, request: service.RecordDecisionRequest, context: Any
    ) -> service.RecordDecisionResponse:
        call = await self._calls.read(request)
        draft = decision_draft(request.decision)
        decision, revision, redactions = await self._decisions.record(call.scope, draft, call.request_key)
        return service.RecordDecisionResponse(
            decision=decision_message(decision),
            revision=call.revision(revision),
            redactions=await redaction_messages_off_loop(redactions),
        )

    async def SupersedeDecision(
        self, request: service.SupersedeDecisionRequest, context: Any
    ) -> service.SupersedeDecisionResponse:
        call = await self._calls.read(request)
        done = await self._decisions.supersede(
            call.scope,
            decision_id(request.decision_id),
            request.expected_version,
            successor_of(request),
            call.request_key,
        )
        return service.SupersedeDecisionResponse(
            decision=decision_message(done.decision),
            superseded=decision_message(done.superseded),
            revision=call.revision(done.revision),
            redactions=await redaction_messages_off_loop(done.redactions),
        )

    async def GetDecision(self, request: service.GetDecisionRequest, context: Any) -> service.GetDecisionResponse:
        call = await self._calls.read(request)
        decision = await self._decisions.get(call.scope, decision_id(request.decision_id), channel_of(request.channel))
        return service.GetDecisionResponse(decision=decision_message(decision))

    async def QueryDecisions(
        self, request: service.QueryDecisionsRequest, context: Any
    ) -> service.QueryDecisionsResponse:
        call = await self._calls.read(request)
        query = query_of(request, call.scope)
        binding = list_binding(request, call.scope)
        after = tokens.read_page_token(binding, request.page_token)
        page = await self._query(query, after, stated_or_default(request, "page_size"))
        return query_response(page, binding, is_ranked=bool(query.text.strip()))


def decision_message(decision: Decision) -> pb.Decision:
    """A decision as the contract has it."""
    message = pb.Decision(
        decision_id=str(decision.decision_id),
        agent_id=decision.agent_id,
        status=int(decision.status),  # type: ignore[arg-type]
        supersedes=[str(each) for each in decision.supersedes],
        superseded_by=str(decision.superseded_by or ""),
        version=decision.version,
        stated=pb.NewDecision(**fields.draft_fields(decision.stated)),
    )
    fields.fill_timestamp(message.created_at, decision.created_at)
    if decision.superseded_at is not None:
        fields.fill_timestamp(message.superseded_at, decision.superseded_at)
    return message


def query_response(page: DecisionPage, binding: bytes, *, is_ranked: bool) -> service.QueryDecisionsResponse:
    """The page, or as much of its beginning as fits in a message: the rest is on the next page, but for decisions that
    match a text (`is_ranked`), of which there is one page."""
    messages = fitting(page.decisions, _scored_message)
    cursor = page.next_cursor
    if len(messages) < len(page.decisions):
        last, _ = page.decisions[len(messages) - 1]
        cursor = None if is_ranked else PageCursor(last.created_at, last.decision_id)
    return service.QueryDecisionsResponse(
        decisions=messages,
        next_page_token=tokens.page_token(binding, cursor),
        degraded=_degraded(page),
    )


def _scored_message(scored: tuple[Decision, float]) -> service.FoundDecision:
    decision, score = scored
    return service.FoundDecision(decision=decision_message(decision), score=score)


def _degraded(page: DecisionPage) -> list[memory_pb2.DegradedReason]:
    reasons = {
        memory_pb2.DEGRADED_REASON_EMBEDDING_UNAVAILABLE: page.embedding_failed,
        memory_pb2.DEGRADED_REASON_VECTORS_PENDING: page.vectors_pending,
        memory_pb2.DEGRADED_REASON_SEALED_NOT_SEARCHED: page.encrypted_not_searched,
        memory_pb2.DEGRADED_REASON_VECTOR_SEARCH_UNAVAILABLE: page.vector_search_failed,
    }
    return [reason for reason, holds in reasons.items() if holds]


def decision_draft(message: pb.NewDecision) -> DecisionDraft:
    """The draft in a request."""
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
        tags=tags_of(message.tags),
        decided_at=time_of(message, "decided_at"),
    )


def decision_id(value: str) -> DecisionId:
    return DecisionId(UUID(value))


@rule(service.SupersedeDecisionRequest)
def check_successor(request: service.SupersedeDecisionRequest, path: str, checks: Checks) -> None:
    """A supersession names a successor."""
    if request.WhichOneof("successor") is None:
        checks.fail("successor", "must say which decision takes the place")


def successor_of(request: service.SupersedeDecisionRequest) -> DecisionDraft | DecisionId:
    """The successor: a new decision, or the id of one that is in force already."""
    if request.WhichOneof("successor") == "successor_id":
        return decision_id(request.successor_id)
    return decision_draft(request.decision)


def query_of(request: service.QueryDecisionsRequest, scope: Scope) -> DecisionQuery:
    """The query of a request."""
    return DecisionQuery(
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
        tags_any=tags_of(message.tags_any),
        ref=message.ref,
    )
