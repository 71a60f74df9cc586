"""Two pieces of work at once that end in their order: failures are told, and nothing is left running."""

import asyncio
import gc
from functools import partial

import pytest
from camillo_server.kernel.background import Before, InOrder

# A loop of its own: in the one that tests share, the servers of other tests begin tasks, too.
pytestmark = pytest.mark.asyncio(loop_scope="function")


class Broken(Exception):
    pass


class Work:
    """Has a part that may overlap, and then waits for its turn."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.let = asyncio.Event()
        self.fails: set[str] = set()

    async def __call__(self, name: str, before: Before) -> None:
        self.told.append(f"{name} begins")
        try:
            if before is not None:
                await before
            await self.let.wait()
        except asyncio.CancelledError:
            self.told.append(f"{name} cancelled")
            raise
        if name in self.fails:
            raise Broken(name)
        self.told.append(f"{name} ends")


async def turns() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def run_all(work: Work, names: str, failure: Exception | None = None) -> None:
    """Runs them in one block, which fails in the end if it is told to."""
    async with InOrder() as in_order:
        for name in names:
            await in_order.run(partial(work, name))
        if failure is not None:
            await turns()
            raise failure


async def test_two_are_under_way_and_end_in_their_order() -> None:
    work = Work()
    async with InOrder() as in_order:
        for name in "ab":
            await in_order.run(partial(work, name))
        await turns()
        assert work.told == ["a begins", "b begins"]
        third = asyncio.create_task(in_order.run(partial(work, "c")))
        await turns()
        assert work.told == ["a begins", "b begins"]
        work.let.set()
        await third
    assert [each for each in work.told if each.endswith("ends")] == ["a ends", "b ends", "c ends"]


async def test_a_failure_is_raised_and_what_waits_behind_it_does_nothing() -> None:
    work = Work()
    work.fails = {"a"}
    work.let.set()
    seen: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: seen.append(context))
    with pytest.raises(Broken, match="a"):
        await run_all(work, "abc")
    gc.collect()
    await turns()
    asyncio.get_running_loop().set_exception_handler(None)
    assert not [each for each in work.told if each.endswith("ends")]
    assert seen == []


async def test_a_failing_block_ends_all_that_runs() -> None:
    work = Work()
    before = asyncio.all_tasks()
    with pytest.raises(Broken, match="the block"):
        await run_all(work, "ab", Broken("the block"))
    assert sorted(work.told) == ["a begins", "a cancelled", "b begins", "b cancelled"]
    assert asyncio.all_tasks() <= before


async def test_the_end_of_the_block_waits_for_the_last() -> None:
    work = Work()
    async with InOrder() as in_order:
        await in_order.run(partial(work, "a"))
        await turns()
        work.let.set()
    assert work.told == ["a begins", "a ends"]
