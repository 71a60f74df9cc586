"""Compactions over one database, with a clock that tests move and a model that says what it is told to."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import psycopg
from camillo_server.features.compaction.compaction import (
    Compaction,
    CompactionState,
    Criteria,
    SummaryUnavailable,
)
from camillo_server.features.compaction.compactions import Compacted, Compactions, Reverted
from camillo_server.features.compaction.groups import FindGroups
from camillo_server.features.compaction.merge import MergeGroups
from camillo_server.features.compaction.store.compactions import CompactionStore
from camillo_server.kernel.errors import QuotaExceeded
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import UNATTRIBUTED, Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.redaction.redaction import Redactor
from camillo_server.models.embedding.lexical import LexicalEmbedder
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import NewRow, Row
from camillo_server.settings.lifecycle import CompactionSettings
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.scope_writes import ScopeWrites

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import ALICE, KEYRING, NOW, GroundStore, ground_store, row
from tests.storage.lifecycle.lifecycle_store import StandingClock
from tests.storage.replays import OF_MEMORIES

ALIKE = ("The user prefers dark mode in the editor", "User prefers dark mode in the editor.")


@dataclass(slots=True)
class Dictated:
    """`Summariser` that answers what a test dictates: a text for what it is asked, an error, or else all it was
    told."""

    answer: str | SummaryUnavailable | QuotaExceeded | None = None
    asked: list[Sequence[str]] = field(default_factory=list)
    model_id: str = "dictated"

    async def summarise(self, texts: Sequence[str], scope: Scope) -> str:
        self.asked.append(texts)
        if isinstance(self.answer, Exception):
            raise self.answer
        return " ".join(texts) if self.answer is None else self.answer


@dataclass(slots=True)
class CompactionHarness:
    """The use cases over the adapters."""

    ground: GroundStore
    store: CompactionStore
    clock: StandingClock = field(default_factory=StandingClock)
    model: Dictated | None = None

    def compactions(self) -> Compactions:
        embedder = LexicalEmbedder()
        return Compactions(
            self.store,
            FindGroups(self.store, embedder, CompactionSettings(tag_threshold=5)),
            MergeGroups(self.model, Redactor()),
            TextEmbedding(embedder, 10, lambda _: None),
            self.clock,
        )

    async def compact(
        self,
        work: Criteria | Sequence[UUID] = Criteria(),  # noqa: B008 (frozen)
        request: RequestKey | None = None,
        *,
        dry_run: bool = False,
        scope: Scope = ALICE,
    ) -> Compacted:
        return await self.compactions().compact(scope, work, UNATTRIBUTED, request, dry_run=dry_run)

    async def one(self, scope: Scope = ALICE) -> Compaction:
        """The only compaction that there is to carry out."""
        (compaction,) = (await self.compact(scope=scope)).compactions
        return compaction

    async def propose(self, scope: Scope = ALICE) -> Compaction:
        (compaction,) = (await self.compact(dry_run=True, scope=scope)).compactions
        return compaction

    async def revert(self, compaction: Compaction, request: RequestKey | None = None, scope: Scope = ALICE) -> Reverted:
        return await self.compactions().revert(scope, compaction.compaction_id, request)

    async def listed(self, state: CompactionState | None = None, scope: Scope = ALICE) -> Sequence[Compaction]:
        return await self.compactions().list(scope, state, None, 100)

    async def remember(self, *rows: NewRow, scope: Scope = ALICE) -> list[MemoryId]:
        """Stores all of them at once; returns their ids."""
        await self.ground.memories.remember_many(scope, rows, OF_MEMORIES, None, now=NOW)
        return [each.memory.memory_id for each in rows]

    async def memories(self, *memory_ids: MemoryId, scope: Scope = ALICE) -> list[Row]:
        """Memories as they are now."""
        found = await self.store.memories(scope, memory_ids)
        return [found[each] for each in memory_ids if each in found]

    def change(self, sql: str, *parameters: object) -> None:
        """Runs a statement as the superuser, past all rules."""
        with psycopg.connect(self.ground.postgres.superuser_url) as connection:
            connection.execute("set search_path to camillo, public")
            connection.execute(sql, parameters)

    async def active(self, scope: Scope = ALICE) -> list[str]:
        """The contents of memories that recall could find, in order."""
        ids = self.ground.rows(
            "select memory_id from memories where not archived and tenant_id = %s and agent_id = %s",
            *(scope.tenant_id, scope.agent_id),
        )
        return sorted(each.content for each in await self.memories(*(i[0] for i in ids), scope=scope))


def fact(text: str, scope: Scope = ALICE, **changed: Any) -> NewRow:
    """A memory that rests on nothing."""
    fields = {"kind": MemoryKind.FACT, "source_refs": (), "session_id": "", "metadata": {}}
    return row(uuid4(), text, scope, **{**fields, **changed})


async def two_alike(store: CompactionHarness, **fields: Any) -> list[Row]:
    """Near-duplicates, as they are stored."""
    ids = await store.remember(*(fact(text, **fields) for text in ALIKE))
    return await store.memories(*ids)


@asynccontextmanager
async def compaction_store(postgres: TestDatabase) -> AsyncIterator[CompactionHarness]:
    """A compaction store on the test's database."""
    async with ground_store(postgres) as ground:
        writes = ScopeWrites(ground.database, ChangeNotifier(""), ground.missing_vectors.append)
        yield CompactionHarness(ground, CompactionStore(writes, KEYRING))
