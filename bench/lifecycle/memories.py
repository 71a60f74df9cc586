"""How a writer of bench.lifecycle changes memories, one at a time or a few."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from google.protobuf.field_mask_pb2 import FieldMask

from bench.lifecycle.hand import HIGH, LOW, Hand, Operation
from bench.lifecycle.ledger import Fate

BATCH = 4


class MemoryOperations:
    """Each yields what belongs together; the next is asked for when the last was acknowledged."""

    def __init__(self, hand: Hand) -> None:
        self._hand = hand

    def remember(self) -> Iterator[Operation]:
        yield self._stating(self._hand.text())

    def repeat(self) -> Iterator[Operation]:
        if content := self._hand.any_kept():
            yield self._stating(f" {content}\n")

    def _stating(self, content: str, **fields: Any) -> Operation:
        memory = pb.NewMemory(content=content, **{"importance": HIGH, **fields})
        request = service.RememberRequest(
            request_id=self._hand.request_id(), agent_id=self._hand.ledger.agent_id, memory=memory
        )

        def acknowledged(answer: service.RememberResponse) -> None:
            self._hand.ledger.state(content.strip(), answer.memory.memory_id)

        return Operation(request, acknowledged)

    def weak(self) -> Iterator[Operation]:
        """What maintenance puts away."""
        stating = self._stating(self._hand.text(), importance=LOW)

        def acknowledged(answer: service.RememberResponse) -> None:
            stating.acknowledged(answer)
            self._hand.ledger.statements[answer.memory.content].fate = Fate.EITHER

        yield Operation(stating.request, acknowledged)

    def batch(self, *tags: str) -> Iterator[Operation]:
        contents = [self._hand.text() for _ in range(BATCH)]
        request = service.BatchRememberRequest(
            request_id=self._hand.request_id(),
            agent_id=self._hand.ledger.agent_id,
            memories=[
                pb.NewMemory(content=content, importance=HIGH, tags=tags) for content in contents
            ],
        )

        def acknowledged(answer: service.BatchRememberResponse) -> None:
            for content, result in zip(contents, answer.results, strict=True):
                assert result.HasField("memory"), result.error
                self._hand.ledger.state(content, result.memory.memory_id)

        yield Operation(request, acknowledged)

    def import_some(self) -> Iterator[Operation]:
        """Sent again it leaves alone what is there: its ids are the client's."""
        memories = [
            pb.Memory(
                memory_id=str(UUID(int=self._hand.dice.getrandbits(128), version=4)),
                content=self._hand.text(),
                importance=HIGH,
            )
            for _ in range(BATCH)
        ]
        request = service.ImportMemoriesRequest(
            agent_id=self._hand.ledger.agent_id, memories=memories
        )

        def acknowledged(answer: service.ImportMemoriesResponse) -> None:
            assert answer.imported + answer.skipped == BATCH, answer
            for memory in memories:
                self._hand.ledger.state(memory.content, memory.memory_id)

        yield Operation(request, acknowledged)

    def update(self) -> Iterator[Operation]:
        if not (content := self._hand.any_kept()):
            return
        known = self._hand.ledger.statements[content]
        request = service.UpdateMemoryRequest(
            request_id=self._hand.request_id(),
            agent_id=self._hand.ledger.agent_id,
            memory_id=known.memory_id,
            expected_version=known.version,
            update_mask=FieldMask(paths=["session_id"]),
            memory=pb.Memory(session_id=self._hand.request_id()),
        )

        def acknowledged(answer: service.UpdateMemoryResponse) -> None:
            known.version += 1

        yield Operation(request, acknowledged)

    def forget(self) -> Iterator[Operation]:
        """A memory with one that rests on it."""
        if not (content := self._hand.any_kept()):
            return
        source = self._hand.ledger.statements[content]
        derived = self._hand.text()
        yield self._stating(derived, source_refs=[source.memory_id])
        request = service.ForgetMemoriesRequest(
            request_id=self._hand.request_id(),
            agent_id=self._hand.ledger.agent_id,
            memory_ids=service.MemoryIds(ids=[source.memory_id]),
        )

        def acknowledged(answer: service.ForgetMemoriesResponse) -> None:
            source.fate = Fate.FORGOTTEN
            self._hand.ledger.statements[derived].fate = Fate.GONE

        yield Operation(request, acknowledged)

    def archive(self) -> Iterator[Operation]:
        if not (content := self._hand.any_kept()):
            return
        known = self._hand.ledger.statements[content]
        request = lifecycle.ArchiveRequest(
            request_id=self._hand.request_id(),
            agent_id=self._hand.ledger.agent_id,
            selector=lifecycle.LifecycleSelector(memory_ids=[known.memory_id]),
        )

        def acknowledged(answer: lifecycle.ArchiveResponse) -> None:
            known.fate = Fate.ARCHIVED
            known.version += 1

        yield Operation(request, acknowledged)
