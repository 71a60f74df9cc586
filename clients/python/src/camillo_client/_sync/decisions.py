# Generated from _async/decisions.py by tools/generate_sync.py: do not edit.
"""Decisions: what was decided, on what it rests, and what superseded it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Unpack

from grpc import Channel

from camillo.v1.decision_pb2 import Decision
from camillo.v1.decision_service_pb2 import (
    GetDecisionRequest,
    QueryDecisionsRequest,
    RecordDecisionRequest,
    SupersedeDecisionRequest,
    SupersedeDecisionResponse,
)
from camillo.v1.decision_service_pb2_grpc import DecisionServiceStub
from camillo_client._sync.caller import Caller
from camillo_client._sync.calls import Calls
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.decision_fields import (
    DecisionFilterFields,
    NewDecisionFields,
    decision_filter,
    new_decision,
)
from camillo_client.hits import DecisionsAnswer
from camillo_client.redactions import warn_of
from camillo_client.revisions import WrittenRevisions


class Decisions(Caller):
    """`agent_id` and `timeout` of a method apply to that call in place of the client's own. `channel` is the channel
    in which the answer will be shown. Failed calls raise CamilloError."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._decisions = DecisionServiceStub(channel)

    def record(
        self,
        decision: str,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[NewDecisionFields],
    ) -> Decision:
        """Stores a decision; ProvenanceRequired without `refs`. See NewDecisionFields for the rest."""
        request = RecordDecisionRequest(agent_id=self._agent(agent_id), decision=new_decision(decision, **fields))
        answer = self._write(self._decisions.RecordDecision, request, request_id, timeout)
        warn_of(answer.redactions)
        return answer.decision

    def supersede(
        self,
        decision_id: str,
        expected_version: int,
        decision: str | None = None,
        *,
        successor_id: str = "",
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[NewDecisionFields],
    ) -> SupersedeDecisionResponse:
        """Replaces a decision by a new one, or by one in force already (`successor_id`); VersionConflict if it is no
        longer at `expected_version`."""
        if (decision is None) == (not successor_id):
            raise ValueError("a decision is superseded by a new one or by a successor_id")
        if fields and decision is None:
            raise ValueError("a successor that is in force already keeps its own fields")
        request = SupersedeDecisionRequest(
            agent_id=self._agent(agent_id),
            decision_id=decision_id,
            expected_version=expected_version,
            decision=None if decision is None else new_decision(decision, **fields),
            successor_id=successor_id or None,
        )
        answer = self._write(self._decisions.SupersedeDecision, request, request_id, timeout)
        warn_of(answer.redactions)
        return answer

    def get(
        self,
        decision_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Decision:
        """One decision, in force or not; DecisionNotFound if there is none."""
        request = GetDecisionRequest(
            agent_id=self._agent(agent_id), decision_id=decision_id, channel=to_channel(channel)
        )
        return (self._calls.unary(self._decisions.GetDecision, request, timeout)).decision

    def query(
        self,
        text: str,
        *,
        channel: ChannelLike | None = None,
        limit: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
        **conditions: Unpack[DecisionFilterFields],
    ) -> DecisionsAnswer:
        """The decisions that answer a text best, at most `limit`, each with its score; the answer also says whether
        it is degraded."""
        request = QueryDecisionsRequest(
            agent_id=self._agent(agent_id),
            text=text,
            filter=decision_filter(**conditions),
            channel=to_channel(channel),
            page_size=limit,
        )
        return DecisionsAnswer(self._calls.unary(self._decisions.QueryDecisions, request, timeout))

    def list(
        self,
        *,
        channel: ChannelLike | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
        **conditions: Unpack[DecisionFilterFields],
    ) -> Generator[Decision]:
        """Decisions that pass all conditions, the latest first; the timeout applies to each page."""
        request = QueryDecisionsRequest(
            agent_id=self._agent(agent_id),
            filter=decision_filter(**conditions),
            channel=to_channel(channel),
            page_size=page_size,
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._decisions.QueryDecisions, page, timeout), request
        )
        for page in pages:
            for found in page.decisions:
                yield found.decision
