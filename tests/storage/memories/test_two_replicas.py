"""Two replicas over one database, whose notifications get lost, doubled and out of order: whoever asks for a
revision never gets an older answer."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import psycopg
import pytest
from camillo_server.across.forgetting.records import ForgetSelection
from camillo_server.kernel.background import BackgroundTasks
from camillo_server.kernel.writes import FULLY_CONSISTENT, AtLeastAsFresh, Freshness
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.search.index import scope_index
from camillo_server.search.index.snapshot import IndexSnapshot

from tests.patience import until
from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import (
    ALICE,
    NOW,
    Observer,
    Replica,
    contents,
    is_found,
    loaded,
    new_row,
    replica,
    unit,
)

PAIRS = 2_000
AGENTS = 8


@dataclass(slots=True)
class BadWire:
    """Loses, doubles, holds back and shuffles what it is given."""

    dice: random.Random
    held_back: list[str | None] = field(default_factory=list)
    lost: int = 0

    def to(self, observer: Observer) -> Observer:
        def tell(name: str | None) -> None:
            fate = self.dice.random()
            if fate < 0.4:
                self.lost += 1
            elif fate < 0.7:
                self.held_back += [name, name]
            else:
                observer(name)
                self.dice.shuffle(self.held_back)
                for late in self.held_back[:5]:
                    observer(late)
                del self.held_back[:5]

        return tell


@asynccontextmanager
async def following(
    database: TestDatabase, heard_through: Callable[[Observer], Observer] = lambda each: each
) -> AsyncIterator[Replica]:
    """A replica with all that a server runs in the background for it, but its checks."""
    tasks = BackgroundTasks()
    async with replica(database, heard_through=heard_through) as here:
        tasks.run("hear", here.notifier.follow)
        tasks.run("tell", here.notifier.publish)
        tasks.run("follow", here.caches.follow)
        try:
            yield here
        finally:
            await tasks.stop()


async def seen(there: Replica, freshness: Freshness) -> IndexSnapshot | None:
    """The snapshot that a recall there looks into; None where Postgres answers it."""
    resident = there.caches.use(ALICE)
    if resident is None:
        there.caches.request_load(ALICE)
        return None
    return await resident.snapshot_for(freshness)


async def write_and_read(here: Replica, there: Replica, word: str, dice: random.Random) -> int:
    """Remembers here and looks there, forgets there and looks here: two pairs; how many memory answered."""
    answered = 0
    row = new_row(f"{word} 你好", unit(1.0, dice.random()), session_id=f"s{dice.randint(1, 3)}")
    for write, writer, reader in ((True, here, there), (False, there, here)):
        if write:
            revision = (await writer.remember(row)).revision
        else:
            revision = (await writer.forget([row.memory.memory_id])).revision
        fresh = AtLeastAsFresh(revision) if dice.random() < 0.8 else FULLY_CONSISTENT
        snapshot = await seen(reader, fresh)
        if snapshot is not None:
            answered += 1
            assert snapshot.facts.revision >= revision
            assert is_found(snapshot, word) == write
    return answered


async def test_whoever_asks_for_a_revision_never_gets_an_older_answer(
    database: TestDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both rebuild their indexes several times on the way.
    monkeypatch.setattr(scope_index, "MIN_ADDED_ROWS", 256)
    wires = [BadWire(random.Random(seed)) for seed in (1, 2)]  # noqa: S311
    async with following(database, wires[0].to) as one, following(database, wires[1].to) as two:
        await one.remember(new_row("first"))
        await asyncio.gather(one.warm(), two.warm())

        async def agent(number: int) -> int:
            dice, answered = random.Random(number), 0  # noqa: S311
            pair = (one, two) if number % 2 else (two, one)
            for turn in range(PAIRS // AGENTS // 2):
                answered += await write_and_read(*pair, f"word{number}x{turn}x", dice)
            return answered

        answered = sum(await asyncio.gather(*map(agent, range(AGENTS))))
        assert answered > PAIRS * 0.9
        assert all(wire.lost for wire in wires)
        for each in (one, two):
            await each.check()
            resident = each.held()
            assert resident
            assert resident.snapshot.facts == (await loaded(each.reader)).snapshot.facts
            assert contents(resident.snapshot) == ["first"]
            assert each.caches.loads > 1
            assert not each.caches.failures


async def test_readers_are_never_set_back_while_others_write(
    database: TestDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scope_index, "MIN_ADDED_ROWS", 32)
    async with following(database) as one, following(database) as two:
        await one.remember(new_row("first"))
        await asyncio.gather(one.warm(), two.warm())
        writing = asyncio.gather(*(write_all(each, 150) for each in (one, two)))
        newest = dict.fromkeys((0, 1), 0)
        while not writing.done():
            for number, each in enumerate((one, two)):
                resident = each.held()
                assert resident
                assert resident.revision >= newest[number]
                newest[number] = resident.revision
            await asyncio.sleep(0)
        await writing
        assert one.caches.loads > 1
        assert two.caches.loads > 1


async def write_all(here: Replica, count: int) -> None:
    for number in range(count):
        written = await here.remember(new_row(f"memory {number}"))
        resident = here.held()
        assert resident
        await resident.snapshot_for(AtLeastAsFresh(written.revision))


async def test_a_write_elsewhere_is_heard(database: TestDatabase) -> None:
    async with following(database) as one, following(database) as two:
        await one.remember(new_row("first"))
        resident = await two.warm()
        written = await one.remember(new_row("second"))
        await until(lambda: resident.revision == written.revision)
        forgotten = await one.forgetting.forget(ALICE, ForgetSelection(MemoryFilter(tags_any=["none"])), None, now=NOW)
        await until(lambda: resident.revision == forgotten.revision)
        assert contents(resident.snapshot) == ["first", "second"]
        assert sum(two.instruments.index_lag_seconds.counts)


async def test_a_follower_cut_off_serves_what_is_demanded_and_hears_again(
    database: TestDatabase,
) -> None:
    """No new connection can be made, while those in the pool go on."""
    async with following(database) as one, following(database) as two:
        written = await one.remember(new_row("first"))
        resident = await two.warm()
        await until(lambda: len(listeners(database)) == 2)
        allow_connections(database, False)
        for (pid,) in listeners(database):
            terminate(database, pid)
        for number in range(20):
            written = await one.remember(new_row(f"cut{number}off"))
            snapshot = await resident.snapshot_for(AtLeastAsFresh(written.revision))
            assert snapshot
            assert is_found(snapshot, f"cut{number}off")
        await one.remember(new_row("unheard"))
        assert not listeners(database)
        assert not is_found(resident.snapshot, "unheard")
        await two.check()
        assert is_found(resident.snapshot, "unheard")
        await one.remember(new_row("heard later"))
        allow_connections(database, True)
        await until(lambda: is_found(resident.snapshot, "heard later"))


def listeners(database: TestDatabase) -> list[tuple[int]]:
    with maintenance(database) as connection:
        return connection.execute(
            "select pid from pg_stat_activity where datname = %s and query like 'listen %%'",
            (database.name,),
        ).fetchall()


def terminate(database: TestDatabase, pid: int) -> None:
    with maintenance(database) as connection:
        connection.execute("select pg_terminate_backend(%s)", (pid,))


def allow_connections(database: TestDatabase, allowed: bool) -> None:
    with maintenance(database) as connection:
        connection.execute(f"alter database {database.name} with allow_connections {allowed}")


def maintenance(database: TestDatabase) -> psycopg.Connection:
    """A connection to another database, so that it works while this one takes no connections."""
    return psycopg.connect(database.superuser_url, dbname="postgres", autocommit=True)
