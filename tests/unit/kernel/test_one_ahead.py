"""Work that goes on beside its caller: in order, its failures told once, nothing left running."""

import asyncio
import gc
import inspect
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import pytest
import pytest_asyncio
from camillo_server.kernel.background import OneAhead

# A loop of its own: in the one that tests share, the servers of other tests begin tasks, too.
pytestmark = pytest.mark.asyncio(loop_scope="function")


class Broken(Exception):
    pass


class Work:
    """Tells what begins and ends, and ends when it is let."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.let = asyncio.Event()

    async def wait(self, name: str) -> None:
        self.told.append(f"{name} begins")
        try:
            await self.let.wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            self.told.append(f"{name} cancelled")
            raise
        self.told.append(f"{name} ends")

    async def fail_in_the_end(self, name: str) -> None:
        """Fails when it is cancelled, as what has to be rolled back can."""
        try:
            await self.wait(name)
        finally:
            await self.fail(name)

    async def fail(self, name: str) -> None:
        self.told.append(f"{name} fails")
        raise Broken(name)


async def turns() -> None:
    """Passes the loop so often that all that can go on has gone on."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest_asyncio.fixture(loop_scope="function")
async def unseen() -> AsyncIterator[list[dict[str, Any]]]:
    """Errors that the loop would put into its log."""
    seen: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    loop.set_exception_handler(lambda _, context: seen.append(context))
    yield seen
    gc.collect()
    loop.set_exception_handler(before)


async def test_work_goes_on_beside_its_caller_and_one_after_the_other() -> None:
    work = Work()
    async with OneAhead() as ahead:
        await ahead.run(work.wait("first"))
        await turns()
        assert work.told == ["first begins"]
        second = asyncio.create_task(ahead.run(work.wait("second")))
        await turns()
        assert work.told == ["first begins"]
        work.let.set()
        await second
    assert work.told == ["first begins", "first ends", "second begins", "second ends"]


async def test_many_pieces_of_work_keep_their_order() -> None:
    came = []

    async def note(number: int) -> None:
        for _ in range(number % 3):
            await asyncio.sleep(0)
        came.append(number)

    async with OneAhead() as ahead:
        for number in range(20):
            await ahead.run(note(number))
    assert came == list(range(20))


async def test_a_failure_is_raised_once_and_the_next_work_never_begins() -> None:
    work = Work()
    ahead = OneAhead()
    await ahead.run(work.fail("first"))
    second = work.wait("second")
    with pytest.raises(Broken, match="first"):
        await ahead.run(second)
    assert inspect.getcoroutinestate(second) == inspect.CORO_CLOSED
    await ahead.settled()
    work.let.set()
    async with ahead:
        await ahead.run(work.wait("third"))
    assert work.told == ["first fails", "third begins", "third ends"]


async def test_the_last_failure_is_raised_at_the_end() -> None:
    work = Work()
    with pytest.raises(Broken, match="last"):
        async with OneAhead() as ahead:
            await ahead.run(work.fail("last"))


async def test_a_failure_cancels_nothing_else() -> None:
    work = Work()
    async with OneAhead() as other:
        await other.run(work.wait("other"))
        ahead = OneAhead()
        await ahead.run(work.fail("this"))
        with pytest.raises(Broken):
            await ahead.settled()
        await turns()
        assert work.told == ["other begins", "this fails"]
        work.let.set()
    assert work.told == ["other begins", "this fails", "other ends"]


async def failing_beside(running: Coroutine[Any, Any, None]) -> None:
    """A caller that fails when its work has come as far as it can."""
    async with OneAhead() as ahead:
        await ahead.run(running)
        await turns()
        raise Broken("caller")


async def test_what_runs_is_cancelled_and_waited_for_where_the_caller_fails() -> None:
    work = Work()
    with pytest.raises(Broken, match="caller"):
        await failing_beside(work.wait("work"))
    assert work.told == ["work begins", "work cancelled"]


@pytest.mark.parametrize("waits_for", ["its own", "run", "settled", "the end"])
async def test_cancelling_the_caller_cancels_what_runs(waits_for: str) -> None:
    work = Work()

    async def call() -> None:
        async with OneAhead() as ahead:
            await ahead.run(work.wait("work"))
            if waits_for == "its own":
                await asyncio.Event().wait()
            elif waits_for == "run":
                await ahead.run(work.wait("next"))
            elif waits_for == "settled":
                await ahead.settled()

    before = asyncio.all_tasks()
    caller = asyncio.create_task(call())
    await turns()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert work.told == ["work begins", "work cancelled"]
    assert asyncio.all_tasks() <= before


async def test_the_failure_of_the_caller_comes_before_that_of_its_work(unseen: list[dict[str, Any]]) -> None:
    work = Work()
    assert await failure_of(failing_beside(work.fail("early"))) == "caller"
    assert await failure_of(failing_beside(work.fail_in_the_end("late"))) == "caller"
    assert work.told == ["early fails", "late begins", "late cancelled", "late fails"]
    gc.collect()
    await turns()
    assert unseen == []
    await _lost_failure()
    assert [str(each["exception"]) for each in unseen] == ["lost"]


async def failure_of(call: Coroutine[Any, Any, None]) -> str:
    """The message of a failure: the error itself would keep alive what it came from."""
    try:
        await call
    except Broken as error:
        return str(error)
    return ""


async def _lost_failure() -> None:
    lost = asyncio.create_task(Work().fail("lost"))
    await turns()
    del lost
    gc.collect()
    await turns()


async def test_with_nothing_to_do_nothing_is_waited_for() -> None:
    async with OneAhead() as ahead:
        await ahead.settled()
    with pytest.raises(Broken):
        async with OneAhead():
            raise Broken
