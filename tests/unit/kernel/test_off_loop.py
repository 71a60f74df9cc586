"""Short work stays on the event loop, long work leaves it, and many pieces let others run."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar

import pytest
from camillo_server.kernel.off_loop import (
    MAX_LOOP_CHARACTERS,
    MAX_LOOP_SECONDS,
    UNBOUNDED,
    TimeSlices,
    fits_loop,
    off_loop,
)

CALLER: ContextVar[str] = ContextVar("caller")


@pytest.mark.parametrize("cost", [0, MAX_LOOP_CHARACTERS])
async def test_short_work_is_done_at_once(cost: float) -> None:
    others = asyncio.create_task(asyncio.sleep(0))
    assert await off_loop(cost, threading.get_ident) == threading.get_ident()
    assert fits_loop(cost)
    assert not others.done()
    await others
    assert others.done()


@pytest.mark.parametrize("cost", [MAX_LOOP_CHARACTERS + 1, UNBOUNDED])
async def test_long_work_is_done_in_a_thread_with_the_context_of_the_call(cost: float) -> None:
    CALLER.set("ada")
    assert not fits_loop(cost)
    thread, caller = await off_loop(cost, lambda: (threading.get_ident(), CALLER.get()))
    assert thread != threading.get_ident()
    assert caller == "ada"


async def test_work_is_done_in_the_pool_that_it_is_given() -> None:
    with ThreadPoolExecutor(1, thread_name_prefix="mine") as pool:
        name = await off_loop(UNBOUNDED, lambda: threading.current_thread().name, pool)
    assert name.startswith("mine")


async def test_what_the_work_raises_is_raised() -> None:
    for cost in (0, UNBOUNDED):
        with pytest.raises(ZeroDivisionError):
            await off_loop(cost, lambda: 1 // 0)


async def test_other_tasks_run_between_pieces_once_they_exceed_a_slice() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    waiting = asyncio.create_task(others())
    now = 0.0
    slices = TimeSlices(lambda: now)
    for _ in range(3):
        assert await slices.run(1, threading.get_ident) == threading.get_ident()
    assert turns == 0
    for _ in range(40):
        now += MAX_LOOP_SECONDS / 4
        await slices.spend()
    assert turns == 10
    waiting.cancel()


async def test_a_piece_that_took_longer_than_a_slice_lets_others_run() -> None:
    now = 0.0
    slices = TimeSlices(lambda: now)
    others = asyncio.create_task(asyncio.sleep(0))
    await slices.spend()
    assert not others.done()
    for _ in range(2):
        now += 2 * MAX_LOOP_SECONDS
        await slices.spend()
    assert others.done()


async def test_a_piece_longer_than_a_slice_is_done_in_a_thread() -> None:
    slices = TimeSlices()
    thread = await slices.run(MAX_LOOP_CHARACTERS + 1, threading.get_ident)
    assert thread != threading.get_ident()
