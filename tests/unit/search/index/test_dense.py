"""The dense arm against a plain model: exact, filtered, growing, folded, and searched meanwhile."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import faiss
import numpy as np
import pytest
from camillo_server.search.index.dense import DenseIndex, SegmentSizes
from camillo_server.search.index.faiss_calls import IndexFailed, calling_faiss, limit_threads
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.cases import each_case

# Every step that large indexes take, at sizes that a test can afford.
# largest, max_scanned, min_sketched, max_joined, min_room, growth_divisor, max_small
SMALL = SegmentSizes(64, 48, 24, 16, 2, 8, 2)
# No index is large here, so every row is compared.
EXACT = replace(SMALL, max_scanned=10**9)
DIMENSIONS = 24

Marks = NDArray[np.bool_]


def unit(count: int, seed: int, dimensions: int = DIMENSIONS) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).standard_normal((count, dimensions), np.float32)
    units: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return units


def few_points(count: int, seed: int) -> NDArray[np.float32]:
    """Vectors of four values only, so that most scores are equal."""
    return unit(4, 1)[np.random.default_rng(seed).integers(4, size=count)]


def marks(count: int, seed: int, share: float) -> Marks:
    return np.random.default_rng(seed).random(count) < share


def all_of(vectors: NDArray[np.float32]) -> Marks:
    return np.ones(len(vectors), np.bool_)


def model(
    vectors: NDArray[np.float32],
    findable: Marks,
    query: NDArray[np.float32],
    limit: int,
    ids: NDArray[np.integer] | None = None,
) -> tuple[list[int], NDArray[np.float64]]:
    halves = vectors.astype(np.float16).astype(np.float64)
    # Equal vectors must have equal scores, whatever the order of the sums.
    scores = np.round(halves @ query.astype(np.float64), 6)
    ties = np.arange(len(scores)) if ids is None else ids
    order = [row for row in np.lexsort((ties, -scores)) if findable[row]]
    return order[:limit], scores


@settings(max_examples=60)
@given(
    pieces=st.lists(st.integers(0, 90), min_size=1, max_size=6),
    seed=st.integers(0, 2**16),
    limit=st.integers(0, 120),
    share=st.sampled_from([0.0, 0.02, 0.3, 0.9, 1.0]),
    present=st.sampled_from([0.0, 0.5, 1.0]),
    folds=st.booleans(),
    repeats=st.booleans(),
)
def test_any_history_finds_what_a_plain_comparison_finds(
    pieces: list[int], seed: int, limit: int, share: float, present: float, folds: bool, repeats: bool
) -> None:
    count = sum(pieces)
    vectors = few_points(count, seed) if repeats else unit(count, seed)
    has = marks(count, seed + 1, present)
    end = pieces[0]
    index = DenseIndex.build(vectors[:end], has[:end], EXACT)
    for piece in pieces[1:]:
        index = index.append_rows(vectors[end : end + piece], has[end : end + piece])
        end += piece
        if folds and index.needs_merge:
            index = index.with_merged(index.merge_segments())
    allowed = marks(count, seed + 2, share)
    query = unit(1, seed + 3)[0]
    rows, scores = index.search(query, limit, allowed)
    expected, exact = model(vectors, allowed & has, query, limit)
    assert index.count == count
    assert rows.tolist() == expected
    np.testing.assert_allclose(scores, exact[expected], atol=2e-6)
    # Ids of two rows may have the same higher half, and come in any order.
    ids = np.random.default_rng(seed + 4).permutation(count).astype(np.uint64)
    expected, _ = model(vectors, allowed & has, query, limit, ids)
    assert index.search(query, limit, allowed, (ids // 8, ids % 8))[0].tolist() == expected


def test_a_folded_index_with_sketches_finds_what_it_found_before() -> None:
    # Candidates are never fewer than 256, so a sketch of 400 rows really chooses.
    vectors = unit(2_000, 1)
    sizes = replace(SMALL, largest=400)
    index = DenseIndex.build(vectors, all_of(vectors), sizes)
    assert all(each.sketch is None for each in index.segments)
    folded = index.merge_segments()
    assert [each.count for each in folded.segments] == [400] * 5
    assert all(each.sketch is not None for each in folded.segments)
    assert not folded.needs_merge
    queries = unit(30, 2)
    found = [set(folded.search(query, 10)[0].tolist()) for query in queries]
    exact = [set(index.search(query, 10)[0].tolist()) for query in queries]
    shared = sum(len(a & b) for a, b in zip(found, exact, strict=True)) / 300
    assert shared >= 0.98


def test_a_search_takes_less_behind_sketches_unless_it_is_filtered() -> None:
    vectors = unit(2_000, 1)
    plain = DenseIndex.build(vectors, all_of(vectors), SMALL)
    sketched = plain.merge_segments()
    assert sketched.search_cost(False) < plain.search_cost(False)
    assert sketched.search_cost(True) >= plain.search_cost(True)


@pytest.mark.parametrize("share", [0.01, 0.1, 0.5, 0.99])
def test_a_filter_loses_no_neighbour_where_there_are_sketches(share: float) -> None:
    vectors = unit(2_000, 1)
    index = DenseIndex.build(vectors, all_of(vectors), replace(SMALL, largest=1_000)).merge_segments()
    assert all(each.sketch is not None for each in index.segments)
    allowed = marks(2_000, 5, share)
    shared = total = 0
    for query in unit(30, 2):
        rows, _ = index.search(query, 10, allowed)
        expected, _ = model(vectors, allowed, query, 10)
        assert allowed[rows].all()
        assert len(rows) == len(expected)
        shared += len(set(rows.tolist()) & set(expected))
        total += len(expected)
    assert shared / total >= 0.98


def test_a_filter_that_keeps_only_the_far_half_is_answered_in_full() -> None:
    vectors, query = unit(2_000, 1), unit(1, 2)[0]
    index = DenseIndex.build(vectors, all_of(vectors), replace(SMALL, largest=2_000)).merge_segments()
    scores = vectors @ query
    far = scores < np.median(scores)
    assert index.segments[0].sketch is not None
    rows, _ = index.search(query, 10, far)
    assert rows.tolist() == model(vectors, far, query, 10)[0]
    assert not far[index.search(query, 10)[0]].any()


def test_a_row_without_a_vector_is_never_found_whatever_stands_in_it() -> None:
    vectors = unit(200, 1)
    has = marks(200, 2, 0.6)
    vectors[~has] = np.nan
    index = DenseIndex.build(vectors, has, SMALL)
    for each in (index, index.merge_segments()):
        rows, scores = each.search(unit(1, 3)[0], 200)
        assert set(rows.tolist()) == set(np.flatnonzero(has).tolist())
        assert np.isfinite(scores).all()


def test_an_index_without_rows_finds_nothing_until_one_is_appended() -> None:
    nothing = np.empty((0, DIMENSIONS), np.float32)
    index = DenseIndex.build(nothing, all_of(nothing))
    vector = unit(1, 1)
    assert index.count == index.nbytes == 0
    assert index.search(vector[0], 5)[0].tolist() == []
    assert index.search(vector[0], 5, np.empty(0, np.bool_))[0].tolist() == []
    assert index.append_rows(vector, all_of(vector)).search(vector[0], 5)[0].tolist() == [0]


def test_more_hits_than_rows_are_asked_for_and_no_hits_at_all() -> None:
    vectors = unit(3, 1)
    index = DenseIndex.build(vectors, all_of(vectors))
    assert sorted(index.search(vectors[1], 1_000)[0].tolist()) == [0, 1, 2]
    assert index.search(vectors[1], 0)[0].tolist() == []
    assert index.search(vectors[1], 5, np.zeros(3, np.bool_))[0].tolist() == []


def test_equal_vectors_come_in_the_order_of_rows_across_segments() -> None:
    same = np.repeat(unit(1, 1), 300, axis=0)
    index = DenseIndex.build(same[:100], all_of(same[:100]), EXACT)
    for row in range(100, 300):
        index = index.append_rows(same[row : row + 1], all_of(same[:1]))
    assert len(index.segments) > 2
    assert index.search(same[0], 150)[0].tolist() == list(range(150))


def test_scores_and_vectors_are_those_of_the_rows_in_half_precision() -> None:
    vectors, has = unit(300, 1), marks(300, 2, 0.7)
    index = DenseIndex.build(vectors[:150], has[:150], SMALL)
    index = index.append_rows(vectors[150:], has[150:]).merge_segments()
    rows, query = np.array([299, 3, 3, 150, 0, 149], np.int64), unit(1, 3)[0]
    halves = vectors[rows].astype(np.float16).astype(np.float32)
    halves[~has[rows]] = np.nan
    assert has[rows].any()
    assert not has[rows].all()
    np.testing.assert_array_equal(index.vectors(rows), halves)
    np.testing.assert_allclose(index.scores(query, rows), halves @ query, atol=1e-6)
    found, cosines = index.search(query, 20)
    np.testing.assert_array_equal(index.scores(query, found), cosines)
    assert index.scores(query, rows[:0]).shape == (0,)


def test_an_older_value_stays_as_it_is_while_newer_ones_grow() -> None:
    vectors, query = unit(500, 1), unit(1, 2)[0]
    values = [DenseIndex.build(vectors[:20], all_of(vectors[:20]), EXACT)]
    for row in range(20, 500):
        values.append(values[-1].append_rows(vectors[row : row + 1], all_of(vectors[:1])))
    for index in values[::37]:
        expected, _ = model(vectors[: index.count], all_of(vectors[: index.count]), query, 9)
        assert index.search(query, 9)[0].tolist() == expected


def test_a_second_row_behind_an_older_value_does_not_touch_the_first() -> None:
    vectors = unit(12, 1)
    index = DenseIndex.build(vectors[:4], all_of(vectors[:4])).append_rows(vectors[4:5], all_of(vectors[:1]))
    first = index.append_rows(vectors[5:6], all_of(vectors[:1]))
    other = index.append_rows(vectors[6:7], all_of(vectors[:1]))
    assert first.search(vectors[5], 1)[0].tolist() == [5]
    assert other.search(vectors[6], 1)[0].tolist() == [5]
    np.testing.assert_array_equal(first.vectors(np.array([5]))[0], vectors[5].astype(np.float16).astype(np.float32))


def test_searches_and_folds_in_other_threads_are_not_disturbed_by_appending() -> None:
    vectors, query = unit(3_000, 1), unit(1, 2)[0]
    newest = DenseIndex.build(vectors[:500], all_of(vectors[:500]), EXACT)
    searched, done = threading.Event(), threading.Event()

    def keep_searching() -> int:
        checked = 0
        while not done.is_set() or checked == 0:
            index = newest
            count = index.count
            rows, _ = index.search(query, 15)
            again, _ = index.merge_segments().search(query, 15)
            assert rows.tolist() == model(vectors[:count], all_of(vectors[:count]), query, 15)[0]
            assert again.tolist() == rows.tolist()
            checked += 1
            searched.set()
        return checked

    with ThreadPoolExecutor(3) as pool:
        searchers = [pool.submit(keep_searching) for _ in range(2)]
        try:
            assert searched.wait(30)
            for start in range(500, 3_000, 25):
                newest = newest.append_rows(vectors[start : start + 25], all_of(vectors[:25]))
                if newest.needs_merge:
                    newest = newest.with_merged(pool.submit(newest.merge_segments).result(30))
        finally:
            done.set()
        assert all(each.result(60) > 0 for each in searchers)
    assert newest.count == 3_000


def test_what_was_appended_while_an_index_was_folded_is_there_afterwards() -> None:
    vectors = unit(900, 1)
    earlier = DenseIndex.build(vectors[:300], all_of(vectors[:300]), EXACT)
    earlier = earlier.append_rows(vectors[300:301], all_of(vectors[:1]))
    folded, newest = earlier.merge_segments(), earlier
    for start in range(301, 900, 7):
        newest = newest.append_rows(vectors[start : start + 7], all_of(vectors[start : start + 7]))
    joined = newest.with_merged(folded)
    assert joined.count == newest.count == 900
    query = unit(1, 2)[0]
    assert joined.search(query, 50)[0].tolist() == newest.search(query, 50)[0].tolist()
    assert joined.append_rows(vectors[:1], all_of(vectors[:1])).search(vectors[0], 2)[0].tolist() == [0, 900]


def test_what_belongs_to_another_index_is_not_taken_over() -> None:
    vectors = unit(9, 1)
    short = DenseIndex.build(vectors[:5], all_of(vectors[:5]))
    long = DenseIndex.build(vectors, all_of(vectors))
    assert long.with_merged(short).count == 9
    with pytest.raises(IndexFailed):
        short.with_merged(long)


def test_folding_comes_to_an_end_whatever_the_sizes() -> None:
    vectors = unit(70, 1)
    index = DenseIndex.build(vectors[:3], all_of(vectors[:3]), SMALL)
    for piece in [60, 1, 60, 2, 33, 1, 70, 1, 60, 9, 1, 1] * 3:
        index = index.append_rows(vectors[:piece], all_of(vectors[:piece]))
    assert index.needs_merge
    folded = index.merge_segments()
    assert not folded.needs_merge
    assert len(folded.segments) < len(index.segments)


@each_case("dimensions", [1, 2, 7, 13, 100, 384])
def test_vectors_of_any_dimension_can_be_sketched(dimensions: int) -> None:
    vectors = unit(700, 1, dimensions)
    index = DenseIndex.build(vectors, all_of(vectors), replace(SMALL, largest=700)).merge_segments()
    assert index.segments[0].sketch is not None
    row = int(index.search(vectors[77], 1)[0][0])
    exact = vectors.astype(np.float16).astype(np.float32) @ vectors[77]
    assert exact[row] >= exact.max() - 1e-3


def test_the_bytes_are_those_of_the_vectors_and_little_more() -> None:
    vectors = unit(3_000, 1, 384)
    built = DenseIndex.build(vectors, all_of(vectors))
    assert built.nbytes == 3_000 * 2 * 384
    grown = built
    for start in range(0, 3_000, 10):
        grown = grown.append_rows(vectors[start : start + 10], all_of(vectors[:10]))
    assert grown.count == 6_000
    assert 6_000 * 2 * 384 <= grown.nbytes <= 6_000 * 2 * 384 * 1.07
    sketched = DenseIndex.build(vectors, all_of(vectors), replace(SMALL, largest=4_096)).merge_segments()
    assert sketched.nbytes >= built.nbytes + 3_000 * 32


def test_half_precision_vectors_are_not_copied() -> None:
    vectors = unit(1_000, 1).astype(np.float16)
    index = DenseIndex.build(vectors, np.ones(1_000, np.bool_), SMALL)
    assert all(np.shares_memory(each.vectors, vectors) for each in index.segments)
    assert not np.shares_memory(index.vectors(np.arange(5)), vectors)


@pytest.mark.parametrize("number", [np.nan, np.inf, 1e30])
def test_numbers_that_are_not_finite_are_refused(number: float) -> None:
    vectors = unit(4, 1)
    index = DenseIndex.build(vectors, all_of(vectors))
    broken = vectors.copy()
    broken[2, 3] = number
    with pytest.raises(IndexFailed):
        DenseIndex.build(broken, all_of(broken))
    with pytest.raises(IndexFailed):
        index.append_rows(broken, all_of(broken))
    if not np.isfinite(number):
        with pytest.raises(IndexFailed):
            index.search(broken[2], 3)
        with pytest.raises(IndexFailed):
            index.scores(broken[2], np.array([1]))
    assert index.search(vectors[2], 1)[0].tolist() == [2]


def test_what_has_a_wrong_shape_is_refused() -> None:
    vectors = unit(4, 1)
    index = DenseIndex.build(vectors, all_of(vectors))
    wide = unit(4, 1, DIMENSIONS + 1)
    for wrong in (
        lambda: index.search(wide[0], 3),
        lambda: index.search(vectors, 3),
        lambda: index.scores(wide[0], np.array([0])),
        lambda: index.append_rows(wide, all_of(wide)),
        lambda: index.append_rows(vectors, all_of(vectors)[:2]),
        lambda: DenseIndex.build(vectors[0], all_of(vectors)),
        lambda: index.search(vectors[0], 3, np.empty(0, np.bool_)),
        lambda: index.vectors(np.array([4])),
        lambda: index.vectors(np.array([-1])),
    ):
        with pytest.raises(IndexFailed):
            wrong()
    assert index.search(vectors[3], 1, np.array([False, False, False, True]))[0].tolist() == [3]


def test_a_failure_of_faiss_is_a_failed_index() -> None:
    # Sixteen centres cannot be trained of three rows.
    vectors = unit(3, 1)
    sizes = replace(SMALL, max_scanned=0, min_sketched=1)
    index = DenseIndex.build(vectors, all_of(vectors), sizes)
    assert index.search(vectors[0], 1)[0].tolist() == [0]
    with pytest.raises(IndexFailed, match="RuntimeError"):
        index.merge_segments()


def test_threads_can_be_bounded_at_any_time() -> None:
    vectors = unit(50, 1)
    index = DenseIndex.build(vectors, all_of(vectors))
    try:
        limit_threads(2)
        assert index.search(vectors[7], 1)[0].tolist() == [7]
    finally:
        limit_threads(1)


def test_the_bound_on_threads_holds_in_every_thread_that_searches() -> None:
    def threads_of_a_call() -> int:
        with calling_faiss():
            return int(faiss.omp_get_max_threads())

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(threads_of_a_call).result() == 1
        try:
            limit_threads(2)
            assert pool.submit(threads_of_a_call).result() == 2
        finally:
            limit_threads(1)
