"""The ends of runs: by themselves, or by a call that keeps something of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from camillo_server.across.runs.run import Ending, RunId
from camillo_server.features.events.event import Actor, Event, EventId, JsonContent, Trust
from camillo_server.features.events.store.rows import store_event
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import AlreadyExists, NotFound, ValueRejected, VersionConflict
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import ActorType, EventKind, Sensitivity
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.kernel.writes import RequestKey, Written, replay_record
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.merging import error_of
from camillo_server.rows.row import Row
from camillo_server.rows.store.batch import StoredBatch, store_batch
from camillo_server.rows.store.rows import RowReader
from camillo_server.rows.store.transaction import MemoryTransaction
from camillo_server.storage.database import Database, Session
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.scopes import all_tenant_ids
from camillo_server.storage.statements import scope_parameters, statements

SQL = {**statements("rows/store/repeats"), **statements("across/runs/store/runs")}


@replay_record
@dataclass(frozen=True, slots=True)
class EndedReplay:
    """The memories that were kept of a run, and how many rounds it had."""

    memory_ids: tuple[MemoryId, ...]
    rounds: int


class RunEndings:
    """The ends of runs of one scope. Every method raises StorageUnavailable, KeyMissing."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._database = writes.database
        self._keyring = keyring

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[EndedReplay] | None:
        """The first answer to this request, or None. Raises RequestIdReused."""
        return await self._writes.first_answer(scope, request, EndedReplay, now)

    async def end(
        self, scope: Scope, ending: Ending, request: RequestKey | None, *, now: datetime
    ) -> Written[EndedReplay]:
        """Removes the run and stores the memories, repeats of others merged into those, in one transaction that
        advances the scope's revision by one. Raises NotFound, RequestIdReused, AlreadyExists, ValueRejected, and
        VersionConflict where a round was appended that was not distilled."""
        key = {**scope_parameters(scope), "run_id": ending.run_id, "now": now}

        async def change(session: Session, revision: int) -> EndedReplay:
            run = await session.record(SQL["lock"], key)
            if run is None:
                raise NotFound("run", ending.run_id)
            rounds = run.rounds
            if ending.distilled_rounds is not None:
                if ending.distilled_rounds != rounds:
                    raise VersionConflict("run", ending.distilled_rounds, rounds)
                event = _event_of_end(scope, ending.run_id, run, now)
                await store_event(session, scope, event, self._keyring)
            transaction = MemoryTransaction(session, scope, revision, now, self._keyring)
            memory_ids = await _store(transaction, ending)
            await session.execute(SQL["delete"], key)
            return EndedReplay(tuple(memory_ids), rounds)

        ids = {"run_id": ending.run_id}
        return await self._writes.write(scope, request, EndedReplay, change, now, ending.rows, ids=ids)

    async def kept(self, scope: Scope, memory_ids: Sequence[MemoryId]) -> Sequence[Row]:
        """The memories of these ids that still exist, in the order given."""
        parameters = {**scope_parameters(scope), "memory_ids": list(memory_ids)}
        if not memory_ids:
            return ()
        rows = await self._database.rows(scope, SQL["memories"], parameters)
        memories = await RowReader(scope, self._keyring).memories(rows)
        by_id = {memory.memory_id: memory for memory in memories}
        return [by_id[each] for each in memory_ids if each in by_id]


def _event_of_end(scope: Scope, run_id: RunId, run: Any, now: datetime) -> Event:
    """The event that stays of a run, with its id, so that memories distilled from it go on citing something."""
    ended = {"run": "ended", "rounds": run.rounds, "started_at": run.started_at.isoformat()}
    return Event(
        event_id=EventId(run_id),
        agent_id=scope.agent_id,
        session_id=run.session_id,
        channel=Channel.PRIVATE,
        actor=Actor(ActorType.SYSTEM, "camillo", Trust.VERIFIED),
        kind=EventKind.WORKFLOW_STEP,
        sensitivity=Sensitivity(run.sensitivity),
        tags=(),
        occurred_at=now,
        refs=(),
        content=JsonContent(ended),
        importance=0.0,
        recorded_at=now,
    )


async def remove_ended_runs(database: Database, now: datetime) -> None:
    """Removes, of every tenant, the rows of runs that have ended by themselves: no call sees them any more."""
    for tenant_id in await all_tenant_ids(database):
        parameters = {"tenant_id": tenant_id, "now": now}

        async def work(session: Session, parameters: dict[str, object] = parameters) -> None:
            await session.execute(SQL["remove_ended"], parameters)

        await database.write(whole_tenant(tenant_id), work)


async def _store(transaction: MemoryTransaction, ending: Ending) -> list[MemoryId]:
    """Stores the memories; returns the id of each, or of the memory that says the same. Raises AlreadyExists,
    ValueRejected: all are kept, or none."""
    rows = ending.rows
    batch = await store_batch(transaction, rows) if rows else StoredBatch()
    for index in batch.taken:
        raise AlreadyExists("memory", rows[index].memory.memory_id)
    for index, name in batch.refused.items():
        raise ValueRejected(_field(ending, index, name))
    for failure in batch.unsuperseded:
        raise error_of(failure, rows[failure.row].memory.supersedes[failure.place])
    return [
        batch.merged[index].memory_id if index in batch.merged else row.memory.memory_id
        for index, row in enumerate(rows)
    ]


def _field(ending: Ending, index: int, name: str) -> str:
    """The name by which the caller knows this text: the first memory may be the server's own."""
    if ending.distilled_rounds is None:
        return f"memories[{index}].{name}"
    return f"memories[{index - 1}].{name}" if index else "distill"
