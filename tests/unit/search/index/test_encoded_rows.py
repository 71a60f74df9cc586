"""Encoded rows: made once, within a bound of bytes, and gone with the row."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from camillo_server.rows.row import Row
from camillo_server.search.index.scope_index import RowsChange
from camillo_server.search.index.snapshot_caches import ROW_BYTES, EncodedRows
from camillo_server.search.store.scope_rows import ScopeFacts

from tests.storage.search.recall_rows import memory_id
from tests.unit.search.index.test_room import built, rows_of


class Encoder:
    """Encodes a row as its number, and knows which it was asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, rows: Sequence[int]) -> Iterable[bytes]:
        self.asked += rows
        return [f"row {row} 海象 🦭".encode() for row in rows]


def test_a_row_is_encoded_once_and_the_order_is_that_asked_for() -> None:
    kept, encode = EncodedRows(), Encoder()
    first = kept.get([7, 3], encode)
    again = kept.get([3, 9, 7], encode)
    assert encode.asked == [7, 3, 9]
    assert [first[1], first[0]] == [again[0], again[2]]
    assert again[1] == "row 9 海象 🦭".encode()
    assert kept.nbytes == sum(map(len, again)) + 3 * ROW_BYTES
    assert kept.get([], encode) == []


def test_what_is_kept_stays_within_its_bytes() -> None:
    kept, encode = EncodedRows(max_bytes=10 * (ROW_BYTES + 30)), Encoder()
    for row in range(100):
        (answer,) = kept.get([row], encode)
        assert answer.startswith(f"row {row} ".encode())
        assert 0 < kept.nbytes <= 10 * (ROW_BYTES + 30)
    # A row that was dropped for others is encoded again; one that was not, is not.
    encode.asked.clear()
    kept.get([0, 99], encode)
    assert encode.asked == [0]


def test_a_cache_that_is_full_drops_the_rows_that_came_first_and_keeps_most() -> None:
    kept, encode = EncodedRows(max_bytes=80 * (ROW_BYTES + 30)), Encoder()
    for row in range(200):
        kept.get([row], encode)
    encode.asked.clear()
    kept.get(range(200), encode)
    known = set(range(200)) - set(encode.asked)
    assert known == set(range(min(known), 200))
    assert len(known) >= 70


def test_more_rows_at_once_than_are_kept_are_all_answered() -> None:
    kept, encode = EncodedRows(max_bytes=2 * ROW_BYTES), Encoder()
    kept.get([2], encode)
    assert kept.nbytes
    answers = kept.get(range(5), encode)
    assert answers == [*Encoder()(range(5))]
    assert encode.asked == [2, 0, 1, 3, 4]
    assert kept.nbytes == 0


def test_rows_that_are_gone_are_dropped() -> None:
    kept, encode = EncodedRows(), Encoder()
    kept.get([1, 2, 3], encode)
    kept.discard([2, 3, 99])
    kept.get([1], encode)
    assert encode.asked == [1, 2, 3]
    kept.get([3], encode)
    assert encode.asked == [1, 2, 3, 3]
    kept.clear()
    assert kept.nbytes == 0


def encoded(memory: Row) -> bytes:
    return memory.content.encode()


def test_an_index_counts_what_it_keeps_and_drops_what_is_deleted() -> None:
    index = built(rows_of(0, 20, 100))
    before = index.nbytes
    contents = index.snapshot.encoded([4, 5], encoded)
    assert [content.decode().split()[0] for content in contents] == ["4", "5"]
    kept = index.nbytes - before
    assert kept == sum(map(len, contents)) + 2 * ROW_BYTES

    # A memory is forgotten, and another one takes its place.
    facts, added = index.snapshot.facts, rows_of(50, 1, 10)
    terms = int(added.fixed["term_count"].sum()) - int(index.snapshot.arrays["term_count"][4])
    after = ScopeFacts(2, facts.memory_count, facts.term_count + terms)
    index.apply_now(RowsChange(added, memory_id(4).bytes, after))

    assert index.snapshot.encoded_rows.nbytes == len(contents[1]) + ROW_BYTES
    assert index.snapshot.encoded([5], encoded) == [contents[1]]
    index.clear_caches()
    assert index.snapshot.encoded_rows.nbytes == 0


class Prepared(NamedTuple):
    """A row as a bundle may pack it."""

    content: str
    nbytes: int = 1_000


def test_what_bundles_make_of_a_row_is_counted_and_gone_with_the_row() -> None:
    index = built(rows_of(0, 20, 100))
    before = index.nbytes
    made = index.snapshot.prepared([4, 5], lambda memory: Prepared(memory.content))
    again = index.snapshot.prepared([5, 4], lambda memory: Prepared(memory.content))
    assert [again[1] is made[0], again[0] is made[1]] == [True, True]
    assert [each.content.split()[0] for each in made] == ["4", "5"]
    assert index.nbytes - before == 2 * (1_000 + ROW_BYTES)

    facts, added = index.snapshot.facts, rows_of(50, 1, 10)
    terms = int(added.fixed["term_count"].sum()) - int(index.snapshot.arrays["term_count"][4])
    index.apply_now(RowsChange(added, memory_id(4).bytes, ScopeFacts(2, facts.memory_count, facts.term_count + terms)))
    assert index.snapshot.prepared_rows.nbytes == 1_000 + ROW_BYTES
    index.clear_caches()
    assert index.snapshot.prepared_rows.nbytes == 0


def test_an_updated_memory_is_another_row() -> None:
    index = built(rows_of(0, 3, 100))
    (old,) = index.snapshot.encoded([1], encoded)
    facts, changed = index.snapshot.facts, rows_of(1, 1, 50)
    terms = int(changed.fixed["term_count"].sum()) - int(index.snapshot.arrays["term_count"][1])
    index.apply_now(RowsChange(changed, b"", ScopeFacts(2, 3, facts.term_count + terms)))
    (new,) = index.snapshot.encoded([3], encoded)
    assert len(new) < len(old)
    assert index.snapshot.live.tolist() == [True, False, True, True]
