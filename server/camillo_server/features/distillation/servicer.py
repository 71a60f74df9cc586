"""DistillationService over gRPC."""

from typing import Any
from uuid import UUID

from camillo.v1 import distillation_service_pb2 as service
from camillo.v1 import distillation_service_pb2_grpc as stubs

from camillo_server.doors.rpc.call import Call, CallReader
from camillo_server.doors.rpc.field_limits import rule, stated_or_default
from camillo_server.doors.rpc.fields import redaction_messages
from camillo_server.doors.rpc.page_tokens import check_plan, list_binding, page_of, plan_binding, plan_token
from camillo_server.doors.rpc.page_tokens import read_plan_token as read_plan
from camillo_server.doors.rpc.tokens import page_token, read_page_token
from camillo_server.features.distillation import messages
from camillo_server.features.distillation.distilling import Distil
from camillo_server.features.distillation.proposal import (
    Distillation,
    DistillationId,
    DistillationState,
    DistillationTrigger,
    Proposal,
    ProposalId,
    ProposalState,
)
from camillo_server.features.distillation.reviews import Reviews
from camillo_server.features.distillation.store.proposals import ProposalFilter, Review
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.scope import attributed
from camillo_server.kernel.writes import PlanConsent, PlanRef

rule(service.DistillRequest)(check_plan)


class DistillationServicer(stubs.DistillationServiceServicer):
    """The methods of proto/camillo/v1/distillation_service.proto."""

    def __init__(self, distil: Distil, reviews: Reviews, calls: CallReader, clock: Clock) -> None:
        self._distil = distil
        self._reviews = reviews
        self._calls = calls
        self._clock = clock

    async def Distill(self, request: service.DistillRequest, context: Any) -> service.DistillResponse:
        call = await self._calls.read(request)
        binding = plan_binding(request, call.scope)
        if request.dry_run:
            planned = await self._distil.plan(call.scope, request.session_id)
            if planned.distillation is None:
                return service.DistillResponse()
            token = plan_token(binding, PlanRef(self._clock.now(), planned.plan_digest))
            message = messages.planned_message(planned.distillation)
            return service.DistillResponse(distillation=message, more=planned.has_more, plan_token=token)
        consent = PlanConsent(read_plan(binding, request.plan_token))
        done = await self._distil(
            call.scope, request.session_id, DistillationTrigger.REQUEST, call.request_key, consent
        )
        if done.distillation is None:
            return service.DistillResponse()
        return service.DistillResponse(
            distillation=messages.distillation_message(done.distillation),
            proposals=map(messages.proposal_message, done.proposals),
            more=done.has_more,
            revision=call.revision(done.revision),
        )

    async def ListDistillations(
        self, request: service.ListDistillationsRequest, context: Any
    ) -> service.ListDistillationsResponse:
        call = await self._calls.read(request)
        state = DistillationState(request.state) if request.state else None
        size = stated_or_default(request, "page_size")
        binding = list_binding(request, call.scope)
        after = read_page_token(binding, request.page_token)
        found = await self._distil.list(call.scope, state, after, size + 1)

        def token_of(last: Distillation) -> str:
            return page_token(binding, PageCursor(last.created_at, last.distillation_id))

        listed, token = page_of(found, size, messages.distillation_message, token_of)
        return service.ListDistillationsResponse(distillations=listed, next_page_token=token)

    async def RevertDistillation(
        self, request: service.RevertDistillationRequest, context: Any
    ) -> service.RevertDistillationResponse:
        call = await self._calls.read(request)
        distillation_id = UUID(request.distillation_id)
        done = await self._reviews.revert(call.scope, distillation_id, _review(call))
        return service.RevertDistillationResponse(
            distillation=messages.distillation_message(await self._distil.get(call.scope, distillation_id)),
            reverted=done.reverted,
            changed_proposal_ids=map(str, done.changed_ids),
            revision=call.revision(done.revision),
        )

    async def ReplayDistillation(
        self, request: service.ReplayDistillationRequest, context: Any
    ) -> service.ReplayDistillationResponse:
        call = await self._calls.read(request)
        done = await self._distil.replay(call.scope, UUID(request.distillation_id))
        return service.ReplayDistillationResponse(
            identical=done.is_identical,
            proposals=map(messages.stated_message, done.proposals),
            dropped=messages.drop_counts(done.dropped),
        )

    async def ListProposals(self, request: service.ListProposalsRequest, context: Any) -> service.ListProposalsResponse:
        call = await self._calls.read(request)
        wanted = ProposalFilter(
            ProposalState(request.state) if request.state else None,
            DistillationId(UUID(request.distillation_id)) if request.distillation_id else None,
            [ProposalId(UUID(each)) for each in request.proposal_ids],
        )
        size = stated_or_default(request, "page_size")
        binding = list_binding(request, call.scope)
        after = read_page_token(binding, request.page_token)
        found = await self._reviews.list(call.scope, wanted, after, size + 1)

        def token_of(last: Proposal) -> str:
            return page_token(binding, PageCursor(last.created_at, last.proposal_id))

        listed, token = page_of(found, size, messages.proposal_message, token_of)
        return service.ListProposalsResponse(proposals=listed, next_page_token=token)

    async def AcceptProposals(
        self, request: service.AcceptProposalsRequest, context: Any
    ) -> service.AcceptProposalsResponse:
        call = await self._calls.read(request)
        done = await self._reviews.accept(call.scope, [UUID(each) for each in request.proposal_ids], _review(call))
        return service.AcceptProposalsResponse(
            proposals=map(messages.proposal_message, done.proposals), revision=call.revision(done.revision)
        )

    async def RejectProposals(
        self, request: service.RejectProposalsRequest, context: Any
    ) -> service.RejectProposalsResponse:
        call = await self._calls.read(request)
        done = await self._reviews.reject(call.scope, [UUID(each) for each in request.proposal_ids], _review(call))
        return service.RejectProposalsResponse(
            proposals=map(messages.proposal_message, done.proposals), revision=call.revision(done.revision)
        )

    async def EditProposal(self, request: service.EditProposalRequest, context: Any) -> service.EditProposalResponse:
        call = await self._calls.read(request)
        proposal, revision, redactions = await self._reviews.edit(
            call.scope, UUID(request.proposal_id), request.content, _review(call)
        )
        return service.EditProposalResponse(
            proposal=messages.proposal_message(proposal),
            redactions=redaction_messages(redactions),
            revision=call.revision(revision),
        )


def _review(call: Call) -> Review:
    return Review(attributed(call.principal), call.request_key)
