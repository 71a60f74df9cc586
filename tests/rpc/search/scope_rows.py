"""Rows of every source, stored in any scope of a test's server past the service that makes them."""

import hashlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import Kind, MemoryKind, is_chunk
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import MemoryDraft, NewRow
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.scope_writes import ScopeWrites

from tests.server_fixtures import DIMENSIONS, Server

ALICE = Scope(TenantId("acme"), AgentId("alice"))
BOB = Scope(TenantId("acme"), AgentId("bob"))
SHARED = Scope(TenantId("acme"), AgentId(""))
RIVAL = Scope(TenantId("rival"), AgentId(""))
FRESH: dict[str, Any] = {"freshness": {"fully_consistent": True}, "shared_freshness": {"fully_consistent": True}}


class Row(NamedTuple):
    """Facts of a row that a test states; its id and its vector follow from its text and its kind."""

    text: str
    kind: Kind = MemoryKind.FACT
    fields: Any = None

    @property
    def row_id(self) -> MemoryId:
        return MemoryId(UUID(bytes=_digest(self)[:16], version=4))


async def store(server: Server, scope: Scope, rows: Sequence[Row], days_ago: float = 0) -> None:
    """Stores these rows; each chunk is of an origin named after its id."""
    now = server.clock.now()
    model_id = server.app.kernel.providers.serving.model_id
    stored = []
    for row in rows:
        stated = {"occurred_at": now - timedelta(days=days_ago), **(row.fields or {})}
        memory = MemoryDraft(content=row.text, **stated).memory(scope.agent_id, row.row_id, now)
        if is_chunk(row.kind):
            memory = memory._replace(source_refs=(f"of-{row.row_id}",))
        vector = Vector(model_id, _vector(row))
        memory = memory._replace(kind=row.kind, vector_model_id=model_id)
        stored.append(NewRow(memory, vector))
    database, notifier = server.app.kernel.database, ChangeNotifier(server.database.server_url)
    writer = MemoryWriter(ScopeWrites(database, notifier), server.app.kernel.keyring)
    await writer.import_rows(scope, stored, replace=False, after=None, now=now)


def texts(answer: service.RecallResponse) -> list[str]:
    """Texts of the hits, best first."""
    return [hit.memory.content or hit.chunk.text for hit in answer.hits]


def _digest(row: Row) -> bytes:
    return hashlib.sha256(f"{row.text}\0{int(row.kind)}".encode()).digest()


def _vector(row: Row) -> np.ndarray[Any, np.dtype[np.float32]]:
    seed = int.from_bytes(_digest(row)[16:24], "big")
    values = np.random.default_rng(seed).normal(size=DIMENSIONS)
    return (values / np.linalg.norm(values)).astype(np.float32)
