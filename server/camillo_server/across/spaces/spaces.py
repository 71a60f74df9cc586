"""Contents of spaces: a page of them, and one in detail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from camillo_server.across.lifecycle.maintenance import GetUsage, ScopeUsage
from camillo_server.across.lifecycle.plan import LifecyclePolicy
from camillo_server.across.spaces import paths
from camillo_server.across.spaces.store.spaces import SpaceContents, SpaceKey, SpaceStore
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import Principal, Role, Scope, patterns_over
from camillo_server.storage.scopes import NamedScope

MAX_READERS = 100


@dataclass(frozen=True, slots=True)
class Space:
    """One space with its usage; `created_at` is None where nobody has written it."""

    agent_id: AgentId
    display_name: str
    created_at: datetime | None
    usage: ScopeUsage
    last_read_at: datetime | None

    @property
    def nbytes(self) -> int:
        """Bytes of all stores."""
        return sum(each.bytes for each in self.usage.contents.stores)

    @property
    def last_written_at(self) -> datetime | None:
        """The last write of a record that is there."""
        return max((each.last_at for each in self.usage.contents.stores if each.last_at), default=None)


@dataclass(frozen=True, slots=True)
class Retention:
    """How long records stay by themselves; None for good."""

    memories: Mapping[MemoryKind, timedelta]
    hidden_memories: timedelta
    artifacts: timedelta | None

    @classmethod
    def of(cls, policy: LifecyclePolicy, artifact_days: float | None) -> "Retention":
        """As the settings have it."""
        artifacts = None if artifact_days is None else timedelta(days=artifact_days)
        return cls(policy.lifetimes, policy.retention, artifacts)


@dataclass(frozen=True, slots=True)
class SpaceView:
    """A space in detail. `readers` are keys that reach it, for callers who may see them, and `more_readers` counts the
    others."""

    space: Space
    contents: SpaceContents
    retention: Retention
    readers: Sequence[SpaceKey] = ()
    more_readers: int = 0


class Spaces:
    """The spaces of a tenant as a caller sees them. Every method raises StorageUnavailable."""

    def __init__(self, store: SpaceStore, usage: GetUsage, retention: Retention) -> None:
        self._store = store
        self._usage = usage
        self._retention = retention

    async def page(self, caller: Principal, prefix: str, after: AgentId | None, size: int) -> Sequence[Space]:
        """At most `size` spaces that the caller reaches and the prefix names, in the order of their paths, behind
        `after` (None: from the first)."""
        ranges = paths.common(paths.of_caller(caller), paths.of_prefix(prefix))
        found = await self._store.page(caller.tenant_id, ranges, after, size)
        return await self._with_usage(Scope(caller.tenant_id, AgentId("")), found)

    async def view(self, caller: Principal, scope: Scope) -> SpaceView:
        """One space; an empty one where nobody has written it."""
        named = await self._store.page(scope.tenant_id, [paths.one(scope.agent_id)], None, 1)
        (space,) = await self._with_usage(scope, named or [None])
        view = SpaceView(space, await self._store.contents(scope), self._retention)
        if caller.role < Role.TENANT_ADMIN or caller.agent_id is not None:
            return view
        patterns = patterns_over(scope.agent_id)
        readers, count = await self._store.readers(scope, patterns, MAX_READERS)
        return SpaceView(space, view.contents, self._retention, readers, count - len(readers))

    async def _with_usage(self, scope: Scope, found: Sequence[NamedScope | None]) -> Sequence[Space]:
        """These spaces, None for the given one that is not there, with what they hold."""
        agent_ids = [each.agent_id if each else scope.agent_id for each in found]
        usages = await self._usage.of_scopes(scope.tenant_id, agent_ids)
        reads = await self._store.last_reads(scope.tenant_id, agent_ids)
        return [
            Space(
                usage.contents.agent_id,
                named.display_name if named else "",
                named.created_at if named else None,
                usage,
                reads.get(usage.contents.agent_id),
            )
            for named, usage in zip(found, usages, strict=True)
        ]
