"""The scopes in memory: loaded on demand, each once at a time; kept up to date; dropped where that fails."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Coroutine, Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import Context
from typing import Any

from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import FairSlots
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import FULLY_CONSISTENT, AtLeastAsFresh, Freshness
from camillo_server.rows.row import NewRow
from camillo_server.search.index.budget import CacheBudget, SpooledRows
from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.index.index_loading import IndexLoader, LoadProgress, estimated_bytes
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.store.row_groups import RowGroupStore
from camillo_server.search.store.scope_rows import ScopeRowsReader
from camillo_server.storage.scopes import scope_prefix
from camillo_server.telemetry.instruments import Instruments

MAX_CONCURRENT_LOADS = 2
MAX_PENDING_LOADS = 128
# Recalls of a scope wait for a load that has so many rows left, which takes about a quarter of a second.
MAX_AWAITED_ROWS = 16_384
# The wait after a load that failed, or after the budget did not admit the scope.
LOAD_BACKOFF_SECONDS = 2.0
MAX_BACKOFFS = 10_000

logger = logging.getLogger(__name__)


class ScopeCaches:
    """The scopes that this process holds in memory, a `Subscriber` of the change notifier.

    Belongs to one event loop; what would block it runs in `pool`.
    """

    def __init__(
        self,
        reader: ScopeRowsReader,
        budget: CacheBudget,
        pool: Executor,
        instruments: Instruments,
        groups: RowGroupStore | None = None,
    ) -> None:
        """Without a store of row groups, every scope is read from its tables."""
        self._reader = reader
        self._pool = pool
        self._receivers = ThreadPoolExecutor(MAX_CONCURRENT_LOADS, thread_name_prefix="rows")
        self._loader = IndexLoader(reader, groups, pool, self._receivers)
        self._instruments = instruments
        self.budget = budget
        # Counts since the start of the process, for metrics.
        self.hits = self.misses = self.loads = self.failures = 0
        self._loading: dict[Scope, asyncio.Task[None]] = {}
        # The loads that read Postgres already.
        self._progress: dict[Scope, LoadProgress] = {}
        self._commits_while_loading: dict[Scope, int] = {}
        self._load_slots = FairSlots(MAX_CONCURRENT_LOADS, MAX_CONCURRENT_LOADS - 1)
        self._backoff_until: dict[Scope, float] = {}
        self._scopes_by_name: dict[str, set[Scope]] = defaultdict(set)
        # The time since which each scope is known to have changed.
        self._changed: dict[Scope, float] = {}
        self._has_changed = asyncio.Event()
        self._used: set[Scope] = set()
        self._refreshing: set[asyncio.Task[None]] = set()
        self._merging: set[Scope] = set()
        self._spooled = SpooledRows()

    def use(self, scope: Scope) -> ResidentScope | None:
        """The scope if it is in memory; counted as a hit or a miss."""
        resident = self.budget.use(scope)
        if resident is None:
            self.misses += 1
        else:
            self.hits += 1
            self._used.add(scope)
        return resident

    def revision_of(self, scope: Scope) -> int | None:
        """The revision of the scope's index, if it is in memory."""
        resident = self.budget.get(scope)
        return None if resident is None else resident.revision

    async def at_revisions(
        self, residents: Sequence[ResidentScope], demanded: Sequence[Freshness]
    ) -> Sequence[Freshness]:
        """The demands on these scopes of one tenant; where several demand everything committed by now, as revisions,
        which Postgres tells for all of them at once. Raises StorageUnavailable."""
        asked = [each for each, freshness in zip(residents, demanded, strict=True) if freshness == FULLY_CONSISTENT]
        if len(asked) < 2:
            return demanded
        before = {each.scope.agent_id: each.revision for each in asked}
        committed = await self._reader.revisions(asked[0].scope.tenant_id, [*before])
        # Where Postgres has gone back, a refresh of the scope finds it out.
        known = {id_: AtLeastAsFresh(now, is_committed=True) for id_, now in committed.items() if now >= before[id_]}
        told = [known.get(each.scope.agent_id, FULLY_CONSISTENT) for each in residents]
        return [new if old == FULLY_CONSISTENT else old for old, new in zip(demanded, told, strict=True)]

    def request_load(self, scope: Scope) -> None:
        """Starts to load a scope, unless that is under way, it backs off after a failure, or too many loads are
        pending."""
        now = asyncio.get_running_loop().time()
        if self._backoff_until.get(scope, 0.0) > now:
            return
        pending = sum(each.tenant_id == scope.tenant_id for each in self._loading)
        # One tenant may have at most as many pending loads as are left for the others.
        if scope not in self._loading and pending < MAX_PENDING_LOADS - len(self._loading):
            # The load runs in a context of its own: the caller, who does not wait for it, may have a deadline.
            task = asyncio.create_task(self._load_or_back_off(scope), context=Context())
            self._loading[scope] = task
            task.add_done_callback(lambda _: self._loading.pop(scope, None))

    def is_loaded_soon(self, scope: Scope) -> bool:
        """Whether a load of this scope is under way that takes no longer than some searches of it by Postgres."""
        progress = self._progress.get(scope)
        return progress is not None and progress.rows_left <= MAX_AWAITED_ROWS

    async def wait_until_loaded(self, scope: Scope, seconds: float) -> ResidentScope | None:
        """Waits until the load of a scope ends, if one is under way, at most so many seconds; the scope, if it is in
        memory then."""
        task = self._loading.get(scope)
        if task is not None:
            await asyncio.wait({task}, timeout=seconds)
        resident = self.budget.get(scope)
        if resident is not None:
            # The next check counts the bytes that the coming answer adds to the index's caches.
            self._used.add(scope)
        return resident

    def drop(self, scope: Scope, cause: str) -> None:
        """Removes an index that cannot be trusted: Postgres answers until the scope is loaded again."""
        self.failures += 1
        logger.warning("an index in memory is dropped", extra={"cause": cause})
        self.budget.drop(scope)
        self._unregister([scope])

    def on_commit(self, scope: Scope, revision: int, rows: Sequence[NewRow] | None) -> bool:
        """A revision was committed here; `rows` as in `ResidentScope.on_commit`. True if the index has it now, or need
        not."""
        if scope in self._loading:
            before = self._commits_while_loading.get(scope, 0)
            self._commits_while_loading[scope] = max(before, revision)
        resident = self.budget.get(scope)
        if scope in self._spooled:
            self._on_replay(scope, rows, is_resident=resident is not None)
        if resident is None:
            return scope not in self._loading
        self._used.add(scope)
        try:
            return resident.on_commit(revision, rows)
        except IndexFailed as error:
            self.drop(scope, str(error))
            return True

    def on_change(self, name: str | None) -> None:
        """Something changed in the scopes of this name, or, for None, in any scope."""
        changed = self._scopes_by_name.get(name, ()) if name else (entry.resident.scope for entry in self.budget)
        now = asyncio.get_running_loop().time()
        for scope in changed:
            self._changed.setdefault(scope, now)
        if self._changed:
            self._has_changed.set()

    def on_removal(self, name: str | None) -> None:
        """Withdraws spooled rows, which may hold forgotten text: they are shown once they are committed. Removed rows
        have left tombstones, which the next recall reads."""
        for scope in self._scopes_by_name.get(name, ()) if name else ():
            if resident := self.budget.get(scope):
                resident.on_removal()
        for scope in self._spooled.scopes if name else ():
            if scope_prefix(scope) == name:
                self._run_aside(self._withdraw(scope, self._spooled.take(scope)))

    def on_spooled(self, scope: Scope, rows: Sequence[NewRow]) -> None:
        """Shows the rows in the index of the scope, if it is in memory now or before they are committed."""
        added = self._spooled.add(scope, rows)
        if len(added) < len(rows):
            logger.warning("spooled rows are not shown: there are too many")
        resident = self.budget.get(scope)
        if resident is not None:
            self._used.add(scope)
            self._show_spooled(resident, added)

    def on_drained(self, scope: Scope) -> None:
        """Drops the rows that were not committed: none of the scope is spooled any more."""
        if scope in self._spooled:
            self._run_aside(self._drain(scope, self._spooled.take(scope)))

    def on_new_history(self) -> None:
        """Drops every index, and stops to load others: they would be brought up to date by revisions of before."""
        for task in self._loading.values():
            task.cancel()
        scopes = [entry.resident.scope for entry in self.budget]
        for scope in scopes:
            self.budget.drop(scope)
        self._unregister(scopes)

    async def follow(self) -> None:
        """Refreshes the scopes that change, for as long as it runs."""
        while True:
            await self._has_changed.wait()
            self._has_changed.clear()
            changed, self._changed = self._changed, {}
            for scope, since in changed.items():
                self._run_aside(self._follow_one(scope, since))

    async def check(self) -> None:
        """Refreshes the scopes in use that are behind, in case a notification was lost, and counts their bytes again.

        Raises StorageUnavailable.
        """
        used, self._used = self._used, set()
        before = {scope: self.revision_of(scope) or 0 for scope in used}
        by_tenant: dict[TenantId, list[AgentId]] = defaultdict(list)
        for scope in used:
            by_tenant[scope.tenant_id].append(scope.agent_id)
        for tenant_id, agent_ids in by_tenant.items():
            try:
                revisions = await self._reader.revisions(tenant_id, agent_ids)
            except DomainError:
                self._used |= used
                raise
            for agent_id in agent_ids:
                # Applying the rows of commits takes up to a millisecond for each scope.
                await asyncio.sleep(0)
                scope = Scope(tenant_id, agent_id)
                await self._check_one(scope, before[scope], revisions.get(agent_id, 0))

    async def close(self) -> None:
        tasks = [*self._loading.values(), *self._refreshing]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._receivers.shutdown(wait=False)

    def _on_replay(self, scope: Scope, rows: Sequence[NewRow] | None, *, is_resident: bool) -> None:
        """Forgets spooled rows that a commit may have stored: another commit may remove them."""
        if rows is not None:
            self._spooled.remove(scope, [row.memory.memory_id.bytes for row in rows])
        elif not is_resident:
            self._spooled.take(scope)
        # Else the index tells, once it has been refreshed.

    def _show_spooled(self, resident: ResidentScope, rows: Sequence[NewRow]) -> None:
        try:
            if not resident.on_spooled(rows):
                self._run_aside(self._or_drop(resident, resident.show_spooled()))
        except IndexFailed as error:
            self.drop(resident.scope, str(error))

    async def _drain(self, scope: Scope, ids: Sequence[bytes]) -> None:
        # First, so that what was committed is there all the time.
        await self._refresh(scope)
        await self._withdraw(scope, ids)

    async def _withdraw(self, scope: Scope, ids: Sequence[bytes]) -> None:
        resident = self.budget.get(scope)
        if resident is not None:
            await self._or_drop(resident, resident.withdraw(ids))

    async def _or_drop(self, resident: ResidentScope, work: Coroutine[Any, Any, None]) -> None:
        """Does the work, or drops the index where that fails."""
        try:
            await work
        except IndexFailed as error:
            # Another one may have replaced it meanwhile.
            if self.budget.get(resident.scope) is resident:
                self.drop(resident.scope, str(error))

    async def _follow_one(self, scope: Scope, since: float) -> None:
        self._used.add(scope)
        await self._refresh(scope)
        self._instruments.record_index_lag(asyncio.get_running_loop().time() - since)

    async def _check_one(self, scope: Scope, before: int, revision: int) -> None:
        """`revision` was read from Postgres after the index had been at `before`."""
        resident = self.budget.get(scope)
        if resident is None:
            return
        try:
            # By commits here, it may be ahead of what was read; Postgres may not be behind what it had then.
            is_current = resident.apply_gathered() and before <= revision <= resident.revision
        except IndexFailed as error:
            self.drop(scope, str(error))
            return
        if not is_current:
            await self._refresh(scope)
        else:
            self._maintain(resident)
        resident = self.budget.get(scope)
        if resident is None:
            return
        if self.budget.is_too_large(resident.index.nbytes):
            # A scope that fits without its caches would otherwise be loaded and dropped in turns.
            resident.index.clear_caches()
        self._unregister(self.budget.resize(scope, resident.index.nbytes))

    async def _refresh(self, scope: Scope) -> None:
        """Brings a scope up to date, or drops it where its index fails."""
        resident = self.budget.get(scope)
        if resident is None:
            return
        try:
            await resident.refresh()
        except IndexFailed as error:
            self.drop(scope, str(error))
        except DomainError as error:
            # Postgres is away: the index stays true as of its revision, and the next check tries again.
            logger.info("an index in memory stays behind", extra={"cause": str(error)})
            self._used.add(scope)
        else:
            if scope in self._spooled:
                self._spooled.keep_only(scope, resident.spooled_ids)
            self._maintain(resident)

    def _maintain(self, resident: ResidentScope) -> None:
        """Starts a rebuild or a merge after many changes; the index serves meanwhile."""
        if resident.index.needs_rebuild:
            self.request_load(resident.scope)
        elif resident.index.needs_merge and resident.scope not in self._merging:
            self._merging.add(resident.scope)
            self._run_aside(self._merge_segments(resident))

    async def _merge_segments(self, resident: ResidentScope) -> None:
        try:
            await self._or_drop(resident, resident.merge_segments(self._pool))
        finally:
            self._merging.discard(resident.scope)

    def _run_aside(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs it as a task that `close` cancels."""
        task = asyncio.create_task(work)
        self._refreshing.add(task)
        task.add_done_callback(self._refreshing.discard)

    async def _load_or_back_off(self, scope: Scope) -> None:
        if not self._load_slots.take(scope.tenant_id):
            await self._load_slots.wait(scope.tenant_id)
        is_loaded = False
        try:
            is_loaded = await self._load(scope)
        except IndexFailed as error:
            self.drop(scope, str(error))
        except DomainError as error:
            logger.info("a scope was not loaded", extra={"cause": str(error)})
        finally:
            self._load_slots.release(scope.tenant_id)
            self._progress.pop(scope, None)
            self._commits_while_loading.pop(scope, None)
            if not is_loaded:
                if len(self._backoff_until) >= MAX_BACKOFFS:
                    self._backoff_until.clear()
                now = asyncio.get_running_loop().time()
                self._backoff_until[scope] = now + LOAD_BACKOFF_SECONDS

    async def _load(self, scope: Scope) -> bool:
        """Whether the scope is in memory now: one without rows, or that the budget does not admit, is not."""
        began = asyncio.get_running_loop().time()
        facts = await self._reader.facts(scope)
        nbytes = estimated_bytes(facts, self._reader.dimensions)
        if not facts.memory_count or not self.budget.admits(scope, nbytes):
            return False
        progress = self._progress[scope] = LoadProgress(facts.memory_count)
        index = await self._loader.load(scope, progress)
        resident = ResidentScope(scope, index, self._reader)
        nbytes = index.nbytes
        await resident.refresh()
        if not self.budget.admits(scope, nbytes):
            return False
        # Where it replaces an index that needed a rebuild, readers must not be set back.
        while (replaced := self.budget.get(scope)) and replaced.revision > resident.revision:
            await resident.refresh()
        resident.on_commit(self._commits_while_loading.get(scope, 0), None)
        # It did not hear of any while it was read.
        resident.on_removal()
        # From here on it hears of changes; what was committed since the refresh above is read by the one below.
        self._unregister(self.budget.put(scope, resident, nbytes))
        self._scopes_by_name[scope_prefix(scope)].add(scope)
        if scope in self._spooled:
            self._show_spooled(resident, self._spooled.of(scope))
        await self._refresh(scope)
        self.loads += 1
        self._instruments.record_index_load(asyncio.get_running_loop().time() - began)
        return True

    def _unregister(self, scopes: Iterable[Scope]) -> None:
        """These scopes are no longer in memory: changes of their names do not concern them."""
        for scope in scopes:
            name = scope_prefix(scope)
            self._scopes_by_name[name].discard(scope)
            if not self._scopes_by_name[name]:
                del self._scopes_by_name[name]
