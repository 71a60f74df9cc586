"""Memories that were stored without a vector: found, read, and given one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, LiteralString
from uuid import UUID

from psycopg import Rollback

from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import KeyMissing
from camillo_server.kernel.ids import BEFORE_EVERY_ID, AgentId, MemoryId, TenantId
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.lib.crypto.keyring import DecryptionFailed, Keyring
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import indexed_text
from camillo_server.rows.store.encrypted_rows import NO_KEYS, EncryptedRows
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database, Session
from camillo_server.storage.scopes import next_revision
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("across/lifecycle/store/embedding_backlog")


@dataclass(frozen=True, slots=True)
class WaitingMemory:
    """A row to be embedded, in the version that was read; the vector of an encrypted row is encrypted, too."""

    memory_id: UUID
    version: int
    revision: int
    text: str
    is_encrypted: bool


async def read_waiting(
    session: Session,
    scope: Scope,
    keyring: Keyring,
    statement: LiteralString,
    parameters: dict[str, Any],
) -> list[WaitingMemory]:
    """The next rows that can be decrypted; empty only if none is left.

    The statement returns id, version, revision, kind, time, content, key id and ciphertext of at most `size` rows
    behind `after_id` and, if it goes by revision, `after_revision`.
    """
    encrypted_rows = EncryptedRows(keyring, scope)
    while rows := await session.rows(statement, parameters):
        if found := [waiting for row in rows if (waiting := _waiting(encrypted_rows, row))]:
            return found
        memory_id, _, revision, *_ = rows[-1]
        parameters = {**parameters, "after_id": memory_id, "after_revision": revision}
    return []


def vector_columns(
    scope: Scope,
    keyring: Keyring,
    embedded: Sequence[WaitingMemory],
    vectors: Sequence[Vector | None],
) -> dict[str, Any]:
    """The parameters for the vectors of these rows, None for one that has none. Raises KeyMissing."""
    rows = EncryptedRows(keyring, scope)
    columns: dict[str, list[Any]] = {"embeddings": [], "key_ids": [], "sealed": []}
    for memory, vector in zip(embedded, vectors, strict=True):
        embedding, key_id, ciphertext = None, "", None
        if vector is not None and memory.is_encrypted:
            key_id, ciphertext = rows.encrypt_vector(MemoryId(memory.memory_id), vector)
        elif vector is not None:
            embedding = vector.values
        columns["embeddings"].append(embedding)
        columns["key_ids"].append(key_id)
        columns["sealed"].append(ciphertext)
    return {
        "memory_ids": [memory.memory_id for memory in embedded],
        "versions": [memory.version for memory in embedded],
        **columns,
    }


def _waiting(encrypted_rows: EncryptedRows, row: Sequence[Any]) -> WaitingMemory | None:
    """The memory or chunk of a row; None if it cannot be decrypted."""
    memory_id, version, revision, kind, occurred_at, content, key_id, ciphertext = row
    if ciphertext is not None:
        try:
            content = encrypted_rows.open_text(memory_id.bytes, key_id, ciphertext).content.decode()
        except (KeyMissing, DecryptionFailed):
            return None
    text = indexed_text(content, kind, occurred_at)
    return WaitingMemory(memory_id, version, revision, text, is_encrypted=ciphertext is not None)


class EmbeddingBacklog:
    """The backlog of each scope is its rows; nothing else remembers it."""

    def __init__(
        self,
        database: Database,
        notifier: ChangeNotifier,
        clock: Clock,
        keyring: Keyring = NO_KEYS,
    ) -> None:
        self._database = database
        self._keyring = keyring
        self._notifier = notifier
        self._clock = clock

    async def scopes(self, tenant_id: TenantId) -> list[Scope]:
        """The scopes of a tenant in which something waits."""
        parameters = {"tenant_id": tenant_id}
        rows = await self._database.rows(whole_tenant(tenant_id), SQL["scopes_with_backlog"], parameters)
        return [Scope(tenant_id, AgentId(agent_id)) for (agent_id,) in rows]

    async def waiting(self, scope: Scope, after: WaitingMemory | None, size: int) -> list[WaitingMemory]:
        """Up to `size` memories and chunks behind `after`, in the order of their ids; not those whose key is missing.
        Empty only if none is left."""
        parameters = {
            **scope_parameters(scope),
            "after_id": after.memory_id if after else BEFORE_EVERY_ID,
            "size": size,
        }

        async def work(session: Session) -> list[WaitingMemory]:
            return await read_waiting(session, scope, self._keyring, SQL["read_backlog"], parameters)

        return await self._database.read(scope, work)

    async def store(
        self,
        scope: Scope,
        embedded: Sequence[WaitingMemory],
        vectors: Sequence[Vector | None],
        model_id: str,
    ) -> None:
        """Gives each memory its vector, if it still is in the version that was read, as one change of the scope; where
        none is, nothing changes: an agent that was deleted meanwhile does not come back. Raises KeyMissing."""
        key = scope_parameters(scope)
        columns = vector_columns(scope, self._keyring, embedded, vectors)
        parameters = {**key, **columns, "model_id": model_id}

        async def write(session: Session) -> None:
            async with session.transaction() as transaction:
                revision = await next_revision(session, scope, self._clock.now())
                stored = {**parameters, "revision": revision}
                (named,) = await session.only_row(SQL["store_backlog_vectors"], stored)
                if not named:
                    raise Rollback(transaction)

        await self._database.write(scope, write)
        self._notifier.notify(scope)
