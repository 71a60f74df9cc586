# Generated from _async/events.py by tools/generate_sync.py: do not edit.
"""Events: what an agent was told and did. Append-only."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import Unpack

from camillo.v1.consistency_pb2 import Revision
from camillo.v1.event_pb2 import Event, EventChange
from camillo.v1.event_service_pb2 import (
    GetEventRequest,
    GetEventResponse,
    ListEventsRequest,
    WatchEventsRequest,
)
from camillo_client._sync.event_writes import EventWrites
from camillo_client._sync.resumed_watches import Patience, resumed
from camillo_client.artifact_fields import ChannelLike, to_channel
from camillo_client.event_fields import EventFilterFields, event_filter
from camillo_client.watch_starts import check_start


class Events(EventWrites):
    """`agent_id` and `timeout` of a method stand for that call in place of the client's own; `channel` is where the answer
    will be shown. Failures are CamilloError."""

    def get(
        self,
        event_id: str,
        *,
        channel: ChannelLike | None = None,
        agent_id: str | None = None,
        timeout: float | None = None,
    ) -> GetEventResponse:
        """One event and the ids of its chunks; EventNotFound if there is none."""
        request = GetEventRequest(
            agent_id=self._agent(agent_id), event_id=event_id, channel=to_channel(channel)
        )
        return self._calls.unary(self._events.GetEvent, request, timeout)

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
        """Events that pass all conditions, in the order of recording or against it; the timeout is that of each page."""
        request = ListEventsRequest(
            agent_id=self._agent(agent_id),
            filter=event_filter(**conditions),
            channel=to_channel(channel),
            newest_first=newest_first,
            page_size=page_size,
        )
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._events.ListEvents, page, timeout), request
        )
        for page in pages:
            for event in page.events:
                yield event

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
        """The events of the scope as they are recorded, checkpoints among them, without end. ValueError unless one of
        `resume_token`, `after_revision` and `from_beginning` says where it begins.

        When the server goes away, the watch resumes after the last change handed out; it gives up after
        `max_reconnects` attempts in a row that brought nothing. The timeout is that of each connection.
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
        stream = resumed(self._calls, self._events.WatchEvents, request, patience)
        with closing(stream) as answers:
            for answer in answers:
                yield answer.change
