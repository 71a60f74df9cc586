"""Memories as rows: the parameters of a statement, and memories from the columns it returns."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
from psycopg.types.json import Jsonb

from camillo_server.kernel.ids import MemoryId, TenantId
from camillo_server.kernel.kinds import KIND_OF_NUMBER, Sensitivity
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import TRUST_LEVELS, Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.occurrences import KEY, read_metadata
from camillo_server.rows.row import NewRow, Row, canonical_bytes
from camillo_server.rows.row_filter import (
    Archived,
    MemoryFilter,
    Validity,
    category_tags,
    passing_kinds,
)
from camillo_server.rows.store.encrypted_rows import NO_KEYS, EncryptedRows
from camillo_server.rows.write_records import MemoriesReplay
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED
from camillo_server.storage.row_fields import ACCESS, ACCESS_COLUMNS, ENCRYPTED_COLUMNS, GROUPED, STORED
from camillo_server.storage.scopes import tsvector_text
from camillo_server.storage.statements import array_text, scope_parameters
from camillo_server.storage.wire import binary_array
from camillo_server.storage.written_requests import audits_json

OF_MEMORIES = "memory-fingerprint"
ARCHIVED = {Archived.EXCLUDE: False, Archived.INCLUDE: None, Archived.ONLY: True}
IS_TRUE = {None: None, Validity.TRUE: True, Validity.ANY: None, Validity.NOT_TRUE: False}
AGENT_ID, KIND, TAGS, SENSITIVITY, METADATA, SOURCE_REFS, TRUST_LEVEL, SUPERSEDES = map(
    [field.name for field in STORED].index,
    ("agent_id", "kind", "tags", "sensitivity", "metadata", "source_refs", "trust_level", "supersedes"),
)
ColumnValues = Sequence[Any]
# The fields of a row that have a column. No parameter is for any other: the driver keeps what it made of a statement of
# up to 50, and that of `remember` has nearly as many.
FIELD_NAMES = [field.name for field in (*STORED, *ACCESS)]
# The list parameters of the statement `remember_group`, which are parameters of a row's own statement as well, with the
# types of their items; and those whose items are literals of arrays. Vectors have no type that is the same everywhere.
GROUPED_PLAIN = [
    *((field.name, field.sent_as) for field in GROUPED if field.name != "embedding" and not field.is_array),
    *(("request_id", "text"), ("content_digest", "bytea"), ("facts", "jsonb")),
]
GROUPED_ARRAYS = [field.name for field in GROUPED if field.is_array]
# A row with its request, but for its texts and its vector.
ROW_BYTES = 1_000


def is_encrypted(memory: Row) -> bool:
    """Whether a row like this is encrypted when it is stored."""
    return memory.sensitivity >= MIN_ENCRYPTED


async def memory_fingerprints(keyring: Keyring, scope: Scope, rows: Sequence[NewRow]) -> list[bytes | None]:
    """The fingerprint of each row, computed off the event loop where that takes long. Raises KeyMissing."""
    cost = sum(len(row.memory.content) for row in rows) / 8
    return await off_loop(cost, lambda: [memory_fingerprint(keyring, scope, row.memory) for row in rows])


def memory_fingerprint(keyring: Keyring, scope: Scope, memory: Row) -> bytes | None:
    """32 bytes, equal for memories of a scope that say exactly the same; None for chunks. Raises KeyMissing where the
    memory is to be encrypted and there is no key."""
    data = _fingerprinted(scope, memory)
    if data is None:
        return None
    if not is_encrypted(memory):
        return sha256(data).digest()
    return keyring.fingerprint(scope.tenant_id, OF_MEMORIES, data)


def plain_fingerprint(scope: Scope, memory: Row) -> bytes | None:
    """The fingerprint of a memory whose text is not encrypted, such as a sensitive one stored by a release without
    encryption."""
    data = _fingerprinted(scope, memory)
    return None if data is None else sha256(data).digest()


def _fingerprinted(scope: Scope, memory: Row) -> bytes | None:
    canonical = canonical_bytes(memory)
    # With the agent in it, one index serves all scopes, and does not reveal that two agents keep the same secret.
    return None if canonical is None else b"\0".join((scope.agent_id.encode(), canonical))


def row_parameters(scope: Scope, row: NewRow, keyring: Keyring = NO_KEYS) -> dict[str, Any]:
    """The columns of a memory or a chunk, with its index terms, its vector and its statistics; encrypted where it is
    sensitive. Raises KeyMissing."""
    memory = row.memory
    terms = row.terms()
    parameters = {
        **dict(zip(FIELD_NAMES, memory, strict=False)),
        **scope_parameters(scope),
        "kind": int(memory.kind),
        "tags": list(memory.tags),
        "sensitivity": int(memory.sensitivity),
        "trust_level": int(memory.trust_level),
        "metadata": Jsonb(dict(memory.stored_metadata)),
        "source_refs": list(memory.source_refs),
        "supersedes": list(memory.supersedes) or None,
        "term_count": terms.total,
        "terms": tsvector_text(scope, terms.counts),
        "term_codes": terms.packed,
        "key_id": "",
        "sealed": None,
        "cited_refs": [],
        "embedding": row.vector.values if row.vector else None,
        "vector_key_id": "",
        "sealed_vector": None,
        "fingerprint": memory_fingerprint(keyring, scope, memory),
    }
    return parameters | encrypted_parameters(scope, row, keyring) if is_encrypted(memory) else parameters


def encrypted_parameters(scope: Scope, row: NewRow, keyring: Keyring) -> dict[str, Any]:
    """The columns of an encrypted row that replace plain ones. Raises KeyMissing."""
    rows = EncryptedRows(keyring, scope)
    changed: dict[str, Any] = {"content": "", "metadata": Jsonb({}), "terms": "", "term_codes": b""}
    changed |= rows.text_columns(row.memory, row.terms())
    if row.vector is not None:
        key_id, ciphertext = rows.encrypt_vector(row.memory.memory_id, row.vector)
        changed |= {"embedding": None, "vector_key_id": key_id, "sealed_vector": ciphertext}
    return changed


@dataclass(frozen=True, slots=True)
class PreparedMemory:
    """A row with its terms, the record of its request, and the parameters of the statement that stores it alone."""

    scope: Scope
    row: NewRow
    replay: MemoriesReplay
    parameters: dict[str, Any]
    audit: Mapping[str, Any]

    @property
    def byte_count(self) -> int:
        """About how large it is."""
        vector = self.row.vector
        texts = self.row.memory.content, self.parameters["terms"]
        return ROW_BYTES + sum(map(len, texts)) + (vector.values.nbytes if vector else 0)


def group_parameters(tenant_id: TenantId, group: Sequence[PreparedMemory]) -> dict[str, Any]:
    """The parameters of the statement `remember_group`, for memories in the order of their agents."""
    rows = [each.parameters for each in group]
    marks = [row["marks"] for row in rows]
    memories, terms, later = Counter[str](), Counter[str](), list[int]()
    for row in reversed(rows):
        agent_id = row["agent_id"]
        later.append(memories[agent_id])
        memories[agent_id] += 1
        terms[agent_id] += row["term_count"]
    agent_ids = sorted(memories)
    return {
        **{name: binary_array(sent_as, [row[name] for row in rows]) for name, sent_as in GROUPED_PLAIN},
        **{name: binary_array("text", [_literal(row[name]) for row in rows]) for name in GROUPED_ARRAYS},
        "embedding": [row["embedding"] for row in rows],
        "tenant_id": tenant_id,
        "agent_ids": binary_array("text", agent_ids),
        "added_memories": binary_array("bigint", [memories[each] for each in agent_ids]),
        "added_terms": binary_array("bigint", [terms[each] for each in agent_ids]),
        # How many memories of its scope come behind it.
        "later": binary_array("bigint", later[::-1]),
        # Without the marks of one row, the statement refuses if any value at all is blocked.
        "marks": None if None in marks else list({each for of_row in marks for each in of_row}),
        "requested_at": binary_array("timestamptz", [row["now"] for row in rows]),
        "audits": audits_json(each.audit for each in group),
        "now": rows[0]["now"],
    }


def _literal(values: Sequence[Any] | None) -> str | None:
    return None if values is None else array_text(values)


def filter_parameters(query: MemoryFilter) -> dict[str, Any]:
    """The parameters of the fragment `passes_filter`, but for the present moment."""
    granted, agents = query.granted_categories, query.acting_agents
    return {
        "archived": ARCHIVED[query.archived],
        "tags_any": list(query.tags_any) or None,
        "tags_all": list(query.tags_all) or None,
        "passing_kinds": [int(kind) for kind in passing_kinds(query)],
        "session_id": query.session_id or None,
        "session_occurrence": _occurrence({"session_id": query.session_id}),
        "occurred_from": query.occurred_from,
        "occurred_before": query.occurred_before,
        "min_importance": query.min_importance or None,
        "min_trust": int(query.min_trust) or None,
        "max_sensitivity": int(query.max_sensitivity) if query.max_sensitivity else None,
        "sensitivities": [int(level) for level in query.sensitivities] or None,
        "metadata": Jsonb(dict(query.metadata)) if query.metadata else None,
        "conditions": Jsonb([each.stored() for each in query.metadata_conditions])
        if query.metadata_conditions
        else None,
        "is_true": IS_TRUE[query.validity],
        "as_of": query.as_of,
        "known_at": query.known_at,
        "document_tags": category_tags(query.document_categories) or None,
        # An empty list, which admits no document, if no category is granted.
        "granted_tags": None if granted is None else category_tags(granted),
        "acting_agents": None if agents is None else sorted(agents),
    }


def _occurrence(told: Mapping[str, Any]) -> Jsonb:
    """A part of the stored metadata of a memory with such an occurrence."""
    return Jsonb({KEY: {"kept": [told]}})


def memory_from(row: Sequence[Any]) -> Row:
    """The memory in the columns of the fragment `memory_columns`, with those of `access_columns` if they follow."""
    # By position, since a recall from Postgres reads thousands: by keyword, it takes half as long again.
    values = [*row[: ACCESS_COLUMNS.stop]]
    values[KIND] = KIND_OF_NUMBER[values[KIND]]
    values[TAGS] = tuple(values[TAGS])
    values[SENSITIVITY] = Sensitivity(values[SENSITIVITY])
    values[SOURCE_REFS] = tuple(values[SOURCE_REFS])
    values[TRUST_LEVEL] = TRUST_LEVELS[values[TRUST_LEVEL]]
    # Null of nearly all.
    values[SUPERSEDES] = tuple(values[SUPERSEDES]) if values[SUPERSEDES] else ()
    if KEY not in values[METADATA]:
        return Row(*values)
    values[METADATA], occurrences = read_metadata(values[METADATA])
    return Row(*values)._replace(occurrences=occurrences)


def decryption_cost(rows: Sequence[ColumnValues]) -> float:
    """The cost of decrypting those of the rows that are encrypted."""
    encrypted = sum(row[ENCRYPTED_COLUMNS][1] is not None for row in rows)
    return encrypted * ROW / 2


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads rows of one scope: the fragments `memory_columns`, `access_columns` and `encrypted_columns`, in that order.
    Raises KeyMissing, BytesLost."""

    scope: Scope
    keyring: Keyring

    def memory(self, row: ColumnValues) -> Row:
        return EncryptedRows(self.keyring, self.scope).decrypt(memory_from(row), *row[ENCRYPTED_COLUMNS])

    async def memories(self, rows: Sequence[ColumnValues]) -> list[Row]:
        """The memories of many rows, decrypted off the event loop if that takes long."""
        return await off_loop(decryption_cost(rows), lambda: [*map(self.memory, rows)])

    async def new_rows(self, rows: Sequence[ColumnValues]) -> list[NewRow]:
        """The memories of many rows with their vectors, whose columns (embedding, key, encrypted vector) are the
        last."""
        memories = await self.memories(rows)
        return [self._new_row(*pair) for pair in zip(memories, rows, strict=True)]

    def vector(self, memory_id: MemoryId, model_id: str, columns: ColumnValues) -> Vector:
        """The vector in the columns embedding, key and encrypted vector."""
        embedding, key_id, ciphertext = columns
        if ciphertext is None:
            return Vector(model_id, embedding.to_numpy().astype(np.float32, copy=False))
        rows = EncryptedRows(self.keyring, self.scope)
        return rows.decrypt_vector(memory_id, model_id, key_id, ciphertext)

    def _new_row(self, memory: Row, row: ColumnValues) -> NewRow:
        *_, embedding, key_id, ciphertext = row
        if embedding is None and ciphertext is None:
            return NewRow(memory, None)
        columns = (embedding, key_id, ciphertext)
        return NewRow(memory, self.vector(memory.memory_id, memory.vector_model_id, columns))
