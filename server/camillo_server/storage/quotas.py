"""How much of everything a tenant may have, and how often it may call.

A bound is checked against a count that is some time old, and what this process has let in since: so it costs a write
nothing, and servers that write at once may together pass a bound by what they write in that time. At a bound, the
tenant is counted again."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, field

from camillo_server.kernel.clock import TokenBucket
from camillo_server.kernel.errors import DomainError, Overloaded, QuotaExceeded
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import set_weight
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.settings.sections import QuotaSettings
from camillo_server.storage.database import Database
from camillo_server.storage.statements import statements

SQL = statements("storage/quotas")
RATE, WEIGHT = "calls_per_second", "weight"
# Between two counts of a tenant: so long at least, and so many times as long as counting took.
COUNT_SECONDS, COUNT_SHARE = 60.0, 100.0
# At a bound a tenant is counted again, once in this time.
RECOUNT_SECONDS = 1.0
MAX_TENANTS = 10_000


@dataclass(frozen=True, slots=True)
class QuotaUse:
    """A tenant's use of one quota, its limit (0: unlimited), and whether that limit is the tenant's own."""

    name: str
    used: int
    limit: int
    is_own: bool


@dataclass(slots=True)
class _Tenant:
    """The limits and the use of a tenant, as far as they are known, and the calls that it may begin now."""

    limits: Mapping[str, int]
    own: Mapping[str, int] = field(default_factory=dict)
    # The counts that Postgres returned, less what had been let in when counting began.
    counted: Mapping[str, int] = field(default_factory=dict)
    let_in: Counter[str] = field(default_factory=Counter)
    # The value of `let_in` when counting began.
    let_in_then: Mapping[str, int] = field(default_factory=dict)
    counted_at: float = float("-inf")
    next_count_at: float = float("-inf")
    calls: TokenBucket = field(default_factory=lambda: TokenBucket(0, 0))

    def used(self, name: str) -> int:
        return self.counted.get(name, 0) + self.let_in[name]

    def is_estimated(self, name: str) -> bool:
        """Whether something was let in since the tenant was counted."""
        return not self.counted or self.let_in[name] != self.let_in_then[name]

    def exceeded(self, added: Mapping[str, int]) -> str:
        """The first bound that would be passed, or an empty text."""
        for name, number in added.items():
            limit = self.limits[name]
            # As `used` counts: each write asks this several times.
            if limit and self.counted.get(name, 0) + self.let_in[name] + number > limit:
                return name
        return ""


class Quotas:
    """The bounds of the tenants that this process has heard of."""

    def __init__(self, database: Database, background: Database, defaults: QuotaSettings) -> None:
        """`background` is for counts that nobody waits for, which may take long: one at a time."""
        self._database = database
        self._background = background
        self._is_counting = asyncio.Lock()
        self._defaults: dict[str, int] = defaults.model_dump()
        self._tenants: dict[TenantId, _Tenant] = {}
        self._counting: set[asyncio.Task[None]] = set()

    def begin_call(self, tenant_id: TenantId) -> None:
        """Counts a call. Raises Overloaded."""
        tenant = self._tenants.get(tenant_id) or self._new(tenant_id)
        if rate := tenant.limits[RATE]:
            now = asyncio.get_running_loop().time()
            # A tenant that was quiet may make the calls of a second at once.
            if tenant.calls.refill(now, rate, rate) < 1:
                raise Overloaded(rate, "calls a second of the tenant")
            tenant.calls.tokens -= 1

    async def require(self, scope: Scope, added: Mapping[str, int], *, exactly: bool = False) -> None:
        """Counts what a write is about to add; the first of an agent adds the agent, too. `exactly` is for one that was
        let in before: it is refused by what Postgres has alone. Raises QuotaExceeded, StorageUnavailable."""
        tenant = self._tenants.get(scope.tenant_id) or self._new(scope.tenant_id)
        now = asyncio.get_running_loop().time()
        if tenant.exceeded({"agents": 1}) and scope.agent_id and not await self._has(scope):
            added = {**added, "agents": 1}
        if name := tenant.exceeded(added):
            if now - tenant.counted_at >= RECOUNT_SECONDS or (exactly and tenant.is_estimated(name)):
                await self._count(self._database, scope.tenant_id, tenant)
                name = tenant.exceeded(added)
            if name:
                raise QuotaExceeded(name, tenant.limits[name])
        tenant.let_in.update(added)
        if now >= tenant.next_count_at:
            self._count_aside(scope.tenant_id, tenant)

    async def uses(self, tenant_id: TenantId) -> Sequence[QuotaUse]:
        """Everything that is bounded, counted now. Raises StorageUnavailable."""
        tenant = self._tenants.get(tenant_id) or self._add(tenant_id)
        await self._count(self._database, tenant_id, tenant)
        return [QuotaUse(name, tenant.used(name), limit, name in tenant.own) for name, limit in tenant.limits.items()]

    def forget(self, tenant_id: TenantId) -> None:
        """Reads a tenant's bounds anew: they were changed."""
        self._tenants.pop(tenant_id, None)

    async def close(self) -> None:
        for task in self._counting:
            task.cancel()
        await asyncio.gather(*self._counting, return_exceptions=True)

    def _new(self, tenant_id: TenantId) -> _Tenant:
        """One that is counted beside the caller."""
        tenant = self._add(tenant_id)
        self._count_aside(tenant_id, tenant)
        return tenant

    def _add(self, tenant_id: TenantId) -> _Tenant:
        if len(self._tenants) >= MAX_TENANTS:
            self._tenants.clear()
        tenant = self._tenants[tenant_id] = _Tenant(self._defaults)
        return tenant

    async def _has(self, scope: Scope) -> bool:
        if "\0" in scope.agent_id:
            # The limits of the request are checked later; Postgres has no such text.
            return False
        parameters = {"tenant_id": scope.tenant_id, "agent_id": scope.agent_id}
        return bool(await self._database.rows(scope, SQL["has_agent"], parameters))

    def _count_aside(self, tenant_id: TenantId, tenant: _Tenant) -> None:
        """Counts beside the caller, whose deadline does not hold for it."""
        tenant.next_count_at = asyncio.get_running_loop().time() + COUNT_SECONDS
        task = asyncio.create_task(self._count_if_possible(tenant_id, tenant), context=Context())
        self._counting.add(task)
        task.add_done_callback(self._counting.discard)

    async def _count_if_possible(self, tenant_id: TenantId, tenant: _Tenant) -> None:
        # While Postgres is away, or counting takes too long, what is known holds until the next count.
        async with self._is_counting:
            with suppress(DomainError):
                await self._count(self._background, tenant_id, tenant)

    async def _count(self, database: Database, tenant_id: TenantId, tenant: _Tenant) -> None:
        began, let_in = asyncio.get_running_loop().time(), tenant.let_in.copy()
        scope, parameters = whole_tenant(tenant_id), {"tenant_id": tenant_id}
        row = await database.record(scope, SQL["counts"], parameters)
        if began < tenant.counted_at:
            # One that began later was faster.
            return
        counts = row._asdict()
        tenant.own = counts.pop("own") or {}
        tenant.counted = {name: number - let_in[name] for name, number in counts.items()}
        tenant.let_in_then = let_in
        tenant.limits = {**self._defaults, **tenant.own}
        set_weight(tenant_id, tenant.limits[WEIGHT])
        tenant.counted_at = began
        now = asyncio.get_running_loop().time()
        tenant.next_count_at = now + max(COUNT_SECONDS, COUNT_SHARE * (now - began))
