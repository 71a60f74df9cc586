"""Small ports of what a bundle is made from: ground truth, an exhaustive search, decisions, tasks, packets, recipes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from camillo_server.context.records import ContextRecords, RecordsQuery
from camillo_server.context.view import Handoff, HandoffReplay
from camillo_server.decisions.decision import Decision, DecisionDraft, DecisionId, DecisionStatus
from camillo_server.embedding.embedder import NOBODY, EmbeddingUnavailable
from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.errors import NotFound, StorageUnavailable
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.revision import Freshness
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.memories.memory import Memory, MemoryDraft
from camillo_server.memories.memory_filter import MemoryFilter, passing_kinds
from camillo_server.search.candidates import AnsweredBy, CandidatePool, CandidateQuery
from camillo_server.search.fusion import ArmScores, QueryFacts
from camillo_server.tasks.task import Task, TaskDraft, TaskId
from camillo_server.text.index_terms import index_terms
from numpy.typing import NDArray

from tests.unit.context.samples import MOMENT

OWN = Scope(TenantId("tenant"), AgentId("agent"))
SHARED = Scope(TenantId("tenant"), AgentId(""))


class FixedClock:
    def now(self) -> datetime:
        return MOMENT


class NoEmbedder:
    """A provider that fails each time."""

    model_id = "none"
    dimensions = 2

    async def embed(
        self, texts: Sequence[str], tenant_id: TenantId = NOBODY
    ) -> NDArray[np.float32]:
        raise EmbeddingUnavailable("away")

    async def close(self) -> None:
        return None


def memory(text: str, number: int = 0, scope: Scope = OWN, **fields: Any) -> Memory:
    memory_id = fields.pop("memory_id", MemoryId(UUID(int=1 + number)))
    kind = fields.pop("kind", None)
    made = MemoryDraft(text, **fields).memory(scope.agent_id, memory_id, MOMENT)
    return made._replace(kind=kind) if kind is not None else made


def decision(text: str, number: int = 0, scope: Scope = OWN, **fields: Any) -> Decision:
    status = fields.pop("status", DecisionStatus.ACTIVE)
    return Decision(
        decision_id=DecisionId(UUID(int=5_000 + number)),
        agent_id=scope.agent_id,
        stated=DecisionDraft(text, ("ref",), decided_at=MOMENT, **fields),
        status=status,
        supersedes=(),
        superseded_by=None,
        version=1,
        created_at=MOMENT,
    )


def task(title: str, number: int = 0, scope: Scope = OWN, **fields: Any) -> Task:
    return Task(
        TaskId(UUID(int=9_000 + number)),
        scope.agent_id,
        TaskDraft(title, **fields),
        1,
        MOMENT,
        MOMENT,
    )


@dataclass
class RecordCacheInMemory:
    """Gives what it holds; notes what was wanted."""

    held: ContextRecords = field(default_factory=lambda: ContextRecords(7))
    wanted: list[RecordsQuery] = field(default_factory=list)

    async def read(
        self, scope: Scope, wanted: RecordsQuery, freshness: Freshness, *, now: datetime
    ) -> ContextRecords:
        self.wanted.append(wanted)
        recent = self.held.recent_events
        return replace(self.held, recent_events=recent if wanted.recent_events else [])


@dataclass
class SearchInMemory:
    """Counts the words that a memory has in common with the query; what has none is a candidate, too."""

    memories: list[Memory] = field(default_factory=list)
    specs: list[CandidateQuery] = field(default_factory=list)
    is_away: bool = False

    async def candidates(self, spec: CandidateQuery, freshness: Freshness) -> CandidatePool:
        self.specs.append(spec)
        if self.is_away:
            raise StorageUnavailable
        mine = [m for m in self.memories if m.agent_id == spec.scope.agent_id]
        found = [m for m in mine if _passes(m, spec.filter)]
        shared = [len(set(spec.terms) & set(index_terms(m.content))) for m in found]
        none = np.full((len(found), 0), np.nan, np.float32)
        return CandidatePool(
            arms=ArmScores(
                np.full(len(found), np.nan, np.float32), np.array(shared, np.float32), none, none
            ),
            query=QueryFacts((1.0,), 10),
            kinds=np.array([m.kind for m in found], np.int16),
            memory_ids=np.array([divmod(m.memory_id.int, 2**64) for m in found], np.uint64).reshape(
                len(found), 2
            ),
            occurred_at=np.array([microseconds(m.occurred_at) for m in found], np.int64),
            importance=np.array([m.importance for m in found], np.float32),
            pinned=np.array([m.pinned for m in found], np.bool_),
            memories=lambda places: [found[place] for place in places],
            vectors=lambda places: np.zeros((len(places), 2), np.float32),
            revision=7,
            vectors_pending=False,
            answered_by=AnsweredBy.CACHE,
        )


def _passes(each: Memory, wanted: MemoryFilter) -> bool:
    is_allowed = not wanted.sensitivities or each.sensitivity in wanted.sensitivities
    return is_allowed and each.kind in passing_kinds(wanted)


@dataclass
class RecordsInMemory:
    """Decisions or tasks by their ids."""

    records: Sequence[Any] = ()
    id_of: Callable[[Any], Any] = lambda record: record.decision_id
    is_away: bool = False

    async def get(self, scope: Scope, ids: Sequence[Any]) -> dict[Any, Any]:
        if self.is_away:
            raise StorageUnavailable
        return {self.id_of(each): each for each in self.records if self.id_of(each) in ids}


@dataclass
class PacketsInMemory:
    """Packets, and the records of requests."""

    packets: list[Handoff] = field(default_factory=list)
    answered: dict[str, HandoffReplay] = field(default_factory=dict)

    async def put(
        self,
        scope: Scope,
        handoff: Handoff,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[HandoffReplay]:
        key = request.request_id if request else str(handoff.handoff_id)
        replay = handoff.replay
        first = self.answered.setdefault(key, replay)
        if first is replay:
            self.packets.append(handoff)
        return Written(1, first, is_repeat=first is not replay)

    async def incoming(self, scope: Scope, size: int, *, now: datetime) -> Sequence[Handoff]:
        return [each for each in self.packets if each.expires_at > now][:size]


@dataclass
class RecipesInMemory:
    """YAML by name."""

    texts: dict[str, str] = field(default_factory=dict)
    is_away: bool = False

    async def put(self, tenant_id: TenantId, name: str, text: str, *, now: datetime) -> None:
        self.texts[name] = text

    async def delete(self, tenant_id: TenantId, name: str) -> None:
        if self.texts.pop(name, None) is None:
            raise NotFound("recipe", name)

    async def all(self, tenant_id: TenantId) -> dict[str, str]:
        return dict(self.texts)

    async def get(self, tenant_id: TenantId, name: str) -> str | None:
        if self.is_away:
            raise StorageUnavailable
        return self.texts.get(name)
