"""Memories just committed, as the same columns that a page of Postgres gives."""

from collections.abc import Sequence

import numpy as np

from camillo_server.domain.memory import Memory
from camillo_server.domain.moments import microseconds
from camillo_server.domain.ports import NewRow
from camillo_server.storage.packed_payload import label_codes, session_code, write_payload
from camillo_server.storage.packed_rows import FIXED, LONG_AGO, NEVER, TERM, ScopeRows


def columns_of(rows: Sequence[NewRow], revision: int, model_id: str, dimensions: int) -> ScopeRows:
    """Rows that were committed together at this revision; vectors of another model count as none."""
    memories = [row.memory for row in rows]
    terms = [row.terms() for row in rows]
    labels = [label_codes(memory) for memory in memories]
    payloads = [write_payload(memory, model_id) for memory in memories]
    fixed = [
        _fixed(memory, revision, of_one.total)
        for memory, of_one in zip(memories, terms, strict=True)
    ]
    vectors = np.zeros((len(rows), dimensions), np.float16)
    has_vector = np.zeros(len(rows), np.bool_)
    for place, row in enumerate(rows):
        vector = row.vector
        if vector and vector.model_id == model_id and len(vector.values) == dimensions:
            vectors[place] = vector.values
            has_vector[place] = True
    return ScopeRows(
        fixed={
            name: np.array(values, kind)
            for (name, kind), values in zip(FIXED.items(), zip(*fixed, strict=True), strict=True)
        },
        terms=np.frombuffer(b"".join(of_one.packed for of_one in terms), TERM),
        term_lengths=np.array([len(of_one.packed) // TERM.itemsize for of_one in terms]),
        vectors=vectors,
        has_vector=has_vector,
        sessions=np.array([session_code(memory.session_id) for memory in memories], np.uint64),
        labels=np.array([code for codes in labels for code in codes], np.uint64),
        label_lengths=np.array([len(codes) for codes in labels]),
        payload=np.frombuffer(b"".join(payloads), np.uint8),
        payload_lengths=np.array([len(payload) for payload in payloads]),
    )


def _fixed(memory: Memory, revision: int, term_count: int) -> tuple[object, ...]:
    return (
        memory.memory_id.bytes,
        revision,
        memory.version,
        microseconds(memory.occurred_at),
        microseconds(memory.created_at),
        microseconds(memory.updated_at),
        microseconds(memory.expires_at) if memory.expires_at else NEVER,
        microseconds(memory.accessed_at) if memory.accessed_at else LONG_AGO,
        memory.access_count,
        memory.stated_count,
        memory.importance,
        term_count,
        int(memory.kind),
        int(memory.sensitivity),
        memory.pinned,
        memory.archived,
        not memory.vector_model_id,
    )
