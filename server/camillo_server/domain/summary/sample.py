"""What a summary is made from: the beginning and the end of an output, and what is known of it."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NotableLine:
    """A line that looks like a failure; the first line has the number 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Sample:
    """An output of `size` bytes: `head` is all of it up to 256 KiB, of a longer one the first 128 KiB.

    `tail` is empty where the head is everything, else the last 128 KiB. A last line without a newline counts in
    `line_count`. `notable` may tell lines of the head and the tail as well; what is not known is empty or None.
    """

    head: str
    tail: str
    size: int
    line_count: int
    notable: Sequence[NotableLine] = ()
    tool: str = ""
    command: str = ""
    exit_code: int | None = None
    name: str = ""
    media_type: str = ""
