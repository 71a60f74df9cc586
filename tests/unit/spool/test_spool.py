"""The spool of a process, on a real disk: order, bounds, what is done, and what another process left."""

import asyncio
import os
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import TypeAlias

import pytest
from camillo_server.doors.rpc.errors import to_status
from camillo_server.doors.spool.spool import Spool
from camillo_server.doors.spool.spooled_write import DamagedFrame, SpooledWrite, Waiting
from camillo_server.kernel.errors import SpoolUnavailable, StorageUnavailable
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring

from tests.patience import PATIENCE_SECONDS
from tests.unit.spool.spooled_writes import KEYS, NOON, OTHER_KEYS, TEXTS, all_waiting, spooled_write, waiting_writes

MIB = 1 << 20
Opened: TypeAlias = Callable[..., AbstractAsyncContextManager[Spool]]


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    """Opens spools of one directory, each as if it were of a process of its own: their locks are."""

    @asynccontextmanager
    async def open_spool(keyring: Keyring = KEYS, max_bytes: int = 8 * MIB) -> AsyncIterator[Spool]:
        spool = Spool(tmp_path / "spool", max_bytes, keyring)
        await spool.open()
        try:
            yield spool
        finally:
            await spool.close()

    return open_spool


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "spool"


def files(directory: Path, suffix: str = ".spool") -> list[Path]:
    return sorted(directory.glob(f"*{suffix}"))


async def append_all(spool: Spool, writes: list[SpooledWrite]) -> list[SpooledWrite]:
    await asyncio.gather(*map(spool.append, writes))
    return writes


async def test_writes_come_back_in_the_order_of_their_appends(opened: Opened) -> None:
    async with opened() as spool:
        writes = await append_all(spool, [spooled_write(number) for number in range(40)])
        assert await waiting_writes(spool) == writes
        # Again, until they are done.
        assert await waiting_writes(spool) == writes
        await spool.done(writes)
        assert await waiting_writes(spool) == []


async def test_nothing_is_created_before_it_is_needed(opened: Opened, directory: Path) -> None:
    async with opened() as spool:
        assert await spool.adopt() == 0
        assert await all_waiting(spool) == []
        await spool.done([spooled_write()])
        assert not directory.exists()
        await spool.append(spooled_write())
        assert len(files(directory)) == 1


async def test_files_are_for_their_owner_alone(opened: Opened, directory: Path) -> None:
    async with opened() as spool:
        writes = await append_all(spool, [spooled_write(number) for number in range(80)])
        await waiting_writes(spool)
        await spool.done(writes[:70])
        modes = {path.suffix: stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()}
        assert modes == {".spool": 0o600, ".done": 0o600}
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def figures(spool: Spool) -> tuple[int, int, datetime | None]:
    return spool.waiting_count, spool.byte_count, spool.oldest_accepted_at


async def test_what_is_left_is_counted(opened: Opened) -> None:
    alice, shared = (Scope(TenantId("acme"), AgentId(each)) for each in ("алиса", ""))
    async with opened() as spool:
        assert figures(spool) == (0, 0, None)
        writes = [spooled_write(0), spooled_write(1), spooled_write(2, agent="")]
        await append_all(spool, writes)
        assert (spool.waiting(alice), spool.waiting(shared), spool.waiting_count) == (2, 1, 3)
        assert spool.oldest_accepted_at == NOON
        assert spool.byte_count > 3 * 400
        await waiting_writes(spool)
        await spool.done([writes[0], writes[2], writes[0]])
        assert (spool.waiting(alice), spool.waiting(shared), spool.waiting_count) == (1, 0, 1)
        assert spool.oldest_accepted_at == writes[1].accepted_at
        await spool.done([writes[1]])
        assert figures(spool) == (0, 0, None)


async def test_a_file_all_of_whose_writes_are_done_is_removed(opened: Opened, directory: Path) -> None:
    async with opened() as spool:
        for _ in range(3):
            writes = await append_all(spool, [spooled_write(number) for number in range(70)])
            assert len(files(directory)) == 1
            await waiting_writes(spool)
            for write in writes:
                await spool.done([write])
            assert list(directory.iterdir()) == []


