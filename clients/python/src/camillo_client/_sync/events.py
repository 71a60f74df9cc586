# Generated from _async/events.py by tools/generate_sync.py: do not edit.
"""Events: what an agent was told and did. Append-only."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from typing import Unpack

from grpc import Channel

from camillo.v1.actor_pb2 import WorkflowStatus
from camillo.v1.consistency_pb2 import Revision
from camillo.v1.event_pb2 import Event, EventChange, NewEvent
from camillo.v1.event_service_pb2 import (
    BatchRecordEventsRequest,
    EventIds,
    ForgetEventsRequest,
    ForgetEventsResponse,
    GetEventRequest,
    GetEventResponse,
    ListEventsRequest,
    RebuildChunksRequest,
    RebuildChunksResponse,
    RecordedEvent,
    RecordedEventResult,
    RecordEventRequest,
    WatchEventsRequest,
)
from camillo.v1.event_service_pb2_grpc import EventServiceStub
from camillo_client._sync.caller import Caller, new_request_id
from camillo_client._sync.calls import Calls
from camillo_client._sync.resumed_streams import Patience, resumed_watch
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.convert import to_strings
from camillo_client.errors import CamilloError
from camillo_client.event_fields import (
    EventFilterFields,
    NewEventFields,
    Sendable,
    WorkflowStatusName,
    WorkflowStepFields,
    event_filter,
    new_event,
    too_large,
    workflow_step,
)
from camillo_client.failures import from_status
from camillo_client.packing import packs
from camillo_client.redactions import warn_of
from camillo_client.revisions import WrittenRevisions
from camillo_client.streams import check_start
from camillo_client.written import WrittenEvent

MAX_BATCH = 1000
# Below the 4 MiB that a gRPC server takes in one message unless told otherwise; what is larger travels alone.
MAX_BATCH_BYTES = 3 * 1024 * 1024


class Events(Caller):
    """`agent_id` and `timeout` of a method apply to that call in place of the client's own. `channel` is the channel
    in which the answer will be shown. Failed calls raise CamilloError. Secrets are never stored: for each one
    taken out, a SecretRedacted warning is issued."""

    def __init__(self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str) -> None:
        super().__init__(calls, written, agent_id)
        self._events = EventServiceStub(channel)

    def record(
        self,
        text: str | None = None,
        *,
        omit_forgotten: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[NewEventFields],
    ) -> WrittenEvent:
        """Stores one event; see NewEventFields for the rest. EventTooLarge, before anything is sent, where the
        content should be an artifact. With `omit_forgotten`, its text or excerpt is stored without sentences that were
        forgotten; `omitted` of the answer says where. Its `durability` says where the event is."""
        event = new_event(text, **fields)
        if (refusal := too_large(event)) is not None:
            raise refusal
        request = RecordEventRequest(agent_id=self._agent(agent_id), event=event, omit_forgotten=omit_forgotten)
        answer = self._write(self._events.RecordEvent, request, request_id, timeout)
        warn_of(answer.recorded.redactions)
        return WrittenEvent(answer.recorded, answer)

    def record_workflow_step(
        self,
        workflow: str,
        step: str,
        output: str = "",
        *,
        status: WorkflowStatusName | WorkflowStatus = "succeeded",
        run: str = "",
        **fields: Unpack[WorkflowStepFields],
    ) -> WrittenEvent:
        """Stores how a step of a workflow stands, and what it put out; `workflows.list` tells them in order. The
        session defaults to the run, else the workflow, the actor to the workflow as `system`. EventTooLarge for an
        output above 8 MiB."""
        fields.setdefault("session_id", run or workflow)
        fields.setdefault("actor", ("system", workflow))
        content = workflow_step(workflow, step, output, status=status, run=run)
        return self.record(workflow_step=content, **fields)

    def record_many(
        self,
        events: Iterable[NewEvent],
        *,
        omit_forgotten: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> list[RecordedEvent | CamilloError]:
        """The stored event or an error for each, in the order given; make them with `new_event`.

        `omit_forgotten` is as in `record`. Sent in batches of up to 1,000 while events are taken from the iterable;
        each batch is one transaction and has the timeout for itself. If a batch fails as a whole, its error is raised
        and the batches before it stay stored; repeated with the same events and the `request_id` of that error, the
        call stores the rest and returns everything."""
        first_id = request_id or new_request_id()
        sendable = Sendable(events)
        outcomes: list[RecordedEvent | CamilloError] = []
        try:
            for number, pack in enumerate(packs(sendable, MAX_BATCH, MAX_BATCH_BYTES)):
                request = BatchRecordEventsRequest(
                    agent_id=self._agent(agent_id),
                    request_id=f"{first_id}.{number}" if number else first_id,
                    events=pack,
                    omit_forgotten=omit_forgotten,
                )
                answer = self._write(self._events.BatchRecordEvents, request, request_id, timeout)
                outcomes += map(_outcome, answer.results)
        except CamilloError as error:
            error.request_id = first_id
            raise
        for place, refusal in sendable.refused:
            outcomes.insert(place, refusal)
        return outcomes

    def forget(
        self,
        ids: Iterable[str] | None = None,
        *,
        session_id: str = "",
        dry_run: bool = False,
        plan_token: str = "",
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> ForgetEventsResponse:
        """Removes events for good, with everything derived from them; with `dry_run` only returns which. A session of
        many events needs the `plan_token` of a dry run.
        """
        if (ids is None) == (not session_id):
            raise ValueError("forget takes either ids or a session")
        request = ForgetEventsRequest(
            agent_id=self._agent(agent_id),
            event_ids=None if ids is None else EventIds(ids=to_strings(ids, "ids")),
            session_id=session_id or None,
            dry_run=dry_run,
            plan_token=plan_token,
        )
        return self._write_or_plan(self._events.ForgetEvents, request, request_id, timeout)

    def rebuild_chunks(self, *, agent_id: str | None = None, timeout: float | None = None) -> RebuildChunksResponse:
        """Deletes all chunks of the scope and makes them again; give a large scope a longer timeout."""
        request = RebuildChunksRequest(agent_id=self._agent(agent_id))
        ticket = self._written.begin(request.agent_id)
        answer = self._calls.unary(self._events.RebuildChunks, request, timeout)
        self._written.wrote(ticket, answer.revision)
        return answer

    def get(
        self,
        event_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> GetEventResponse:
        """One event and the ids of its chunks; EventNotFound if there is none."""
        request = GetEventRequest(agent_id=self._agent(agent_id), event_id=event_id, channel=to_channel(channel))
        return self._calls.unary(self._events.GetEvent, request, timeout)

    def watch(
        self,
        *,
        resume_token: str = "",
        after_revision: Revision | None = None,
        from_beginning: bool = False,
        channel: ChannelLike | None = None,
        max_reconnects: int = 10,
        agent_id: str | None = None,
        timeout: float | None = None,
        **conditions: Unpack[EventFilterFields],
    ) -> Generator[EventChange]:
        """The events of the scope as they are recorded, with checkpoints among them, without end. Exactly one of
        `resume_token`, `after_revision` and `from_beginning` says where the watch begins, else ValueError.

        When the server goes away, the watch resumes after the last change that it returned; it gives up after
        `max_reconnects` attempts in a row that brought no change. The timeout applies to each connection.
        """
        check_start(resume_token, after_revision, from_beginning)
        request = WatchEventsRequest(
            agent_id=self._agent(agent_id),
            resume_token=resume_token or None,
            after_revision=after_revision,
            from_beginning=from_beginning or None,
            filter=event_filter(**conditions),
            channel=to_channel(channel),
        )
        return self._followed(request, Patience(max_reconnects, timeout))

    def _followed(self, request: WatchEventsRequest, patience: Patience) -> Generator[EventChange]:
        stream = resumed_watch(self._calls, self._events.WatchEvents, request, patience)
        with closing(stream) as answers:
            for answer in answers:
                yield answer.change

    def list(
        self,
        *,
        channel: ChannelLike | None = None,
        newest_first: bool = False,
        page_size: int = 0,
        agent_id: str | None = None,
        timeout: float | None = None,
        **conditions: Unpack[EventFilterFields],
    ) -> Generator[Event]:
        """Events that pass all conditions, in the order of recording or in reverse; the timeout applies to each
        page."""
        request = ListEventsRequest(
            agent_id=self._agent(agent_id),
            filter=event_filter(**conditions),
            channel=to_channel(channel),
            newest_first=newest_first,
            page_size=page_size,
        )
        pages = self._calls.pages(lambda page: self._calls.unary(self._events.ListEvents, page, timeout), request)
        for page in pages:
            for event in page.events:
                yield event


def _outcome(result: RecordedEventResult) -> RecordedEvent | CamilloError:
    if result.HasField("error"):
        return from_status(result.error)
    warn_of(result.recorded.redactions)
    return result.recorded
