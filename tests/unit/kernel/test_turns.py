"""Slots and the event loop are shared by tenants in turns; while there is room, nobody waits."""

import asyncio
import threading
import time
from collections.abc import Iterator
from itertools import count, pairwise
from statistics import median

import pytest
from camillo_server.kernel.off_loop import (
    MAX_LOOP_SECONDS,
    QUIET_ITERATIONS,
    UNBOUNDED,
    FairSlots,
    LoopTurns,
    TimeSlices,
    current_tenant,
    next_turn,
    off_loop,
    set_weight,
    yield_turn,
)

from tests.patience import PATIENCE_SECONDS


async def passes(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_a_free_slot_is_taken_at_once_and_one_tenant_leaves_some() -> None:
    slots = FairSlots(3, 2)
    assert [slots.take("noisy") for _ in range(3)] == [True, True, False]
    assert slots.take("quiet")
    assert not slots.take("quiet")
    slots.release("noisy")
    assert slots.take("quiet")


async def test_those_who_wait_take_turns_by_tenant() -> None:
    slots, order = FairSlots(1), list[str]()
    assert slots.take("noisy")

    async def work(tenant_id: str) -> None:
        await slots.wait(tenant_id)
        order.append(tenant_id)
        await asyncio.sleep(0)
        slots.release(tenant_id)

    waiting = [asyncio.create_task(work("noisy")) for _ in range(50)]
    await passes(2)
    waiting += [asyncio.create_task(work(each)) for each in ("a", "b", "a", "b")]
    await passes(2)
    slots.release("noisy")
    await asyncio.gather(*waiting)
    assert len(order) == 54
    # Each of three that wait has every third turn.
    assert sorted(order[:3]) == sorted(order[3:6]) == ["a", "b", "noisy"]


async def test_a_tenant_that_was_away_makes_up_for_nothing() -> None:
    slots, order = FairSlots(1), list[str]()
    assert slots.take("here")

    async def work(tenant_id: str) -> None:
        await slots.wait(tenant_id)
        order.append(tenant_id)
        if len(order) == 6:
            late.extend(asyncio.create_task(work("late")) for _ in range(10))
            await passes(2)
        slots.release(tenant_id)

    late = list[asyncio.Task[None]]()
    here = [asyncio.create_task(work("here")) for _ in range(20)]
    await passes(2)
    slots.release("here")
    await asyncio.gather(*here)
    await asyncio.gather(*late)
    assert order[:6] == ["here"] * 6
    assert sorted(order[6:14]) == ["here"] * 4 + ["late"] * 4


async def test_who_no_longer_waits_has_no_turn() -> None:
    slots = FairSlots(1)
    assert slots.take("a")
    gone, staying = (asyncio.create_task(slots.wait(each)) for each in ("a", "b"))
    await passes(2)
    gone.cancel()
    slots.release("a")
    await staying
    # Given up in the moment in which it came.
    late = asyncio.create_task(slots.wait("a"))
    await passes(2)
    slots.release("b")
    late.cancel()
    with pytest.raises(asyncio.CancelledError):
        await late
    assert slots.take("c")


async def test_one_begins_in_each_pass_of_the_loop_and_tenants_take_turns() -> None:
    turns, began = LoopTurns(), list[str]()

    async def work(tenant_id: str) -> None:
        if not turns.take(tenant_id):
            await turns.wait(tenant_id)
        began.append(tenant_id)

    noisy = [asyncio.create_task(work("noisy")) for _ in range(50)]
    await passes(5)
    before = len(began)
    assert 1 <= before <= 6
    quiet = asyncio.create_task(work("quiet"))
    # Two turns, with a pause before each.
    await passes(2 * QUIET_ITERATIONS + 4)
    assert quiet.done()
    assert len(began) - before <= 6
    await asyncio.gather(*noisy)
    # Nobody else: at once.
    await passes(2)
    assert turns.take("quiet")


async def test_heavy_work_in_slices_lets_another_tenant_begin_between_them() -> None:
    lengths = list[int]()

    async def heavy() -> None:
        current_tenant.set("noisy")
        slices = TimeSlices(count(step=MAX_LOOP_SECONDS).__next__)
        for _ in range(10):
            lengths.append(1)
            await slices.spend()

    tasks = [asyncio.create_task(heavy()) for _ in range(32)]
    await passes(40)
    current_tenant.set("quiet")
    before = len(lengths)
    await next_turn()
    # One of the 32 for each pass, and not all of them.
    assert len(lengths) - before <= 4
    await asyncio.gather(*tasks)
    assert len(lengths) == 320


async def test_where_several_tenants_call_each_has_one_thread() -> None:
    loop, release = asyncio.get_running_loop(), asyncio.Event()
    started = list[str]()
    for each in ("noisy", "quiet"):
        current_tenant.set(each)
        await next_turn()

    def block(tenant_id: str) -> None:
        loop.call_soon_threadsafe(started.append, tenant_id)
        asyncio.run_coroutine_threadsafe(release.wait(), loop).result(PATIENCE_SECONDS)

    async def work(tenant_id: str) -> None:
        current_tenant.set(tenant_id)
        await off_loop(UNBOUNDED, lambda: block(tenant_id))

    noisy = [asyncio.create_task(work("noisy")) for _ in range(20)]
    quiet = asyncio.create_task(work("quiet"))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(started) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert sorted(started) == ["noisy", "quiet"]
    # A thread goes on when its caller leaves, and is not given away before it ends.
    noisy[0].cancel()
    await passes(10)
    assert len(started) == 2
    release.set()
    await quiet
    await asyncio.gather(*noisy[1:])
    assert started.count("noisy") == 20


def compute() -> None:
    """Work of one slice."""
    end = time.perf_counter() + MAX_LOOP_SECONDS
    while time.perf_counter() < end:
        pass


@pytest.fixture
def light() -> Iterator[str]:
    """A tenant that has one turn for ten of each other."""
    set_weight("light", 0.1)
    yield "light"
    set_weight("light", 1)


@pytest.mark.parametrize("is_yielding", [True, False])
async def test_work_in_a_thread_takes_turns_with_other_tenants(light: str, is_yielding: bool) -> None:
    current_tenant.set(light)
    order, is_over = list[str](), threading.Event()

    def work() -> None:
        for _ in range(6):
            compute()
            if is_yielding:
                yield_turn()
            order.append(light)
        is_over.set()

    async def keep_calling(tenant_id: str) -> None:
        current_tenant.set(tenant_id)
        while not is_over.is_set():
            await next_turn()
            compute()
            order.append(tenant_id)
            await asyncio.sleep(0)

    callers = [asyncio.create_task(keep_calling(each)) for each in "ab"]
    await passes(QUIET_ITERATIONS)
    async with asyncio.timeout(PATIENCE_SECONDS):
        await off_loop(UNBOUNDED, work)
    await asyncio.gather(*callers)
    slices = [index for index, each in enumerate(order) if each == light]
    between = [order[before:after] for before, after in pairwise(slices)]
    # A thread that does not yield has the interpreter's lock for half of the time.
    assert (median(min(each.count("a"), each.count("b")) for each in between) >= 5) is is_yielding


async def test_on_the_event_loop_there_is_nothing_to_yield() -> None:
    compute()
    yield_turn()
    await off_loop(0, yield_turn)
    other = asyncio.create_task(asyncio.sleep(0))
    yield_turn()
    assert not other.done()
    await other
