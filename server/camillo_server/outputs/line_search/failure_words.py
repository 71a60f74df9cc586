"""Finds words of failure in one pass."""

import threading
from collections.abc import Sequence
from functools import cache

import hyperscan

from camillo_server.outputs.summary.notable_lines import FAILURE_WORDS, FailurePlaces, one_by_one

# A text with more of them is searched from both its ends instead: each place found costs about as much as 2 KiB.
MOST_PLACES = 2_000
# Raised where the machine cannot do what is asked of it.
engine_error = hyperscan.error


class FailureWords:
    """`FailurePlaces` by Hyperscan; for any number of threads."""

    def __init__(self) -> None:
        """Raises engine_error on a machine that cannot run it."""
        self._database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        self._database.compile(
            expressions=FAILURE_WORDS, ids=range(len(FAILURE_WORDS)), flags=[0] * len(FAILURE_WORDS)
        )
        self._of_thread = threading.local()

    def __call__(self, part: bytes) -> Sequence[int] | None:
        """Where words end, in order; None where there are too many to tell."""
        found: list[int] = []

        def keep(_word: int, _start: int, end: int, _flags: int, _context: object) -> bool | None:
            found.append(end)
            return len(found) > MOST_PLACES or None

        try:
            self._database.scan(part, match_event_handler=keep, scratch=self._scratch())
        except hyperscan.ScanTerminated:
            return None
        return found

    def _scratch(self) -> hyperscan.Scratch:
        scratch: hyperscan.Scratch | None = getattr(self._of_thread, "scratch", None)
        if scratch is None:
            scratch = self._of_thread.scratch = hyperscan.Scratch(self._database)
        return scratch


@cache
def failure_places() -> FailurePlaces:
    """By Hyperscan where it runs, else each word by itself."""
    try:
        return FailureWords()
    except engine_error:
        return one_by_one
