"""Encrypts everything that other keys have encrypted with the active one, so that those keys can be removed."""

import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.rows import namedtuple_row

from camillo_server.doors.spool.failures import PURPOSE as SPOOL_FAILURE_PURPOSE
from camillo_server.kernel.errors import BytesLost
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import DecryptionFailed, Keyring
from camillo_server.rows.store.encrypted_rows import RowText
from camillo_server.rows.store.rows import memory_fingerprint, memory_from
from camillo_server.storage.encrypted_json import JsonLocation
from camillo_server.storage.parts.object_parts import ObjectParts, PartName
from camillo_server.storage.parts.owned_store import WAIT
from camillo_server.storage.parts.part_codec import EncodedPart, PartCodec, encrypted_fingerprint
from camillo_server.storage.row_fields import COLUMNS as COLUMNS_OF_ROWS
from camillo_server.storage.row_fields import STORED

ROWS_AT_ONCE = 100
# Parts have up to 1 MiB each.
PARTS_AT_ONCE = 8
ENTER = (
    "select set_config('camillo.tenant', %s, true), set_config('camillo.agent', '*', true),"
    " set_config('search_path', 'camillo, public', true)"
)
# The columns that a memory's fingerprint is made of.
MEMORY_COLUMNS: LiteralString = f"{COLUMNS_OF_ROWS}, fingerprint"
ARTIFACT_COLUMNS: LiteralString = "tenant_id, artifact_id, agent_id, sensitivity, content_id"
# Another memory that says the same may have been stored since the keys were changed: it has the fingerprint then.
UPDATE_MEMORY = """
update memories set key_id = %(key_id)s, sealed = %(encrypted)s, fingerprint = case when not exists (
    select from memories o where o.tenant_id = %(tenant_id)s and o.fingerprint = %(fingerprint)s
) then %(fingerprint)s::bytea end
where ctid = %(location)s::tid
"""
UPDATE_CONTENT = """
update contents set fingerprint = %(fingerprint)s
where tenant_id = %(tenant_id)s and content_id = %(content_id)s and state = 2 and not exists (
    select from contents o where o.tenant_id = %(tenant_id)s and o.fingerprint = %(fingerprint)s)
"""
# Leaves out the parts of an upload under way, which is still being written; it ends within a day.
READY: LiteralString = (
    "exists (select from contents c where c.tenant_id = content_parts.tenant_id"
    " and c.content_id = content_parts.content_id and c.state = 2)"
)
logger = logging.getLogger(__name__)
Row = Any
# The values of a primary key; empty before the first row.
Key = tuple[Any, ...]
PRIMARY_KEY = """
select a.attname from pg_index i
cross join unnest(i.indkey) with ordinality k (number, ordinal)
join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
where i.indrelid = %s::regclass and i.indisprimary order by k.ordinal
"""


@dataclass(frozen=True, slots=True)
class EncryptedColumn:
    """A column of a table: what its rows are encrypted as, and what binds the bytes to their row; `columns` are those
    that this needs."""

    table: LiteralString
    purpose: str
    columns: LiteralString
    bound_to: Callable[[Row], bytes]
    column: LiteralString = "sealed_details"


def _json(table: LiteralString, purpose: str, row_id: LiteralString) -> EncryptedColumn:
    """A record of a scope; the parts of its id come with a slash between them, as Postgres has no NUL in a text."""

    def bound_to(row: Row) -> bytes:
        named = row.row_id.replace("/", "\0")
        return JsonLocation.in_scope(row.tenant_id, row.agent_id, purpose, named).bound_to()

    return EncryptedColumn(table, purpose, f"tenant_id, agent_id, {row_id} as row_id", bound_to)


def _memory(row: Row) -> bytes:
    return b"\0".join((row.agent_id.encode(), b"", row.memory_id.bytes))


def _vector(row: Row) -> bytes:
    return b"\0".join((row.agent_id.encode(), row.model_id.encode(), row.memory_id.bytes))


def _artifact(row: Row) -> bytes:
    return JsonLocation(row.tenant_id, "artifact-details", row.artifact_id).bound_to()


