"""Rounds of a run that cross other writes of its scope: by one statement, as if one came after the other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import uuid4

import psycopg
import pytest
from camillo_server.across.runs.run import MAX_ROUNDS, Answer, RoundSummary, Run, RunDraft, RunId, RunStep, Trigger
from camillo_server.across.runs.store.entries import NewRound
from camillo_server.across.runs.store.runs import RunStore
from camillo_server.kernel.errors import NotFound, QuotaExceeded, ValueRejected
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.text.value_fingerprints import whole_fingerprints
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import scope_revision

from tests.postgres_fixtures import TestDatabase
from tests.storage.locking import scope_held, until_waiting
from tests.storage.memories.replicas import ALICE, KEYS, NOW, Replica, replica


@dataclass(frozen=True, slots=True)
class Started:
    """A run with one round, and the process that has it."""

    here: Replica
    runs: RunStore
    run_id: RunId
    database: TestDatabase

    async def append(self, text: str = "said", request: RequestKey | None = None) -> tuple[Run, int]:
        added = NewRound.of([RunStep(Answer(text))], RoundSummary(text), NOW)
        return await self.runs.append(ALICE, self.run_id, added, request, now=NOW)

    async def revision(self) -> int:
        return await self.here.database.read(ALICE, lambda session: scope_revision(session, ALICE))

    async def answers(self) -> list[str]:
        contents = await self.runs.contents(ALICE, self.run_id, None, now=NOW)
        whats = [step.what for each in contents.rounds for step in each.steps]
        return [what.text for what in whats if isinstance(what, Answer)]

    @asynccontextmanager
    async def waiting(
        self, request: RequestKey | None = None
    ) -> AsyncIterator[tuple[psycopg.Connection, "asyncio.Task[tuple[Run, int]]"]]:
        """A round that began before what the connection does, and comes after it."""
        with scope_held(self.database, ALICE.tenant_id, ALICE.agent_id) as holder:
            appending = asyncio.create_task(self.append("late", request))
            await until_waiting(self.database, 1)
            yield holder, appending
            holder.commit()
        await asyncio.wait([appending])


@pytest.fixture
async def started(database: TestDatabase) -> AsyncIterator[Started]:
    async with replica(database) as here:
        yield await start(here, database)


async def start(here: Replica, database: TestDatabase, level: Sensitivity = Sensitivity.INTERNAL) -> Started:
    runs = RunStore(ScopeWrites(here.database, here.notifier), KEYS)
    draft = RunDraft(Trigger("message", {}), sensitivity=level)
    run = Run(RunId(uuid4()), ALICE.agent_id, draft, 0, 0, NOW, NOW, NOW + draft.idle)
    await runs.start(ALICE, run, None, now=NOW)
    started = Started(here, runs, run.run_id, database)
    await started.append("first")
    return started


async def test_a_round_is_placed_behind_those_that_came_while_it_waited(started: Started) -> None:
    async with started.waiting() as (holder, appending):
        holder.execute("update camillo.runs set rounds = 5")
    run, revision = appending.result()
    assert run.rounds == 6
    assert revision == await started.revision()
    assert await started.answers() == ["first", "late"]


async def test_a_run_that_ends_while_a_round_waits_is_not_found_and_nothing_is_stored(started: Started) -> None:
    before = await started.revision()
    async with started.waiting(RequestKey("r", bytes(32))) as (holder, appending):
        holder.execute("delete from camillo.runs")
    assert isinstance(appending.exception(), NotFound)
    assert await started.revision() == before
    with psycopg.connect(started.database.superuser_url) as superuser:
        found = superuser.execute(
            "select (select count(*) from camillo.run_entries), (select count(*) from camillo.requests)"
        ).fetchone()
    assert found == (0, 0)


async def test_the_last_room_is_taken_once(started: Started) -> None:
    before = await started.revision()
    async with started.waiting() as (holder, appending):
        holder.execute("update camillo.runs set rounds = %s", (MAX_ROUNDS,))
    error = appending.exception()
    assert isinstance(error, QuotaExceeded)
    assert error.details["quota"] == "run_rounds"
    assert await started.revision() == before
    assert await started.answers() == ["first"]


async def test_what_is_forgotten_while_a_round_waits_is_refused(started: Started) -> None:
    await started.append("late")
    async with started.waiting() as (holder, appending):
        for mark in whole_fingerprints(ALICE.tenant_id, "late"):
            holder.execute(
                "insert into camillo.value_blocks (tenant_id, agent_id, mark, receipt_id, blocked_at, is_keyed)"
                " values (%s, %s, %s, %s, %s, false)",
                (ALICE.tenant_id, ALICE.agent_id, mark, uuid4(), NOW),
            )
    assert isinstance(appending.exception(), ValueRejected)
    # And later, when it is known that something was forgotten here; what was not is stored.
    with pytest.raises(ValueRejected):
        await started.append("late")
    await started.append("other")
    assert await started.answers() == ["first", "late", "other"]


async def test_a_request_that_comes_twice_at_once_adds_one_round(started: Started, database: TestDatabase) -> None:
    request = RequestKey("once", bytes(32))
    async with replica(database) as there:
        runs = RunStore(ScopeWrites(there.database, there.notifier), KEYS)
        elsewhere = Started(there, runs, started.run_id, database)
        before = await started.revision()
        answers = await asyncio.gather(*(each.append("again", request) for each in (started, elsewhere) * 3))
    assert {(run.rounds, revision) for run, revision in answers} == {(2, before + 1)}
    assert await started.answers() == ["first", "again"]


async def test_rounds_of_two_processes_have_all_numbers(started: Started, database: TestDatabase) -> None:
    async with replica(database) as there:
        runs = RunStore(ScopeWrites(there.database, there.notifier), KEYS)
        elsewhere = Started(there, runs, started.run_id, database)
        before = await started.revision()
        added = await asyncio.gather(*(each.append(f"{n}") for n in range(10) for each in (started, elsewhere)))
    assert sorted(run.rounds for run, _ in added) == list(range(2, 22))
    assert sorted(revision for _, revision in added) == list(range(before + 1, before + 21))


async def test_the_statement_is_planned_once_for_each_connection(started: Started) -> None:
    # One after the other, they all have the pool's first connection.
    for number in range(40):
        await started.append(f"{number}")
    plans = await started.here.database.rows(
        ALICE,
        "select generic_plans > 0, custom_plans from pg_prepared_statements where statement like %(statement)s",
        {"statement": "with next as (%insert into run_entries%"},
    )
    assert plans == [(True, 5)]


@pytest.mark.parametrize("level", [Sensitivity.INTERNAL, Sensitivity.CONFIDENTIAL])
async def test_a_round_of_an_encrypted_run_is_stored_so_by_whoever_adds_it(
    database: TestDatabase, level: Sensitivity
) -> None:
    async with replica(database) as here, replica(database) as there:
        started = await start(here, database, level)
        # It has not heard of this run before.
        runs = RunStore(ScopeWrites(there.database, there.notifier), KEYS)
        elsewhere = Started(there, runs, started.run_id, database)
        for text in ("second", "third"):
            await elsewhere.append(text)
        assert await started.answers() == ["first", "second", "third"]
    with psycopg.connect(database.superuser_url) as superuser:
        stored = str(superuser.execute("select details from camillo.run_entries").fetchall())
    assert ("second" in stored) is (level < Sensitivity.CONFIDENTIAL)
