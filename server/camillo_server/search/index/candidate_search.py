"""One recall over a snapshot: the rows that the arms find, their neighbours in their sessions, and every raw score."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import microseconds
from camillo_server.rows.row import Row
from camillo_server.search.candidates import (
    AnsweredBy,
    CandidatePool,
    CandidateQuery,
    ReadAt,
    TermStatistics,
)
from camillo_server.search.fusion import ArmScores, QueryFacts, fuse, relevance
from camillo_server.search.index.columns import NONE, REACH, STEPS
from camillo_server.search.index.joined_snapshot import JoinedSnapshot
from camillo_server.search.index.lexical import lexical_scores, matching_rows
from camillo_server.search.index.snapshot import IndexSnapshot, Mask, SearchedRows
from camillo_server.search.index.snapshot_caches import Columns, Found
from camillo_server.search.signals.brevity import BREVITY
from camillo_server.search.signals.linked import LINKED
from camillo_server.search.signals.signal import IndexRows, Raw, Signal

# Rows of a search by words that cost as much as a character of text (kernel/off_loop.py): `python -m
# bench.decisions.event_loop search`. In a thread a search takes 1.5 to 2.5 times as long as on the event loop.
_ROWS_PER_CHARACTER = 25
Rows = NDArray[np.int64]
Scores = NDArray[np.float32]
Snapshot = IndexSnapshot | JoinedSnapshot


def _neighbours_passing(snapshot: IndexSnapshot, rows: Rows, passes: Mask, reach: int) -> Rows:
    """The neighbours of rows among the rows that pass, as `Sessions.neighbours` has them; the rows pass, each once.

    Reads every row of these sessions once: cheaper than stepping over each row that does not pass.
    """
    neighbours = np.full((len(rows), 2 * reach), NONE, np.int64)
    codes = snapshot.arrays["session"][rows]
    within = np.flatnonzero(codes)
    if not len(within):
        return neighbours
    line = _sessions_in_line(snapshot, codes[within], passes)
    order = np.argsort(line)
    positions = reach + order[np.searchsorted(line, rows[within], sorter=order)]
    # Beyond both ends stands a row that does not exist, in no session.
    padded = np.pad(line, reach, constant_values=NONE)
    sessions = np.pad(snapshot.arrays["session"][line], reach)
    columns = [
        np.where(sessions[near] == codes[within], padded[near], NONE)
        for distance in range(1, reach + 1)
        for near in (positions + step * distance for step in STEPS)
    ]
    neighbours[within] = np.column_stack(columns)
    return neighbours


def _sessions_in_line(snapshot: IndexSnapshot, codes: NDArray[np.uint64], passes: Mask) -> Rows:
    """The rows of these sessions that pass, session after session, each in order."""
    known = [snapshot.sessions.rows(code) for code in np.unique(codes).tolist()]
    line = np.concatenate(known).astype(np.int64)
    # More may have been added since the snapshot was published.
    line = line[line < snapshot.count]
    return line[passes[line]]


def search_cost(snapshot: Snapshot, query: CandidateQuery) -> float:
    """The estimated cost of `find_candidates`, beyond some hundred microseconds in any scope."""
    words = snapshot.count / _ROWS_PER_CHARACTER if query.terms else 0.0
    if query.vector is None:
        return words
    return words + snapshot.dense.search_cost(is_filtered=not query.filter.is_empty)


def find_candidates(snapshot: IndexSnapshot, query: CandidateQuery) -> CandidatePool:
    """The candidates of a recall, whose vector, if any, must be of the snapshot's model. Raises IndexFailed."""
    searched = snapshot.searched(query.filter, microseconds(query.now))
    if not query.terms and not query.with_neighbours:
        # Results by a vector alone are not cached: hardly any vector comes again.
        return _pool(snapshot, searched, _by_vector(snapshot, query, searched))
    found = snapshot.recent_results.get(query, searched)
    if found is None:
        found = _by_all_arms(snapshot, query, searched)
        snapshot.recent_results.add(query, searched, found)
    return _pool(snapshot, searched, found)


