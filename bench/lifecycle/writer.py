"""A writer that does everything that changes memories, with a ledger of what was acknowledged.

A write that was not answered is sent again under the same request id, to the next life of the server as well. So in the
end everything was acknowledged, and the ledger tells exactly what has to be there.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import grpc
from camillo.v1 import actor_pb2 as actors
from camillo.v1 import event_pb2 as events
from camillo.v1 import event_service_pb2 as event_service
from camillo.v1 import lifecycle_pb2 as lifecycle
from camillo.v1 import lifecycle_service_pb2 as lifecycle_service
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import run_pb2 as runs
from camillo.v1 import run_service_pb2 as run_service
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message

from bench.lifecycle.ledger import Fate, Ledger
from bench.material.texts import Texts
from bench.measure.client import Client

CALL_SECONDS = 10.0
# Codes that a server that is killed leaves a caller with. Any other is a defect.
PASSING = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
)
BATCH = 4
SENTENCES = 500
# Importances: far from every bound of maintenance, and below one.
HIGH, LOW = 0.9, 0.05
SCRIPTS = ("紫藤", "кофе", "שלום", "🍵", "नमस्ते", "été")


@dataclass(frozen=True, slots=True)
class Operation:
    """One write, and what its answer means for the ledger."""

    request: Message
    acknowledged: Callable[[Any], None]


class RetryingWriter:
    """Does one operation after the other, each until it is answered: in this life of the server, or in a later one."""

    def __init__(self, operations: Iterator[Operation], on_answer: Callable[[], None]) -> None:
        self._on_answer = on_answer
        self._operations = operations
        self._pending: Operation | None = None

    async def write(self, client: Client) -> None:
        """One operation after the other, until the server is gone. Raises grpc.aio.AioRpcError as `finish` does."""
        while await self.finish(client):
            self._pending = next(self._operations)

    async def finish(self, client: Client) -> bool:
        """Sends again what was not answered. Returns whether all is answered. Raises grpc.aio.AioRpcError for what a
        server that goes does not explain."""
        if self._pending is None:
            return True
        try:
            answer = await client(self._pending.request, CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            if error.code() in PASSING:
                return False
            raise
        self._pending.acknowledged(answer)
        self._pending = None
        self._on_answer()
        return True


class LifecycleWriter(RetryingWriter):
    """Writes on and on in the scope of an agent, in which others may write as well."""

    def __init__(self, name: str, agent_id: str, on_answer: Callable[[], None]) -> None:
        self.ledger = Ledger(agent_id)
        super().__init__(Operations(name, self.ledger).without_end(), on_answer)


class Operations:
    """One writer's. Each method yields what belongs together; the next is asked for when the last was acknowledged. The
    same name writes the same."""

    def __init__(self, name: str, ledger: Ledger) -> None:
        self._name = name
        self._ledger = ledger
        self._dice = random.Random(name)
        self._numbers = itertools.count()
        self._sentences = itertools.cycle(Texts(sum(name.encode())).sentences(SENTENCES))
        # Memories of a compaction are left alone by everything but its reversal.
        self._compacted: set[str] = set()
        self._run_id = ""

    def without_end(self) -> Iterator[Operation]:
        often = (
            self.remember,
            self.repeat,
            self.remember_weak,
            self.remember_batch,
            self.import_batch,
            self.update,
            self.archive,
            self.record,
            self.append,
        )
        seldom = (self.forget, self.compact, self.end_run)
        yield from self.start_run()
        while True:
            yield from self._dice.choice((*often, *often, *seldom))()

    def remember(self) -> Iterator[Operation]:
        yield self._remembering(self._text())

    def repeat(self) -> Iterator[Operation]:
        if content := self._any_kept():
            yield self._remembering(f" {content}\n")

    def remember_weak(self) -> Iterator[Operation]:
        """Remembers a memory that maintenance may archive."""
        remembering = self._remembering(self._text(), importance=LOW)

        def acknowledged(answer: service.RememberResponse) -> None:
            remembering.acknowledged(answer)
            self._ledger.statements[answer.memory.content].fate = Fate.EITHER

        yield Operation(remembering.request, acknowledged)

    def remember_batch(self, *tags: str) -> Iterator[Operation]:
        contents = [self._text() for _ in range(BATCH)]
        memories = [pb.NewMemory(content=content, importance=HIGH, tags=tags) for content in contents]

        def acknowledged(answer: service.BatchRememberResponse) -> None:
            for content, result in zip(contents, answer.results, strict=True):
                assert result.HasField("memory"), result.error
                self._ledger.state(content, result.memory.memory_id)

        request = service.BatchRememberRequest(**self._ids(), memories=memories)
        yield Operation(request, acknowledged)

    def import_batch(self) -> Iterator[Operation]:
        """Sent again it leaves alone what is there: its ids are the client's."""
        memories = [
            pb.Memory(
                memory_id=str(UUID(int=self._dice.getrandbits(128), version=4)),
                content=self._text(),
                importance=HIGH,
            )
            for _ in range(BATCH)
        ]

        def acknowledged(answer: service.ImportMemoriesResponse) -> None:
            assert answer.imported + answer.skipped == BATCH, answer
            for memory in memories:
                self._ledger.state(memory.content, memory.memory_id)

        agent_id = self._ledger.agent_id
        request = service.ImportMemoriesRequest(agent_id=agent_id, memories=memories)
        yield Operation(request, acknowledged)

    def update(self) -> Iterator[Operation]:
        if not (content := self._any_kept()):
            return
        known = self._ledger.statements[content]

        def acknowledged(_: service.UpdateMemoryResponse) -> None:
            known.version += 1

        request = service.UpdateMemoryRequest(
            **self._ids(),
            memory_id=known.memory_id,
            expected_version=known.version,
            update_mask=FieldMask(paths=["session_id"]),
            memory=pb.Memory(session_id=self._request_id()),
        )
        yield Operation(request, acknowledged)

    def archive(self) -> Iterator[Operation]:
        if not (content := self._any_kept()):
            return
        known = self._ledger.statements[content]

        def acknowledged(_: lifecycle_service.ArchiveResponse) -> None:
            known.fate = Fate.ARCHIVED
            known.version += 1

        selector = lifecycle_service.LifecycleSelector(memory_ids=[known.memory_id])
        request = lifecycle_service.ArchiveRequest(**self._ids(), selector=selector)
        yield Operation(request, acknowledged)

    def forget(self) -> Iterator[Operation]:
        """A memory with one that rests on it."""
        if not (content := self._any_kept()):
            return
        source, derived = self._ledger.statements[content], self._text()
        yield self._remembering(derived, source_refs=[source.memory_id])

        def acknowledged(_: service.ForgetMemoriesResponse) -> None:
            source.fate = Fate.FORGOTTEN
            self._ledger.statements[derived].fate = Fate.GONE

        ids = service.MemoryIds(ids=[source.memory_id])
        request = service.ForgetMemoriesRequest(**self._ids(), memory_ids=ids)
        yield Operation(request, acknowledged)

    def compact(self) -> Iterator[Operation]:
        """Memories of a tag of their own; every other time this is reverted."""
        tag = self._request_id()
        yield from self.remember_batch(tag)
        committed: list[lifecycle.Compaction] = []

        def acknowledged(answer: lifecycle_service.CompactResponse) -> None:
            for compaction in answer.compactions:
                if compaction.state == lifecycle.COMPACTION_STATE_COMMITTED:
                    committed.append(compaction)
                    self._move(compaction, Fate.ARCHIVED)
                    self._ledger.state(compaction.content, compaction.memory_id)

        criteria = lifecycle_service.CompactionCriteria(tags=[tag], tag_threshold=BATCH - 1, skip_near_duplicates=True)
        request = lifecycle_service.CompactRequest(**self._ids(), criteria=criteria)
        yield Operation(request, acknowledged)
        for compaction in committed[self._dice.randrange(2) :]:
            yield self._reverting(compaction)

    def _reverting(self, compaction: lifecycle.Compaction) -> Operation:
        def acknowledged(_: lifecycle_service.RevertCompactionResponse) -> None:
            self._move(compaction, Fate.KEPT)
            self._ledger.statements[compaction.content].fate = Fate.GONE

        request = lifecycle_service.RevertCompactionRequest(**self._ids(), compaction_id=compaction.compaction_id)
        return Operation(request, acknowledged)

    def _move(self, compaction: lifecycle.Compaction, fate: Fate) -> None:
        self._compacted |= {compaction.memory_id, *compaction.source_ids}
        for source_id in compaction.source_ids:
            source = self._ledger.of_id(source_id)
            source.fate = fate
            source.version += 1

    def record(self) -> Iterator[Operation]:
        texts = [self._text() for _ in range(BATCH)]
        ada = actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id="ada")
        recorded = [
            events.NewEvent(session_id=self._name, actor=ada, kind=actors.EVENT_KIND_MESSAGE, text=text)
            for text in texts
        ]

        def acknowledged(_: event_service.BatchRecordEventsResponse) -> None:
            self._ledger.events += texts

        request = event_service.BatchRecordEventsRequest(**self._ids(), events=recorded)
        yield Operation(request, acknowledged)

    def start_run(self) -> Iterator[Operation]:
        def acknowledged(answer: run_service.StartRunResponse) -> None:
            self._run_id = answer.run.run_id
            self._ledger.rounds[self._run_id] = 0

        request = run_service.StartRunRequest(**self._ids(), trigger=runs.Trigger(type="message"), skip_snapshot=True)
        yield Operation(request, acknowledged)

    def append(self) -> Iterator[Operation]:
        def acknowledged(_: run_service.AppendRunResponse) -> None:
            self._ledger.rounds[self._run_id] += 1

        steps = [runs.RunStep(llm_response=self._text())]
        request = run_service.AppendRunRequest(**self._ids(), run_id=self._run_id, steps=steps)
        yield Operation(request, acknowledged)

    def end_run(self) -> Iterator[Operation]:
        """Ends the run with a memory to keep; another run is started."""
        content = self._text()

        def acknowledged(answer: run_service.EndRunResponse) -> None:
            del self._ledger.rounds[self._run_id]
            [memory] = answer.memories
            self._ledger.state(content, memory.memory_id)

        memories = [pb.NewMemory(content=content, importance=HIGH)]
        request = run_service.EndRunRequest(**self._ids(), run_id=self._run_id, memories=memories)
        yield Operation(request, acknowledged)
        yield from self.start_run()

    def _remembering(self, content: str, **fields: Any) -> Operation:
        def acknowledged(answer: service.RememberResponse) -> None:
            self._ledger.state(content.strip(), answer.memory.memory_id)

        memory = pb.NewMemory(content=content, **{"importance": HIGH, **fields})
        return Operation(service.RememberRequest(**self._ids(), memory=memory), acknowledged)

    def _any_kept(self) -> str:
        """The content of some memory that only this writer changes; empty if there is none."""
        kept = [
            content
            for content in self._ledger.contents(Fate.KEPT)
            if self._ledger.statements[content].memory_id not in self._compacted
        ]
        return self._dice.choice(kept) if kept else ""

    def _text(self) -> str:
        """One that nobody has stated before."""
        number = next(self._numbers)
        script = SCRIPTS[number % len(SCRIPTS)]
        return f"{next(self._sentences)} {script} {self._name}{number:06}"

    def _ids(self) -> dict[str, Any]:
        return {"request_id": self._request_id(), "agent_id": self._ledger.agent_id}

    def _request_id(self) -> str:
        """One that nobody has used before."""
        return f"{self._name}-{next(self._numbers)}"
