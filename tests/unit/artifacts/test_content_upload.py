"""Bytes on their way into the store: all of them, in their order, and nothing left running behind a failure."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import pytest
from camillo_server.features.artifacts.artifact import PART_BYTES
from camillo_server.features.artifacts.intake import CompletePart, ContentIntake, store_blocks
from camillo_server.features.artifacts.upload import ContentPart, UploadProgress
from camillo_server.kernel.background import Before
from camillo_server.kernel.errors import StorageFull, UploadOffsetMismatch

from tests.cases import each_case

# A loop of its own: in the one that tests share, the servers of other tests begin tasks, too.
pytestmark = pytest.mark.asyncio(loop_scope="function")


@dataclass
class Parts:
    """A store of parts, which can be made to wait, or to fail at a part."""

    parts: list[ContentPart] = field(default_factory=list)
    progress: list[UploadProgress | None] = field(default_factory=list)
    fails_at: int | None = None
    gate: asyncio.Event | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: int = 0
    under_way: int = 0
    packing: list[int] = field(default_factory=list)

    async def store(self, complete: CompletePart, after: Before) -> None:
        part = complete.part
        self.packing.append(part.number)
        if after is not None:
            await after
        self.under_way += 1
        self.begun.set()
        assert self.under_way == 1
        try:
            await asyncio.sleep(0) if self.gate is None else await self.gate.wait()
            if part.number == self.fails_at:
                raise StorageFull
            self.parts.append(part)
            self.progress.append(complete.progress)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.under_way -= 1

    @property
    def data(self) -> bytes:
        return b"".join(part.data for part in self.parts)


async def blocks_of(blocks: Sequence[bytes]) -> AsyncIterator[bytes]:
    for block in blocks:
        await asyncio.sleep(0)
        yield block


async def run(store: Parts, blocks: AsyncIterator[bytes]) -> ContentIntake:
    intake = ContentIntake()
    await store_blocks(blocks, intake, store.store)
    return intake


def text(parts: float) -> bytes:
    lines = b"".join(b"line %08d: \xe8\x8c\xb6 and so on\n" % number for number in range(1_000))
    size = int(parts * PART_BYTES)
    return (lines * (size // len(lines) + 1))[:size]


@each_case("parts", [0.001, 1, 3.3])
@each_case("block", [PART_BYTES // 3, PART_BYTES, 3 * PART_BYTES])
async def test_all_parts_are_stored_in_their_order_when_it_returns(parts: float, block: int) -> None:
    data = text(parts)
    store = Parts()
    blocks = [data[at : at + block] for at in range(0, len(data), block)]
    intake = await run(store, blocks_of(blocks))
    assert store.data == data
    assert [part.number for part in store.parts] == list(range(len(store.parts)))
    assert intake.sha256 == intake.sha256_of_call == sha256(data).digest()
    ends = [progress.size for progress in store.progress if progress is not None]
    assert ends == [PART_BYTES * number for number in range(1, len(data) // PART_BYTES + 1)]


async def test_blocks_are_asked_for_while_the_ones_before_are_stored_but_no_further() -> None:
    store = Parts(gate=(gate := asyncio.Event()))
    asked = asyncio.Queue[int]()

    async def blocks() -> AsyncIterator[bytes]:
        for number in range(12):
            asked.put_nowait(number)
            yield text(1)

    running = asyncio.create_task(run(store, blocks()))
    # The first one's secrets are known when the second has come; then one is stored, one packed, one hashed, one
    # searched for secrets, and one waits.
    assert [await asked.get() for _ in range(6)] == [0, 1, 2, 3, 4, 5]
    for _ in range(20):
        await asyncio.to_thread(sha256, text(1))
    assert asked.empty()
    assert store.packing == [0, 1]
    gate.set()
    await running
    assert [await asked.get() for _ in range(6)] == [6, 7, 8, 9, 10, 11]
    assert store.data == text(1) * 12


@pytest.mark.parametrize("fails_at", [0, 2, 4])
async def test_what_the_store_fails_with_is_raised_and_nothing_behind_it_is_stored(fails_at: int) -> None:
    store = Parts(fails_at=fails_at)
    before = asyncio.all_tasks()
    with pytest.raises(StorageFull):
        await run(store, blocks_of([text(1)] * 4 + [text(0.5)]))
    assert [part.number for part in store.parts] == list(range(fails_at))
    assert asyncio.all_tasks() <= before


async def test_a_failing_stream_ends_what_is_being_stored() -> None:
    store = Parts(gate=asyncio.Event())

    async def blocks() -> AsyncIterator[bytes]:
        yield text(2.5)
        await store.begun.wait()
        raise UploadOffsetMismatch(1, 2)

    before = asyncio.all_tasks()
    with pytest.raises(UploadOffsetMismatch):
        await run(store, blocks())
    assert (store.cancelled, store.under_way, store.parts) == (1, 0, [])
    assert asyncio.all_tasks() <= before


async def test_a_cancelled_call_ends_what_is_being_stored() -> None:
    store = Parts(gate=asyncio.Event())

    async def blocks() -> AsyncIterator[bytes]:
        yield text(2.5)
        await asyncio.Event().wait()

    before = asyncio.all_tasks()
    running = asyncio.create_task(run(store, blocks()))
    await store.begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (store.cancelled, store.under_way, store.parts) == (1, 0, [])
    assert asyncio.all_tasks() <= before
