"""Distillations are undone exactly, whatever was proposed and accepted, and whatever somebody has changed meanwhile."""

import os
import random
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from camillo_server.features.compaction.store.compactions import CompactionStore
from camillo_server.features.decisions.decisions import Decisions
from camillo_server.features.distillation.proposal import (
    DistillationId,
    FinishedDistillation,
    Proposal,
    ProposalId,
    ProposalState,
)
from camillo_server.features.distillation.recording import RecordProposals
from camillo_server.features.distillation.reviews import Reviews
from camillo_server.features.distillation.statement import Operation, RecordType, Statement
from camillo_server.features.distillation.store.distillations import DistillationStore
from camillo_server.features.distillation.store.proposals import ProposalFilter, ProposalStore, Review
from camillo_server.features.events.event import Event
from camillo_server.features.tasks.tasks import Tasks
from camillo_server.kernel.channel import DEFAULT_CHANNELS
from camillo_server.kernel.clock import time_ordered_uuid, time_ordered_uuids
from camillo_server.kernel.ids import AgentId, EventCursor, MemoryId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.redaction.redaction import Redactor
from camillo_server.models.embedding.lexical import LexicalEmbedder
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.builder import MemoryBuilder
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.store.refs import Lineage, RefResolver
from camillo_server.rows.write_records import UpdatedVersions
from camillo_server.settings.sections import QuotaSettings
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.quotas import Quotas
from camillo_server.storage.scope_writes import ScopeWrites

from tests.postgres_fixtures import TestDatabase
from tests.storage.compaction.compaction_store import fact
from tests.storage.context.ground_store import KEYRING, NOW, GroundStore, event, ground_store, later
from tests.storage.distillation.made import distillation, statement
from tests.storage.lifecycle.lifecycle_store import StandingClock
from tests.storage.replays import OF_MEMORIES, OF_UPDATE

# More of them: HISTORIES=1000 python -m pytest tests/storage/distillation
HISTORIES = int(os.environ.get("HISTORIES", "15"))
TEXTS = ("tea at nine", "Ada lives in Porto", "порт 8443", "会議は九時", "no meat", "שלום", "the shop is closed")
Memories = Mapping[MemoryId, Row]


@dataclass(slots=True)
class Distilling:
    """Random proposals in one scope, and their reviews."""

    scope: Scope
    chance: random.Random
    ground: GroundStore
    writes: ScopeWrites
    clock: StandingClock = field(default_factory=StandingClock)

    @property
    def proposals(self) -> ProposalStore:
        return ProposalStore(self.writes, KEYRING)

    @property
    def reviews(self) -> Reviews:
        embedding = TextEmbedding(LexicalEmbedder(), 10, lambda _: None)
        lineage = Lineage(self.ground.database)
        builder = MemoryBuilder(embedding, Redactor(), lambda kind, now: None, lineage, self.clock)
        refs = RefResolver(self.ground.database)
        others: tuple[Any, ...] = (refs, Redactor(), DEFAULT_CHANNELS, self.clock)
        record = RecordProposals(Decisions(self.ground.decisions, *others), Tasks(self.ground.tasks, *others))
        quotas = Quotas(self.ground.database, self.ground.database, QuotaSettings())
        return Reviews(self.proposals, builder, record, Redactor(), quotas, self.clock)

    async def memories(self) -> Memories:
        ids = self.ground.rows(
            "select memory_id from memories where kind < 16 and agent_id = %s order by memory_id", self.scope.agent_id
        )
        return await CompactionStore(self.writes, KEYRING).memories(self.scope, [MemoryId(each) for (each,) in ids])

    async def remember(self, *texts: str) -> None:
        rows: list[NewRow] = [fact(text, self.scope) for text in texts]
        await self.ground.memories.remember_many(self.scope, rows, OF_MEMORIES, None, now=NOW)

    async def change(self, memory: Row) -> None:
        """Somebody says something else of a memory."""
        changed = memory._replace(content=f"{memory.content}!", version=memory.version + 1)
        versions = UpdatedVersions(memory.version, memory.version)
        row = NewRow(changed._replace(vector_model_id=""), None)
        await self.ground.memories.update(self.scope, row, versions, OF_UPDATE, None, now=later(5))

    async def distil(self, said: Event, memories: Memories) -> tuple[DistillationId, Sequence[Proposal]]:
        """Stores a distillation with random proposals about these memories."""
        stated = [self._statement(said, list(memories.values())) for _ in range(self.chance.randint(1, 6))]
        key = DistillationId(time_ordered_uuid(NOW))
        ids = time_ordered_uuids(NOW, len(stated))
        proposals = [
            proposal(key, place, statement, ProposalId(each), memories)
            for place, (statement, each) in enumerate(zip(stated, ids, strict=True))
        ]
        store, lease_id = DistillationStore(self.writes, KEYRING), uuid4()
        await store.lease(self.scope, lease_id, later(60), NOW)
        made, behind = distillation(key, said.event_id), EventCursor(1, 0)
        finished = FinishedDistillation(
            made, proposals, (), [said.event_id], Sensitivity.INTERNAL, behind, has_more=False
        )
        await store.finish(self.scope, finished, lease_id, None, NOW)
        return key, proposals

    def _statement(self, said: Event, memories: Sequence[Row]) -> Statement:
        record_type = self.chance.choice([RecordType.MEMORY, RecordType.MEMORY, RecordType.MEMORY, *RecordType])
        operation = self.chance.choice([*Operation, Operation.ADD]) if memories else Operation.ADD
        about = self.chance.choice(memories).memory_id if operation is not Operation.ADD else None
        number = "" if self.chance.random() < 0.5 else f" {self.chance.randint(1, 9)}"
        return statement(
            said.event_id,
            self.chance.choice(TEXTS) + number,
            operation=operation,
            record_type=record_type,
            sensitivity=Sensitivity.INTERNAL,
            valid_from=self.chance.choice([None, later(1)]),
            memory_id=about,
        )


