"""Parts of the retrieval engine in a server process, without the server: for tests that drive them directly."""

from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import numpy as np
from camillo_server.across.forgetting.records import ForgetSelection, ForgottenReplay
from camillo_server.across.forgetting.store.forgetting import ForgettingStore
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.lib.text.index_terms import index_terms
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import MemoryDraft, NewRow
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.rows.write_records import StoredRows
from camillo_server.search.candidates import CandidateQuery
from camillo_server.search.index.budget import CacheBudget
from camillo_server.search.index.candidate_search import find_candidates
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.scope_caches import ScopeCaches
from camillo_server.search.index.scope_index import IndexBuilder, ScopeIndex
from camillo_server.search.index.snapshot import IndexSnapshot
from camillo_server.search.store.scope_rows import ScopeRowsReader
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.telemetry.instruments import Instruments

from tests.patience import PATIENCE_SECONDS, until
from tests.postgres_fixtures import TestDatabase
from tests.storage.forgetting_store import forgetting_store
from tests.storage.replays import OF_MEMORIES
from tests.tenant_keys import create_tenant

ALICE = Scope(TenantId("acme"), AgentId("alice"))
MODEL, DIMENSIONS = "mine", 16
NOW = datetime(2030, 1, 1, tzinfo=UTC)
AMPLE_BYTES = 10**9
KEYS = Keyring({"first": bytes(range(32))})

Observer = Callable[[str | None], None]


@dataclass(frozen=True, slots=True)
class Replica:
    """One process of several that share a database."""

    database: Database
    reader: ScopeRowsReader
    notifier: ChangeNotifier
    caches: ScopeCaches
    writer: MemoryWriter
    forgetting: ForgettingStore
    instruments: Instruments
    pool: ThreadPoolExecutor

    async def remember(self, row: NewRow, scope: Scope = ALICE, now: datetime = NOW) -> StoredRows:
        return await self.writer.remember(scope, row, OF_MEMORIES, None, now=now)

    async def remember_many(self, rows: Sequence[NewRow], scope: Scope = ALICE, *, replace: bool = False) -> int:
        """The revision of the last of several imports."""
        revision = 0
        for first in range(0, len(rows), 1_000):
            part = rows[first : first + 1_000]
            imported = await self.writer.import_rows(scope, part, replace=replace, after=None, now=NOW)
            revision = imported.revision
        return revision

    async def forget(self, memory_ids: Sequence[MemoryId], scope: Scope = ALICE) -> Written[ForgottenReplay]:
        what = ForgetSelection(list(memory_ids), allow_restating=True)
        return await self.forgetting.forget(scope, what, None, now=NOW)

    async def warm(self, scope: Scope = ALICE) -> ResidentScope:
        """The scope, when it is in memory."""
        self.caches.use(scope)
        self.caches.request_load(scope)
        done = self.caches.loads + 1
        await until(lambda: self.held(scope) is not None and self.caches.loads == done)
        resident = self.held(scope)
        assert resident is not None
        return resident

    def held(self, scope: Scope = ALICE) -> ResidentScope | None:
        """The scope if it is in memory."""
        return self.caches.budget.get(scope)

    async def check(self, scope: Scope = ALICE) -> None:
        """Makes the check that a server makes every second, with the scope in use."""
        self.caches.use(scope)
        await self.caches.check()


@dataclass(frozen=True, slots=True)
class Heard:
    """The caches as a subscriber that hears of changes through something else."""

    caches: ScopeCaches
    on_change: Observer

    def on_commit(self, scope: Scope, revision: int, rows: Sequence[NewRow] | None) -> bool:
        return self.caches.on_commit(scope, revision, rows)

    def on_removal(self, name: str | None) -> None:
        self.caches.on_removal(name)

    def on_spooled(self, scope: Scope, rows: Sequence[NewRow]) -> None:
        self.caches.on_spooled(scope, rows)

    def on_drained(self, scope: Scope) -> None:
        self.caches.on_drained(scope)

    def on_new_history(self) -> None:
        self.caches.on_new_history()