COLUMNS = (
    EncryptedColumn("memories", "memory", MEMORY_COLUMNS, _memory, "sealed"),
    EncryptedColumn("memory_history", "memory", "agent_id, memory_id", _memory, "sealed"),
    EncryptedColumn("memory_vectors", "vector", "agent_id, memory_id, model_id", _vector, "sealed"),
    EncryptedColumn("artifacts", "artifact-details", ARTIFACT_COLUMNS, _artifact),
    _json("uploads", "upload-details", "upload_id::text"),
    _json("events", "event", "event_id::text"),
    _json("decisions", "decision", "decision_id::text"),
    _json("tasks", "task", "task_id::text"),
    _json("slot_versions", "slot", "slot_id || '/' || version"),
    _json("document_versions", "document", "document_id || '/' || version"),
    _json("document_texts", "document_text", "document_id || '/' || version"),
    _json("actions", "action", "action_id::text"),
    _json("views", "view", "name"),
    _json("compactions", "compaction", "compaction_id::text"),
    _json("runs", "run", "run_id::text"),
    _json("run_entries", "run_entry", "run_id::text || '/' || kind || '/' || place"),
    _json("entity_aliases", "entity_alias", "alias_id::text"),
    _json("proposals", "proposal", "proposal_id::text"),
    _json("distillation_answers", "distillation_answer", "answer_id::text"),
    _json("spool_failures", SPOOL_FAILURE_PURPOSE, "spool_id::text"),
)


