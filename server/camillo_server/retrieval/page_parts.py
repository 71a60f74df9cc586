"""A page of rows in parts, each of which takes the event loop no longer than other calls may wait."""

from collections.abc import Iterator

import numpy as np

from camillo_server.storage.scope_rows import PackedPage

LENGTH_BYTES = 4


def parts(page: PackedPage, rows: int) -> Iterator[PackedPage]:
    """The same rows in the same order, at most so many in each part; the first tells what was forgotten."""
    if len(page) <= rows:
        yield page
        return
    ends = np.cumsum(np.frombuffer(page.lengths, ">i4"), dtype=np.int64).tolist()
    begin, forgotten = 0, page.forgotten
    for first in range(0, len(page), rows):
        lengths = page.lengths[first * LENGTH_BYTES : (first + rows) * LENGTH_BYTES]
        end = ends[first + len(lengths) // LENGTH_BYTES - 1]
        yield PackedPage(page.facts, forgotten, lengths, page.records[begin:end])
        begin, forgotten = end, b""
