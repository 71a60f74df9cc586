"""DecisionService: converts, calls the use case, converts back."""

from dataclasses import dataclass
from typing import Any

from camillo.v1 import decision_service_pb2 as service
from camillo.v1 import decision_service_pb2_grpc as stubs

from camillo_server.domain.decisions.decision import DecisionId
from camillo_server.domain.decisions.get_decision import GetDecision
from camillo_server.domain.decisions.ports import DecisionCursor
from camillo_server.domain.decisions.query_decisions import QueryDecisions
from camillo_server.domain.decisions.record_decision import RecordDecision
from camillo_server.domain.decisions.supersede_decision import SupersedeDecision
from camillo_server.rpc import context_tokens, limits
from camillo_server.rpc import decision_requests as requests
from camillo_server.rpc.artifact_requests import channel_of
from camillo_server.rpc.caller import request_key, scope_of
from camillo_server.rpc.context_fields import expected_version
from camillo_server.rpc.convert import redaction_messages
from camillo_server.rpc.decision_convert import decision_message, query_response
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks


@dataclass(frozen=True, slots=True)
class DecisionUseCases:
    """What DecisionService can do."""

    record: RecordDecision
    supersede: SupersedeDecision
    get: GetDecision
    query: QueryDecisions


class DecisionServicer(stubs.DecisionServiceServicer):
    """The service of proto/camillo/v1/decision_service.proto."""

    def __init__(self, do: DecisionUseCases, revisions: RevisionTokens) -> None:
        self._do = do
        self._revisions = revisions

    async def RecordDecision(
        self, request: service.RecordDecisionRequest, context: Any
    ) -> service.RecordDecisionResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        draft = requests.decision_draft(request.decision, checks, "decision")
        checks.done()
        decision, revision, redactions = await self._do.record(scope, draft, key)
        return service.RecordDecisionResponse(
            decision=decision_message(decision),
            revision=self._revisions.revision(scope, revision),
            redactions=redaction_messages(redactions),
        )

    async def SupersedeDecision(
        self, request: service.SupersedeDecisionRequest, context: Any
    ) -> service.SupersedeDecisionResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        decision_id = requests.decision_id(request.decision_id, checks, "decision_id")
        version = expected_version(request.expected_version, checks)
        successor = requests.successor_of(request, checks)
        checks.done()
        done = await self._do.supersede(scope, decision_id, version, successor, key)
        return service.SupersedeDecisionResponse(
            decision=decision_message(done.decision),
            superseded=decision_message(done.superseded),
            revision=self._revisions.revision(scope, done.revision),
            redactions=redaction_messages(done.redactions),
        )

    async def GetDecision(
        self, request: service.GetDecisionRequest, context: Any
    ) -> service.GetDecisionResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        decision_id = requests.decision_id(request.decision_id, checks, "decision_id")
        channel = channel_of(request.channel, checks, "channel")
        checks.done()
        decision = await self._do.get(scope, decision_id, channel)
        return service.GetDecisionResponse(decision=decision_message(decision))

    async def QueryDecisions(
        self, request: service.QueryDecisionsRequest, context: Any
    ) -> service.QueryDecisionsResponse:
        checks = Checks()
        asked = requests.query_of(request, checks)
        size = checks.size(
            "page_size", request.page_size, limits.RECORD_PAGE_SIZE, limits.PAGE_SIZE_DEFAULT
        )
        checks.done()
        binding = context_tokens.list_binding(request, asked.scope)
        place = context_tokens.read_moment_token(binding, request.page_token)
        after = DecisionCursor(place[0], DecisionId(place[1])) if place else None
        found = await self._do.query(asked, after, size)
        return query_response(found, binding, is_ranked=bool(asked.text.strip()))
