"""The frames of a file as a process remembers them: 25 bytes for each, and nothing of their contents."""

import enum
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from camillo_server.kernel.clock import microseconds, moment


class FrameState(enum.IntEnum):
    """Whether a frame is still to be stored in Postgres."""

    WAITING = 0
    DONE = 1
    # There is no key for it: it stays.
    UNOPENED = 2


class Position(NamedTuple):
    """Where a frame is in its file."""

    offset: int
    byte_count: int


class FrameIndex:
    """The frames of a file in their order, each with its state and the time of its acceptance in microseconds."""

    def __init__(self) -> None:
        self._offsets = array("Q")
        self._sizes = array("Q")
        self._accepted = array("q")
        self._states = bytearray()
        # All before this one are done, or cannot be opened.
        self._first = 0
        self.waiting = 0
        self.unopened = 0

    def __len__(self) -> int:
        return len(self._offsets)

    def add(
        self,
        position: Position,
        accepted_at: datetime | None,
        state: FrameState = FrameState.WAITING,
    ) -> None:
        """Adds a frame behind all others. A frame without a time has that of the one before it."""
        before = self._accepted[-1] if self._accepted else 0
        self._offsets.append(position.offset)
        self._sizes.append(position.byte_count)
        self._accepted.append(before if accepted_at is None else microseconds(accepted_at))
        self._states.append(state)
        self.waiting += state == FrameState.WAITING
        self.unopened += state == FrameState.UNOPENED

    def finish(self, offset: int) -> int | None:
        """The size of the frame there, which is done from now on; None where none waits."""
        number = bisect_left(self._offsets, offset)
        if number == len(self) or self._offsets[number] != offset:
            return None
        if self._states[number] != FrameState.WAITING:
            return None
        self._states[number] = FrameState.DONE
        self.waiting -= 1
        return self._sizes[number]

    def numbers(self, end: int) -> Iterator[tuple[int, int]]:
        """Time of acceptance and number of each that waits as it is reached, of the first so many."""
        self._advance()
        for number in range(self._first, end):
            if self._states[number] == FrameState.WAITING:
                yield self._accepted[number], number

    def is_waiting(self, number: int) -> bool:
        return self._states[number] == FrameState.WAITING

    def position(self, number: int) -> Position:
        return Position(self._offsets[number], self._sizes[number])

    def oldest_accepted_at(self) -> datetime | None:
        """When the oldest waiting frame was accepted; None if none waits."""
        self._advance()
        return moment(self._accepted[self._first]) if self._first < len(self) else None

    def _advance(self) -> None:
        while self._first < len(self) and self._states[self._first] != FrameState.WAITING:
            self._first += 1