def find_together(snapshots: Sequence[IndexSnapshot], queries: Sequence[CandidateQuery]) -> CandidatePool:
    """The candidates of one recall over several scopes, each with its score in a scope that holds everything. The
    queries differ in their scopes, filters, and the rows that links lead to. Raises IndexFailed."""
    snapshot, query = JoinedSnapshot(snapshots), queries[0]
    led_to = {id_: relevance for each in queries for id_, relevance in each.signals.get(LINKED, {}).items()}
    if led_to:
        query = query.asking(LINKED, led_to)
    searched = snapshot.searched(queries)
    # Results are kept with the first scope, by what is searched in each of them.
    found = snapshots[0].recent_results.get(query, searched.parts)
    if found is None and (query.terms or query.with_neighbours):
        found = _by_all_arms(snapshot, query, searched)
        snapshots[0].recent_results.add(query, searched.parts, found)
    elif found is None:
        found = _by_vector(snapshot, query, searched)
    return replace(
        _pool(snapshot, searched, found),
        starts=found.rows.searchsorted(snapshot.rows.starts[1:]).tolist(),
        read_at=[ReadAt(each.facts.revision, each.facts.links_revision) for each in snapshots],
    )


def words_cost(snapshot: IndexSnapshot) -> float:
    """The estimated cost of `term_statistics`."""
    return snapshot.count / _ROWS_PER_CHARACTER / 2


def term_statistics(snapshot: IndexSnapshot, query: CandidateQuery) -> TermStatistics:
    """The statistics of the query's terms in this snapshot."""
    searched = snapshot.searched(query.filter, microseconds(query.now))
    matches = matching_rows(snapshot.corpus(searched), query.terms, searched.mask)
    return TermStatistics(searched.memories, searched.term_count, matches, snapshot.facts.revision)


def _by_vector(snapshot: Snapshot, query: CandidateQuery, searched: SearchedRows) -> Found:
    rows, dense = _nearest(snapshot, query, searched)
    none = np.zeros((len(rows), 0), np.float32)
    arms = ArmScores(dense, np.zeros(len(rows), np.float32), none, none)
    facts = QueryFacts((), searched.memories, query.model_id)
    return _found(snapshot, rows, arms, facts)


def _found(snapshot: Snapshot, rows: Rows, arms: ArmScores, facts: QueryFacts) -> Found:
    arrays = snapshot.arrays
    columns = Columns(
        kinds=arrays["kind"][rows],
        memory_ids=_ids(snapshot, rows),
        occurred_at=arrays["occurred_at"][rows],
        importance=arrays["importance"][rows],
        pinned=arrays["pinned"][rows].astype(np.bool_),
    )
    return Found(rows, arms, facts, fuse(arms, facts), relevance(arms, facts), columns)


def _by_all_arms(snapshot: Snapshot, query: CandidateQuery, searched: SearchedRows) -> Found:
    corpus, known_rarities = snapshot.corpus(searched), None
    if query.statistics is not None:
        known = query.statistics
        corpus = replace(corpus, memories=known.memories, term_count=known.term_count)
        known_rarities = known.rarities
    lexical, rarities = lexical_scores(corpus, query.terms, searched.mask, known_rarities)
    nearest, _ = _nearest(snapshot, query, searched)
    found = np.concatenate((nearest, snapshot.best_rows(lexical, query.candidates_per_arm)))
    index = IndexRows(
        snapshot.arrays, snapshot.terms, snapshot.count, snapshot.live if searched.mask is None else searched.mask
    )
    for signal, argument in query.signals.items():
        if signal.found_in_index is not None:
            found = np.concatenate((found, signal.found_in_index(index, argument)))
    if query.with_neighbours:
        # Neighbours are candidates too, and so have neighbours themselves.
        rows = _unique(found, _neighbours(snapshot, found, searched, 1).ravel())
        rows = rows[rows.searchsorted(0) :]
        neighbours = _neighbours(snapshot, rows, searched, REACH)
    else:
        rows = _unique(found)
        neighbours = np.empty((len(rows), 0), np.int64)
    scored = _unique(rows, neighbours.ravel())
    # Scores by row. Only these rows' items are written; the last item is that of row -1.
    dense = np.empty(snapshot.count + 1, np.float32)
    dense[scored] = _dense_scores(snapshot, query, scored)
    arms = ArmScores(
        dense=dense[rows],
        lexical=lexical[rows],
        dense_near=dense[neighbours],
        lexical_near=np.where(neighbours < 0, np.float32(0), lexical[neighbours]),
        sessions=snapshot.arrays["session"][rows],
        signals=_signals(query, index, rows, neighbours),
    )
    facts = QueryFacts(rarities, corpus.memories, query.model_id)
    return _found(snapshot, rows, arms, facts)


