"""`Indexes`: what this process holds, told and compared with Postgres."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import replace

from camillo_server.domain.ids import AgentId, TenantId
from camillo_server.domain.indexes import Agreement, HeldIndex
from camillo_server.domain.scope import Scope
from camillo_server.retrieval.failures import IndexFailed
from camillo_server.retrieval.resident_scope import ResidentScope
from camillo_server.retrieval.scope_caches import ScopeCaches
from camillo_server.retrieval.verification import NeverStill, difference
from camillo_server.storage.scope_rows import ScopeRowsReader


class HeldIndexes:
    """Over the scopes in memory."""

    def __init__(self, caches: ScopeCaches, reader: ScopeRowsReader, pool: Executor) -> None:
        self._caches = caches
        self._reader = reader
        self._pool = pool

    def of_tenant(
        self, tenant_id: TenantId, after: AgentId | None, size: int
    ) -> Sequence[HeldIndex]:
        held = (each.resident for each in self._caches.budget)
        own = [each for each in held if each.scope.tenant_id == tenant_id]
        behind = [each for each in own if after is None or each.scope.agent_id > after]
        return [_told(each) for each in sorted(behind, key=lambda each: each.scope.agent_id)[:size]]

    def of_scope(self, scope: Scope) -> HeldIndex | None:
        resident = self._caches.budget.get(scope)
        return _told(resident) if resident else None

    async def compare(self, index: HeldIndex) -> HeldIndex | None:
        resident = self._caches.budget.get(index.scope)
        if resident is None:
            return None
        try:
            found = await difference(resident, self._reader, self._pool)
        except NeverStill:
            return replace(_told(resident), agreement=Agreement.NEVER_STILL)
        except IndexFailed as error:
            found = str(error)
        if found is None:
            return replace(_told(resident), agreement=Agreement.AGREES)
        # Another may have taken its place meanwhile.
        if self._caches.budget.get(index.scope) is resident:
            self._caches.drop(index.scope, f"it differs from Postgres: {found}")
        return replace(_told(resident), agreement=Agreement.DIFFERS, difference=found)


def _told(resident: ResidentScope) -> HeldIndex:
    view = resident.view
    scope: Scope = resident.scope
    return HeldIndex(scope, view.facts.revision, view.live_count, resident.index.nbytes)
