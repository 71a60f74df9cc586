"""DecisionService: converts, calls the use case, converts back."""

from typing import Any

from camillo.v1 import decision_service_pb2 as service
from camillo.v1 import decision_service_pb2_grpc as stubs

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.fields import channel_of, redaction_messages_off_loop
from camillo_server.doors.rpc.page_tokens import list_binding
from camillo_server.features.decisions import messages as requests
from camillo_server.features.decisions.decisions import Decisions, QueryDecisions
from camillo_server.features.decisions.messages import decision_message, query_response


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
        draft = requests.decision_draft(request.decision)
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
            requests.decision_id(request.decision_id),
            request.expected_version,
            requests.successor_of(request),
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
        decision_id = requests.decision_id(request.decision_id)
        decision = await self._decisions.get(call.scope, decision_id, channel_of(request.channel))
        return service.GetDecisionResponse(decision=decision_message(decision))

    async def QueryDecisions(
        self, request: service.QueryDecisionsRequest, context: Any
    ) -> service.QueryDecisionsResponse:
        call = await self._calls.read(request)
        query = requests.query_of(request, call.scope)
        binding = list_binding(request, call.scope)
        after = tokens.read_page_token(binding, request.page_token)
        page = await self._query(query, after, stated_or_default(request, "page_size"))
        return query_response(page, binding, is_ranked=bool(query.text.strip()))
