"""The spool's files when processes are killed, stopped, or start at once."""

from contextlib import ExitStack
from pathlib import Path

import pytest
from camillo_server.doors.spool.spool import Spool

from tests.faults.spool_child import APPENDERS, MAX_BYTES, number_of
from tests.faults.spool_process import spool_process
from tests.unit.spool.spooled_writes import KEYS, waiting_writes


async def left(directory: Path) -> list[int]:
    """The numbers of what can be adopted, in the order in which they are handed out; nothing is done."""
    spool = Spool(directory, MAX_BYTES, KEYS)
    await spool.open()
    numbers = [number_of(write) for write in await waiting_writes(spool)]
    await spool.close()
    return numbers


@pytest.mark.parametrize("seed", ["1", "2", "3", "4"])
async def test_every_acknowledged_append_outlives_a_kill_in_its_order(tmp_path: Path, seed: str) -> None:
    with spool_process(tmp_path, "append", seed) as process:
        acknowledged = set(await process.lines(50 + 61 * int(seed)))
        acknowledged |= set(await process.kill())
    numbers = await left(tmp_path)
    assert numbers == sorted(numbers)
    assert acknowledged <= set(numbers)
    assert len(numbers) <= len(acknowledged) + APPENDERS
    # In clear nowhere: the texts are what was read.
    assert "Fridays" not in "".join(path.read_bytes().decode("latin-1") for path in tmp_path.iterdir())


async def test_what_is_done_is_not_handed_out_again_after_a_kill(tmp_path: Path) -> None:
    with spool_process(tmp_path, "append", "7") as process:
        await process.lines(300)
        await process.kill()
    expected = await left(tmp_path)
    seen: list[int] = []
    for _ in range(3):
        with spool_process(tmp_path, "replay") as process:
            lines = [*await process.lines(70), *await process.kill()]
        numbers = [each for each in lines if each != "all"]
        # Earlier ones are recorded as replayed, except for the last few.
        repeated = len(set(seen) & set(numbers))
        assert repeated <= 64
        assert numbers == sorted(numbers)
        seen += numbers
    with spool_process(tmp_path, "replay") as process:
        while (line := await process.line()) != "all":
            seen.append(line)
        assert list(tmp_path.iterdir()) == []
    assert sorted(set(seen)) == expected
    assert await left(tmp_path) == []


async def test_of_several_that_adopt_at_once_each_file_has_one(tmp_path: Path) -> None:
    directory, gate = tmp_path / "spool", tmp_path / "gate"
    appended: set[int] = set()
    with ExitStack() as stack:
        begun = [stack.enter_context(spool_process(directory, "append", str(n), str(100_000 * n))) for n in range(3)]
        for process in begun:
            appended |= set(await process.lines(40))
        for process in begun:
            appended |= set(await process.kill())
    assert len(list(directory.iterdir())) >= 3
    with ExitStack() as stack:
        adopting = [stack.enter_context(spool_process(directory, "adopt", str(gate))) for _ in range(4)]
        for process in adopting:
            assert await process.line() == "ready"
        gate.touch()
        taken = [await process.line() for process in adopting]
        # All of them live, and nothing is left.
        assert await left(directory) == []
    numbers = [number for each in taken for number in each]
    assert len(numbers) == len(set(numbers))
    assert appended <= set(numbers)
    assert len(numbers) <= len(appended) + 3 * APPENDERS


async def test_a_stopped_process_keeps_its_file_and_a_killed_one_loses_it(tmp_path: Path) -> None:
    with spool_process(tmp_path, "append", "1") as process:
        acknowledged = set(await process.lines(30))
        process.stop()
        assert await left(tmp_path) == []
        acknowledged |= set(await process.kill())
    assert acknowledged <= set(await left(tmp_path))
