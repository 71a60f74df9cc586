"""Passes over a scope: maintenance by the policy, and what callers prune and archive."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from camillo_server.across.lifecycle.plan import NO_ORDER, LifecyclePolicy, PassDone, PassOrder, Selected
from camillo_server.across.lifecycle.store.passes import PassStore
from camillo_server.across.lifecycle.store.reembedding import Embedded, ReembeddingStore
from camillo_server.across.lifecycle.store.reindexing import ReindexingStore
from camillo_server.across.lifecycle.store.usage import ScopeContents, UsageStore
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NoNextModel
from camillo_server.kernel.ids import BEFORE_EVERY_ID, AgentId, MemoryId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.search.index.verification import CachedIndexes, IndexStatus
from camillo_server.settings.lifecycle import LifecycleSettings
from camillo_server.storage.database import Database
from camillo_server.storage.jobs.board import Defer, defer_of_all_tenants
from camillo_server.storage.scopes import scopes_with_memories

ROWS_AT_ONCE = 250
# A batch in which something changed while it was analysed is analysed again, at most so often.
MAX_ATTEMPTS = 3
MAX_SCOPES = 1_000


class Maintenance:
    """Runs passes: by the operator's policy, or over what a caller selected."""

    def __init__(self, store: PassStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def run(self, scope: Scope, selected: Selected | None, order: PassOrder, *, dry_run: bool) -> PassDone:
        """Archives or removes what is selected; without a selection, what the policy says. A dry run only plans. Raises
        InvalidField for a selector that would take everything, PlanChanged, RequestIdReused, StorageUnavailable."""
        if selected is not None:
            selected.selector.checked()
        work, now = selected or self._store.policy, self._clock.now()
        if dry_run:
            return await self._store.plan(scope, work, at=now)
        return await self._store.carry_out(scope, work, order, now=now)


class MaintenanceJobs:
    """Maintains every scope, one job for each, and vacuums all of them; `cron` and `vacuum_cron` are when, None for
    never."""

    def __init__(
        self,
        database: Database,
        maintenance: Maintenance,
        vacuum: Callable[[], Awaitable[None]],
        settings: LifecycleSettings,
    ) -> None:
        self.cron = settings.cron
        self.vacuum_cron = settings.vacuum_cron
        self.vacuum = vacuum
        self._database = database
        self._maintenance = maintenance

    async def maintain(self, scope: Scope) -> None:
        """Runs one pass in one transaction: repeated, it finds nothing to do."""
        await self._maintenance.run(scope, None, NO_ORDER, dry_run=False)

    async def defer_everywhere(self, defer: Defer) -> None:
        scopes_of = partial(scopes_with_memories, self._database)
        await defer_of_all_tenants(self._database, scopes_of, defer)


@dataclass(frozen=True, slots=True)
class ScopeUsage:
    """The contents of one scope, its bound, and its index; None where this process does not hold the scope."""

    contents: ScopeContents
    memory_quota: int
    index: IndexStatus | None


class GetUsage:
    """The usage of one scope, or of all scopes of a tenant. Every method raises StorageUnavailable."""

    def __init__(self, store: UsageStore, indexes: CachedIndexes, policy: LifecyclePolicy, clock: Clock) -> None:
        self._store = store
        self._indexes = indexes
        self._policy = policy
        self._clock = clock

    async def of_scope(self, scope: Scope) -> ScopeUsage:
        """Zeros where there is no such scope."""
        return (await self.of_scopes(scope.tenant_id, [scope.agent_id]))[0]

    async def of_tenant(self, tenant_id: TenantId, after: AgentId | None, size: int) -> Sequence[ScopeUsage]:
        """The usage of each scope in the order of the agents' ids, behind this one (None: from the first)."""
        return await self.of_scopes(tenant_id, await self._store.agent_ids(tenant_id, after, size))

    async def of_scopes(self, tenant_id: TenantId, agent_ids: Sequence[AgentId]) -> Sequence[ScopeUsage]:
        """The usage of these scopes, in the given order."""
        contents = await self._store.contents(tenant_id, agent_ids, now=self._clock.now())
        quota, index_of = self._policy.memory_quota, self._indexes.of_scope
        return [ScopeUsage(each, quota, index_of(Scope(tenant_id, each.agent_id))) for each in contents]


@dataclass(frozen=True, slots=True)
class Reindexed:
    """How many rows a scope has, how many of them had other terms, and how many cannot be decrypted."""

    rows: int
    changed: int
    unreadable: int
    revision: int


class Reindex:
    """Changes the terms of rows that an earlier release analysed otherwise. Each batch is a write of the scope; if it
    is interrupted, the next call completes it."""

    def __init__(self, store: ReindexingStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(self, scope: Scope) -> Reindexed:
        """Raises StorageUnavailable."""
        revision = await self._store.revision(scope)
        rows = changed = unreadable = attempts = 0
        after = MemoryId(BEFORE_EVERY_ID)
        while batch := await self._store.analyse(scope, after, ROWS_AT_ONCE):
            attempts += 1
            if batch.changed:
                count, revision = await self._store.change(scope, batch.changed, now=self._clock.now())
                changed += count
                if count < len(batch.changed) and attempts < MAX_ATTEMPTS:
                    continue
            rows, unreadable = rows + batch.rows, unreadable + batch.unreadable
            after, attempts = batch.last_id, 0
        return Reindexed(rows, changed, unreadable, revision)


@dataclass(frozen=True, slots=True)
class Models:
    """The model that answers, and the one that is to answer next, if there is one."""

    serving_id: str
    next_id: str | None

    @property
    def counted_id(self) -> str:
        """The model whose vectors are counted: the next one, and without one the serving one."""
        return self.next_id or self.serving_id


class Reembedding:
    """Both methods return the progress of one scope, or of each scope of the tenant where no agent is named, at most
    1,000; they raise StorageUnavailable."""

    def __init__(
        self,
        store: ReembeddingStore,
        models: Models,
        clock: Clock,
        on_started: Callable[[Scope], None],
    ) -> None:
        """`on_started` is called with each scope that needs a job."""
        self._store = store
        self.models = models
        self._clock = clock
        self._on_started = on_started

    async def start(self, tenant_id: TenantId, agent_id: AgentId | None) -> Sequence[Embedded]:
        """Has jobs embed every row with the next model; a repeat embeds what is missing, and nothing twice. Raises
        NoNextModel."""
        model_id = self.models.next_id
        if model_id is None:
            raise NoNextModel
        now = self._clock.now()
        for scope in await self._store.start(tenant_id, agent_id, model_id, now=now):
            self._on_started(scope)
        return await self.progress(tenant_id, agent_id)

    async def progress(self, tenant_id: TenantId, agent_id: AgentId | None) -> Sequence[Embedded]:
        """Counts the vectors of the next model; without one, those of the serving model."""
        model_id = self.models.counted_id
        found = await self._store.embedded(tenant_id, agent_id, model_id, MAX_SCOPES)
        if agent_id is not None and not found:
            return [Embedded(agent_id, 0, 0, None)]
        return found
