"""Passes over scopes on one database, with a clock that tests move."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from camillo_server.across.lifecycle.maintenance import Maintenance
from camillo_server.across.lifecycle.plan import (
    Action,
    LifecyclePolicy,
    MemorySelector,
    PassDone,
    PassOrder,
    PlannedItem,
    Reason,
    Selected,
)
from camillo_server.across.lifecycle.store.passes import PassStore
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import NO_PLAN, PlanConsent, PlanRef, RequestKey
from camillo_server.rows.row import NewRow
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.scope_writes import ScopeWrites

from tests.postgres_fixtures import TestDatabase
from tests.storage.commits import Commits
from tests.storage.context.ground_store import ALICE, NOW, GroundStore, ground_store, row
from tests.storage.replays import OF_MEMORIES

TEXT = "会议 🦓 شكرا é"


@dataclass(slots=True)
class StandingClock:
    """Stands still until a test moves it."""

    moment: datetime = NOW

    def now(self) -> datetime:
        return self.moment


def memory(text: str = "", scope: Scope = ALICE, **changed: Any) -> NewRow:
    """A fact, stored and last used now; its text is like no other's."""
    created_at = changed.setdefault("created_at", NOW)
    fields = {"kind": MemoryKind.FACT, "source_refs": (), "session_id": "", "metadata": {}}
    fields |= {"updated_at": created_at, "occurred_at": created_at}
    return row(uuid4(), f"{text or TEXT} {uuid4()}", scope, **{**fields, **changed})


def ago(**time: float) -> datetime:
    """The time so long before now."""
    return NOW - timedelta(**time)


@dataclass(slots=True)
class LifecycleStore:
    """The use cases over the adapters; `commits` are those that subscribers were told of."""

    ground: GroundStore
    clock: StandingClock = field(default_factory=StandingClock)
    commits: Commits = field(default_factory=Commits)
    policy: LifecyclePolicy = field(default_factory=LifecyclePolicy)

    def maintenance(self) -> Maintenance:
        notifier = ChangeNotifier("")
        notifier.subscribe(self.commits)
        writes = ScopeWrites(self.ground.database, notifier)
        return Maintenance(PassStore(writes, self.policy), self.clock)

    async def store(self, *rows: NewRow, scope: Scope = ALICE) -> list[MemoryId]:
        """Stores all of them at once; returns their ids."""
        await self.ground.memories.remember_many(scope, rows, OF_MEMORIES, None, now=NOW)
        return [each.memory.memory_id for each in rows]

    async def maintain(
        self,
        request: RequestKey | None = None,
        plan: PassDone | None = None,
        *,
        dry_run: bool = False,
        scope: Scope = ALICE,
    ) -> PassDone:
        order = PassOrder(request, ref(plan))
        return await self.maintenance().run(scope, None, order, dry_run=dry_run)

    async def prune(
        self,
        request: RequestKey | None = None,
        plan: PassDone | None = None,
        *,
        dry_run: bool = False,
        scope: Scope = ALICE,
        **selected: Any,
    ) -> PassDone:
        work = Selected(Action.REMOVE, MemorySelector(**selected))
        order = PassOrder(request, ref(plan))
        return await self.maintenance().run(scope, work, order, dry_run=dry_run)

    async def archive(
        self,
        request: RequestKey | None = None,
        plan: PassDone | None = None,
        *,
        dry_run: bool = False,
        scope: Scope = ALICE,
        **selected: Any,
    ) -> PassDone:
        work = Selected(Action.ARCHIVE, MemorySelector(**selected))
        order = PassOrder(request, ref(plan))
        return await self.maintenance().run(scope, work, order, dry_run=dry_run)

    async def would_take(self) -> dict[MemoryId, Reason]:
        """Memories that maintenance would take now, and why."""
        return reasons(await self.maintain(dry_run=True))

    def change_policy(self, **changed: Any) -> None:
        self.policy = replace(self.policy, **changed)

    def revision(self) -> int:
        return int(self.ground.rows("select max(revision) from scopes")[0][0])

    def archived(self) -> list[MemoryId]:
        found = self.ground.rows("select memory_id from memories where archived order by 1")
        return [row[0] for row in found]


def ref(plan: PassDone | None) -> PlanConsent:
    """The consent of a request that has the plan's token."""
    return PlanConsent(PlanRef(plan.at, plan.digest)) if plan else NO_PLAN


def reasons(done: PassDone) -> dict[MemoryId, Reason]:
    return {each.memory_id: each.reason for each in done.items}


def by_id(items: Sequence[PlannedItem]) -> dict[MemoryId, PlannedItem]:
    return {each.memory_id: each for each in items}


@asynccontextmanager
async def lifecycle_store(postgres: TestDatabase) -> AsyncIterator[LifecycleStore]:
    """A lifecycle store on the test's database."""
    async with ground_store(postgres) as ground:
        yield LifecycleStore(ground)