async def test_appends_that_wait_share_a_sync(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    syncs = 0
    fdatasync = os.fdatasync

    def counted(descriptor: int) -> None:
        nonlocal syncs
        syncs += 1
        fdatasync(descriptor)

    monkeypatch.setattr(os, "fdatasync", counted)
    async with opened() as spool:
        for number in range(3):
            await spool.append(spooled_write(number))
        assert syncs == 3
        await append_all(spool, [spooled_write(number) for number in range(3, 40)])
        assert syncs == 4


async def test_batches_are_bounded_by_bytes(opened: Opened) -> None:
    async with opened() as spool:
        writes = [spooled_write(number, bytes(10_000)) for number in range(10)]
        writes.append(spooled_write(10, bytes(100_000)))
        await append_all(spool, writes)
        batches = [list(batch) async for batch in spool.batches(35_000)]
        assert [len(batch) for batch in batches] == [3, 3, 3, 1, 1]
        assert list(chain(*batches)) == writes


async def test_a_pass_leaves_out_what_is_done_or_comes_meanwhile(opened: Opened) -> None:
    async with opened() as spool:
        writes = await append_all(spool, [spooled_write(n, bytes(1000)) for n in range(9)])
        await waiting_writes(spool)
        seen: list[Waiting] = []
        async for batch in spool.batches(3500):
            if not seen:
                await spool.done(writes[3:6])
                await spool.append(spooled_write(9))
            seen += batch
        assert seen == [*writes[:3], *writes[6:]]
        assert spool.waiting_count == 7


async def test_only_what_is_not_done_is_adopted(opened: Opened, directory: Path) -> None:
    async with opened() as spool:
        writes = await append_all(spool, [spooled_write(number) for number in range(9)])
        await waiting_writes(spool)
        await spool.done([writes[0], writes[1], writes[5]])
    async with opened() as spool:
        left = [each for number, each in enumerate(writes) if number not in (0, 1, 5)]
        assert await waiting_writes(spool) == left
        assert spool.waiting(writes[0].scope) == len(left)
        assert spool.oldest_accepted_at == writes[2].accepted_at
        await spool.done(left)
        assert list(directory.iterdir()) == []


async def test_a_file_of_a_living_process_is_not_adopted(opened: Opened) -> None:
    async with opened() as first, opened() as second:
        await first.append(spooled_write(1))
        assert await second.adopt() == 0
        await second.append(spooled_write(0))
        await first.close()
        assert await second.adopt() == 1
        # Merged by the time of acceptance.
        assert [each.accepted_at.second for each in await waiting_writes(second)] == [0, 1]


async def fill(spool: Spool, tenants: list[str]) -> list[SpooledWrite]:
    """Appends writes of these in turn until the spool takes no more: those that it took."""
    accepted: list[SpooledWrite] = []
    for number in count():
        write = spooled_write(number, bytes(40_000), tenants[number % len(tenants)])
        try:
            await spool.append(write)
        except SpoolUnavailable:
            break
        accepted.append(write)
    return accepted


async def test_the_spool_is_full_at_its_bound_and_takes_writes_again_later(opened: Opened) -> None:
    async with opened(max_bytes=MIB) as spool:
        accepted = await fill(spool, ["one", "two", "three", "four"])
        assert 24 < len(accepted) < 27
        assert spool.byte_count <= MIB
        assert await waiting_writes(spool) == accepted
        await spool.done(accepted[:8])
        await spool.append(spooled_write(2000, bytes(40_000)))
        assert len(await waiting_writes(spool)) == len(accepted) - 8 + 1


def test_callers_are_told_that_the_database_is_away() -> None:
    assert issubclass(SpoolUnavailable, StorageUnavailable)
    assert to_status(SpoolUnavailable()) == to_status(StorageUnavailable())


async def test_one_tenant_may_use_half(opened: Opened) -> None:
    async with opened(max_bytes=MIB) as spool:
        results = await asyncio.gather(
            *(spool.append(spooled_write(number, bytes(40_000))) for number in range(30)), return_exceptions=True
        )
        assert 11 < results.count(None) < 14
        assert {type(each) for each in results} == {SpoolUnavailable, type(None)}
        # Another one still has its half.
        for number in range(10):
            await spool.append(spooled_write(number, bytes(40_000), "другой"))


async def test_what_cannot_be_opened_stays_and_is_opened_by_who_can(
    opened: Opened, directory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(KEYS) as spool:
        sealed = await append_all(spool, [spooled_write(number) for number in range(3)])
    async with opened(OTHER_KEYS) as spool:
        assert (spool.waiting_count, spool.unopened_count) == (0, 3)
        assert "cannot be opened" in caplog.text
        later = spooled_write(5)
        await spool.append(later)
        assert await waiting_writes(spool) == [later]
        await spool.done([later])
        assert len(files(directory)) == 1
    both = Keyring({"k2": b"2" * 32, "k1": b"1" * 32})
    async with opened(both) as spool:
        assert (spool.waiting_count, spool.unopened_count) == (3, 0)
        assert await waiting_writes(spool) == sealed


async def test_what_was_spooled_in_clear_is_read_when_there_are_keys(opened: Opened) -> None:
    async with opened(Keyring.empty()) as spool:
        clear = await append_all(spool, [spooled_write(number) for number in range(3)])
    async with opened(KEYS) as spool:
        assert await waiting_writes(spool) == clear
        assert [each.body.decode() for each in clear] == list(TEXTS)


async def test_damage_is_handed_out_in_its_place_and_done_like_a_write(opened: Opened, directory: Path) -> None:
    async with opened() as spool:
        writes = await append_all(spool, [spooled_write(number) for number in range(3)])
    (path,) = files(directory)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    async with opened() as spool:
        before, damaged, after = await all_waiting(spool)
        assert (before, after) == (writes[0], writes[2])
        assert isinstance(damaged, DamagedFrame)
        assert (damaged.tenant_id, damaged.spool_id) == ("acme", writes[1].spool_id)
        await spool.done([before, damaged])
        assert await all_waiting(spool) == [after]
    async with opened() as spool:
        assert await all_waiting(spool) == [after]
        await spool.done([after])
        assert list(directory.iterdir()) == []


async def test_damage_that_comes_while_the_file_is_held_is_told_too(opened: Opened, directory: Path) -> None:
    async with opened() as spool:
        writes = await append_all(spool, [spooled_write(number) for number in range(2)])
        (path,) = files(directory)
        with path.open("r+b") as file:
            file.seek(-1, os.SEEK_END)
            file.write(b"\0")
        first, damaged = await all_waiting(spool)
        assert first == writes[0]
        assert isinstance(damaged, DamagedFrame)
        await spool.done([first, damaged])
        assert (spool.waiting(writes[0].scope), spool.waiting_count) == (0, 0)
        assert list(directory.iterdir()) == []


async def test_files_that_are_none_are_passed_over_and_stay(
    opened: Opened, directory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    directory.mkdir()
    (directory / "notes.spool").write_bytes(b"what is this")
    (directory / "readme.txt").write_text("прочти меня")
    async with opened() as spool:
        await spool.adopt()
        await spool.append(spooled_write())
        assert len(await waiting_writes(spool)) == 1
    assert caplog.text.count("cannot be read") == 1
    assert (directory / "notes.spool").exists()
    assert (directory / "readme.txt").exists()


async def test_leftovers_of_killed_processes_are_removed(opened: Opened, directory: Path) -> None:
    async with opened() as spool:
        await spool.append(spooled_write())
    (held,) = files(directory)
    unfinished = directory / ".5a9a2b53-3f5f-4d0c-9c0d-7d4d3c0f5a11.spool"
    unfinished.write_bytes(b"CAMSP")
    orphan = directory / "5a9a2b53-3f5f-4d0c-9c0d-7d4d3c0f5a11.done"
    orphan.write_bytes(bytes(12))
    async with opened() as spool:
        assert spool.waiting_count == 1
        assert list(directory.iterdir()) == [held]


async def test_writes_of_one_file_keep_their_order_when_the_clock_goes_back(opened: Opened) -> None:
    async with opened() as spool:
        writes = await append_all(spool, [spooled_write(number) for number in (5, 3, 9, 1)])
        assert await waiting_writes(spool) == writes


async def test_a_large_spool_has_several_files_and_removes_those_that_are_done(opened: Opened, directory: Path) -> None:
    async with opened(max_bytes=MIB) as spool:
        writes = [spooled_write(number, bytes(30_000)) for number in range(15)]
        for write in writes:
            await spool.append(write)
        before = len(files(directory))
        assert before > 2
        assert await waiting_writes(spool) == writes
        await spool.done(writes[:10])
        assert len(files(directory)) < before
        assert await waiting_writes(spool) == writes[10:]


async def test_an_append_whose_caller_is_gone_costs_no_other(opened: Opened) -> None:
    async with opened() as spool:
        first = asyncio.create_task(spool.append(spooled_write(0)))
        gone = asyncio.create_task(spool.append(spooled_write(1)))
        last = asyncio.create_task(spool.append(spooled_write(2)))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(first, last)
        numbers = [each.accepted_at.second for each in await waiting_writes(spool)]
        assert numbers in ([0, 2], [0, 1, 2])
        assert not spool._reserved


async def test_a_closed_spool_takes_nothing_and_has_what_it_took(opened: Opened) -> None:
    async with opened() as spool:
        under_way = asyncio.create_task(spool.append(spooled_write(0)))
        await asyncio.sleep(0)
        await spool.close()
        await under_way
        with pytest.raises(SpoolUnavailable):
            await spool.append(spooled_write(1))
    async with opened() as spool:
        assert [each.accepted_at.second for each in await waiting_writes(spool)] == [0]


async def test_the_last_few_that_are_done_are_recorded_soon(
    opened: Opened, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("camillo_server.doors.spool.spool.UNRECORDED_SECONDS", 0.0)
    async with opened() as spool:
        await append_all(spool, [spooled_write(number) for number in range(3)])
        for write in (await waiting_writes(spool))[:2]:
            await spool.done([write])
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await asyncio.to_thread(recorded_bytes, directory) < 24:
                pass


def recorded_bytes(directory: Path) -> int:
    return sum(len(path.read_bytes()) for path in files(directory, ".done"))
