"""Measures what it costs a recall to say who said its hits: `python -m bench.decisions.attribution` (docs/adr/0055).

Ten hits as the index in memory keeps them, read and written into an answer: without an attribution, and with one.
Processor time, the least of many rounds that alternate.
"""

import time
import timeit
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.attribution import TrustLevel
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.memories.memory import Memory, MemoryDraft
from camillo_server.memories.messages import fill_memory
from camillo_server.search.store.packed_payload import read_payload, write_payload

HITS = 10
CALLS = 300
ROUNDS = 60
NOW = datetime(2030, 1, 1, tzinfo=UTC)
DRAFT = MemoryDraft("Ada prefers tea to coffee in the morning, and says so often")
PLAIN = DRAFT.memory(AgentId("planner"), MemoryId(UUID(int=7)), NOW)
SAID = PLAIN._replace(
    trust_level=TrustLevel.AGENT, actor="agent:planner", credential=str(UUID(int=2**127))
)


def answer(memory: Memory) -> Callable[[], None]:
    payload = write_payload(memory, "")

    def work() -> None:
        response = service.RecallResponse()
        for _ in range(HITS):
            read_payload(payload)
            fill_memory(response.hits.add().memory, memory)
        response.SerializeToString()

    return work


CONTENDERS = {"without": answer(PLAIN), "with": answer(SAID)}


def main() -> None:
    least = dict.fromkeys(CONTENDERS, float("inf"))
    for _ in range(ROUNDS):
        for name, work in CONTENDERS.items():
            seconds = timeit.timeit(work, number=CALLS, timer=time.process_time)
            least[name] = min(least[name], seconds / CALLS)
    for name, seconds in least.items():
        print(f"{name:16}{seconds * 1e6:8.1f} us for {HITS} hits")


if __name__ == "__main__":
    main()
