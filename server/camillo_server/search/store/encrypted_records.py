"""Sealed rows in a page of packed ones, opened in place: behind it a page looks as if nothing had been sealed.

The statement `scope_page` puts what is sealed of a row behind its fields of fixed length: null, or a record of the
text's key, the text, the vector's key, the vector. Of the fields behind it those are empty then that it holds.
"""

import struct
from typing import NamedTuple

import numpy as np

from camillo_server.crypto.keyring import SealBroken
from camillo_server.kernel.errors import KeyMissing
from camillo_server.memories.store.encrypted_rows import EncryptedRows
from camillo_server.search.store.packed_payload import (
    HEADER_BYTES,
    JSONB_VERSION,
    NULL,
    SIZE,
    field,
    next_field,
)
from camillo_server.search.store.packed_rows import RECORD, Numbers

# Of a row that could not be opened: no filter lets it through.
UNREADABLE_KIND = 0
FIXED_BYTES = RECORD.itemsize
FIELD_COUNT_BYTES = 4
# Terms, vector and content.
EMPTY_FIELDS = 3 * HEADER_BYTES
HALF_VECTOR = struct.Struct(">hh")


class VectorFormat(NamedTuple):
    """Vectors of this model and of so many numbers; any other counts as none."""

    model_id: str
    dimensions: int


def _place(name: str) -> slice:
    type_, offset = RECORD.fields[name][:2] if RECORD.fields else (RECORD, 0)
    return slice(offset, offset + type_.itemsize)


MEMORY_ID, KIND = _place("memory_id"), _place("kind")


def decrypt_page(
    lengths: bytes, records: bytes, rows: EncryptedRows, wanted: VectorFormat
) -> tuple[bytes, bytes]:
    """Lengths and records of a page with what was sealed in them. What cannot be opened becomes a row of UNREADABLE_KIND."""
    sizes, begins, places = _encrypted_records(lengths, records)
    if not len(places):
        return lengths, records
    parts, end = [], 0
    for place in places.tolist():
        begin = int(begins[place])
        parts.append(records[end:begin])
        end = begin + int(sizes[place])
        parts.append(_opened(records[begin:end], rows, wanted))
        sizes[place] = len(parts[-1])
    parts.append(records[end:])
    return sizes.astype(">i4").tobytes(), b"".join(parts)


def has_encrypted(lengths: bytes, records: bytes) -> bool:
    """Whether any row of a page is sealed."""
    return bool(len(_encrypted_records(lengths, records)[2]))


def _encrypted_records(lengths: bytes, records: bytes) -> tuple[Numbers, Numbers, Numbers]:
    """How long the records are, where they begin, and which of them are sealed."""
    sizes = np.frombuffer(lengths, ">i4").astype(np.int64)
    begins = np.cumsum(sizes) - sizes
    # The length of the field that tells what is sealed, -1 for null: its sign decides.
    sign = begins + FIXED_BYTES + 4
    return sizes, begins, np.flatnonzero(np.frombuffer(records, np.uint8)[sign] < 0x80)


def _opened(record: bytes, rows: EncryptedRows, wanted: VectorFormat) -> bytes:
    sealed, end = next_field(record, FIXED_BYTES)
    try:
        if not _is_empty_beside(record, end):
            raise SealBroken
        terms, vector, content, metadata = _fields(record[MEMORY_ID], sealed or b"", rows, wanted)
    except (KeyMissing, SealBroken):
        unreadable = UNREADABLE_KIND.to_bytes(KIND.stop - KIND.start)
        return (
            record[: KIND.start]
            + unreadable
            + record[KIND.stop : FIXED_BYTES]
            + NULL
            + record[end:]
        )
    shown = record[end + EMPTY_FIELDS : -HEADER_BYTES]
    return b"".join(
        (
            record[:FIXED_BYTES],
            NULL,
            field(terms),
            field(vector),
            field(content),
            shown,
            field(metadata),
        )
    )


def _is_empty_beside(record: bytes, end: int) -> bool:
    """Whether the fields are empty in whose place what is sealed comes."""
    terms, place = next_field(record, end)
    vector, place = next_field(record, place)
    content, place = next_field(record, place)
    emptied = (terms, vector, content, record[-SIZE.size :])
    return place == end + EMPTY_FIELDS and emptied == (b"", None, b"", SIZE.pack(-1))


def _fields(
    memory_id: bytes, sealed: bytes, rows: EncryptedRows, wanted: VectorFormat
) -> tuple[bytes, bytes | None, bytes, bytes | None]:
    """Terms, vector, content and metadata as Postgres would pack them. Raises KeyMissing, SealBroken."""
    key_id, place = next_field(sealed, FIELD_COUNT_BYTES)
    text, place = next_field(sealed, place)
    vector_key_id, place = next_field(sealed, place)
    vector, _ = next_field(sealed, place)
    opened = rows.open_text(memory_id, (key_id or b"").decode(), text or b"")
    packed = None
    if vector is not None:
        key = (vector_key_id or b"").decode()
        values = rows.open_vector(memory_id, wanted.model_id, key, vector).values
        if len(values) == wanted.dimensions:
            packed = HALF_VECTOR.pack(wanted.dimensions, 0) + values.astype(">f2").tobytes()
    metadata = bytes([JSONB_VERSION]) + opened.metadata if opened.metadata else None
    return opened.term_codes, packed, opened.content, metadata
