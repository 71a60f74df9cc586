"""The spool where the disk is full or fails: what was acknowledged stays, and what fits again is taken again."""

import errno
import os
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from camillo_server.doors.spool.spool import Spool
from camillo_server.doors.spool.spooled_write import SpooledWrite
from camillo_server.kernel.errors import SpoolUnavailable

from tests.faults.spool_child import MAX_BYTES, number_of, numbered_write
from tests.faults.spool_process import spool_process
from tests.unit.spool.spooled_writes import KEYS, waiting_writes

MIB = 1 << 20


@pytest.fixture
async def small_disk(tmp_path: Path) -> AsyncIterator[Path]:
    """A disk of a mebibyte, where this process may mount one."""
    directory = tmp_path / "disk"
    directory.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(directory)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("this process may not mount a disk")
    yield directory
    subprocess.run(["umount", "--lazy", str(directory)], check=True)


@pytest.fixture
async def spool(tmp_path: Path) -> AsyncIterator[Spool]:
    spool = Spool(tmp_path / "spool", MAX_BYTES, KEYS)
    yield spool
    await spool.close()


async def append_all(spool: Spool, numbers: range, size: int) -> list[SpooledWrite]:
    """Appends writes and returns those that were acknowledged."""
    accepted = []
    for write in (numbered_write(number, size) for number in numbers):
        try:
            await spool.append(write)
        except SpoolUnavailable:
            continue
        accepted.append(write)
    return accepted


async def test_a_full_disk_refuses_writes_and_keeps_those_before(small_disk: Path) -> None:
    spool = Spool(small_disk / "spool", MAX_BYTES, KEYS)
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(300_000))
    accepted = await append_all(spool, range(40), 50_000)
    assert 10 < len(accepted) < 15
    # A smaller one fits: the frame that did not was taken back.
    accepted += await append_all(spool, range(40, 41), 500)
    assert number_of(accepted[-1]) == 40
    assert await waiting_writes(spool) == accepted
    ballast.unlink()
    accepted += await append_all(spool, range(41, 44), 50_000)
    assert number_of(accepted[-1]) == 43
    await spool.close()
    # One file, without a gap.
    assert len(list((small_disk / "spool").iterdir())) == 1
    adopting = Spool(small_disk / "spool", MAX_BYTES, KEYS)
    await adopting.open()
    assert await waiting_writes(adopting) == accepted
    await adopting.done(accepted)
    assert list((small_disk / "spool").iterdir()) == []
    await adopting.close()


async def test_a_disk_without_room_for_a_file_refuses_writes_until_it_has(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    with pytest.raises(OSError, match="No space"):
        ballast.write_bytes(bytes(2 * MIB))
    spool = Spool(small_disk / "spool", MAX_BYTES, KEYS)
    assert await append_all(spool, range(3), 5_000) == []
    assert list((small_disk / "spool").glob("*")) == []
    ballast.unlink()
    assert len(await append_all(spool, range(3), 5_000)) == 3
    await spool.close()


async def test_the_largest_file_of_the_system_ends_a_file_and_no_write(tmp_path: Path) -> None:
    with spool_process(tmp_path, "fill", "300000") as process:
        acknowledged = []
        while (line := await process.line()) != "all":
            acknowledged.append(line)
        await process.kill()
    assert len(acknowledged) > 20
    spool = Spool(tmp_path, MAX_BYTES, KEYS)
    await spool.open()
    assert [number_of(each) for each in await waiting_writes(spool)] == acknowledged
    await spool.close()


async def test_after_a_failed_sync_another_file_is_begun(
    spool: Spool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = await append_all(spool, range(3), 500)
    with monkeypatch.context() as failing:
        failing.setattr(os, "fdatasync", fail)
        assert await append_all(spool, range(3, 5), 500) == []
    after = await append_all(spool, range(5, 8), 500)
    assert [number_of(each) for each in after] == [5, 6, 7]
    assert len(list((tmp_path / "spool").iterdir())) == 2
    assert await waiting_writes(spool) == [*before, *after]
    await spool.done([*before, *after])
    assert list((tmp_path / "spool").iterdir()) == []


async def test_what_is_done_is_recorded_once_the_disk_takes_it(
    spool: Spool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = await append_all(spool, range(70), 100)
    assert await waiting_writes(spool) == writes
    with monkeypatch.context() as failing:
        failing.setattr(os, "fdatasync", fail)
        await spool.done(writes[:65])
    await spool.close()
    adopting = Spool(tmp_path / "spool", MAX_BYTES, KEYS)
    await adopting.open()
    assert await waiting_writes(adopting) == writes[65:]
    await adopting.close()


async def test_what_the_disk_cannot_read_is_told_as_damage(
    spool: Spool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = await append_all(spool, range(3), 5_000)
    await spool.close()
    pread = os.pread

    def bad_sector(descriptor: int, size: int, offset: int) -> bytes:
        if offset < 8_000 < offset + size:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return pread(descriptor, size, offset)

    monkeypatch.setattr(os, "pread", bad_sector)
    adopting = Spool(tmp_path / "spool", MAX_BYTES, KEYS)
    await adopting.open()
    items = [item async for batch in adopting.batches() for item in batch]
    assert [isinstance(item, SpooledWrite) for item in items] == [True, False, True]
    assert (items[0], items[2]) == (writes[0], writes[2])
    await adopting.close()


def fail(_: int) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))
