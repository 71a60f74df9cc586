"""Rows of a scope as columns, read out of Postgres' binary form of records all at once, by offsets and not by names.

A record begins with its number of fields; each field is its type (4 bytes), its length (4 bytes, -1 for null) and
its value, numbers in network order. The statement `scope_page` puts the fields of fixed length first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import moment
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import KIND_OF_NUMBER, Sensitivity
from camillo_server.rows.occurrences import KEY, NO_OCCURRENCES, read_metadata
from camillo_server.rows.row import Row
from camillo_server.search.store.packed_payload import cached_label_codes, cached_session_code, read_payload
from camillo_server.storage.row_fields import FIELDS, INDEXED
from camillo_server.storage.wire import EPOCH

FIELD_HEADER = 8
NEVER = np.iinfo(np.int64).max
LONG_AGO = np.iinfo(np.int64).min

# The fields of fixed length in the order of the statement.
FIXED = {"memory_id": "V16", "revision": "i8", "term_count": "i4", "pending": "u1", **INDEXED}
TIMES = tuple(field.name for field in FIELDS if field.indexed_as and field.type == "timestamptz")
RECORD = np.dtype(
    [("fields", ">i4")]
    + [
        part
        for name, kind in FIXED.items()
        for part in ((f"{name} header", "V8"), (name, kind if kind[0] == "V" else f">{kind}"))
    ]
)
# The columns of an index that a shown row has beside its payload.
SHOWN = (
    *("id_high", "id_low", "kind", "sensitivity", "importance", "pinned", "archived", "version"),
    *("access_count", "stated_count"),
    *("occurred_at", "created_at", "updated_at", "expires_at", "accessed_at"),
    *("valid_from", "valid_until"),
)
SENSITIVITY_OF_NUMBER = {int(level): level for level in Sensitivity}
NO_SUPERSESSION = (None,)
TERM = np.dtype([("code", "<u4"), ("count", "u1")])

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Codes = NDArray[np.uint64]
Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class ScopeRows:
    """Rows as columns: item i of each belongs to one memory.

    `fixed` has the columns of FIXED, times in microseconds since 1970 (NEVER for no expiry and
    no end of validity, LONG_AGO for no access and no beginning of validity). `terms` are the
    (code, count) of all rows one after the other, `term_lengths` of them to a row; `labels` the codes of tags and
    metadata likewise. `vectors` is half precision of shape (rows, dimensions), zeros where not `has_vector`.
    `sessions` are codes, 0 for none. `payload` holds the rest as packed_payload.py reads it, likewise.
    """

    fixed: Columns
    terms: NDArray[np.void]
    term_lengths: Numbers
    vectors: NDArray[np.float16]
    has_vector: NDArray[np.bool_]
    sessions: Codes
    labels: Codes
    label_lengths: Numbers
    payload: Bytes
    payload_lengths: Numbers

    def __len__(self) -> int:
        return len(self.term_lengths)

    def part(self, first: int, end: int) -> "ScopeRows":
        rows = slice(first, end)
        return ScopeRows(
            fixed={name: column[rows] for name, column in self.fixed.items()},
            terms=_part(self.terms, self.term_lengths, rows),
            term_lengths=self.term_lengths[rows],
            vectors=self.vectors[rows],
            has_vector=self.has_vector[rows],
            sessions=self.sessions[rows],
            labels=_part(self.labels, self.label_lengths, rows),
            label_lengths=self.label_lengths[rows],
            payload=_part(self.payload, self.payload_lengths, rows),
            payload_lengths=self.payload_lengths[rows],
        )

    def select(self, chosen: NDArray[np.bool_]) -> "ScopeRows":
        """The rows that are chosen, in the same order."""
        return ScopeRows(
            fixed={name: column[chosen] for name, column in self.fixed.items()},
            terms=self.terms[np.repeat(chosen, self.term_lengths)],
            term_lengths=self.term_lengths[chosen],
            vectors=self.vectors[chosen],
            has_vector=self.has_vector[chosen],
            sessions=self.sessions[chosen],
            labels=self.labels[np.repeat(chosen, self.label_lengths)],
            label_lengths=self.label_lengths[chosen],
            payload=self.payload[np.repeat(chosen, self.payload_lengths)],
            payload_lengths=self.payload_lengths[chosen],
        )

    def postings(self) -> Iterator[tuple[int, NDArray[np.void], Codes]]:
        term_ends, label_ends = np.cumsum(self.term_lengths), np.cumsum(self.label_lengths)
        for row in range(len(self)):
            terms = self.terms[term_ends[row] - self.term_lengths[row] : term_ends[row]]
            yield (
                row,
                terms,
                self.labels[label_ends[row] - self.label_lengths[row] : label_ends[row]],
            )


def unpack(lengths: bytes, records: bytes, dimensions: int) -> ScopeRows:
    """The rows of a page that search/store/encrypted_records.py has decrypted."""
    sizes = np.frombuffer(lengths, ">i4").astype(np.int64)
    ends = np.cumsum(sizes)
    begins = ends - sizes
    # The fields begin after that of encrypted values, which is null by now.
    fields = _Fields(records, begins + RECORD.itemsize + FIELD_HEADER)
    terms, term_sizes = fields.take()
    vectors, has_vector = _vectors(fields, dimensions)
    payload_begins = fields.position
    sessions, labels, label_lengths = _codes(fields)
    return ScopeRows(
        fixed=_fixed(records, begins),
        terms=np.frombuffer(terms, TERM),
        term_lengths=term_sizes // TERM.itemsize,
        vectors=vectors,
        has_vector=has_vector,
        sessions=sessions,
        labels=labels,
        label_lengths=label_lengths,
        payload=np.frombuffer(_slices(records, payload_begins, ends), np.uint8),
        payload_lengths=ends - payload_begins,
    )


def _slices(source: bytes, begins: Numbers, ends: Numbers) -> bytes:
    """Slices one after the other: as bytes, which are copied several times faster than by an array of offsets."""
    return b"".join(map(source.__getitem__, map(slice, begins.tolist(), ends.tolist())))


def _part(values: NDArray[Any], lengths: Numbers, rows: slice) -> NDArray[Any]:
    first = int(lengths[: rows.start].sum())
    return values[first : first + int(lengths[rows].sum())]


class _Fields:
    """Reads the fields of variable length, of all records at once."""

    def __init__(self, records: bytes, position: Numbers) -> None:
        self._records = records
        self._bytes = np.frombuffer(records, np.uint8)
        self.position = position

    def next(self) -> tuple[Numbers, Numbers]:
        """The offset of the next field's value in each record, and its length (0 for null)."""
        header = self._bytes[self.position[:, None] + np.arange(4, 8)]
        lengths = np.maximum(np.ascontiguousarray(header).view(">i4")[:, 0].astype(np.int64), 0)
        begins = self.position + FIELD_HEADER
        self.position = begins + lengths
        return begins, lengths

    def values(self) -> list[bytes]:
        """The next field's value in each record, empty for null."""
        begins, _ = self.next()
        slices = map(slice, begins.tolist(), self.position.tolist())
        return list(map(self._records.__getitem__, slices))

    def take(self) -> tuple[bytes, Numbers]:
        """The next field's values, one after the other, and their lengths."""
        begins, lengths = self.next()
        return _slices(self._records, begins, self.position), lengths


