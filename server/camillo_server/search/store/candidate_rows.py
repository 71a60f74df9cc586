"""The result of a recall statement, kept as Postgres sent it: columns for scoring, memories only for hits.

Read by column number and in binary form, not by name: of some hundred candidates few become hits, so few are loaded.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from psycopg import AsyncRawCursor
from psycopg.adapt import Transformer
from psycopg.pq.abc import PGresult
from psycopg.rows import TupleRow

from camillo_server.lib.text.tokens import count_tokens
from camillo_server.rows.row import Row
from camillo_server.rows.store.rows import memory_from
from camillo_server.search.candidates import (
    AnsweredBy,
    CandidatePool,
    CandidateQuery,
)
from camillo_server.search.fusion import ArmScores, QueryFacts, fuse, relevance
from camillo_server.search.signals.brevity import BREVITY
from camillo_server.search.signals.signal import Raw, Signal, with_columns
from camillo_server.search.store.packed_payload import session_code
from camillo_server.storage.row_fields import ACCESS_COLUMNS, STORED
from camillo_server.storage.wire import EPOCH

# The columns of the statement `recall`, in its order: facts, packed scores, then those of each candidate.
FACTS = 6
DENSE, LEXICAL, ORDINAL, NEIGHBOURS, EMBEDDING, TERM_COUNT = range(FACTS, FACTS + 6)
MEMORY = TERM_COUNT + 1
MEMORY_ID, CONTENT, KIND, SESSION, OCCURRED_AT, IMPORTANCE, PINNED = (
    MEMORY + [field.name for field in STORED].index(name)
    for name in ("memory_id", "content", "kind", "session_id", "occurred_at", "importance", "pinned")
)
# Behind the memory, the columns of the signals that the query asks for.
END = MEMORY + ACCESS_COLUMNS.stop
# Compared as bytes; numpy strips zeros from the end of every value alike.
ID = "S16"
SCORE = np.dtype([("memory_id", ID), ("score", ">f4")])
# The bytes before a vector's numbers: their count, and two unused bytes.
VECTOR_HEADER = 4
# The neighbours of a candidate: the rows before and after it, and the second ones before and after.
NEIGHBOUR_COUNT = 4

Column = NDArray[np.float32]
Ids = NDArray[np.bytes_]


class CandidateRows:
    """The rows of one result."""

    def __init__(self, cursor: AsyncRawCursor[TupleRow]) -> None:
        """Takes the rows of an executed statement's cursor; needs no connection afterwards."""
        result = cursor.pgresult
        assert result is not None  # noqa: S101 (the statement has been executed)
        self._result: PGresult = result
        self._transformer = Transformer.from_context(cursor)
        self._transformer.set_pgresult(result)
        facts = self._row(0)[:FACTS]
        self.revision, self._memories, self._pending = facts[:3]
        self._encrypted_not_searched, self._rarities, self._links_revision = facts[3:]
        # If there is no candidate, one row still has the facts.
        self._count = 0 if result.get_value(0, ORDINAL) is None else result.ntuples

    def pool(self, query: CandidateQuery) -> CandidatePool:
        dimensions = query.vector.values.size if query.vector else 0
        arms, facts = self._arms(query), QueryFacts(self._rarities or [], self._memories, query.model_id)
        return CandidatePool(
            arms=arms,
            query=facts,
            fusion=fuse(arms, facts),
            relevance=relevance(arms, facts),
            kinds=self._column(KIND, ">i2"),
            memory_ids=self._ids(),
            occurred_at=self._column(OCCURRED_AT, ">i8") + EPOCH,
            importance=self._column(IMPORTANCE, ">f4"),
            pinned=self._column(PINNED, "?"),
            memories=self._memories_at,
            texts=lambda indices: [*map(self._text_at, indices)],
            encoded=lambda indices, encode: [*map(encode, self._memories_at(indices))],
            prepared=lambda indices, prepare: [*map(prepare, self._memories_at(indices))],
            tokens=lambda indices: [*map(self._tokens_at, indices)],
            vectors=lambda indices: self._vectors_at(indices, dimensions),
            revision=self.revision,
            vectors_pending=self._pending,
            answered_by=AnsweredBy.POSTGRES,
            encrypted_not_searched=self._encrypted_not_searched,
            links_revision=self._links_revision,
        )

    def _arms(self, query: CandidateQuery) -> ArmScores:
        own = self._column(MEMORY_ID, ID)
        reach = NEIGHBOUR_COUNT if query.with_neighbours else 0
        near = self._column(NEIGHBOURS, ID).reshape(self._count, NEIGHBOUR_COUNT)[:, :reach]
        absent = near == own[:, None]
        dense, lexical = (_Scores(self._result.get_value(0, number) or b"") for number in (DENSE, LEXICAL))
        texts_count = bool(query.terms) or query.with_neighbours
        return ArmScores(
            dense=dense.of(own, np.nan),
            lexical=lexical.of(own, 0),
            dense_near=np.where(absent, np.float32(np.nan), dense.of(near, np.nan)),
            lexical_near=np.where(absent, np.float32(0), lexical.of(near, 0)),
            sessions=self._sessions() if texts_count else None,
            signals=self._signals(query, reach) if texts_count else {},
        )

    def _signals(self, query: CandidateQuery, reach: int) -> dict[Signal, Raw]:
        """The raw values of the signals that the query asks for."""
        signals: dict[Signal, Raw] = {BREVITY: self._column(TERM_COUNT, ">i4")}
        for number, signal in enumerate(with_columns(query.signals), END):
            if reach or not signal.needs_neighbours:
                raw = self._column(number, signal.sql_type)
                signals[signal] = raw if signal.from_sql is None else signal.from_sql(raw)
        for signal, argument in query.signals.items():
            if signal.from_ids is not None:
                signals[signal] = signal.from_ids(argument, self._ids())
        return signals

    def _ids(self) -> NDArray[np.uint64]:
        return self._column(MEMORY_ID, ">u8").reshape(-1, 2)

    def _sessions(self) -> NDArray[np.uint64]:
        codes = (session_code(session.decode()) for session in self._values(SESSION))
        return np.fromiter(codes, np.uint64, self._count)

    def _memories_at(self, indices: Sequence[int]) -> list[Row]:
        return [memory_from(self._row(index)[MEMORY:END]) for index in indices]

    def _tokens_at(self, index: int) -> int:
        return count_tokens(self._text_at(index))

    def _text_at(self, index: int) -> str:
        return (self._result.get_value(index, CONTENT) or b"").decode()

    def _vectors_at(self, indices: Sequence[int], dimensions: int) -> Column:
        vectors = np.zeros((len(indices), dimensions), np.float32)
        for row, index in enumerate(indices):
            packed = self._result.get_value(index, EMBEDDING)
            if packed is not None:
                vectors[row] = np.frombuffer(packed, ">f4", offset=VECTOR_HEADER)
        return vectors

    def _row(self, index: int) -> tuple[Any, ...]:
        return self._transformer.load_row(index, tuple)

    def _values(self, number: int) -> list[bytes]:
        """The bytes of a column that is never null."""
        return [self._result.get_value(row, number) or b"" for row in range(self._count)]

    def _column(self, number: int, kind: str) -> NDArray[Any]:
        """A column of numbers of fixed length, in this machine's byte order."""
        sent = np.dtype(kind)
        values = np.frombuffer(b"".join(self._values(number)), sent)
        return values.astype(sent.newbyteorder("="))


class _Scores:
    """Scores by id, packed in one value."""

    def __init__(self, packed: bytes) -> None:
        scores = np.frombuffer(packed, SCORE)
        order = np.argsort(scores["memory_id"])
        self._ids = scores["memory_id"][order]
        self._values = scores["score"][order].astype(np.float32)

    def of(self, ids: Ids, missing: float) -> Column:
        """The scores of these ids, in their shape."""
        if not len(self._ids):
            return np.full(ids.shape, missing, np.float32)
        positions = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
        return np.where(self._ids[positions] == ids, self._values[positions], np.float32(missing))
