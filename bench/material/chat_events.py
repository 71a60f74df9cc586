"""Chats recorded as events, through the API: as an agent's runtime would, message by message."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any, cast

import grpc
from camillo.v1 import actor_pb2 as actors
from camillo.v1 import event_pb2 as events
from camillo.v1 import event_service_pb2 as service
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as memories
from camillo.v1.event_service_pb2_grpc import EventServiceStub

from bench.material.chat_files import Chat, Said
from bench.measure.client import authorization
from bench.recall.calls import Recaller

BATCH = 500
CALL_SECONDS = 120.0
POLL_SECONDS = 0.05
VECTOR_SECONDS = 600.0
ASSISTANTS = frozenset({"assistant", "agent"})


class EventRecorder:
    """Records chats under one key."""

    def __init__(self, channel: grpc.aio.Channel, secret: str) -> None:
        self._channel = channel
        self._secret = secret
        # Typed for the synchronous channel only.
        self._stub = cast("Any", EventServiceStub(channel))

    async def record(self, chat: Chat, agent_id: str) -> tuple[dict[str, str], float]:
        """The message of every event, and the seconds that recording took. Raises AssertionError where one failed."""
        batches = [
            service.BatchRecordEventsRequest(
                agent_id=agent_id,
                events=[new_event(said) for said in chat.messages[start : start + BATCH]],
            )
            for start in range(0, len(chat.messages), BATCH)
        ]
        message_of: dict[str, str] = {}
        said = iter(chat.messages)
        started = time.perf_counter()
        for batch in batches:
            answer = await self._stub.BatchRecordEvents(
                batch, metadata=authorization(self._secret), timeout=CALL_SECONDS
            )
            for result in answer.results:
                assert result.HasField("recorded"), result.error
                message_of[result.recorded.event_id] = next(said).message_id
        return message_of, time.perf_counter() - started

    async def until_embedded(self, agent_id: str) -> None:
        """Returns when memory answers and every chunk has its vector. Raises TimeoutError."""
        recaller = Recaller(self._channel, self._secret, agent_id)
        request = recall_events(agent_id, "anything at all", 1)
        async with asyncio.timeout(VECTOR_SECONDS):
            while True:
                answer = await recaller.recall(request)
                if not answer.degraded and answer.answered_by == pb.ANSWERED_BY_CACHE:
                    return
                await asyncio.sleep(POLL_SECONDS)


def new_event(said: Said) -> events.NewEvent:
    """A message as an event."""
    is_agent = said.speaker.lower() in ASSISTANTS
    event = events.NewEvent(
        session_id=said.session_id,
        actor=actors.Actor(
            type=actors.ACTOR_TYPE_AGENT if is_agent else actors.ACTOR_TYPE_HUMAN, id=said.speaker
        ),
        kind=actors.EVENT_KIND_MESSAGE,
        text=said.text,
    )
    event.occurred_at.FromDatetime(said.occurred_at)
    return event


def recall_events(agent_id: str, text: str, limit: int) -> memories.RecallRequest:
    """Asks for chunks of events."""
    return memories.RecallRequest(
        agent_id=agent_id, text=text, limit=limit, sources=[pb.SOURCE_EVENT]
    )


def share_of(evidence: frozenset[str], found: Sequence[str]) -> float:
    """How much of the evidence is among what was found."""
    return len(evidence.intersection(found)) / len(evidence)
