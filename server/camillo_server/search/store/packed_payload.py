"""Payloads in Postgres' binary form: the fields of a memory that no search reads, only who shows it."""

import json
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import Scalar
from camillo_server.kernel.scope import TRUST_LEVELS, UNATTRIBUTED, Attribution
from camillo_server.lib.text.counted_terms import label_code
from camillo_server.rows.occurrences import KEY, read_metadata
from camillo_server.rows.row import Row
from camillo_server.storage.wire import ARRAY_HEADER, binary_jsonb, binary_texts, binary_uuids

# A field begins with its type and its length.
HEADER_BYTES = 8
# The first byte of the length, which is negative for null.
SIGN, NEGATIVE = 4, 0x80
REST_IS_NULL = 4 * HEADER_BYTES
SIZE = struct.Struct(">i")
NULL = SIZE.pack(0) + SIZE.pack(-1)
# Longer values rarely occur again.
MAX_CACHED_BYTES = 256


class Payload(NamedTuple):
    """The fields of a payload; `model_id` is None for the model that the index holds."""

    content: str
    session_id: str
    model_id: str | None
    attribution: Attribution
    # The memory that replaced it, then those that it replaced; empty if there are neither.
    supersession: Sequence[MemoryId | None]
    tags: Sequence[str]
    source_refs: Sequence[str]
    metadata: Mapping[str, Scalar]


def content_of(data: bytes) -> str:
    """The content in a payload, without the rest."""
    content, _ = next_field(data, 0)
    return (content or b"").decode()


def read_payload(data: bytes) -> Payload:
    """The payload in the last eight fields of a record."""
    content, offset = next_field(data, 0)
    text = (content or b"").decode()
    # Null fields are skipped without a call, since a recall reads ten payloads.
    session_id = model_id = None
    if data[offset + SIGN] < NEGATIVE:
        session_id, offset = next_field(data, offset)
    else:
        offset += HEADER_BYTES
    if data[offset + SIGN] < NEGATIVE:
        model_id, offset = next_field(data, offset)
    else:
        offset += HEADER_BYTES
    attribution, offset = next_field(data, offset)
    session = session_id.decode() if session_id else ""
    model = None if model_id is None else model_id.decode()
    attributed = _attribution(attribution) if attribution else UNATTRIBUTED
    if len(data) - offset == REST_IS_NULL:
        # Most memories end here: the rest is null. A recall reads ten memories.
        return Payload(text, session, model, attributed, (), (), (), {})
    supersession, offset = next_field(data, offset)
    tags, offset = next_field(data, offset)
    source_refs, offset = next_field(data, offset)
    metadata, _ = next_field(data, offset)
    return Payload(
        text,
        session,
        model,
        attributed,
        tuple(_ids(supersession)) if supersession else (),
        tuple(_texts(tags)) if tags else (),
        tuple(_texts(source_refs)) if source_refs else (),
        _metadata(metadata) if metadata else {},
    )


def write_payload(memory: Row, own_model_id: str) -> bytes:
    """The payload of a memory, in the form in which Postgres packs it."""
    own = memory.vector_model_id == own_model_id
    return b"".join(
        (
            field(memory.content.encode()),
            field(memory.session_id.encode() or None),
            field(None if own else memory.vector_model_id.encode()),
            field(_attribution_record(memory)),
            field(_supersession_array(memory)),
            field(binary_texts(memory.tags) if memory.tags else None),
            field(binary_texts(memory.source_refs) if memory.source_refs else None),
            field(binary_jsonb(memory.stored_metadata) if memory.metadata or memory.occurrences.kept else None),
        )
    )


def session_code(session_id: str) -> int:
    """The code of a session; 0 for none."""
    return label_code(f"session {session_id}") if session_id else 0


# Label of every row with several occurrences.
RESTATED_CODE = label_code("restated")


def tag_code(tag: str) -> int:
    return label_code(f"tag {tag}")


