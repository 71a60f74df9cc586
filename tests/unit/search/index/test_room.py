"""An index grows by copying its rows; one that is large does not do so on the event loop."""

from collections.abc import AsyncIterator
from dataclasses import replace

from camillo_server.search.index.scope_index import IndexBuilder, RowsChange, ScopeIndex
from camillo_server.search.store.packed_rows import ScopeRows
from camillo_server.search.store.scope_rows import ScopeFacts, to_columns

from tests.storage.search.recall_rows import ALICE, DIMENSIONS, MODEL, memory_id, random_rows

TEXTS = ("Laterne am Hafen ", "港口的灯笼", "फ़ानूस बंदरगाह ")


def rows_of(first: int, count: int, characters: int) -> ScopeRows:
    rows = []
    for number, row in enumerate(random_rows(count, 1), first):
        content = (f"{number} " + TEXTS[number % 3] * characters)[:characters]
        memory = row.memory._replace(memory_id=memory_id(number), content=content)
        rows.append(replace(row, memory=memory))
    return to_columns(rows, 1, MODEL, DIMENSIONS)


def built(rows: ScopeRows) -> ScopeIndex:
    builder = IndexBuilder(DIMENSIONS, len(rows))
    builder.add(rows)
    facts = ScopeFacts(1, len(rows), int(rows.fixed["term_count"].sum()))
    return builder.build(ALICE.agent_id, MODEL, facts)


def following(index: ScopeIndex, rows: ScopeRows) -> RowsChange:
    facts = index.snapshot.facts
    terms = facts.term_count + int(rows.fixed["term_count"].sum())
    return RowsChange(rows, b"", ScopeFacts(facts.revision + 1, facts.memory_count + len(rows), terms))


async def only(change: RowsChange) -> AsyncIterator[RowsChange]:
    yield change


async def test_a_large_index_that_is_full_takes_no_row_at_once() -> None:
    index = built(rows_of(0, 1_500, 1_000))
    before = index.snapshot
    added = following(index, rows_of(1_500, 3, 1_000))
    assert not index.has_room(added)
    await index.apply(only(added))
    # It has made room for more than these.
    last = following(index, rows_of(1_503, 1, 1_000))
    assert index.has_room(last)
    index.apply_now(last)
    contents = [memory.content for memory in index.snapshot.memories([0, 1_499, 1_502, 1_503])]
    assert [content.split()[0] for content in contents] == ["0", "1499", "1502", "1503"]
    assert before.memories([1_499])[0].content == contents[1]
    assert before.count == 1_500


async def test_a_small_index_always_has_room() -> None:
    index = built(rows_of(0, 20, 100))
    for number in range(20, 40):
        added = following(index, rows_of(number, 1, 100))
        assert index.has_room(added)
        index.apply_now(added)
    assert index.snapshot.count == 40
