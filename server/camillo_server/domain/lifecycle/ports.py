"""What the passes of maintenance, pruning and archiving need of the outside."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from camillo_server.domain.ids import AgentId, TenantId
from camillo_server.domain.lifecycle.plan import PassDone, PlanRef, Work
from camillo_server.domain.lifecycle.scope_contents import ScopeContents
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


@dataclass(frozen=True, slots=True)
class PassOrder:
    """How a caller wants a pass carried out: under a request id, and as it was planned."""

    request: RequestKey | None = None
    plan: PlanRef | None = None


class LifecycleStore(Protocol):
    """Passes over one scope. Both methods raise StorageUnavailable."""

    async def plan(self, scope: Scope, work: Work, *, at: datetime) -> PassDone:
        """What a pass would do now, read in one snapshot."""
        ...

    async def carry_out(
        self, scope: Scope, work: Work, order: PassOrder, *, now: datetime
    ) -> PassDone:
        """In one transaction that holds the scope's turn: finds what is to be done, does it, and advances the revision by
        one; where there is nothing to do, the revision stays. Raises PlanChanged where that is not what was planned,
        RequestIdReused."""
        ...


class UsageReader(Protocol):
    """Counts what scopes hold. Raises StorageUnavailable."""

    async def contents(
        self, tenant_id: TenantId, agent_ids: Sequence[AgentId], *, now: datetime
    ) -> Sequence[ScopeContents]:
        """Of these scopes, in the order given; empty ones among them."""
        ...

    async def agent_ids(
        self, tenant_id: TenantId, after: AgentId | None, size: int
    ) -> Sequence[AgentId]:
        """The agents of a tenant that have a scope, in order, behind this one (None: from the first); the empty one is that
        of the shared scope."""
        ...
