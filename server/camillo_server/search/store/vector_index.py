"""Indexes of the vectors of single scopes, created by an operator and used by recall
(docs/adr/vectors-in-postgres.md)."""

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import psycopg
from psycopg import sql

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.storage.connection_pool import with_keepalives
from camillo_server.storage.database import Session
from camillo_server.storage.statements import statements

SQL = statements("search/store/vector_index")
PREFIX = "memory_vectors_hnsw_"
READY_SECONDS = 60.0
# The limit of pgvector's HNSW index for half-precision vectors.
MAX_DIMENSIONS = 4_000


@dataclass(frozen=True, slots=True)
class IndexedVectors:
    """The vectors of one index: those of a scope that are of one model and one length."""

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


class ReadyIndexes:
    """The indexes that are ready, read again after a minute. So long a new index is not used; a dropped one makes the
    statement slow, but not wrong."""

    def __init__(self) -> None:
        self._names: frozenset[str] = frozenset()
        self._read_at = -READY_SECONDS

    async def has(self, session: Session, vectors: IndexedVectors) -> bool:
        now = time.monotonic()
        if now - self._read_at >= READY_SECONDS:
            # Set first: concurrent calls go on with the names that are known.
            self._read_at = now
            rows = await session.rows(SQL["ready_indexes"], {"prefix": PREFIX})
            self._names = frozenset(name for (name,) in rows)
        return bool(self._names) and vectors.index_name in self._names


class NoVectors(Exception):
    """The scope has none of the model; the message says so."""


class TooManyDimensions(Exception):
    """The index cannot hold vectors of this length; the message says so."""


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """An index; `vectors` is None where it has no comment that names them."""

    name: str
    vectors: IndexedVectors | None
    is_ready: bool
    bytes: int


def create_index(owner_url: str, scope: Scope, model_id: str | None = None) -> VectorIndex:
    """Creates the index of a scope's vectors of a model (by default the most frequent one), while others read and
    write.

    Where it is there and ready, nothing happens. Raises NoVectors, TooManyDimensions, psycopg.Error.
    """
    with _connected(owner_url) as owner:
        vectors = _vectors(owner, scope, model_id)
        found = {index.name: index for index in _indexes(owner)}.get(vectors.index_name)
        if found is None or not found.is_ready:
            # A failed build leaves an invalid index, which cannot be repaired.
            _run(owner, "drop", name=sql.Identifier(vectors.index_name))
            _create(owner, vectors)
        return next(index for index in _indexes(owner) if index.name == vectors.index_name)


def drop_indexes(owner_url: str, scope: Scope, model_id: str | None = None) -> list[VectorIndex]:
    """Drops a scope's indexes (or those of one model), and returns them. Raises psycopg.Error."""
    with _connected(owner_url) as owner:
        dropped = [index for index in _indexes(owner) if _is_of(index, scope, model_id)]
        for index in dropped:
            _run(owner, "drop", name=sql.Identifier(index.name))
        return dropped


def list_indexes(owner_url: str) -> list[VectorIndex]:
    """Every index of a single scope, in the order of scopes. Raises psycopg.Error."""
    with _connected(owner_url) as owner:
        return sorted(_indexes(owner), key=lambda index: (str(index.vectors), index.name))


@contextmanager
def _connected(owner_url: str) -> Iterator[psycopg.Connection]:
    # Building waits for older transactions and may take long: no time-out.
    url = with_keepalives(owner_url)
    with psycopg.connect(url, autocommit=True, connect_timeout=10) as owner:
        owner.execute("select set_config('statement_timeout', '0', false)")
        # The types of pgvector are in `public`, or wherever an operator has put them.
        owner.execute("set search_path to camillo, public")
        yield owner


def _vectors(owner: psycopg.Connection, scope: Scope, model_id: str | None) -> IndexedVectors:
    # The policies bind the owner, too.
    key = {"tenant_id": scope.tenant_id, "agent_id": scope.agent_id}
    owner.execute(SQL["enter_scope"], key)
    for found, dimensions, _ in owner.execute(SQL["models"], key).fetchall():
        if model_id in (None, found):
            if dimensions > MAX_DIMENSIONS:
                raise TooManyDimensions(f"{found} has {dimensions} dimensions, an index takes {MAX_DIMENSIONS} at most")
            return IndexedVectors(scope.tenant_id, scope.agent_id, found, dimensions)
    of_model = f" of {model_id}" if model_id else ""
    raise NoVectors(f"the space of {scope.agent_id or 'no agent'} in {scope.tenant_id} has no vectors{of_model}")


def _create(owner: psycopg.Connection, vectors: IndexedVectors) -> None:
    fields, name = asdict(vectors), sql.Identifier(vectors.index_name)
    _run(owner, "create", name=name, **{key: sql.Literal(value) for key, value in fields.items()})
    _run(owner, "describe", name=name, described=sql.Literal(json.dumps(fields)))
    owner.execute(SQL["analyze"])


def _indexes(owner: psycopg.Connection) -> list[VectorIndex]:
    rows = owner.execute(SQL["indexes"], {"prefix": PREFIX}).fetchall()
    return [
        VectorIndex(name, IndexedVectors(**json.loads(comment)) if comment else None, ready, size)
        for name, ready, comment, size in rows
    ]


def _is_of(index: VectorIndex, scope: Scope, model_id: str | None) -> bool:
    vectors = index.vectors
    return vectors is not None and vectors.scope == scope and model_id in (None, vectors.model_id)


def _run(owner: psycopg.Connection, statement: str, **parts: Any) -> None:
    owner.execute(sql.SQL(SQL[statement]).format(**parts))
