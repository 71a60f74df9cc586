"""How a writer of bench.lifecycle puts memories together, and undoes it."""

from collections.abc import Iterator

from camillo.v1 import lifecycle_pb2 as lifecycle
from camillo.v1 import lifecycle_service_pb2 as lifecycle_service

from bench.lifecycle.hand import Hand, Operation
from bench.lifecycle.ledger import Fate
from bench.lifecycle.memories import BATCH, MemoryOperations


class CompactionOperations:
    """Of memories that it states itself, each time under a tag of their own."""

    def __init__(self, hand: Hand, memories: MemoryOperations) -> None:
        self._hand = hand
        self._memories = memories

    def compact(self) -> Iterator[Operation]:
        """Memories of a tag of their own; every other time this is undone."""
        tag = f"{self._hand.name}-{next(self._hand.numbers)}"
        yield from self._memories.batch(tag)
        request = lifecycle_service.CompactRequest(
            request_id=self._hand.request_id(),
            agent_id=self._hand.ledger.agent_id,
            criteria=lifecycle_service.CompactionCriteria(
                tags=[tag], tag_threshold=BATCH - 1, skip_near_duplicates=True
            ),
        )
        committed: list[lifecycle.Compaction] = []

        def acknowledged(answer: lifecycle_service.CompactResponse) -> None:
            for compaction in answer.compactions:
                if compaction.state == lifecycle.COMPACTION_STATE_COMMITTED:
                    committed.append(compaction)
                    self._moved(compaction, Fate.ARCHIVED)
                    self._hand.ledger.state(compaction.content, compaction.memory_id)

        yield Operation(request, acknowledged)
        for compaction in committed[self._hand.dice.randrange(2) :]:
            yield self._revert(compaction)

    def _revert(self, compaction: lifecycle.Compaction) -> Operation:
        request = lifecycle_service.RevertCompactionRequest(
            request_id=self._hand.request_id(),
            agent_id=self._hand.ledger.agent_id,
            compaction_id=compaction.compaction_id,
        )

        def acknowledged(answer: lifecycle_service.RevertCompactionResponse) -> None:
            self._moved(compaction, Fate.KEPT)
            self._hand.ledger.statements[compaction.content].fate = Fate.GONE

        return Operation(request, acknowledged)

    def _moved(self, compaction: lifecycle.Compaction, fate: Fate) -> None:
        self._hand.compacted |= {compaction.memory_id, *compaction.source_ids}
        for source_id in compaction.source_ids:
            source = self._hand.ledger.of_id(source_id)
            source.fate = fate
            source.version += 1