def entry_code(key: str, value: Scalar) -> int:
    """The code of an entry of the metadata; equal numbers have equal codes, whatever their types."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        # Postgres knows no negative zero.
        value = float(value) + 0.0
    return label_code(f"entry {json.dumps([key, value], ensure_ascii=False)}")


def label_codes(tags: Iterable[str], metadata: Mapping[str, Scalar]) -> Sequence[int]:
    """The codes of tags, each once, and of the entries of metadata, those of other occurrences and their sessions among
    them."""
    if KEY in metadata:
        return _label_codes_of_occurrences(tags, metadata)
    entries = [entry_code(key, value) for key, value in metadata.items()]
    return (*map(tag_code, dict.fromkeys(tags)), *entries)


def _label_codes_of_occurrences(tags: Iterable[str], stored: Mapping[str, Scalar]) -> Sequence[int]:
    metadata, occurrences = read_metadata(stored)
    codes = [*label_codes(tags, metadata), RESTATED_CODE]
    for each in occurrences.kept:
        codes += [entry_code(key, value) for key, value in each.metadata.items()]
        codes += [session_code(each.session_id)] if each.session_id else []
    return tuple(dict.fromkeys(codes))


@lru_cache(maxsize=10_000)
def cached_session_code(data: bytes) -> int:
    """The code of a session in a record's field."""
    return session_code(data.decode())


def cached_label_codes(tags: bytes, metadata: bytes) -> Sequence[int]:
    """The codes of the tags and the metadata in two of a record's fields."""
    if len(tags) + len(metadata) <= MAX_CACHED_BYTES:
        return _lookup_label_codes(tags, metadata)
    return _label_codes(tags, metadata)


def _label_codes(tags: bytes, metadata: bytes) -> Sequence[int]:
    return label_codes(_texts(tags), _metadata(metadata))


_lookup_label_codes = lru_cache(maxsize=10_000)(_label_codes)


def next_field(data: bytes, offset: int) -> tuple[bytes | None, int]:
    """The field at an offset, and the offset of the next one."""
    begin = offset + HEADER_BYTES
    # Faster than struct.
    length = int.from_bytes(data[begin - 4 : begin], signed=True)
    if length < 0:
        return None, begin
    return data[begin : begin + length], begin + length


@lru_cache(maxsize=10_000)
def _attribution(record: bytes) -> Attribution:
    """Cached: the memories of an agent have few different ones."""
    level, offset = next_field(record, SIZE.size)
    actor, offset = next_field(record, offset)
    credential, _ = next_field(record, offset)
    trust_level = TRUST_LEVELS[int.from_bytes(level or b"")]
    return Attribution(trust_level, (actor or b"").decode(), (credential or b"").decode())


def _texts(array: bytes) -> Iterator[str]:
    offset = ARRAY_HEADER.size
    while offset < len(array):
        (length,) = SIZE.unpack_from(array, offset)
        offset += SIZE.size
        yield array[offset : offset + length].decode()
        offset += length


def _ids(array: bytes) -> Iterator[MemoryId | None]:
    offset = ARRAY_HEADER.size
    while offset < len(array):
        (length,) = SIZE.unpack_from(array, offset)
        offset += SIZE.size
        yield None if length < 0 else MemoryId(UUID(bytes=array[offset : offset + length]))
        offset += max(length, 0)


def _metadata(jsonb: bytes) -> dict[str, Scalar]:
    if not jsonb:
        return {}
    return (_lookup_metadata(jsonb) if len(jsonb) <= MAX_CACHED_BYTES else _parsed(jsonb)).copy()


def _parsed(jsonb: bytes) -> dict[str, Scalar]:
    found: dict[str, Scalar] = json.loads(jsonb[1:])
    return found


# The passages of an agent's events have few different ones, and parsing one takes a third of reading its row.
_lookup_metadata = lru_cache(maxsize=10_000)(_parsed)


def field(value: bytes | None) -> bytes:
    """A value as a field of a record."""
    return NULL if value is None else SIZE.pack(0) + SIZE.pack(len(value)) + value


def _attribution_record(memory: Row) -> bytes | None:
    attribution = memory.attribution
    if attribution == UNATTRIBUTED:
        return None
    level, *texts = attribution
    values = (level.to_bytes(2), *(text.encode() for text in texts))
    return SIZE.pack(len(attribution)) + b"".join(map(field, values))


def _supersession_array(memory: Row) -> bytes | None:
    if memory.superseded_by is None and not memory.supersedes:
        return None
    return binary_uuids((memory.superseded_by, *memory.supersedes))
