"""Work that goes on when its caller no longer waits: bounded, and ended in good order."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from camillo_server.kernel.background import LateWork
from camillo_server.kernel.ids import TenantId

ACME, RIVAL = TenantId("acme"), TenantId("rival")


@pytest.fixture
async def work() -> AsyncIterator[LateWork]:
    late = LateWork(max_of_tenant=3, max_of_all=4)
    yield late
    await late.close()


async def test_what_is_late_goes_on_and_what_is_done_in_time_is_told(work: LateWork) -> None:
    released, done = asyncio.Event(), list[str]()

    async def slow() -> None:
        await released.wait()
        done.append("late")

    task = work.start(slow(), ACME, 1)
    assert task
    assert not await work.wait({task}, 0)
    released.set()
    assert await work.wait({task}, 30)
    assert done == ["late"]


async def test_of_one_tenant_and_of_all_there_is_so_much(work: LateWork) -> None:
    released = asyncio.Event()

    async def slow() -> None:
        await released.wait()

    first = work.start(slow(), ACME, 3)
    assert first
    assert work.start(slow(), ACME, 1) is None
    assert work.start(slow(), RIVAL, 2) is None
    assert work.start(slow(), RIVAL, 1)
    released.set()
    await work.wait({first}, 30)
    assert work.start(slow(), ACME, 3)


async def test_a_caller_that_goes_away_takes_its_work_along(work: LateWork) -> None:
    began = asyncio.Event()

    async def endless() -> None:
        began.set()
        await asyncio.Event().wait()

    task = work.start(endless(), ACME, 1)
    assert task
    waiting = asyncio.create_task(work.wait({task}, 30))
    await began.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_work_that_fails_harms_nobody_who_no_longer_waits(work: LateWork) -> None:
    async def fails() -> None:
        raise LookupError

    task = work.start(fails(), ACME, 3)
    assert task
    assert await work.wait({task}, 30)
    with pytest.raises(LookupError):
        task.result()
    again = work.start(asyncio.sleep(0), ACME, 3)
    assert again
