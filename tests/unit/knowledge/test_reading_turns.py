"""Bounds of what one tenant's documents take of a server: turns, queues, splitting, and nothing behind a call's end."""

import asyncio
import os
import time
import tracemalloc
from contextlib import suppress

import pytest
from camillo_server.features.knowledge.conversion.converter import MAX_WAITING_OF_A_TENANT, ReadingSlots
from camillo_server.features.knowledge.conversion.document import ReadingLimits
from camillo_server.features.knowledge.conversion.read_document import read_document
from camillo_server.features.knowledge.passages import passages as splitting
from camillo_server.features.knowledge.passages.passages import document_passages, split_document
from camillo_server.kernel.errors import DocumentUnreadable, Overloaded
from camillo_server.kernel.off_loop import current_tenant

from tests.patience import FACTOR, PATIENCE_SECONDS


async def hold(slots: ReadingSlots, tenant: str, began: list[str], end: asyncio.Event) -> None:
    async with slots.slot(tenant):
        began.append(tenant)
        await end.wait()


async def test_a_tenant_with_many_documents_holds_up_no_other() -> None:
    slots, began, end = ReadingSlots(), list[str](), asyncio.Event()
    crowd = [asyncio.create_task(hold(slots, "crowd", began, end)) for _ in range(8)]
    await asyncio.sleep(0)
    other = asyncio.create_task(hold(slots, "other", began, end))
    await asyncio.sleep(0)
    assert began == ["crowd", "other"]
    end.set()
    await asyncio.gather(*crowd, other)
    assert began == ["crowd", "other"] + ["crowd"] * 7


async def test_a_full_queue_is_told_with_a_time_to_come_again() -> None:
    slots, began, end = ReadingSlots(), list[str](), asyncio.Event()
    tasks = [asyncio.create_task(hold(slots, "crowd", began, end)) for _ in range(1 + MAX_WAITING_OF_A_TENANT)]
    await asyncio.sleep(0)
    with pytest.raises(Overloaded) as refusal:
        async with slots.slot("crowd"):
            pass
    assert refusal.value.retry_after_seconds is not None
    # Who gives up leaves its place to another.
    tasks.pop().cancel()
    await asyncio.sleep(0)
    tasks.append(asyncio.create_task(hold(slots, "crowd", began, end)))
    tasks.append(asyncio.create_task(hold(slots, "other", began, end)))
    await asyncio.sleep(0)
    assert began == ["crowd", "other"]
    end.set()
    await asyncio.gather(*tasks)
    assert began.count("crowd") == 1 + MAX_WAITING_OF_A_TENANT


async def test_too_many_headings_are_refused_at_once_and_in_little_memory() -> None:
    limits, fits = ReadingLimits(), b"# \xe7\xab\xa0\n\ntext\n" * 1_000
    assert (await read_document(fits, "text/markdown", "a.md", limits)).title == "章"
    content = b"# a\n" * 1_700_000
    taken = []
    for _ in range(3):
        tracemalloc.start()
        begin = time.monotonic()
        with pytest.raises(DocumentUnreadable, match="headings"):
            await read_document(content, "text/markdown", "a.md", limits)
        taken.append(time.monotonic() - begin)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 50 << 20
    assert min(taken) < 1 * FACTOR


async def test_a_large_text_is_split_alike_in_a_process_of_its_own() -> None:
    text = "# 章 one\n\nSome words of it, مرحبا 🧾.\n\n" * 8_000
    assert len(text) > splitting.LARGE_CHARACTERS
    split = await split_document(text, "text/markdown")
    assert list(split) == list(document_passages(text, "text/markdown"))
    assert len(split) > 100


async def test_a_call_that_ends_kills_the_process_that_reads_for_it() -> None:
    current_tenant.set("acme")
    text = "a\n\n" * 2_000_000
    reading = asyncio.create_task(split_document(text, "text/plain"))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not (children := _children()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    reading.cancel()
    with suppress(asyncio.CancelledError):
        await reading
    assert not children & _children()


def _children() -> set[str]:
    """Processes of this one that read documents."""
    found = set[str]()
    with open(f"/proc/self/task/{os.getpid()}/children") as file:
        for pid in file.read().split():
            with suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as command:
                if b"knowledge.conversion.child" in command.read():
                    found.add(pid)
    return found
