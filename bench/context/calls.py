"""The calls of bench.context: plain generated stubs."""

from collections.abc import Sequence
from typing import Any, cast

import grpc
from camillo.v1 import actor_pb2 as actors
from camillo.v1 import context_pb2 as pb
from camillo.v1 import event_pb2 as events
from camillo.v1 import event_service_pb2 as event_service
from camillo.v1 import snapshot_service_pb2 as service
from camillo.v1.event_service_pb2_grpc import EventServiceStub
from camillo.v1.snapshot_service_pb2_grpc import SnapshotServiceStub

from bench.measure.client import authorization

CALL_SECONDS = 120.0


class ContextCalls:
    """Calls in the scope of one agent."""

    def __init__(self, channel: grpc.aio.Channel, secret: str, agent_id: str) -> None:
        self._metadata = authorization(secret)
        self.agent_id = agent_id
        # Typed for the synchronous channel only.
        self._events = cast("Any", EventServiceStub(channel))
        self._snapshots = cast("Any", SnapshotServiceStub(channel))

    async def bundle(self, query: str = "", **fields: Any) -> pb.Bundle:
        """One bundle. Raises grpc.aio.AioRpcError."""
        request = service.BuildBundleRequest(agent_id=self.agent_id, query_text=query, **fields)
        answer = await self._snapshots.BuildBundle(
            request, metadata=self._metadata, timeout=CALL_SECONDS
        )
        bundle: pb.Bundle = answer.bundle
        return bundle

    async def record(self, event: events.NewEvent) -> None:
        """One event."""
        request = event_service.RecordEventRequest(agent_id=self.agent_id, event=event)
        await self._events.RecordEvent(request, metadata=self._metadata, timeout=CALL_SECONDS)

    async def record_many(self, batch: Sequence[events.NewEvent]) -> None:
        """Several events. Raises AssertionError where one failed."""
        request = event_service.BatchRecordEventsRequest(agent_id=self.agent_id, events=batch)
        answer = await self._events.BatchRecordEvents(
            request, metadata=self._metadata, timeout=CALL_SECONDS
        )
        for result in answer.results:
            assert result.HasField("recorded"), result.error

    async def put_view(self, name: str, text: str) -> None:
        """A text that the agent is always shown."""
        request = service.PutViewRequest(agent_id=self.agent_id, view=pb.View(name=name, text=text))
        await self._snapshots.PutView(request, metadata=self._metadata, timeout=CALL_SECONDS)


def message(session_id: str, speaker: str, text: str) -> events.NewEvent:
    """Somebody said something."""
    return events.NewEvent(
        session_id=session_id,
        actor=actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id=speaker),
        kind=actors.EVENT_KIND_MESSAGE,
        text=text,
    )
