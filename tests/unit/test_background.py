"""Background tasks end when they are stopped, with whatever becomes of the cancellation."""

import asyncio

import pytest
from camillo_server.kernel import background
from camillo_server.kernel.background import BackgroundTasks

# Less than what is waited for until a task is cancelled again.
PATIENCE_SECONDS = 30


async def lose_a_cancellation(began: asyncio.Event) -> None:
    """Swallows a cancellation, as asyncio.wait_for of Python 3.11 does now and then."""
    began.set()
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        return


async def test_a_stop_waits_for_what_cleans_up() -> None:
    began, cleaned_up = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(10):
                await asyncio.sleep(0)
            cleaned_up.set()

    tasks = BackgroundTasks()
    tasks.run("cleans up", work)
    await began.wait()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await tasks.stop()
    assert cleaned_up.is_set()


@pytest.mark.parametrize("is_repeated", [False, True])
async def test_work_that_loses_its_cancellation_is_not_done_again(is_repeated: bool) -> None:
    began, times = asyncio.Event(), 0

    async def work() -> None:
        nonlocal times
        times += 1
        await lose_a_cancellation(began)

    tasks = BackgroundTasks()
    if is_repeated:
        tasks.repeat("loses it", work, 0.0)
    else:
        tasks.run("loses it", work)
    await began.wait()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await tasks.stop()
    assert times == 1


async def test_work_that_goes_on_for_all_that_is_cancelled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "CLEAN_UP_SECONDS", 0.01)
    began, went_on = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await lose_a_cancellation(began)
        went_on.set()
        await asyncio.Event().wait()

    tasks = BackgroundTasks()
    tasks.run("goes on", work)
    await began.wait()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await tasks.stop()
    assert went_on.is_set()
