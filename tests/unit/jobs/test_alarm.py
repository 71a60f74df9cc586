"""The alarm rings when the first retry is due, once for all that are."""

import asyncio

from camillo_server.across.lifecycle.background_jobs import Alarm

from tests.patience import PATIENCE_SECONDS


class Bell:
    """Counts how often it is rung."""

    def __init__(self) -> None:
        self.rung = 0
        self.heard = asyncio.Event()

    async def ring(self) -> None:
        self.rung += 1
        self.heard.set()

    async def hear(self) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self.heard.wait()
        self.heard.clear()


async def test_it_rings_for_the_earliest_first_and_once_for_all_that_are_due() -> None:
    alarm, bell = Alarm(), Bell()
    for seconds in (3600.0, 0.02, 0.0, 0.0):
        alarm.set(seconds)
    task = asyncio.create_task(alarm.run(bell.ring))
    await bell.hear()
    assert bell.rung == 1
    await bell.hear()
    assert bell.rung == 2
    # Set while it waits for something later.
    alarm.set(0.01)
    await bell.hear()
    assert bell.rung == 3
    task.cancel()
    await asyncio.wait({task})


async def test_it_is_silent_while_nothing_is_due() -> None:
    alarm, bell = Alarm(), Bell()
    task = asyncio.create_task(alarm.run(bell.ring))
    await asyncio.wait({task}, timeout=0.05)
    assert bell.rung == 0
    alarm.set(0.0)
    await bell.hear()
    task.cancel()
    await asyncio.wait({task})
