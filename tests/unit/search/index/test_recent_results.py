"""Results of the last few queries over a snapshot: found again only for the very same query, and gone with the
snapshot."""

import gc
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import numpy as np
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.search.candidates import CandidateQuery
from camillo_server.search.fusion import ArmScores, QueryFacts, fuse
from camillo_server.search.index.candidate_search import find_candidates
from camillo_server.search.index.scope_index import ScopeIndex
from camillo_server.search.index.snapshot_caches import (
    CANDIDATE_BYTES,
    MAX_BYTES,
    MAX_RESULTS,
    Columns,
    Found,
    RecentResults,
)
from camillo_server.search.signals.speech import SPEECH

from tests.cases import each_case
from tests.storage.search.recall_rows import NOW, spec, unit_vector
from tests.unit.search.index.test_room import built, following, rows_of

VECTOR = unit_vector(1)
QUERY = spec("Laterne 港口的灯笼", VECTOR)
SEARCHED = object()


def found(count: int = 3) -> Found:
    none, nothing = np.zeros((count, 0), np.float32), np.zeros(count, np.float32)
    arms, facts = ArmScores(nothing, nothing, none, none), QueryFacts((), count)
    ids, flags = np.zeros((count, 2), np.uint64), nothing.astype(np.bool_)
    columns = Columns(nothing.astype(np.int16), ids, np.arange(count), nothing, flags)
    return Found(np.arange(count), arms, facts, fuse(arms, facts), nothing, columns)


def query(number: int) -> CandidateQuery:
    return replace(QUERY, terms=[f"term {number}"])


@contextmanager
def without_collection() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@each_case(
    "other",
    [
        replace(QUERY, terms=QUERY.terms[:1]),
        replace(QUERY, terms=[*QUERY.terms, "फ़ानूस"]),
        replace(QUERY, terms=[*reversed(QUERY.terms)]),
        replace(QUERY, vector=None),
        replace(QUERY, vector=unit_vector(1)),
        replace(QUERY, candidates_per_arm=QUERY.candidates_per_arm + 1),
        replace(QUERY, with_neighbours=not QUERY.with_neighbours),
        replace(QUERY, signals={SPEECH: ["ana:"]}),
        replace(QUERY, signals={}),
    ],
)
def test_a_query_that_differs_in_anything_is_another_one(other: CandidateQuery) -> None:
    results, one, two = RecentResults(), found(), found()
    results.add(QUERY, SEARCHED, one)
    assert results.get(other, SEARCHED) is None
    results.add(other, SEARCHED, two)
    assert results.get(other, SEARCHED) is two
    # At another time, and by a list of its own.
    again = replace(QUERY, terms=list(QUERY.terms), now=NOW + timedelta(days=1))
    assert results.get(again, SEARCHED) is one
    assert results.get(QUERY, object()) is None


def test_the_least_recently_used_goes_first() -> None:
    results = RecentResults()
    for number in range(MAX_RESULTS):
        results.add(query(number), SEARCHED, found())
    assert results.get(query(0), SEARCHED)
    results.add(query(MAX_RESULTS), SEARCHED, found())
    known = [n for n in range(MAX_RESULTS + 1) if results.get(query(n), SEARCHED)]
    assert known == [0, *range(2, MAX_RESULTS + 1)]


def test_results_stay_within_their_bytes() -> None:
    results = RecentResults()
    results.add(query(0), SEARCHED, found())
    results.add(query(1), SEARCHED, found(MAX_BYTES // CANDIDATE_BYTES))
    assert results.get(query(0), SEARCHED)
    assert results.get(query(1), SEARCHED) is None
    for number in range(2, 10):
        results.add(query(number), SEARCHED, found(MAX_BYTES // CANDIDATE_BYTES // 3))
        assert results.get(query(number), SEARCHED)
        assert 0 < results.nbytes <= MAX_BYTES
    assert results.get(query(0), SEARCHED) is None


def lantern_index() -> ScopeIndex:
    return built(rows_of(0, 40, 60))


def test_a_repeated_text_is_not_searched_for_until_the_index_changes() -> None:
    index = lantern_index()
    first = find_candidates(index.snapshot, QUERY)
    assert len(first)
    assert find_candidates(index.snapshot, QUERY).arms is first.arms
    # Nothing of the rows changes with such a revision.
    index.advance(2)
    later = find_candidates(index.snapshot, QUERY)
    assert later.arms is first.arms
    assert (first.revision, later.revision) == (1, 2)
    assert index.nbytes > index.snapshot.recent_results.nbytes > 0
    index.clear_caches()
    assert index.snapshot.recent_results.nbytes == 0

    index.apply_now(following(index, rows_of(40, 30, 60)))

    changed = find_candidates(index.snapshot, QUERY)
    assert changed.arms is not first.arms
    assert changed.memory_ids.tolist() != first.memory_ids.tolist()


def test_other_rows_are_searched_once_some_expire_or_a_filter_says_so() -> None:
    index = lantern_index()
    first = find_candidates(index.snapshot, QUERY)
    important = replace(QUERY, filter=MemoryFilter(min_importance=0.5))
    assert len(find_candidates(index.snapshot, important)) < len(first)
    assert find_candidates(index.snapshot, important).arms is find_candidates(index.snapshot, important).arms
    assert find_candidates(index.snapshot, QUERY).arms is first.arms


def test_a_query_by_a_vector_alone_is_not_kept() -> None:
    index = lantern_index()
    by_vector = replace(QUERY, terms=(), with_neighbours=False)
    assert len(find_candidates(index.snapshot, by_vector))
    assert not index.snapshot.recent_results.nbytes


def test_results_go_with_their_view_and_not_when_garbage_is_collected() -> None:
    index = lantern_index()
    with without_collection():
        pool = find_candidates(index.snapshot, QUERY)
        scores = weakref.ref(pool.fusion.similarity)
        del pool
        assert scores() is not None
        index.apply_now(following(index, rows_of(40, 3, 60)))
        assert scores() is None