def proposal(
    key: DistillationId, place: int, stated: Statement, proposal_id: ProposalId, memories: Memories
) -> Proposal:
    version = None if stated.memory_id is None else memories[stated.memory_id].version
    return Proposal(proposal_id, key, place, ProposalState.PENDING, stated, NOW, version)


def as_stated(memories: Memories) -> Memories:
    """The memories without what every change changes."""
    return {key: memory._replace(version=0, updated_at=NOW) for key, memory in memories.items()}


@pytest.fixture
async def ground(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


async def begin(ground: GroundStore, seed: int) -> tuple[Distilling, Event]:
    scope = Scope(TenantId("acme"), AgentId(f"h{seed}"))
    writes = ScopeWrites(ground.database, ChangeNotifier(""))
    distilling = Distilling(scope, random.Random(seed), ground, writes)  # noqa: S311
    said = event("said", scope)
    await ground.record(said, scope=scope, chunks=())
    await distilling.remember(*distilling.chance.sample(TEXTS, distilling.chance.randint(0, 4)))
    return distilling, said


async def accept_some(distilling: Distilling, proposals: Sequence[Proposal]) -> None:
    """In any order, and several at once."""
    left = distilling.chance.sample(proposals, distilling.chance.randint(1, len(proposals)))
    while left:
        count = distilling.chance.randint(1, len(left))
        await distilling.reviews.accept(distilling.scope, [each.proposal_id for each in left[:count]], Review())
        left = left[count:]


async def test_undone_distillations_leave_nothing_behind(ground: GroundStore) -> None:
    accepted = records = 0
    for seed in range(HISTORIES):
        distilling, said = await begin(ground, seed)
        before = as_stated(await distilling.memories())
        made = []
        for _ in range(distilling.chance.randint(1, 3)):
            key, proposals = await distilling.distil(said, await distilling.memories())
            await accept_some(distilling, proposals)
            made.append(key)
        accepted += as_stated(await distilling.memories()) != before
        records += ground.count("decisions") + ground.count("tasks")
        for key in reversed(made):
            undone = await distilling.reviews.revert(distilling.scope, key, Review())
            assert undone.changed_ids == (), seed
        assert as_stated(await distilling.memories()) == before, seed
        assert ground.counts_are_right(distilling.scope), seed
        assert ground.count("decisions") + ground.count("tasks") == 0, seed
    assert accepted > HISTORIES / 2
    assert records > HISTORIES / 4


async def test_what_somebody_has_changed_since_is_named_and_stays(ground: GroundStore) -> None:
    stayed = 0
    for seed in range(HISTORIES):
        distilling, said = await begin(ground, 10_000 + seed)
        before = await distilling.memories()
        key, proposals = await distilling.distil(said, before)
        await accept_some(distilling, proposals)
        new = [memory for memory_id, memory in (await distilling.memories()).items() if memory_id not in before]
        changed = distilling.chance.sample(new, distilling.chance.randint(0, len(new)))
        for memory in changed:
            await distilling.change(memory)
        undone = await distilling.reviews.revert(distilling.scope, key, Review())
        after = await distilling.memories()
        of_changed = await distilling.proposals.page(
            distilling.scope, ProposalFilter(ProposalState.ACCEPTED, key), None, 100
        )
        assert sorted(undone.changed_ids) == sorted(each.proposal_id for each in of_changed), seed
        assert {each.result_id for each in of_changed} == {memory.memory_id for memory in changed}, seed
        assert after.keys() - before.keys() == {memory.memory_id for memory in changed}, seed
        superseded = {memory_id for memory in changed for memory_id in memory.supersedes}
        kept = {key: memory for key, memory in before.items() if key not in superseded}
        assert as_stated({key: after[key] for key in kept}) == as_stated(kept), seed
        stayed += len(changed)
    assert stayed
