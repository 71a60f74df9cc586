"""Rows that wait for a vector: what is read of them, and what is stored once it is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from camillo_server.contents.keyring import Keyring, SealBroken
from camillo_server.domain.errors import KeyMissing
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.indexed_text import indexed_text
from camillo_server.domain.memory import Vector
from camillo_server.domain.scope import Scope
from camillo_server.storage.sealed_rows import SealedRows


@dataclass(frozen=True, slots=True)
class WaitingMemory:
    """What has to be embedded, and in which version it was read; the vector of what is sealed is sealed, too."""

    memory_id: UUID
    version: int
    revision: int
    text: str
    is_sealed: bool


def waiting_memories(
    scope: Scope, keyring: Keyring, rows: Sequence[Sequence[Any]]
) -> list[WaitingMemory]:
    """Those that can be opened: id, version, revision, kind, time, content, key, what is sealed."""
    sealed_rows = SealedRows(keyring, scope)
    return [waiting for row in rows if (waiting := _waiting(sealed_rows, row))]


def vector_columns(
    scope: Scope,
    keyring: Keyring,
    embedded: Sequence[WaitingMemory],
    vectors: Sequence[Vector | None],
) -> dict[str, Any]:
    """The parameters for the vectors of these rows, None for one that has none. Raises KeyMissing."""
    rows = SealedRows(keyring, scope)
    columns: dict[str, list[Any]] = {"embeddings": [], "key_ids": [], "sealed": []}
    for memory, vector in zip(embedded, vectors, strict=True):
        embedding, key_id, sealed = None, "", None
        if vector is not None and memory.is_sealed:
            key_id, sealed = rows.seal_vector(MemoryId(memory.memory_id), vector)
        elif vector is not None:
            embedding = vector.values
        columns["embeddings"].append(embedding)
        columns["key_ids"].append(key_id)
        columns["sealed"].append(sealed)
    return {
        "memory_ids": [memory.memory_id for memory in embedded],
        "versions": [memory.version for memory in embedded],
        **columns,
    }


def _waiting(sealed_rows: SealedRows, row: Sequence[Any]) -> WaitingMemory | None:
    """None for what cannot be opened."""
    memory_id, version, revision, kind, occurred_at, content, key_id, sealed = row
    if sealed is not None:
        try:
            content = sealed_rows.open_text(memory_id.bytes, key_id, sealed).content.decode()
        except (KeyMissing, SealBroken):
            return None
    text = indexed_text(content, kind, occurred_at)
    return WaitingMemory(memory_id, version, revision, text, is_sealed=sealed is not None)
