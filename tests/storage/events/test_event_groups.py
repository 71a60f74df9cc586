"""Calls that record events of a scope at the same time: stored together, each at its own revision and with its own
outcome."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, LiteralString

import psycopg
import pytest
from camillo_server.features.events.event import EventsReplay
from camillo_server.features.events.store.rows import record_statement
from camillo_server.kernel.errors import RequestIdReused, ValueRejected
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import REQUEST_LIFETIME, Written
from camillo_server.lib.text.value_fingerprints import whole_fingerprints
from camillo_server.storage.database import Session

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import ALICE, BOB, NOW, GroundStore, event, ground_store, request
from tests.storage.locking import scope_held, until_waiting
from tests.storage.replays import OF_EVENTS

Call = asyncio.Task[Written[EventsReplay]]
Recording = Coroutine[Any, Any, Written[EventsReplay]]


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        await opened.record(event("before"))
        opened.commits.told.clear()
        yield opened


@asynccontextmanager
async def waiting(store: GroundStore) -> AsyncIterator[list[Call]]:
    """One call is under way, and those that the block adds to the list wait for it; when it ends, all have ended."""
    with scope_held(store.postgres, ALICE.tenant_id, ALICE.agent_id):
        calls = [asyncio.create_task(store.record(event("first")))]
        await until_waiting(store.postgres, 1)
        yield calls
        await until_in_line(store, sum(not call.done() for call in calls[1:]))
    await asyncio.wait(calls)


async def until_in_line(store: GroundStore, calls: int) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while store.events._groups.waiting(ALICE) < calls:  # noqa: ASYNC110
            await asyncio.sleep(0.002)


def execute(store: GroundStore, statement: LiteralString, *parameters: object) -> None:
    """Runs a statement as the superuser, past every policy."""
    with psycopg.connect(store.postgres.superuser_url) as superuser:
        superuser.execute("set search_path to camillo, public")
        superuser.execute(statement, parameters)


def recording(store: GroundStore, *texts: str, **stated: Any) -> Recording:
    key = stated.pop("key", None)
    return store.record(*(event(each, **stated) for each in texts), key=key)


async def join(store: GroundStore, calls: list[Call], *recordings: Recording) -> None:
    """Has each wait behind the one before it: which of two calls comes first is otherwise not said."""
    for each in recordings:
        calls.append(asyncio.create_task(each))
        await until_in_line(store, len(calls) - 1)


def transactions(store: GroundStore) -> list[int]:
    """How many events each transaction has stored, in their order."""
    rows = store.rows("select count(*) from events group by xmin order by min(revision)")
    return [count for (count,) in rows]


def outcomes(calls: Sequence[Call]) -> list[int | type[BaseException]]:
    """The revision of each, or what it raised."""
    return [type(error) if (error := call.exception()) else call.result().revision for call in calls]


async def test_who_waits_is_stored_in_one_transaction_at_revisions_of_its_own(store: GroundStore) -> None:
    async with waiting(store) as calls:
        await join(store, calls, *(recording(store, f"{n} a", f"{n} b", refs=("Log_1",)) for n in range(5)))
        await join(store, calls, recording(store, "secret", sensitivity=Sensitivity.RESTRICTED))
    assert transactions(store) == [1, 1, 11]
    first, *rest = outcomes(calls)
    assert isinstance(first, int)
    assert rest == list(range(first + 1, first + 7))
    texts = [text for n in range(5) for text in (f"{n} a", f"{n} b")]
    assert await store.texts() == ["before", "first", *texts, "secret"]
    places = store.rows("select place from events order by revision, place")
    assert [place for (place,) in places] == [0, 0, *(0, 1) * 5, 0]
    assert store.count("event_refs", "ref = 'log_1'") == 10
    assert store.count("events", "details is null") == 1
    assert store.counts_are_right()
    # Each is told with its own rows, so that the index may take one after the other.
    expected = [(first, 1), *((first + n, 2) for n in range(1, 6)), (first + 6, 1)]
    assert [(revision, count) for _, revision, count in store.committed] == expected


async def test_each_of_a_group_has_its_own_outcome(store: GroundStore) -> None:
    done = await store.record(event("done"), key=request("done"))
    for mark in whole_fingerprints(ALICE.tenant_id, "forgotten"):
        execute(
            store,
            "insert into value_blocks (tenant_id, agent_id, mark, receipt_id, blocked_at, is_keyed)"
            " values (%s, %s, %s, gen_random_uuid(), %s, false)",
            *(ALICE.tenant_id, ALICE.agent_id, mark, NOW),
        )
    async with waiting(store) as calls:
        await join(
            store,
            calls,
            recording(store, "one"),
            recording(store, "done", key=request("done")),
            recording(store, "twice", key=request("twice")),
            recording(store, "twice", key=request("twice")),
            recording(store, "other", key=request("twice", b"other")),
            recording(store, "forgotten"),
            recording(store, "last"),
        )
    first, one, repeated, twice, again, other, refused, last = outcomes(calls)
    assert isinstance(first, int)
    assert repeated == done.revision
    assert (one, twice, again, last) == (first + 1, first + 2, first + 2, first + 3)
    assert (other, refused) == (RequestIdReused, ValueRejected)
    texts = ["before", "done", "first", "one", "twice", "last"]
    assert await store.texts() == texts
    assert store.counts_are_right()


async def test_a_request_past_its_lifetime_is_new_again_in_a_group(store: GroundStore) -> None:
    await store.record(event("old"), key=request("r"))
    execute(store, "update requests set created_at = %s", NOW - REQUEST_LIFETIME - timedelta(1))
    async with waiting(store) as calls:
        await join(store, calls, recording(store, "one"), recording(store, "new", key=request("r")))
    first, *rest = outcomes(calls)
    assert isinstance(first, int)
    assert rest == [first + 1, first + 2]
    assert (await store.texts())[-2:] == ["one", "new"]


async def test_who_leaves_before_its_group_begins_stores_nothing(store: GroundStore) -> None:
    async with waiting(store) as calls:
        await join(store, calls, recording(store, "stays"), recording(store, "leaves"), recording(store, "too"))
        calls[2].cancel()
        await asyncio.wait([calls[2]])
    first, stays, _, too = (None if call.cancelled() else call.result() for call in calls)
    assert calls[2].cancelled()
    assert first
    assert stays
    assert too
    assert (stays.revision, too.revision) == (first.revision + 1, first.revision + 2)
    assert await store.texts() == ["before", "first", "stays", "too"]


async def test_groups_of_two_processes_leave_no_revision_out(store: GroundStore, database: TestDatabase) -> None:
    async with ground_store(database) as other:
        written = await asyncio.gather(*(each.record(event(f"{n}")) for n in range(20) for each in (store, other)))
        elsewhere = await asyncio.gather(*(other.record(event("b"), scope=BOB) for _ in range(3)))
    revisions = [each.revision for each in written]
    assert sorted(revisions) == list(range(min(revisions), min(revisions) + 40))
    assert len({each.revision for each in elsewhere}) == 3
    assert max(transactions(store)) > 1
    assert await store.texts(BOB) == ["b"] * 3
    assert store.counts_are_right()


async def test_the_statement_is_planned_once_for_each_connection(store: GroundStore) -> None:
    """A plan for all parameters must not seem dearer than to plan for these: planning takes as long as the rest."""
    plans: list[tuple[int, int]] = []

    async def record(session: Session) -> None:
        for number in range(20):
            write = await store.events._prepared(ALICE, [event(f"{number}")], (), OF_EVENTS, None, NOW)
            await session.only_row(*record_statement(ALICE, [write]))
        plans.extend(
            await session.rows(
                "select generic_plans, custom_plans from pg_prepared_statements"
                " where statement like %(statement)s and generic_plans + custom_plans > 5",
                {"statement": "with next as (%insert into event_refs%"},
            )
        )

    await store.database.write(ALICE, record)
    assert [planned_anew for _, planned_anew in plans] == [5]
    assert await store.texts() == ["before", *map(str, range(20))]


async def test_a_new_scope_begins_with_the_revisions_of_its_first_group(database: TestDatabase) -> None:
    async with ground_store(database) as store:
        written = await asyncio.gather(*(store.record(event(f"{n}")) for n in range(4)))
    revisions = sorted(each.revision for each in written)
    assert revisions == list(range(revisions[0], revisions[0] + 4))
