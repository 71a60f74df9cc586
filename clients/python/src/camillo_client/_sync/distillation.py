# Generated from _async/distillation.py by tools/generate_sync.py: do not edit.
"""Distillation: memories, decisions and tasks out of what was said, proposed by a model and reviewed."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from grpc import Channel

from camillo.v1.distillation_pb2 import Distillation, DistillationState, Proposal, ProposalState
from camillo.v1.distillation_service_pb2 import (
    AcceptProposalsRequest,
    AcceptProposalsResponse,
    DistillRequest,
    DistillResponse,
    EditProposalRequest,
    EditProposalResponse,
    ListDistillationsRequest,
    ListProposalsRequest,
    RejectProposalsRequest,
    RejectProposalsResponse,
    ReplayDistillationRequest,
    ReplayDistillationResponse,
    RevertDistillationRequest,
    RevertDistillationResponse,
)
from camillo.v1.distillation_service_pb2_grpc import DistillationServiceStub
from camillo_client._sync.caller import Caller
from camillo_client._sync.calls import Calls
from camillo_client.convert import to_enum, to_strings
from camillo_client.lifecycle_fields import DistillationStateLike, ProposalStateLike
from camillo_client.revisions import WrittenRevisions


class AsyncDistillation(Caller):
    """Each write is one commit. Failed calls raise CamilloError: FailedPrecondition with the reason DISTILLATION_OFF
    where no model may be asked about the space."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._distillation = DistillationServiceStub(channel)

    def run(
        self,
        session_id: str = "",
        *,
        dry_run: bool = False,
        plan_token: str = "",
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> DistillResponse:
        """Sends the turns of a session, or those behind the space's cursor, to the model, and stores what it proposes;
        with `dry_run` only says what would be sent. At most 100 turns at once: call again while the answer says
        `more`. Allow as much time as the model takes: a request of the server's ends after 30 seconds by default."""
        request = DistillRequest(
            agent_id=self._agent(agent_id), session_id=session_id, dry_run=dry_run, plan_token=plan_token
        )
        return self._write_or_plan(self._distillation.Distill, request, request_id, timeout)

    def runs(
        self,
        *,
        state: DistillationStateLike | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Distillation]:
        """The distillations of the space, newest first; the timeout applies to each page."""
        request = ListDistillationsRequest(
            agent_id=self._agent(agent_id),
            state=None if state is None else to_enum(DistillationState, state),
            page_size=page_size,
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._distillation.ListDistillations, page, timeout), request
        )
        for page in pages:
            for distillation in page.distillations:
                yield distillation

    def proposals(
        self,
        *,
        state: ProposalStateLike | None = None,
        distillation_id: str = "",
        proposal_ids: Iterable[str] = (),
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Proposal]:
        """The proposals of the space, newest first; the timeout applies to each page."""
        request = ListProposalsRequest(
            agent_id=self._agent(agent_id),
            state=None if state is None else to_enum(ProposalState, state),
            distillation_id=distillation_id,
            proposal_ids=to_strings(proposal_ids, "proposal_ids"),
            page_size=page_size,
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._distillation.ListProposals, page, timeout), request
        )
        for page in pages:
            for proposal in page.proposals:
                yield proposal

    def accept(
        self,
        proposal_ids: Iterable[str],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> AcceptProposalsResponse:
        """Stores what pending proposals say. Each alone is accepted, stale, since its memory has changed, or refused,
        since its text was forgotten."""
        ids = to_strings(proposal_ids, "proposal_ids")
        request = AcceptProposalsRequest(agent_id=self._agent(agent_id), proposal_ids=ids)
        return self._write(self._distillation.AcceptProposals, request, request_id, timeout)

    def reject(
        self,
        proposal_ids: Iterable[str],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> RejectProposalsResponse:
        """Rejects pending proposals."""
        ids = to_strings(proposal_ids, "proposal_ids")
        request = RejectProposalsRequest(agent_id=self._agent(agent_id), proposal_ids=ids)
        return self._write(self._distillation.RejectProposals, request, request_id, timeout)

    def edit(
        self,
        proposal_id: str,
        content: str,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> EditProposalResponse:
        """Changes the text of a pending proposal, which is the caller's then."""
        request = EditProposalRequest(agent_id=self._agent(agent_id), proposal_id=proposal_id, content=content)
        return self._write(self._distillation.EditProposal, request, request_id, timeout)

    def revert(
        self,
        distillation_id: str,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> RevertDistillationResponse:
        """Undoes a distillation: what it added is gone, what it superseded is in force. Records that somebody has
        changed since stay; the answer names their proposals."""
        request = RevertDistillationRequest(agent_id=self._agent(agent_id), distillation_id=distillation_id)
        return self._write(self._distillation.RevertDistillation, request, request_id, timeout)

    def replay(
        self, distillation_id: str, *, agent_id: str | None = None, timeout: float | None = None
    ) -> ReplayDistillationResponse:
        """Checks the stored answers of a distillation once more, without the model, and changes nothing."""
        request = ReplayDistillationRequest(agent_id=self._agent(agent_id), distillation_id=distillation_id)
        return self._calls.unary(self._distillation.ReplayDistillation, request, timeout)
