"""Snapshots of an index: a scope as of one revision, which no writer changes, and the rows of it that a recall may
find."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import (
    KIND_NUMBERS,
    KINDS_OF_A_SOURCE,
    Sensitivity,
    Source,
)
from camillo_server.lib.text.tokens import count_tokens
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import (
    Archived,
    MemoryFilter,
    Validity,
    passing_kinds,
)
from camillo_server.search.candidates import Prepared
from camillo_server.search.index.columns import Sessions
from camillo_server.search.index.dense import DenseIndex
from camillo_server.search.index.dense_segments import Hits
from camillo_server.search.index.lexical import Corpus, Postings, best_rows
from camillo_server.search.index.row_conditions import (
    actions_of_others,
    clear_rows_failing,
    happened_rows,
    labelled_rows,
    next_change,
    passages,
    passes_validity,
    unreadable_passages,
)
from camillo_server.search.index.snapshot_caches import EncodedRows, PreparedRows, RecentResults
from camillo_server.search.store.encrypted_records import UNREADABLE_KIND
from camillo_server.search.store.packed_payload import (
    RESTATED_CODE,
    content_of,
)
from camillo_server.search.store.packed_rows import NEVER, SHOWN, row_from
from camillo_server.search.store.scope_rows import ScopeFacts

Mask = NDArray[np.bool_]
# The sections of a bundle use the same few filters, again and again.
MAX_CACHED_FILTERS = 4


@dataclass(frozen=True, slots=True, eq=False)
class SearchedRows:
    """The rows that pass a filter, and the size of the corpus that is searched.

    `mask` is over all rows, None where every row passes; `count` is the number of those that do. The corpus is the
    whole scope or, where a channel hides rows of it, only the rows that pass: a score must not tell of hidden rows.
    `parts`: those of each scope, where several are searched as one."""

    mask: Mask | None
    count: int
    # From when and until when this holds, since rows expire, become true and untrue, and documents become effective:
    # microseconds since 1970.
    since: int
    until: int
    is_narrowed: bool
    memories: int
    term_count: int
    vectors_pending: bool
    parts: tuple["SearchedRows", ...] = ()


@dataclass(frozen=True, slots=True)
class IndexSnapshot:
    """The first rows of an index; `live` has one item for each, true where the row is the latest of its memory."""

    agent_id: AgentId
    model_id: str
    facts: ScopeFacts
    live: Mask
    live_count: int
    pending_count: int
    # Some row may expire.
    expires: bool
    # Some row says from when or until when it is true.
    is_dated: bool
    # Some row is no memory: a chunk, or a row that could not be decrypted.
    has_chunks: bool
    arrays: Mapping[str, NDArray[Any]]
    payload: NDArray[np.uint8]
    dense: DenseIndex
    terms: Postings
    labels: Postings
    sessions: Sessions
    encoded_rows: EncodedRows
    prepared_rows: PreparedRows
    # The rows that Postgres does not have yet; the facts count them.
    spooled: frozenset[int] = frozenset()
    recent_results: RecentResults = field(default_factory=RecentResults)
    _cached: list[tuple[MemoryFilter, SearchedRows]] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.live)

    def corpus(self, searched: SearchedRows) -> Corpus:
        lengths = self.arrays["term_count"]
        return Corpus(self.terms, lengths, self.count, searched.memories, searched.term_count)

    def nearest(self, vector: NDArray[np.float32], limit: int, searched: SearchedRows) -> Hits:
        """The nearest rows and their cosines. Raises IndexFailed."""
        arrays = self.arrays
        return self.dense.search(vector, limit, searched.mask, (arrays["id_high"], arrays["id_low"]))

    def best_rows(self, scores: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
        """The rows that score best, ascending by row."""
        return best_rows(scores, limit, (self.arrays["id_high"], self.arrays["id_low"]))

    def searched(self, filter_: MemoryFilter, now: int) -> SearchedRows:
        """The rows that pass a filter at this time, in microseconds since 1970; cached for the last few filters."""
        if filter_.metadata or filter_.metadata_conditions or filter_.as_of is not None:
            # Not cached: in Python 1 equals True, so that two different filters would compare as equal; and few moments
            # are asked for again.
            return self._searched(filter_, now)
        # The rows that pass change when the next of them expires or becomes effective, and with the snapshot.
        cached = list(self._cached)
        for known, searched in cached:
            if known == filter_ and searched.since <= now < searched.until:
                return searched
        searched = self._searched(filter_, now)
        others = [each for each in cached if each[0] != filter_]
        self._cached[:] = [(filter_, searched), *others[: MAX_CACHED_FILTERS - 1]]
        return searched

    def committed(self) -> "IndexSnapshot":
        """The same snapshot without spooled rows."""
        if not self.spooled:
            return self
        rows = sorted(self.spooled)
        live = self.live.copy()
        live[rows] = False
        terms = int(self.arrays["term_count"][rows].sum(dtype=np.int64))
        pending = int(self.arrays["pending"][rows].sum(dtype=np.int64))
        facts = self.facts
        return replace(
            self,
            facts=replace(
                facts,
                memory_count=facts.memory_count - len(rows),
                term_count=facts.term_count - terms,
            ),
            live=live,
            live_count=self.live_count - len(rows),
            pending_count=self.pending_count - pending,
            spooled=frozenset(),
            recent_results=RecentResults(),
            _cached=[],
        )

    def memories(self, rows: Sequence[int]) -> list[Row]:
        columns = [self.arrays[name][rows].tolist() for name in SHOWN]
        owner = (self.agent_id, self.model_id)
        memories = [
            row_from(*owner, self.payload_of(row), *of_row) for row, *of_row in zip(rows, *columns, strict=True)
        ]
        if self.spooled:
            return [memory._replace(is_spooled=row in self.spooled) for row, memory in zip(rows, memories, strict=True)]
        return memories

    def texts(self, rows: Sequence[int]) -> list[str]:
        """The contents of these rows."""
        return [content_of(self.payload_of(row)) for row in rows]

    def encoded(self, rows: Sequence[int], encode: Callable[[Row], bytes]) -> list[bytes]:
        """The bytes that `encode` returns for the memories of these rows. Each row is encoded when it is first shown,
        so `encode` has to be the same function each time. Belongs to the event loop."""
        return self.encoded_rows.get(rows, lambda missing: map(encode, self.memories(missing)))

    def prepared(self, rows: Sequence[int], prepare: Callable[[Row], Prepared]) -> list[Any]:
        """The result of `prepare` for the memories of these rows, kept as `encoded` keeps its own."""
        return self.prepared_rows.get(rows, lambda missing: map(prepare, self.memories(missing)))

    def tokens(self, rows: Sequence[int]) -> list[int]:
        """The tokens of the contents of these rows: counted when a row is first shown. Belongs to the event loop."""
        column = self.arrays["tokens"]
        counts: list[int] = column[rows].tolist()
        if 0 in counts:
            for index, row in enumerate(rows):
                if not counts[index]:
                    # Where a longer column has replaced this one, it is counted once more.
                    column[row] = counts[index] = count_tokens(content_of(self.payload_of(row)))
        return counts

    def payload_of(self, row: int) -> bytes:
        """The payload of a row, as search/store/packed_payload.py reads it."""
        ends = self.arrays["payload_end"]
        return self.payload[ends.item(row - 1) if row else 0 : ends.item(row)].tobytes()

    def _searched(self, filter_: MemoryFilter, now: int) -> SearchedRows:
        """The rows that pass, decided before any arm searches."""
        mask = self._passing(filter_, now)
        count = int(np.count_nonzero(mask))
        until = NEVER
        if self.expires:
            until = int(self.arrays["expires_at"][: self.count][mask].min(initial=NEVER))
        if self._asks_for_documents(filter_):
            effective_at = self.arrays["occurred_at"][passages(self.arrays["kind"][: self.count])]
            until = int(effective_at[effective_at > now].min(initial=until))
        if self.is_dated and filter_.as_of is None:
            until = next_change(self.arrays, self.live, now, until)
        memories, term_count = self.facts.memory_count, self.facts.term_count
        vectors_pending = self.pending_count > 0
        if filter_.is_narrowed:
            memories = count
            term_count = int(self.arrays["term_count"][: self.count][mask].sum(dtype=np.int64))
            vectors_pending = bool(self.arrays["pending"][: self.count][mask].any())
        return SearchedRows(
            mask=None if count == self.count else mask,
            count=count,
            since=now,
            until=until,
            is_narrowed=filter_.is_narrowed,
            memories=memories,
            term_count=term_count,
            vectors_pending=vectors_pending,
        )

    def _passing(self, filter_: MemoryFilter, now: int) -> Mask:
        """Whether each row passes; only live ones do."""
        labelled = labelled_rows(filter_, self.sessions, self.labels, self.count)
        if labelled is None:
            mask = self.live & self._meets_conditions(filter_, now, slice(0, self.count))
        else:
            # Few, so that the columns are read for them alone.
            labelled = labelled[self.live[labelled]]
            mask = np.zeros(self.count, np.bool_)
            mask[labelled[self._meets_conditions(filter_, now, labelled)]] = True
        kinds = self.arrays["kind"][: self.count]
        if self._asks_for_documents(filter_):
            mask[unreadable_passages(filter_, now, kinds, self.arrays["occurred_at"], self.labels)] = False
        if filter_.acting_agents is not None and self.has_chunks:
            mask[actions_of_others(kinds, self.labels, filter_.acting_agents)] = False
        if filter_.metadata_conditions:
            last_bytes = self.payload[self.arrays["payload_end"][: self.count] - 1]
            clear_rows_failing(filter_, mask, last_bytes, self.payload_of)
        return mask

    def _asks_for_documents(self, filter_: MemoryFilter) -> bool:
        return self.has_chunks and Source.DOCUMENT in filter_.sources

    def _meets_conditions(self, filter_: MemoryFilter, now: int, rows: slice | NDArray[np.int32]) -> Mask:
        """Whether each of these rows meets the conditions on columns."""

        def column(name: str) -> NDArray[Any]:
            return self.arrays[name][rows]

        passes = np.ones(len(column("archived")), np.bool_)
        if filter_.archived is not Archived.INCLUDE:
            passes &= column("archived") == (filter_.archived is Archived.ONLY)
        if self.expires:
            passes &= column("expires_at") > now
        validity = filter_.searched_validity
        if validity is not Validity.ANY and (
            self.is_dated or filter_.as_of is not None or validity is Validity.NOT_TRUE
        ):
            passes &= passes_validity(self.arrays, filter_, now, rows)
        if self.has_chunks or filter_.asks_for_kinds:
            passes &= _lookup(passing_kinds(filter_), KIND_NUMBERS)[column("kind")]
        if filter_.occurred_from or filter_.occurred_before:
            restated = self.labels.rows(RESTATED_CODE, self.count)
            occurred_at = self.arrays["occurred_at"][: self.count]
            passes &= happened_rows(filter_, occurred_at, restated, self.payload_of)[rows]
        if filter_.min_importance:
            # Compares as Postgres does: in the precision that is stored.
            passes &= column("importance") >= np.float32(filter_.min_importance)
        if filter_.min_trust:
            passes &= column("trust_level") >= int(filter_.min_trust)
        if filter_.max_sensitivity:
            passes &= column("sensitivity") <= int(filter_.max_sensitivity)
        if filter_.known_at is not None:
            passes &= column("updated_at") <= microseconds(filter_.known_at)
        if filter_.sensitivities:
            passes &= _lookup(filter_.sensitivities, len(Sensitivity) + 1)[column("sensitivity")]
        return passes


def has_memories_alone(kinds: NDArray[np.int16]) -> bool:
    """Whether rows of these kinds are all memories: no chunk, and none that could not be decrypted."""
    return not ((kinds >= KINDS_OF_A_SOURCE) | (kinds == UNREADABLE_KIND)).any()


def _lookup(members: Sequence[int], length: int) -> Mask:
    """Whether each number is among these."""
    table = np.zeros(length, np.bool_)
    table[list(members)] = True
    return table
