"""The input of a summary: the beginning and the end of an output, and facts about it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum


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


class ContentKind(IntEnum):
    """TEXT is prose; TABLE holds JSON lines, too, whose keys are its columns."""

    UNSPECIFIED = 0
    TEXT = 1
    LOG = 2
    JSON = 3
    TABLE = 4
    CODE = 5
    BINARY = 6


@dataclass(frozen=True, slots=True)
class Recognized:
    """The kind, how it is described, and what a summary tells of it.

    Where `holds_messages`, failures are looked for in all lines but those that match `contents`.
    """

    kind: ContentKind
    headline: str
    lines: tuple[str, ...] = ()
    holds_messages: bool = False
    contents: re.Pattern[str] | None = None
