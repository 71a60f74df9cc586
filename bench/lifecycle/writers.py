"""A writer that does everything that changes memories, with a ledger of what was acknowledged.

What was not answered is sent again under the same request id, by the next life of the server as well. So in the end
everything was acknowledged, and the ledger tells exactly what has to be there.
"""

from collections.abc import Callable, Iterator

import grpc

from bench.lifecycle.calls import LifecycleCalls
from bench.lifecycle.compactions import CompactionOperations
from bench.lifecycle.ground import GroundOperations
from bench.lifecycle.hand import Hand, Operation
from bench.lifecycle.ledger import Ledger
from bench.lifecycle.memories import MemoryOperations

CALL_SECONDS = 10.0
# What a server that is killed leaves a caller with. Anything else is a defect.
PASSING = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
)


class LifecycleWriter:
    """Writes on and on in the scope of an agent, in which others may write as well."""

    def __init__(self, name: str, agent_id: str, on_answer: Callable[[], None]) -> None:
        self.ledger = Ledger(agent_id)
        self._on_answer = on_answer
        self._operations = _endless(Hand(name, self.ledger))
        self._pending: Operation | None = None

    async def write(self, calls: LifecycleCalls) -> None:
        """One operation after the other, until the server is gone. Raises grpc.aio.AioRpcError as `finish` does."""
        while await self.finish(calls):
            self._pending = next(self._operations)

    async def finish(self, calls: LifecycleCalls) -> bool:
        """Sends again what was not answered. Returns whether all is answered. Raises grpc.aio.AioRpcError for what a
        server that goes does not explain."""
        if self._pending is None:
            return True
        try:
            answer = await calls(self._pending.request, CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            if error.code() in PASSING:
                return False
            raise
        self._pending.acknowledged(answer)
        self._pending = None
        self._on_answer()
        return True


def _endless(hand: Hand) -> Iterator[Operation]:
    memories, ground = MemoryOperations(hand), GroundOperations(hand)
    often = (
        memories.remember,
        memories.repeat,
        memories.weak,
        memories.batch,
        memories.import_some,
        memories.update,
        memories.archive,
        ground.record,
        ground.append,
    )
    seldom = (memories.forget, CompactionOperations(hand, memories).compact, ground.end_run)
    yield from ground.start_run()
    while True:
        yield from hand.dice.choice((*often, *often, *seldom))()
