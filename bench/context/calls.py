"""Options of the parts of bench.context, and calls in the scope of one agent."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from camillo.v1 import actor_pb2 as actors
from camillo.v1 import context_pb2 as pb
from camillo.v1 import event_pb2 as events
from camillo.v1 import event_service_pb2 as event_service
from camillo.v1 import snapshot_service_pb2 as service

from bench.measure.client import Client


@dataclass(frozen=True, slots=True)
class ContextOptions:
    """A full run; `quick()` is one that only shows that everything works."""

    chunks: int = 100_000
    bundles: int = 1_000
    records: int = 500
    ingests: int = 5
    # Messages of a made-up chat that is recorded whole.
    messages: int = 2_000
    agents: int = 16
    random_bundles: int = 2_000
    model: Path | None = None
    beam: Path | None = None
    locomo: Path | None = None
    vocabulary: Path | None = None

    @classmethod
    def quick(cls) -> "ContextOptions":
        return cls(
            chunks=2_000,
            bundles=30,
            records=30,
            ingests=1,
            messages=200,
            agents=4,
            random_bundles=20,
        )


class ContextCalls:
    """Calls in the scope of one agent."""

    def __init__(self, client: Client, agent_id: str) -> None:
        self._client = client
        self.agent_id = agent_id

    async def bundle(self, query: str = "", **fields: Any) -> pb.Bundle:
        """One bundle. Raises grpc.aio.AioRpcError."""
        request = service.BuildBundleRequest(agent_id=self.agent_id, query_text=query, **fields)
        bundle: pb.Bundle = (await self._client(request)).bundle
        return bundle

    async def record(self, event: events.NewEvent) -> None:
        await self._client(event_service.RecordEventRequest(agent_id=self.agent_id, event=event))

    async def record_many(self, batch: Sequence[events.NewEvent]) -> None:
        """Raises AssertionError where one failed."""
        request = event_service.BatchRecordEventsRequest(agent_id=self.agent_id, events=batch)
        for result in (await self._client(request)).results:
            assert result.HasField("recorded"), result.error

    async def put_view(self, name: str, text: str) -> None:
        """A text that the agent is always shown."""
        view = pb.View(name=name, text=text)
        await self._client(service.PutViewRequest(agent_id=self.agent_id, view=view))


def message(session_id: str, speaker: str, text: str) -> events.NewEvent:
    """Somebody said something."""
    return events.NewEvent(
        session_id=session_id,
        actor=actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id=speaker),
        kind=actors.EVENT_KIND_MESSAGE,
        text=text,
    )