def _signals(query: CandidateQuery, index: IndexRows, rows: Rows, neighbours: Rows) -> dict[Signal, Raw]:
    """The raw values of the signals that the query asks for."""
    signals: dict[Signal, Raw] = {BREVITY: index.arrays["term_count"][rows]}
    for signal, argument in query.signals.items():
        if signal.from_ids is not None:
            signals[signal] = signal.from_ids(argument, index.ids(rows))
        elif signal.from_index is not None and (neighbours.shape[1] or not signal.needs_neighbours):
            signals[signal] = signal.from_index(index, argument, rows, neighbours)
    return signals


def _ids(snapshot: Snapshot, rows: Rows) -> NDArray[np.uint64]:
    ids = np.empty((len(rows), 2), np.uint64)
    ids[:, 0], ids[:, 1] = snapshot.arrays["id_high"][rows], snapshot.arrays["id_low"][rows]
    return ids


def _nearest(snapshot: Snapshot, query: CandidateQuery, searched: SearchedRows) -> tuple[Rows, Scores]:
    if query.vector is None or not searched.count:
        return np.empty(0, np.int64), np.empty(0, np.float32)
    return snapshot.nearest(query.vector.values, query.candidates_per_arm, searched)


def _neighbours(snapshot: Snapshot, rows: Rows, searched: SearchedRows, reach: int) -> Rows:
    """The neighbours of each row that may be found too, -1 for none: shape (rows, 2 x reach).

    A row that may not be found still counts as a step, but for one that a channel hides.
    """
    if isinstance(snapshot, JoinedSnapshot):
        return _neighbours_in_parts(snapshot, rows, searched, reach)
    if searched.is_narrowed and searched.mask is not None:
        return _neighbours_passing(snapshot, rows, searched.mask, reach)
    neighbours = snapshot.sessions.neighbours(rows, snapshot.live, reach).astype(np.int64)
    if searched.mask is not None:
        neighbours[~searched.mask[neighbours]] = NONE
    return neighbours


def _neighbours_in_parts(snapshot: JoinedSnapshot, rows: Rows, searched: SearchedRows, reach: int) -> Rows:
    neighbours = np.full((len(rows), 2 * reach), NONE, np.int64)
    in_session = snapshot.arrays["session"][rows].nonzero()[0]
    if not len(in_session):
        return neighbours
    divided = snapshot.rows.divide(rows[in_session])
    for part, start, passing, (within, own) in zip(
        snapshot.parts, snapshot.rows.starts, searched.parts, divided, strict=True
    ):
        if len(own):
            found = _neighbours(part, own, passing, reach)
            neighbours[in_session[within]] = np.where(found < 0, NONE, found + start)
    return neighbours


def _unique(*parts: Rows) -> Rows:
    """All rows, each once and sorted; for some hundred rows several times faster than numpy.unique."""
    rows = np.concatenate(parts, dtype=np.int32, casting="same_kind")
    rows.sort()
    is_first = np.empty(len(rows), np.bool_)
    is_first[:1] = True
    np.not_equal(rows[1:], rows[:-1], out=is_first[1:])
    return rows[is_first].astype(np.int64)


def _dense_scores(snapshot: Snapshot, query: CandidateQuery, rows: Rows) -> Scores:
    """The cosines of these rows, nan where there is none; the first row may be -1, which is no row."""
    scores = np.empty(len(rows), np.float32)
    scores.fill(np.nan)
    if query.vector is not None and len(rows):
        first = int(rows[0] < 0)
        scores[first:] = snapshot.dense.scores(query.vector.values, rows[first:])
    return scores


def _pool(snapshot: Snapshot, searched: SearchedRows, found: Found) -> CandidatePool:
    rows, columns = found.rows, found.columns

    def memories(indices: Sequence[int]) -> list[Row]:
        return snapshot.memories(rows[indices].tolist())

    return CandidatePool(
        arms=found.arms,
        query=found.facts,
        fusion=found.fusion,
        relevance=found.relevance,
        kinds=columns.kinds,
        memory_ids=columns.memory_ids,
        occurred_at=columns.occurred_at,
        importance=columns.importance,
        pinned=columns.pinned,
        memories=memories,
        texts=lambda indices: snapshot.texts(rows[indices].tolist()),
        encoded=lambda indices, encode: snapshot.encoded(rows[indices].tolist(), encode),
        prepared=lambda indices, prepare: snapshot.prepared(rows[indices].tolist(), prepare),
        tokens=lambda indices: snapshot.tokens(rows[indices].tolist()),
        vectors=lambda indices: np.nan_to_num(snapshot.dense.vectors(rows[indices])),
        revision=snapshot.facts.revision,
        vectors_pending=searched.vectors_pending,
        answered_by=AnsweredBy.CACHE,
        links_revision=snapshot.facts.links_revision,
    )
