"""Tasks of one group: the first error is raised as it is, and nothing is left running."""

import asyncio

import pytest
from camillo_server.kernel.background import task_group


async def test_an_error_cancels_the_others_and_is_raised_as_it_is() -> None:
    ended: list[str] = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    async def fails() -> None:
        raise LookupError("gone")

    async def both() -> None:
        async with task_group() as group:
            group.create_task(waits())
            group.create_task(fails())

    with pytest.raises(LookupError, match="gone"):
        await both()
    assert ended == ["cancelled"]


async def test_without_an_error_all_results_are_there_at_the_end() -> None:
    async def number(value: int) -> int:
        await asyncio.sleep(0)
        return value

    async with task_group() as group:
        tasks = [group.create_task(number(each)) for each in range(3)]
    assert [task.result() for task in tasks] == [0, 1, 2]