def _fixed(records: bytes, begins: Numbers) -> Columns:
    rows = np.frombuffer(_slices(records, begins, begins + RECORD.itemsize), RECORD)
    columns: Columns = {name: rows[name].astype(kind) for name, kind in FIXED.items()}
    for name in TIMES:
        since_1970(columns[name])
    return columns


def since_1970(times: Numbers) -> None:
    """Makes times as Postgres counts them those of a column."""
    finite = (times != NEVER) & (times != LONG_AGO)
    times[finite] += EPOCH


def _vectors(fields: _Fields, dimensions: int) -> tuple[NDArray[np.float16], NDArray[np.bool_]]:
    values, lengths = fields.take()
    has_vector = lengths > 0
    vectors = np.zeros((len(lengths), dimensions), np.float16)
    # Two numbers of 2 bytes stand before the values: dimensions and nothing.
    vectors[has_vector] = np.frombuffer(values, ">f2").reshape(-1, dimensions + 2)[:, 2:]
    return vectors, has_vector


def _codes(fields: _Fields) -> tuple[Codes, Codes, Numbers]:
    """The codes of sessions, and those of tags and metadata with their number in each row."""
    fields.next()
    sessions = [cached_session_code(value) if value else 0 for value in fields.values()]
    # The model, the attribution, and what superseded it, and what it superseded.
    for _ in range(3):
        fields.next()
    tags = fields.values()
    fields.next()
    labels: list[int] = []
    counts = []
    for of_row in map(cached_label_codes, tags, fields.values()):
        labels += of_row
        counts.append(len(of_row))
    return np.array(sessions, np.uint64), np.array(labels, np.uint64), np.array(counts, np.int64)


def row_from(
    agent_id: AgentId,
    own_model_id: str,
    packed: bytes,
    id_high: int,
    id_low: int,
    kind: int,
    sensitivity: int,
    importance: float,
    pinned: int,
    archived: int,
    version: int,
    access_count: int,
    stated_count: int,
    *times: int,
) -> Row:
    """The row of a payload and of its columns, those of SHOWN in their order; `own_model_id` is the index's."""
    payload = read_payload(packed)
    occurred_at, created_at, updated_at, expires_at, accessed_at, *validity = times
    valid_from, valid_until = validity
    trust_level, actor, credential = payload.attribution
    # Most memories neither replaced one nor were replaced.
    superseded_by, *supersedes = payload.supersession or NO_SUPERSESSION
    created = moment(created_at)
    has_several, metadata = KEY in payload.metadata, payload.metadata
    metadata, several = read_metadata(metadata) if has_several else (metadata, NO_OCCURRENCES)
    return Row(
        memory_id=MemoryId(UUID(int=id_high << 64 | id_low)),
        agent_id=agent_id,
        content=payload.content,
        kind=KIND_OF_NUMBER[kind],
        session_id=payload.session_id,
        occurred_at=moment(occurred_at),
        tags=payload.tags,
        sensitivity=SENSITIVITY_OF_NUMBER[sensitivity],
        importance=importance,
        metadata=metadata,
        expires_at=None if expires_at == NEVER else moment(expires_at),
        pinned=bool(pinned),
        archived=bool(archived),
        version=version,
        source_refs=payload.source_refs,
        created_at=created,
        updated_at=created if updated_at == created_at else moment(updated_at),
        vector_model_id=own_model_id if payload.model_id is None else payload.model_id,
        trust_level=trust_level,
        actor=actor,
        credential=credential,
        valid_from=None if valid_from == LONG_AGO else moment(valid_from),
        valid_until=None if valid_until == NEVER else moment(valid_until),
        supersedes=tuple(filter(None, supersedes)),
        superseded_by=superseded_by,
        accessed_at=None if accessed_at == LONG_AGO else moment(accessed_at),
        access_count=access_count,
        stated_count=stated_count,
        occurrences=several,
    )
