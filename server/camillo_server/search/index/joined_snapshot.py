"""Snapshots of several scopes as one, so that a recall over all of them is one search: their rows follow one another,
in the order of the scopes, and nothing of them is copied but the columns that a search reads."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import microseconds
from camillo_server.rows.row import Row
from camillo_server.search.candidates import CandidateQuery
from camillo_server.search.index.dense import DenseIndex
from camillo_server.search.index.dense_segments import Hits, Ids
from camillo_server.search.index.lexical import Corpus, JoinedPostings, best_rows
from camillo_server.search.index.snapshot import IndexSnapshot, Mask, SearchedRows
from camillo_server.search.parts import Parts
from camillo_server.search.store.scope_rows import ScopeFacts

# Up to so many rows, a column is joined as a whole: reading single rows of each part takes as long as copying these.
MAX_JOINED_ROWS = 65_536


class _Lot(NamedTuple):
    """Rows of which as many are candidates as of a scope that is searched alone."""

    rows: slice
    dense: DenseIndex
    columns: Mapping[str, NDArray[Any]]

    def mask(self, searched: SearchedRows) -> Mask | None:
        return None if searched.mask is None else searched.mask[self.rows]

    @property
    def ids(self) -> Ids:
        return self.columns["id_high"], self.columns["id_low"]


class JoinedSnapshot:
    """Several snapshots, read by `find_candidates` like one.

    Spaces are one lot, and the tenant's shared scope is another: hundreds of actions that are alike would otherwise
    keep out the caller's own memories."""

    def __init__(self, parts: Sequence[IndexSnapshot]) -> None:
        """Two parts at least, the shared scope last; all have vectors of the same model."""
        self.parts = parts
        self.rows = Parts(parts, [part.count for part in parts])
        self.arrays = JoinedColumns(self.rows)
        self.terms = JoinedPostings([part.terms for part in parts], self.rows.starts)
        self.dense = _joined_dense(parts)
        if parts[-1].agent_id:
            self._lots = [_Lot(slice(0, self.count), self.dense, self.arrays)]
        else:
            *spaces, shared = parts
            end = self.rows.starts[-1]
            self._lots = [
                _Lot(slice(0, end), _joined_dense(spaces), self.arrays),
                _Lot(slice(end, self.count), shared.dense, shared.arrays),
            ]

    @property
    def count(self) -> int:
        return self.rows.count

    @property
    def live(self) -> Mask:
        return np.concatenate([part.live for part in self.parts])

    @property
    def facts(self) -> ScopeFacts:
        """The facts of the first part."""
        return self.parts[0].facts

    def corpus(self, searched: SearchedRows) -> Corpus:
        return Corpus(self.terms, self.arrays["term_count"], self.count, searched.memories, searched.term_count)

    def searched(self, queries: Sequence[CandidateQuery]) -> SearchedRows:
        """The rows of each part that pass the filter of its own query."""
        now = microseconds(queries[0].now)
        parts = tuple([part.searched(each.filter, now) for part, each in zip(self.parts, queries, strict=True)])
        mask = None
        if any(each.mask is not None for each in parts):
            passing = zip(self.parts, parts, strict=True)
            mask = np.concatenate([part.live if each.mask is None else each.mask for part, each in passing])
        return SearchedRows(
            mask=mask,
            count=sum([each.count for each in parts]),
            since=now,
            until=min([each.until for each in parts]),
            is_narrowed=any(each.is_narrowed for each in parts),
            memories=sum([each.memories for each in parts]),
            term_count=sum([each.term_count for each in parts]),
            vectors_pending=any(each.vectors_pending for each in parts),
            parts=parts,
        )

    def nearest(self, vector: NDArray[np.float32], limit: int, searched: SearchedRows) -> Hits:
        """The nearest rows of each lot, and their cosines. Raises IndexFailed."""
        found = [lot.dense.search(vector, limit, lot.mask(searched), lot.ids) for lot in self._lots]
        rows = [rows + lot.rows.start for lot, (rows, _) in zip(self._lots, found, strict=True)]
        return np.concatenate(rows), np.concatenate([scores for _, scores in found])

    def best_rows(self, scores: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
        """The rows of each lot that score best."""
        return np.concatenate([best_rows(scores[lot.rows], limit, lot.ids) + lot.rows.start for lot in self._lots])

    def memories(self, rows: Sequence[int]) -> list[Row]:
        return self.rows.read(rows, IndexSnapshot.memories)

    def texts(self, rows: Sequence[int]) -> list[str]:
        return self.rows.read(rows, IndexSnapshot.texts)

    def encoded(self, rows: Sequence[int], encode: Callable[[Row], bytes]) -> list[bytes]:
        return self.rows.read(rows, lambda part, own: part.encoded(own, encode))

    def prepared(self, rows: Sequence[int], prepare: Callable[[Row], Any]) -> list[Any]:
        return self.rows.read(rows, lambda part, own: part.prepared(own, prepare))

    def tokens(self, rows: Sequence[int]) -> list[int]:
        return self.rows.read(rows, IndexSnapshot.tokens)


def _joined_dense(parts: Sequence[IndexSnapshot]) -> DenseIndex:
    first = parts[0].dense
    return DenseIndex(first.dimensions, tuple([each for part in parts for each in part.dense.segments]), first.sizes)


class JoinedColumns(Mapping[str, Any]):
    """The columns of all parts, by name; each is joined when it is first read."""

    def __init__(self, rows: Parts[IndexSnapshot]) -> None:
        self._rows = rows
        self._joined: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> Any:
        """The column: whole, or what reads the rows of it that are asked for."""
        if self._rows.count > MAX_JOINED_ROWS and name != "term_count":
            return _Column(self._rows, name)
        column = self._joined.get(name)
        if column is None:
            column = self._joined[name] = np.concatenate(_columns(self._rows, name))
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows.parts[0].arrays)

    def __len__(self) -> int:
        return len(self._rows.parts[0].arrays)


class _Column:
    """A column of all parts, of which single rows are read."""

    def __init__(self, rows: Parts[IndexSnapshot], name: str) -> None:
        self._rows = rows
        self._name = name

    def __getitem__(self, asked: NDArray[np.integer] | slice) -> NDArray[Any]:
        columns = _columns(self._rows, self._name)
        if isinstance(asked, slice):
            return np.concatenate(columns)[asked]
        values = np.empty(len(asked), columns[0].dtype)
        for column, (within, own) in zip(columns, self._rows.divide(asked), strict=True):
            values[within] = column[own]
        return values


def _columns(rows: Parts[IndexSnapshot], name: str) -> list[NDArray[Any]]:
    # There may be more rows than the snapshot had.
    return [part.arrays[name][:count] for part, count in zip(rows.parts, rows.counts, strict=True)]
