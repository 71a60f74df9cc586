"""The memories of an import, sent in parts: two at a time where they are of two spaces."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Memory
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse

# As many as one call names.
MAX_NAMED_FAILURES = 100
MAX_PART_MEMORIES = 2_000
MAX_PART_BYTES = 8 * 1024 * 1024
MAX_HELD_BYTES = 16 * 1024 * 1024
PARTS_AT_ONCE = 2


@dataclass(slots=True)
class Part:
    """Memories of one call, all of one space, with their places among all and their bytes. `space` is empty for that of
    the client."""

    space: str
    memories: list[Memory] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    byte_count: int = 0


def sent(
    parts: Iterator[Part], send: Callable[[Part], ImportMemoriesResponse]
) -> Iterator[tuple[Part, ImportMemoriesResponse]]:
    """Each part with the answer of its call, in their order. A part is sent while the one before is stored, but for one
    of the same space: of memories with one id the first counts. Raises what `send` raises, once no call is under
    way."""
    with ThreadPoolExecutor(PARTS_AT_ONCE, "camillo-import") as threads:
        under_way: deque[tuple[Part, Future[ImportMemoriesResponse]]] = deque()
        for part in parts:
            while len(under_way) == PARTS_AT_ONCE or part.space in {each.space for each, _ in under_way}:
                before, answer = under_way.popleft()
                yield before, answer.result()
            under_way.append((part, threads.submit(send, part)))
        while under_way:
            before, answer = under_way.popleft()
            yield before, answer.result()


def parts_of(memories: Iterator[tuple[Memory, int]], *, by_agent: bool = False) -> Iterator[Part]:
    """The memories in parts of a call each, with their places among all and their bytes: what a call has stored is
    known when it returns, while what was sent may wait in buffers for long. With `by_agent` all of a part are of one
    space, and so much of several is held at once that a part of each is worth a call."""
    parts: dict[str, Part] = {}
    held = 0
    for number, (memory, size_bytes) in enumerate(memories):
        space = memory.agent_id if by_agent else ""
        part = parts.pop(space, None) or Part(space)
        part.memories.append(memory)
        part.numbers.append(number)
        part.byte_count += size_bytes
        held += size_bytes
        if len(part.memories) == MAX_PART_MEMORIES or part.byte_count >= MAX_PART_BYTES:
            held -= part.byte_count
            yield part
        else:
            parts[space] = part
        if held >= MAX_HELD_BYTES:
            yield from parts.values()
            parts, held = {}, 0
    yield from parts.values()


def add(answer: ImportMemoriesResponse, done: ImportMemoriesResponse, numbers: Sequence[int]) -> None:
    """Adds the answer for a part, whose memories have these places among all."""
    for name in ("imported", "skipped", "failed", "merged"):
        setattr(answer, name, getattr(answer, name) + getattr(done, name))
    for failure in done.failures[: MAX_NAMED_FAILURES - len(answer.failures)]:
        answer.failures.add(index=numbers[failure.index], error=failure.error)
    for kind, count in done.redactions.items():
        answer.redactions[kind] += count
    answer.revision.CopyFrom(done.revision)
