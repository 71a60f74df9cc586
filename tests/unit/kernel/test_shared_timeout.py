"""Waits of one length share a timer, and each ends as `asyncio.timeout` would end it."""

import asyncio

import pytest
from camillo_server.kernel.clock import SharedTimeout

LONG = 60.0


async def answered(value: str) -> str:
    await asyncio.sleep(0)
    return value


async def test_what_comes_in_time_is_returned_and_what_does_not_ends() -> None:
    timeout = SharedTimeout(0.01)
    assert await timeout.wait(answered("שלום 👋🏽")) == "שלום 👋🏽"
    for _ in range(2):
        with pytest.raises(TimeoutError):
            await timeout.wait(asyncio.Event().wait())
        task = asyncio.current_task()
        assert task is not None
        # Who waited goes on as if nobody had cancelled it.
        assert task.cancelling() == 0
        assert await timeout.wait(answered("茶")) == "茶"


async def test_errors_of_what_is_waited_for_pass() -> None:
    async def fail() -> None:
        raise KeyError("漢字")

    with pytest.raises(KeyError):
        await SharedTimeout(LONG).wait(fail())


async def test_each_wait_has_its_whole_time_and_all_one_timer() -> None:
    timeout, loop, ended = SharedTimeout(0.05), asyncio.get_running_loop(), dict[str, float]()

    async def wait(name: str) -> None:
        began = loop.time()
        with pytest.raises(TimeoutError):
            await timeout.wait(asyncio.Event().wait())
        ended[name] = loop.time() - began

    first = asyncio.create_task(wait("first"))
    with pytest.raises(TimeoutError):
        await SharedTimeout(0.02).wait(asyncio.Event().wait())
    await asyncio.gather(first, wait("second"), wait("third"))
    assert list(ended) == ["first", "second", "third"]
    assert min(ended.values()) >= 0.05
    assert not timeout._ends


async def test_who_is_cancelled_is_not_told_of_a_timeout() -> None:
    timeout = SharedTimeout(LONG)
    waiting = asyncio.create_task(timeout.wait(asyncio.Event().wait()))
    await asyncio.sleep(0)
    assert waiting in timeout._ends
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not timeout._ends


async def test_a_task_that_expires_as_it_is_cancelled_stays_cancelled() -> None:
    timeout = SharedTimeout(0.0)
    waiting = asyncio.create_task(timeout.wait(asyncio.Event().wait()))
    await asyncio.sleep(0)
    timeout._expire()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    waiting = asyncio.create_task(timeout.wait(asyncio.Event().wait()))
    await asyncio.sleep(0)
    timeout._expire()
    with pytest.raises(TimeoutError):
        await waiting
