"""Bytes on their way into the store: all of them, in their order, and nothing left running behind a failure."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import cast

import pytest
from camillo_server.artifacts.artifact import ArtifactDraft
from camillo_server.artifacts.content_observer import ContentObserver
from camillo_server.artifacts.intake import ContentIntake, ContentUpload, IntakeTools
from camillo_server.artifacts.ports import PART_BYTES, ContentPart, Held, Upload, Uploads
from camillo_server.artifacts.put_artifact import new_upload
from camillo_server.kernel.errors import StorageFull, UploadOffsetMismatch
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.outputs.json_parts.validator import JsonValidator
from camillo_server.redaction.stream import SecretStream

TOOLS = IntakeTools(SecretStream, lambda: ContentObserver(JsonValidator()))


@dataclass
class PartsInMemory:
    """What `Uploads` does with parts; can be made to wait, or to fail at a part."""

    parts: list[ContentPart] = field(default_factory=list)
    held: list[Held | None] = field(default_factory=list)
    fails_at: int | None = None
    gate: asyncio.Event | None = None
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: int = 0
    under_way: int = 0
    packing: list[int] = field(default_factory=list)

    @property
    def port(self) -> Uploads:
        return cast(Uploads, self)

    async def add_part(
        self,
        upload: Upload,
        part: ContentPart,
        held: Held | None,
        *,
        after: Awaitable[object] | None = None,
    ) -> None:
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
            self.held.append(held)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.under_way -= 1

    @property
    def data(self) -> bytes:
        return b"".join(part.data for part in self.parts)


def upload() -> Upload:
    return new_upload(Scope(TenantId("t"), AgentId("a")), ArtifactDraft(), b"digest")


async def blocks_of(blocks: Sequence[bytes]) -> AsyncIterator[bytes]:
    for block in blocks:
        await asyncio.sleep(0)
        yield block


async def run(store: PartsInMemory, blocks: AsyncIterator[bytes]) -> ContentIntake:
    intake = ContentIntake(TOOLS)
    await ContentUpload(store.port, upload(), intake).run(blocks)
    return intake


def text(parts: float) -> bytes:
    lines = b"".join(b"line %08d: \xe8\x8c\xb6 and so on\n" % number for number in range(1_000))
    size = int(parts * PART_BYTES)
    return (lines * (size // len(lines) + 1))[:size]


@pytest.mark.parametrize("parts", [0.001, 1, 3.3])
@pytest.mark.parametrize("block", [PART_BYTES // 3, PART_BYTES, 3 * PART_BYTES])
async def test_all_parts_are_stored_in_their_order_when_it_returns(
    parts: float, block: int
) -> None:
    data = text(parts)
    store = PartsInMemory()
    blocks = [data[at : at + block] for at in range(0, len(data), block)]
    intake = await run(store, blocks_of(blocks))
    assert store.data == data
    assert [part.number for part in store.parts] == list(range(len(store.parts)))
    assert intake.sha256 == intake.sha256_of_call == sha256(data).digest()
    ends = [held.size for held in store.held if held is not None]
    assert ends == [PART_BYTES * number for number in range(1, len(data) // PART_BYTES + 1)]


async def test_blocks_are_asked_for_while_the_ones_before_are_stored_but_no_further() -> None:
    store = PartsInMemory(gate=(gate := asyncio.Event()))
    asked = asyncio.Queue[int]()

    async def blocks() -> AsyncIterator[bytes]:
        for number in range(12):
            asked.put_nowait(number)
            yield text(1)

    running = asyncio.create_task(run(store, blocks()))
    # Of the first the secrets are known when the second has come; then one is stored, one packed, one taken in, and one
    # waits.
    assert [await asked.get() for _ in range(5)] == [0, 1, 2, 3, 4]
    for _ in range(20):
        await asyncio.to_thread(sha256, text(1))
    assert asked.empty()
    assert store.packing == [0, 1]
    gate.set()
    await running
    assert [await asked.get() for _ in range(7)] == [5, 6, 7, 8, 9, 10, 11]
    assert store.data == text(1) * 12


@pytest.mark.parametrize("fails_at", [0, 2, 4])
async def test_what_the_store_fails_with_is_raised_and_nothing_behind_it_is_stored(
    fails_at: int,
) -> None:
    store = PartsInMemory(fails_at=fails_at)
    before = asyncio.all_tasks()
    with pytest.raises(StorageFull):
        await run(store, blocks_of([text(1)] * 4 + [text(0.5)]))
    assert [part.number for part in store.parts] == list(range(fails_at))
    assert asyncio.all_tasks() == before


async def test_a_failing_stream_ends_what_is_being_stored() -> None:
    store = PartsInMemory(gate=asyncio.Event())

    async def blocks() -> AsyncIterator[bytes]:
        yield text(2.5)
        await store.begun.wait()
        raise UploadOffsetMismatch(1, 2)

    before = asyncio.all_tasks()
    with pytest.raises(UploadOffsetMismatch):
        await run(store, blocks())
    assert (store.cancelled, store.under_way, store.parts) == (1, 0, [])
    assert asyncio.all_tasks() == before


async def test_a_cancelled_call_ends_what_is_being_stored() -> None:
    store = PartsInMemory(gate=asyncio.Event())

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
    assert asyncio.all_tasks() == before
