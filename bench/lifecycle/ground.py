"""How a writer of bench.lifecycle records events, and what happens in runs."""

from collections.abc import Iterator

from camillo.v1 import actor_pb2 as actors
from camillo.v1 import event_pb2 as events
from camillo.v1 import event_service_pb2 as event_service
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import run_pb2 as runs
from camillo.v1 import run_service_pb2 as run_service

from bench.lifecycle.hand import HIGH, Hand, Operation
from bench.lifecycle.memories import BATCH


class GroundOperations:
    """One run at a time."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand
        self._run_id = ""

    def record(self) -> Iterator[Operation]:
        texts = [self._hand.text() for _ in range(BATCH)]
        request = event_service.BatchRecordEventsRequest(
            request_id=self._hand.request_id(),
            agent_id=self._hand.ledger.agent_id,
            events=[
                events.NewEvent(
                    session_id=self._hand.name,
                    actor=actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id="ada"),
                    kind=actors.EVENT_KIND_MESSAGE,
                    text=text,
                )
                for text in texts
            ],
        )

        def acknowledged(answer: event_service.BatchRecordEventsResponse) -> None:
            self._hand.ledger.events += texts

        yield Operation(request, acknowledged)

    def start_run(self) -> Iterator[Operation]:
        request = run_service.StartRunRequest(
            request_id=self._hand.request_id(),
            agent_id=self._hand.ledger.agent_id,
            trigger=runs.Trigger(type="message"),
            skip_snapshot=True,
        )

        def acknowledged(answer: run_service.StartRunResponse) -> None:
            self._run_id = answer.run.run_id
            self._hand.ledger.rounds[self._run_id] = 0

        yield Operation(request, acknowledged)

    def append(self) -> Iterator[Operation]:
        request = run_service.AppendRunRequest(
            request_id=self._hand.request_id(),
            agent_id=self._hand.ledger.agent_id,
            run_id=self._run_id,
            steps=[runs.RunStep(llm_response=self._hand.text())],
        )

        def acknowledged(answer: run_service.AppendRunResponse) -> None:
            self._hand.ledger.rounds[self._run_id] += 1

        yield Operation(request, acknowledged)

    def end_run(self) -> Iterator[Operation]:
        """With something to keep; another is started."""
        content = self._hand.text()
        request = run_service.EndRunRequest(
            request_id=self._hand.request_id(),
            agent_id=self._hand.ledger.agent_id,
            run_id=self._run_id,
            memories=[pb.NewMemory(content=content, importance=HIGH)],
        )

        def acknowledged(answer: run_service.EndRunResponse) -> None:
            del self._hand.ledger.rounds[self._run_id]
            [memory] = answer.memories
            self._hand.ledger.state(content, memory.memory_id)

        yield Operation(request, acknowledged)
        yield from self.start_run()
