"""Rows of commits applied to an index one by one, or several together: `python -m bench.decisions.gathered_rows` (docs/adr/revisions-and-writes.md)."""

import time
from collections.abc import Sequence

from camillo_server.memories.memory import NewRow
from camillo_server.search.index.scope_index import IndexBuilder, RowsChange, ScopeIndex
from camillo_server.search.store.scope_rows import ScopeFacts, to_columns

from bench.decisions.scratch import DIMENSIONS, MODEL, SCOPE
from bench.material.corpus import Corpus, new_rows

HELD, ADDED = 1_000, 1_024
TOGETHER = (1, 2, 4, 8, 16, 32)
ROUNDS = 3


def main() -> None:
    """Microseconds of the processor for each row, the least of some rounds."""
    corpus = Corpus(HELD + ADDED, DIMENSIONS)
    rows = [
        row.with_terms()
        for block in corpus.blocks()
        for row in new_rows(block, SCOPE.agent_id, MODEL)
    ]
    for together in TOGETHER:
        spent = min(_spent(_index(rows[:HELD]), rows[HELD:], together) for _ in range(ROUNDS))
        print(f"{together:>2} rows at a time: {spent / ADDED * 1e6:6.1f} us for each")


def _index(rows: Sequence[NewRow]) -> ScopeIndex:
    columns = to_columns(rows, 1, MODEL, DIMENSIONS)
    builder = IndexBuilder(DIMENSIONS, len(rows))
    builder.add(columns)
    facts = ScopeFacts(1, len(rows), int(columns.fixed["term_count"].sum()))
    return builder.build(SCOPE.agent_id, MODEL, facts)


def _spent(index: ScopeIndex, rows: Sequence[NewRow], together: int) -> float:
    """Seconds of the processor until all rows are in the index."""
    began = time.process_time()
    for first in range(0, len(rows), together):
        before = index.view.facts
        revision = before.revision + 1
        columns = to_columns(rows[first : first + together], revision, MODEL, DIMENSIONS)
        terms = before.term_count + int(columns.fixed["term_count"].sum())
        after = ScopeFacts(revision, before.memory_count + len(columns), terms)
        index.apply_now(RowsChange(columns, b"", after))
    return time.process_time() - began


if __name__ == "__main__":
    main()