@asynccontextmanager
async def replica(
    database: TestDatabase,
    *,
    max_bytes: int = AMPLE_BYTES,
    heard_through: Callable[[Observer], Observer] = lambda observer: observer,
    keys: Keyring = KEYS,
) -> AsyncIterator[Replica]:
    """`heard_through` stands between the notifier and what it wakes."""
    create_tenant(database, ALICE.tenant_id, NOW)
    async with AsyncExitStack() as stopping:
        postgres = Database(
            database.server_url,
            DatabaseSettings(pool_min=1, pool_max=8, connect_timeout_seconds=PATIENCE_SECONDS),
        )
        stopping.push_async_callback(postgres.close)
        await postgres.open()
        pool = stopping.enter_context(ThreadPoolExecutor(2))
        reader, instruments = ScopeRowsReader(postgres, MODEL, DIMENSIONS, keys), Instruments()
        caches = ScopeCaches(reader, CacheBudget(max_bytes), pool, instruments)
        stopping.push_async_callback(caches.close)
        notifier = ChangeNotifier(database.server_url)
        notifier.subscribe(Heard(caches, heard_through(caches.on_change)))
        writes = ScopeWrites(postgres, notifier)
        writer = MemoryWriter(writes, keys)
        forgetting = forgetting_store(writes, keys)
        yield Replica(postgres, reader, notifier, caches, writer, forgetting, instruments, pool)


async def loaded(reader: ScopeRowsReader, scope: Scope = ALICE) -> ScopeIndex:
    """An index of what the scope holds now."""
    pages = [page async for page in reader.pages(scope)]
    facts = pages[-1].facts
    builder = IndexBuilder(reader.dimensions, facts.memory_count)
    for page in pages:
        builder.add(reader.unpack(scope, page))
    return builder.build(scope.agent_id, reader.model_id, facts)


def unit(*values: float) -> Vector:
    """A vector of the server's model in this direction."""
    padded = np.zeros(DIMENSIONS, np.float32)
    padded[: len(values)] = values
    return Vector(MODEL, padded / np.linalg.norm(padded))


def new_row(content: str, vector: Vector | None = None, **fields: Any) -> NewRow:
    """A row to be stored, a second later than the one numbered before it where `number` is given."""
    memory_id = fields.pop("memory_id", None) or uuid4()
    happened = NOW + timedelta(seconds=fields.pop("number", 0))
    draft = MemoryDraft(content=content, **{"occurred_at": happened, **fields})
    memory = draft.memory(ALICE.agent_id, MemoryId(memory_id), NOW)
    return NewRow(memory.with_vector_of(vector), vector)


def new_rows(count: int, content: str = "memory", **fields: Any) -> list[NewRow]:
    """Rows with different texts and vectors, one a second."""
    directions = np.random.default_rng(count).normal(size=(count, DIMENSIONS))
    return [
        new_row(f"{content} {number}", unit(*directions[number]), number=number, **fields) for number in range(count)
    ]


def spec(
    terms: Sequence[str] = (),
    vector: Vector | None = None,
    wanted: MemoryFilter | None = None,
    per_arm: int = 50,
    now: datetime = NOW,
) -> CandidateQuery:
    return CandidateQuery(ALICE, terms, vector, wanted or MemoryFilter(), per_arm, now)


def is_found(snapshot: IndexSnapshot, word: str) -> bool:
    """Whether a recall by this word finds anything."""
    pool = find_candidates(snapshot, spec(index_terms(word)))
    return any(word in memory.content for memory in pool.memories(range(len(pool))))


def contents(snapshot: IndexSnapshot) -> list[str]:
    """The texts of all memories in force, sorted."""
    return sorted(memory.content for memory in snapshot.memories(np.flatnonzero(snapshot.live).tolist()))


def numbered_id(high: int, low: int) -> MemoryId:
    """An id of two halves."""
    return MemoryId(UUID(int=high << 64 | low))
