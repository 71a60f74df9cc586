"""What the use cases of context need of the outside."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from camillo_server.context.view import Handoff, View
from camillo_server.decisions.decision import Decision
from camillo_server.events.event import Event
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.revision import Freshness
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written, replay_record
from camillo_server.memories.memory import Memory
from camillo_server.tasks.task import Task


@dataclass(frozen=True, slots=True)
class GroundWanted:
    """How much of each is needed; 0 for nothing."""

    session_id: str
    recent_events: int
    decisions: int
    tasks: int
    handoffs: int
    views: bool
    recent_memories: int = 0
    recent_memories_hours: float = 24.0
    pinned: int = 0


@dataclass(frozen=True, slots=True)
class Ground:
    """What a bundle is made from beside retrieval, of the scope and of the tenant's shared one, before any policy.

    `recent_events`: the last of the session in the order of recording. `decisions`: those in force, the latest made first.
    `tasks`: unfinished ones, the last changed first. `handoffs`: unexpired ones to this agent, the latest first. `views`: by name, the
    agent's before the tenant's. `recent_memories`: the latest first; `pinned`: by importance, the most important first.
    `is_held`: Postgres is away, and this is what it said before.
    """

    revision: int
    views: Sequence[View] = ()
    tasks: Sequence[Task] = ()
    decisions: Sequence[Decision] = ()
    handoffs: Sequence[Handoff] = ()
    recent_events: Sequence[Event] = ()
    recent_memories: Sequence[Memory] = ()
    pinned: Sequence[Memory] = ()
    is_held: bool = False


class GroundReader(Protocol):
    """Reads all of it in one snapshot and few round trips. Raises StorageUnavailable, RevisionBehind, KeyMissing."""

    async def ground(
        self, scope: Scope, wanted: GroundWanted, freshness: Freshness, *, now: datetime
    ) -> Ground: ...


class ViewStore(Protocol):
    """Views of one scope. Writes are one transaction each that advances the scope's revision by one. Raise StorageUnavailable, RequestIdReused."""

    async def put(
        self,
        scope: Scope,
        view: View,
        expected_version: int | None,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> tuple[View, int]:
        """Stores it (`view.version` is made here); the view and the revision that holds it. Raises VersionConflict,
        ValueRejected."""
        ...

    async def delete(
        self, scope: Scope, name: str, request: RequestKey | None, *, now: datetime
    ) -> int:
        """The revision from which it is gone. Raises NotFound."""
        ...

    async def all(self, scope: Scope) -> Sequence[View]:
        """The scope's and the tenant's, by name, the scope's first."""
        ...


class RecipeStore(Protocol):
    """Recipes of a tenant's own, as their YAML. Raise StorageUnavailable."""

    async def put(self, tenant_id: TenantId, name: str, text: str, *, now: datetime) -> None: ...

    async def delete(self, tenant_id: TenantId, name: str) -> None:
        """Raises NotFound."""
        ...

    async def all(self, tenant_id: TenantId) -> dict[str, str]:
        """YAML by name."""
        ...

    async def get(self, tenant_id: TenantId, name: str) -> str | None: ...


@replay_record
@dataclass(frozen=True, slots=True)
class HandoffReplay:
    """The values of a handoff that its request does not hold. `text` shows tasks and decisions as they were then."""

    handoff_id: UUID
    text: str
    tokens: int
    created_at: datetime
    expires_at: datetime


class HandoffStore(Protocol):
    """Packets between agents of a tenant. Raise StorageUnavailable, RequestIdReused."""

    async def put(
        self,
        scope: Scope,
        handoff: Handoff,
        replay: HandoffReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[HandoffReplay]:
        """Stores a packet of this scope for another agent, whose scope's revision it advances. Raises NotFound for an agent
        that is not there, ValueRejected for what either has forgotten."""
        ...

    async def incoming(self, scope: Scope, size: int, *, now: datetime) -> Sequence[Handoff]:
        """Unexpired ones to this agent, the latest first."""
        ...