class Reencryption:
    """Encrypts rows anew as the owner of the tables, beside servers that have the active key already. An interrupted
    run goes on where it was when it is run again."""

    def __init__(self, connection: AsyncConnection[Any], keyring: Keyring, objects: ObjectParts | None) -> None:
        """The connection is in autocommit mode."""
        self._connection = connection
        self._keyring = keyring
        self._codec = PartCodec(keyring)
        self._objects = objects
        self._done = 0
        self._keys: dict[str, list[str]] = {}

    @property
    def done(self) -> int:
        """How many rows have been encrypted anew."""
        return self._done

    async def count(self) -> int:
        """How many rows other keys than the active one have encrypted."""
        total = 0
        for tenant_id in await self._tenants():
            for column in COLUMNS:
                total += await self._count(tenant_id, column.table)
            total += await self._count(tenant_id, "content_parts")
        return total

    async def run(self) -> AsyncIterator[int]:
        """How many rows are done, after each batch. Raises StorageUnavailable, BytesUnavailable."""
        for tenant_id in await self._tenants():
            for column in COLUMNS:
                async for done in self._batches(tenant_id, column):
                    yield done
            async for done in self._parts(tenant_id):
                yield done

    async def _tenants(self) -> list[TenantId]:
        cursor = await self._connection.execute("select tenant_id from camillo.all_tenants() order by 1")
        return [TenantId(tenant_id) for (tenant_id,) in await cursor.fetchall()]

    async def _count(self, tenant_id: TenantId, table: LiteralString) -> int:
        async with self._connection.transaction():
            await self._connection.execute(ENTER, (tenant_id,))
            query = sql.SQL("select count(*) from {} where key_id not in ('', %s)").format(sql.Identifier(table))
            cursor = await self._connection.execute(query, (self._keyring.active_key_id,))
            row = await cursor.fetchone()
        return int(row[0]) if row else 0

    async def _batches(self, tenant_id: TenantId, column: EncryptedColumn) -> AsyncIterator[int]:
        columns = f"{column.columns}, {column.column} as sealed"
        after: Key | None = ()
        while after is not None:
            try:
                async with self._connection.transaction():
                    found, following = await self._locked(tenant_id, column.table, columns, ROWS_AT_ONCE, after)
                    done = [await self._reencrypt(tenant_id, column, row) for row in found]
            except (psycopg.errors.DeadlockDetected, psycopg.errors.UniqueViolation):
                continue
            after = following
            self._done += sum(done)
            yield self._done

    async def _locked(
        self, tenant_id: TenantId, table: LiteralString, columns: str, limit: int, after: Key
    ) -> tuple[list[Row], Key | None]:
        """Rows of other keys that are known, in the order of the primary key, and that of the last one; None at the
        end. Locked: their places stay the same until the transaction ends."""
        await self._connection.execute(ENTER, (tenant_id,))
        names = await self._primary_key(table)
        key = sql.SQL(", ").join(map(sql.Identifier, names))
        aliased = sql.SQL(", ").join(
            sql.SQL("{} as {}").format(sql.Identifier(name), sql.Identifier(f"key_{number}"))
            for number, name in enumerate(names)
        )
        behind: sql.Composable = sql.SQL("true")
        if after:
            behind = sql.SQL("({}) > ({})").format(key, sql.SQL(", ").join(map(sql.Literal, after)))
        query = sql.SQL(
            "select ctid::text as location, key_id, {columns}, {aliased} from {table}"
            " where tenant_id = {tenant_id} and key_id = any({others}) and {only} and {behind}"
            " order by {key} limit {limit} for update"
        ).format(
            columns=sql.SQL(columns),
            aliased=aliased,
            table=sql.Identifier(table),
            tenant_id=sql.Literal(tenant_id),
            others=sql.Literal(self._keyring.other_key_ids),
            only=sql.SQL(READY if table == "content_parts" else "true"),
            behind=behind,
            key=key,
            limit=sql.Literal(limit),
        )
        cursor = self._connection.cursor(binary=True, row_factory=namedtuple_row)
        await cursor.execute(query)
        found = await cursor.fetchall()
        last = tuple(found[-1])[-len(names) :] if len(found) == limit else None
        return found, last

    async def _primary_key(self, table: LiteralString) -> list[str]:
        if table not in self._keys:
            cursor = await self._connection.execute(PRIMARY_KEY, (table,))
            self._keys[table] = [name for (name,) in await cursor.fetchall()]
        return self._keys[table]

    async def _reencrypt(self, tenant_id: TenantId, column: EncryptedColumn, row: Row) -> bool:
        """Whether it could be decrypted."""
        bound_to = column.bound_to(row)
        try:
            plain = self._keyring.decrypt(row.key_id, tenant_id, column.purpose, row.sealed, bound_to)
        except DecryptionFailed:
            logger.error("a row of %s is damaged, and stays as it is", column.table)
            return False
        key_id, encrypted = self._keyring.encrypt(tenant_id, column.purpose, plain, bound_to)
        if column.table == "memories":
            fingerprint = self._memory_fingerprint(tenant_id, row, plain)
            written = {"key_id": key_id, "encrypted": encrypted, "location": row.location}
            named = {"tenant_id": tenant_id, "fingerprint": fingerprint}
            await self._connection.execute(UPDATE_MEMORY, {**written, **named})
            return True
        if column.table == "artifacts":
            await self._update_content(tenant_id, row, plain)
        query = sql.SQL("update {} set key_id = %s, {} = %s where ctid = %s::tid").format(
            sql.Identifier(column.table), sql.Identifier(column.column)
        )
        await self._connection.execute(query, (key_id, encrypted, row.location))
        return True

    def _memory_fingerprint(self, tenant_id: TenantId, row: Row, plain: bytes) -> bytes | None:
        if row.fingerprint is None:
            return None
        content = RowText.unpack(plain).content.decode()
        # Behind the row's location and its key.
        memory = memory_from(row[2 : 2 + len(STORED)])._replace(content=content)
        return memory_fingerprint(self._keyring, Scope(tenant_id, memory.agent_id), memory)

    async def _update_content(self, tenant_id: TenantId, row: Row, plain: bytes) -> None:
        digest = bytes.fromhex(json.loads(plain)["content"]["sha256"])
        is_restricted = row.sensitivity == Sensitivity.RESTRICTED
        fingerprint = encrypted_fingerprint(self._keyring, tenant_id, digest, row.agent_id if is_restricted else "")
        named = {"tenant_id": tenant_id, "content_id": row.content_id, "fingerprint": fingerprint}
        await self._connection.execute(UPDATE_CONTENT, named)

    async def _parts(self, tenant_id: TenantId) -> AsyncIterator[int]:
        columns = "content_id, number, generation, codec, stored_size, bytes"
        after: Key | None = ()
        while after is not None:
            replaced: list[PartName] = []
            async with self._connection.transaction():
                found, after = await self._locked(tenant_id, "content_parts", columns, PARTS_AT_ONCE, after)
                for row in found:
                    # One that is lost or damaged has been logged, and stays as it is.
                    with suppress(BytesLost):
                        replaced += await self._reencrypt_part(tenant_id, row)
                        self._done += 1
            if self._objects is not None:
                if replaced:
                    # No collection comes by for what is left of a content that is there.
                    await self._connection.execute(WAIT)
                for name in replaced:
                    await self._objects.delete_part(name)
            yield self._done

    async def _reencrypt_part(self, tenant_id: TenantId, row: Row) -> list[PartName]:
        """The names of objects that nobody needs any more. Raises BytesLost, BytesUnavailable."""
        name = PartName(tenant_id, row.content_id, row.number, row.generation)
        if row.bytes is not None:
            part = self._codec.reencrypt(EncodedPart(row.codec, row.key_id, row.bytes), name, name)
            await self._update_part(row, part, part.data, row.generation)
            return []
        if self._objects is None:
            raise BytesLost
        stored = await self._objects.get(name, row.stored_size)
        # Another name: after a crash, the object that the row names is there.
        generation = row.generation + 1
        following = PartName(tenant_id, row.content_id, row.number, generation)
        part = self._codec.reencrypt(EncodedPart(row.codec, row.key_id, stored), name, following)
        await self._objects.put(following, part.data)
        await self._update_part(row, part, None, generation)
        return [name]

    async def _update_part(self, row: Row, part: EncodedPart, data: bytes | None, generation: int) -> None:
        await self._connection.execute(
            "update content_parts set key_id = %s, bytes = %s, generation = %s where ctid = %s::tid",
            (part.key_id, data, generation, row.location),
        )
