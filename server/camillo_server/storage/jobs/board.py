"""Shows a tenant its own jobs, and an operator the stuck and dead jobs of all tenants; and remembers the scopes for
which one has to be deferred."""

import asyncio
import enum
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from psycopg.rows import TupleRow

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.storage.database import NO_TENANT, Database, Session
from camillo_server.storage.scopes import all_tenant_ids
from camillo_server.storage.statements import statements
from camillo_server.storage.written_requests import enter

JobId = NewType("JobId", int)
# So few digits always fit Postgres' bigint.
JOB_ID = re.compile(r"[0-9]{1,18}")
SQL = statements("storage/jobs/sql/board")


class JobState(enum.IntEnum):
    """How a job stands. The numbers are those of the contract."""

    WAITING = 1
    RUNNING = 2
    DEAD = 3


@dataclass(frozen=True, slots=True)
class Job:
    """Work on one scope. `due_at` is None for a job that is due at once; `is_stuck`: no process works on it, though one
    should."""

    job_id: JobId
    task: str
    agent_id: AgentId
    state: JobState
    attempts: int
    due_at: datetime | None
    changed_at: datetime | None
    is_stuck: bool


STATES = {"todo": JobState.WAITING, "doing": JobState.RUNNING, "failed": JobState.DEAD}


@dataclass(frozen=True, slots=True)
class TroubledTask:
    """The numbers of stuck and of dead jobs of a task."""

    task: str
    stuck: int
    dead: int


class JobBoard:
    """Reads and retries jobs by the function `tenant_jobs`, which returns those of the session's tenant. Times are
    those of Postgres, which decides what is due. Every method raises StorageUnavailable."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def page(self, tenant_id: TenantId, state: JobState | None, after: JobId | None, size: int) -> Sequence[Job]:
        """At most `size` jobs in this state (None: any) after this one, oldest first."""
        statuses = [status for status, each in STATES.items() if state in (None, each)]
        parameters = {"statuses": statuses, "after": after or 0, "size": size}
        rows = await self._database.rows(whole_tenant(tenant_id), SQL["page"], parameters)
        return [_job(row) for row in rows]

    async def retry(self, tenant_id: TenantId, job_id: str) -> Job:
        """Makes the job due now, unless it runs, and returns it. Raises NotFound, for a job of another tenant too."""
        if not JOB_ID.fullmatch(job_id):
            raise NotFound("job", job_id)
        parameters = {"job_id": int(job_id)}

        async def work(session: Session) -> Job:
            for name in ("enter_queue", "retry_now", "retry_dead", "wake"):
                await session.execute(SQL[name], parameters)
            row = await session.row(SQL["job"], parameters)
            if row is None:
                raise NotFound("job", job_id)
            shared = Scope(tenant_id, AgentId(""))
            await enter(session, shared, None, self._clock.now(), {"job_id": job_id})
            return _job(row)

        return await self._database.transaction(whole_tenant(tenant_id), work)

    async def troubled(self) -> Sequence[TroubledTask]:
        """Stuck and dead jobs of all tenants."""
        rows = await self._database.rows(NO_TENANT, SQL["troubled"], {})
        return [TroubledTask(*row) for row in rows]


def _job(row: TupleRow) -> Job:
    job_id, task, agent_id, status, attempts, due_at, changed_at, is_stuck = row
    return Job(
        job_id=JobId(job_id),
        task=task,
        agent_id=AgentId(agent_id or ""),
        state=STATES[status],
        attempts=attempts,
        due_at=due_at,
        changed_at=changed_at,
        is_stuck=bool(is_stuck),
    )


# A burst of writes makes one statement, and its first job still starts at once for a person.
GATHER_SECONDS = 0.1
# Before a scope whose job is running is deferred again.
RUNNING_PAUSE_SECONDS = 1.0

# Defers a job for each scope; returns the scopes whose job is running.
Defer = Callable[[Sequence[Scope]], Awaitable[Sequence[Scope]]]


class PendingScopes:
    """Scopes to defer soon. They are lost with the process, and found again by the query."""

    def __init__(self) -> None:
        self._scopes: set[Scope] = set()
        self._has_any = asyncio.Event()

    def __len__(self) -> int:
        """The number of scopes that wait to be deferred."""
        return len(self._scopes)

    def add(self, *scopes: Scope) -> None:
        if scopes:
            self._scopes.update(scopes)
            self._has_any.set()

    async def defer_for_ever(self, defer: Defer) -> None:
        """Defers them until it is cancelled. Raises what `defer` raises, and loses no scope then."""
        while True:
            await self._has_any.wait()
            await asyncio.sleep(GATHER_SECONDS)
            scopes, self._scopes = self._scopes, set()
            self._has_any.clear()
            try:
                running = await defer([*scopes])
            except BaseException:
                self.add(*scopes)
                raise
            are_all_running = bool(running) and not self._scopes
            self.add(*running)
            if are_all_running:
                await asyncio.sleep(RUNNING_PAUSE_SECONDS)


async def defer_of_all_tenants(
    database: Database,
    scopes_of: Callable[[TenantId], Awaitable[Sequence[Scope]]],
    defer: Defer,
) -> None:
    """Defers for the scopes of each tenant, one tenant after the other."""
    for tenant_id in await all_tenant_ids(database):
        await defer(await scopes_of(tenant_id))
