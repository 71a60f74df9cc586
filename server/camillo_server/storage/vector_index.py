"""Indexes of the vectors of single scopes: which there are, as the server sees it (docs/adr/0017)."""

import hashlib
import time
from dataclasses import dataclass

from camillo_server.domain.ids import AgentId, TenantId
from camillo_server.domain.scope import Scope
from camillo_server.storage.database import Session
from camillo_server.storage.statements import statements

SQL = statements("vector_index")
PREFIX = "memory_vectors_hnsw_"
KNOWN_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class IndexedVectors:
    """What one index holds: the vectors of a scope that are of one model and one length."""

    tenant_id: TenantId
    agent_id: AgentId
    model_id: str
    dimensions: int

    @property
    def scope(self) -> Scope:
        return Scope(self.tenant_id, self.agent_id)

    @property
    def index_name(self) -> str:
        """The same for the same vectors; Postgres allows 63 characters."""
        parts = (self.tenant_id, self.agent_id, self.model_id, str(self.dimensions))
        digest = hashlib.blake2b("\0".join(parts).encode(), digest_size=16)
        return PREFIX + digest.hexdigest()


class KnownIndexes:
    """Which indexes are ready, read again after a minute; so long a new one may wait, and a dropped one is missed:
    then the statement is slow, and right."""

    def __init__(self) -> None:
        self._names: frozenset[str] = frozenset()
        self._read_at = -KNOWN_SECONDS

    async def has(self, session: Session, vectors: IndexedVectors) -> bool:
        """Whether these vectors have an index that is ready."""
        now = time.monotonic()
        if now - self._read_at >= KNOWN_SECONDS:
            # Calls at the same time go on with what is known.
            self._read_at = now
            rows = await session.rows(SQL["ready_indexes"], {"prefix": PREFIX})
            self._names = frozenset(name for (name,) in rows)
        return bool(self._names) and vectors.index_name in self._names
