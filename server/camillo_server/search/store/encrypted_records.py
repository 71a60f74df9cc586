"""Encrypted rows in a page of packed ones, decrypted in place: afterwards the page looks as if none had been encrypted.

The statement `scope_page` puts the encrypted values of a row after its fields of fixed length: null, or a record of the
text's key, the text, the vector's key and the vector. The fields that they replace are empty then.
"""

import struct

import numpy as np

from camillo_server.kernel.errors import KeyMissing
from camillo_server.lib.crypto.keyring import DecryptionFailed
from camillo_server.rows.store.encrypted_rows import EncryptedRows
from camillo_server.search.store.packed_payload import (
    HEADER_BYTES,
    NULL,
    SIZE,
    field,
    next_field,
)
from camillo_server.search.store.packed_rows import RECORD, Numbers
from camillo_server.storage.wire import JSONB_VERSION

# The kind of a row that could not be decrypted: no filter lets it pass.
UNREADABLE_KIND = 0
FIXED_BYTES = RECORD.itemsize
FIELD_COUNT_BYTES = 4
# Terms, vector and content.
EMPTY_FIELDS = 3 * HEADER_BYTES
HALF_VECTOR = struct.Struct(">hh")


def _field_bytes(name: str) -> slice:
    type_, offset = RECORD.fields[name][:2] if RECORD.fields else (RECORD, 0)
    return slice(offset, offset + type_.itemsize)


MEMORY_ID, KIND = _field_bytes("memory_id"), _field_bytes("kind")


def decrypt_page(
    lengths: bytes, records: bytes, rows: EncryptedRows, model_id: str, dimensions: int
) -> tuple[bytes, bytes]:
    """Lengths and records of a page, decrypted. A row that cannot be decrypted becomes one of UNREADABLE_KIND; a vector
    that is not of this model and length counts as none."""
    sizes, begins, encrypted = _encrypted_records(lengths, records)
    if not len(encrypted):
        return lengths, records
    parts, end = [], 0
    for index in encrypted.tolist():
        begin = int(begins[index])
        parts.append(records[end:begin])
        end = begin + int(sizes[index])
        parts.append(_decrypt(records[begin:end], rows, model_id, dimensions))
        sizes[index] = len(parts[-1])
    parts.append(records[end:])
    return sizes.astype(">i4").tobytes(), b"".join(parts)


def has_encrypted(lengths: bytes, records: bytes) -> bool:
    return bool(len(_encrypted_records(lengths, records)[2]))


def _encrypted_records(lengths: bytes, records: bytes) -> tuple[Numbers, Numbers, Numbers]:
    """The lengths of the records, their offsets, and the indices of those that are encrypted."""
    sizes = np.frombuffer(lengths, ">i4").astype(np.int64)
    begins = np.cumsum(sizes) - sizes
    # The length of the field of encrypted values, -1 for null: its sign tells.
    sign = begins + FIXED_BYTES + 4
    return sizes, begins, np.flatnonzero(np.frombuffer(records, np.uint8)[sign] < 0x80)


def _decrypt(record: bytes, rows: EncryptedRows, model_id: str, dimensions: int) -> bytes:
    encrypted, end = next_field(record, FIXED_BYTES)
    try:
        if not _is_empty_beside(record, end):
            raise DecryptionFailed
        terms, vector, content, metadata = _fields(record[MEMORY_ID], encrypted or b"", rows, model_id, dimensions)
    except (KeyMissing, DecryptionFailed):
        unreadable = UNREADABLE_KIND.to_bytes(KIND.stop - KIND.start)
        fixed = record[: KIND.start] + unreadable + record[KIND.stop : FIXED_BYTES]
        return fixed + NULL + record[end:]
    shown = record[end + EMPTY_FIELDS : -HEADER_BYTES]
    decrypted = (NULL, *map(field, (terms, vector, content)), shown, field(metadata))
    return record[:FIXED_BYTES] + b"".join(decrypted)


def _is_empty_beside(record: bytes, end: int) -> bool:
    """Whether the fields that the encrypted values replace are empty."""
    terms, offset = next_field(record, end)
    vector, offset = next_field(record, offset)
    content, offset = next_field(record, offset)
    emptied = (terms, vector, content, record[-SIZE.size :])
    return offset == end + EMPTY_FIELDS and emptied == (b"", None, b"", SIZE.pack(-1))


def _fields(
    memory_id: bytes, encrypted: bytes, rows: EncryptedRows, model_id: str, dimensions: int
) -> tuple[bytes, bytes | None, bytes, bytes | None]:
    """Terms, vector, content and metadata as Postgres would pack them. Raises KeyMissing, DecryptionFailed."""
    key_id, offset = next_field(encrypted, FIELD_COUNT_BYTES)
    text, offset = next_field(encrypted, offset)
    vector_key_id, offset = next_field(encrypted, offset)
    vector, _ = next_field(encrypted, offset)
    opened = rows.open_text(memory_id, (key_id or b"").decode(), text or b"")
    packed = None
    if vector is not None:
        key = (vector_key_id or b"").decode()
        values = rows.open_vector(memory_id, model_id, key, vector).values
        if len(values) == dimensions:
            packed = HALF_VECTOR.pack(dimensions, 0) + values.astype(">f2").tobytes()
    metadata = JSONB_VERSION + opened.metadata if opened.metadata else None
    return opened.term_codes, packed, opened.content, metadata
