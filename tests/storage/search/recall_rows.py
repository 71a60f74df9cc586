"""Rows for tests of recall: made by chance, in many languages, and stored past the service."""

import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import ChunkKind, MemoryKind, Sensitivity
from camillo_server.kernel.scope import Scope, TrustLevel
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.row_filter import CATEGORY_PREFIX, MemoryFilter
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.search.candidates import CandidateQuery
from camillo_server.search.query_text import query_terms
from camillo_server.search.signals.speech import SPEECH
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database
from camillo_server.storage.scope_writes import ScopeWrites

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.tenant_keys import create_tenant

ALICE = Scope(TenantId("acme"), AgentId("alice"))
MODEL = "some/model-100%"
DIMENSIONS = 16
NOW = datetime(2030, 1, 1, tzinfo=UTC)
CATEGORIES = ["policy", "pricing", "hr-2", "legal_eu"]
WORDS = [
    "walrus",
    "userStore",
    "北京烤鸭",
    "tea",
    "app/main.py",
    "🚀",
    "planning",
    "مرحبا",
    "cafe\u0301",
    "it's",
    "back\\slash",
    "100%",
    "Straße",
]


SPEAKERS = ["Ana: ", "", "[3 May] Ana María: ", "小明：", "note ", "User: ", ""]
ENDS = ["?", "", "؟ 😊", ".", "？"]


@asynccontextmanager
async def opened(database: TestDatabase) -> AsyncIterator[Database]:
    """The database as the server sees it, with its tenants."""
    for tenant_id in ("acme", "rival"):
        create_tenant(database, tenant_id, NOW)
    pool = Database(
        database.server_url,
        DatabaseSettings(pool_min=1, pool_max=1, connect_timeout_seconds=PATIENCE_SECONDS),
    )
    await pool.open()
    try:
        yield pool
    finally:
        await pool.close()


async def store(database: TestDatabase, pool: Database, rows: Sequence[NewRow], scope: Scope = ALICE) -> int:
    """Imports rows; returns the revision."""
    writer = MemoryWriter(ScopeWrites(pool, ChangeNotifier(database.server_url)))
    imported = await writer.import_rows(scope, rows, replace=True, after=None, now=NOW)
    return imported.revision


def row(number: int, content: str, vector: Vector | None = None, **changed: Any) -> NewRow:
    """A memory with this text; its id and time count up with its number."""
    values: dict[str, Any] = {
        "memory_id": memory_id(number),
        "agent_id": ALICE.agent_id,
        "content": content,
        "kind": MemoryKind.FACT,
        "session_id": "",
        "occurred_at": NOW + timedelta(seconds=number),
        "tags": (),
        "sensitivity": Sensitivity.INTERNAL,
        "importance": 0.5,
        "metadata": {},
        "expires_at": None,
        "pinned": False,
        "archived": False,
        "version": 1,
        "source_refs": (),
        "created_at": NOW,
        "updated_at": NOW,
        "vector_model_id": vector.model_id if vector else "",
    }
    return NewRow(Row(**{**values, **changed}), vector)


def memory_id(number: int) -> MemoryId:
    return MemoryId(UUID(int=number + 1))


def unit_vector(seed: int, dimensions: int = DIMENSIONS, model_id: str = MODEL) -> Vector:
    """A vector that is the same for the same seed."""
    values = np.random.default_rng(seed).standard_normal(dimensions).astype(np.float32)
    return Vector(model_id, values / np.linalg.norm(values))


def random_rows(count: int, seed: int) -> list[NewRow]:
    """Memories in some sessions, some archived, expired, without a vector, or with one of another model or length."""
    dice = random.Random(seed)  # noqa: S311
    return [_random_row(number, dice) for number in range(count)]


def random_documents(count: int, seed: int) -> list[NewRow]:
    """Passages of documents of some categories or none, some of them effective later."""
    dice = random.Random(seed + 1_000)  # noqa: S311
    return [_random_document(_random_row(1_000 + number, dice), dice) for number in range(count)]


def spec(text: str, vector: Vector | None, **changed: Any) -> CandidateQuery:
    """The query of a recall."""
    values: dict[str, Any] = {
        "scope": ALICE,
        "terms": query_terms(text),
        "vector": vector,
        "filter": MemoryFilter(),
        "candidates_per_arm": 5,
        "now": NOW,
        "signals": {SPEECH: ["ana:", "user:"]},
    }
    return CandidateQuery(**{**values, **changed})


def _random_row(number: int, dice: random.Random) -> NewRow:
    vector = dice.choice(
        [
            unit_vector(number),
            unit_vector(number),
            unit_vector(number),
            unit_vector(number, model_id="another"),
            unit_vector(number, dimensions=8),
            None,
        ]
    )
    return row(
        number,
        # The number tells texts apart that are the same but for it.
        SPEAKERS[number % len(SPEAKERS)]
        + " ".join([*dice.choices(WORDS, k=dice.randint(1, 12)), f"row {number}"])
        + ENDS[number % len(ENDS)],
        vector,
        # Ids and times in different orders, and times that are equal.
        memory_id=MemoryId(UUID(int=dice.getrandbits(128), version=4)),
        occurred_at=NOW + timedelta(seconds=dice.randint(0, 30)),
        session_id=dice.choice(["", "one", "two", "drei", "四"]),
        # A memory is of no category, whatever its tags say.
        tags=(*dice.sample(["a", "b", "c"], 2), f"{CATEGORY_PREFIX}hr-2"),
        importance=dice.choice([0.0, 0.5, 1.0]),
        archived=dice.random() < 0.15,
        expires_at=dice.choice([None, None, NOW, NOW + timedelta(seconds=1)]),
        pinned=dice.random() < 0.2,
        metadata={"n": number},
        sensitivity=dice.choice([Sensitivity.PUBLIC, Sensitivity.INTERNAL]),
        kind=dice.choice([MemoryKind.FACT, MemoryKind.PREFERENCE]),
        trust_level=dice.choice([*TrustLevel]),
        **_random_validity(dice),
    )


def _random_validity(dice: random.Random) -> dict[str, Any]:
    """The time for which a memory is true, and what took whose place; mostly nothing."""
    moments = [NOW + timedelta(seconds=each) for each in (-86_400, -1, 0, 1, 15, 86_400)]
    return {
        "valid_from": dice.choice([*moments, *[None] * 12]),
        "valid_until": dice.choice([*moments, *[None] * 12]),
        "superseded_by": dice.choice([memory_id(5), *[None] * 6]),
        "supersedes": dice.choice([(memory_id(7), memory_id(8)), *[()] * 6]),
    }


def _random_document(row: NewRow, dice: random.Random) -> NewRow:
    # A tag without the prefix is no category.
    tags = dice.sample(["a", "policy", *(CATEGORY_PREFIX + each for each in CATEGORIES)], 3)
    changed = row.memory._replace(
        kind=ChunkKind.PASSAGE,
        tags=tuple(tags),
        occurred_at=NOW + timedelta(seconds=dice.choice([-20, -1, 0, 1, 30])),
    )
    return replace(row, memory=changed)
