"""The indexes that this process holds in memory, as an operator sees them, and their comparison with Postgres."""

import enum
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.scope_caches import ScopeCaches
from camillo_server.search.index.verification import NeverStill, find_difference
from camillo_server.search.store.scope_rows import ScopeRowsReader


class Agreement(enum.IntEnum):
    """The result of comparing an index with Postgres. The numbers are those of the contract."""

    NOT_COMPARED = 1
    AGREES = 2
    DIFFERS = 3
    NEVER_STILL = 4


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """The index of one scope; `difference` names the first thing that differs."""

    scope: Scope
    revision: int
    memories: int
    nbytes: int
    agreement: Agreement = Agreement.NOT_COMPARED
    difference: str = ""


class CachedIndexes:
    """Lists the scopes in memory, and compares them with Postgres in `pool`."""

    def __init__(self, caches: ScopeCaches, reader: ScopeRowsReader, pool: Executor) -> None:
        self._caches = caches
        self._reader = reader
        self._pool = pool

    def of_tenant(
        self, tenant_id: TenantId, after: AgentId | None, size: int
    ) -> Sequence[IndexStatus]:
        """The first indexes of a tenant by agent id, after this one (None: from the first)."""
        residents = sorted(
            (
                entry.resident
                for entry in self._caches.budget
                if entry.resident.scope.tenant_id == tenant_id
                and (after is None or entry.resident.scope.agent_id > after)
            ),
            key=lambda resident: resident.scope.agent_id,
        )
        return [_status(resident) for resident in residents[:size]]

    def of_scope(self, scope: Scope) -> IndexStatus | None:
        """The index of a scope, if it is in memory."""
        resident = self._caches.budget.get(scope)
        return _status(resident) if resident else None

    async def compare(self, index: IndexStatus) -> IndexStatus | None:
        """Compares an index with Postgres, and drops it if they differ; None where it is no longer in memory.

        Raises StorageUnavailable.
        """
        resident = self._caches.budget.get(index.scope)
        if resident is None:
            return None
        try:
            difference = await find_difference(resident, self._reader, self._pool)
        except NeverStill:
            return replace(_status(resident), agreement=Agreement.NEVER_STILL)
        except IndexFailed as error:
            difference = str(error)
        if difference is None:
            return replace(_status(resident), agreement=Agreement.AGREES)
        # Another index may have taken its place meanwhile.
        if self._caches.budget.get(index.scope) is resident:
            self._caches.drop(index.scope, f"it differs from Postgres: {difference}")
        return replace(_status(resident), agreement=Agreement.DIFFERS, difference=difference)


def _status(resident: ResidentScope) -> IndexStatus:
    view = resident.view
    return IndexStatus(resident.scope, view.facts.revision, view.live_count, resident.index.nbytes)
