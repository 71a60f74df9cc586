# Generated from _async/workflows.py by tools/generate_sync.py: do not edit.
"""Workflows: the steps that events tell of, as timelines."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from grpc import Channel

from camillo.v1.actor_pb2 import WorkflowStatus
from camillo.v1.event_pb2 import Event
from camillo.v1.event_service_pb2 import ListWorkflowRequest
from camillo.v1.event_service_pb2_grpc import EventServiceStub
from camillo_client._sync.caller import Caller
from camillo_client._sync.calls import Calls
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.event_fields import WorkflowStatusName
from camillo_client.keyword_fields import to_enums
from camillo_client.revisions import WrittenRevisions


class Workflows(Caller):
    """`agent_id` and `timeout` of a method apply to that call in place of the client's own. Failed calls raise
    CamilloError. Steps are recorded with `events.record_workflow_step`."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._events = EventServiceStub(channel)

    def list(
        self,
        workflow: str,
        *,
        run: str = "",
        statuses: Iterable[WorkflowStatusName | WorkflowStatus] = (),
        channel: ChannelLike | None = None,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> Generator[Event]:
        """The steps of a workflow, the agent's and the tenant's shared ones, the earliest first; the timeout applies to
        each page."""
        request = ListWorkflowRequest(
            agent_id=self._agent(agent_id),
            workflow=workflow,
            run=run,
            statuses=to_enums(WorkflowStatus, statuses),
            channel=to_channel(channel),
            page_size=page_size,
        )
        pages = self._calls.pages(lambda page: self._calls.unary(self._events.ListWorkflow, page, timeout), request)
        for page in pages:
            for step in page.steps:
                yield step
