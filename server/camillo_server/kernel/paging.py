"""What the use cases need of the outside."""

from dataclasses import dataclass
from datetime import datetime

from camillo_server.kernel.ids import MemoryId

# Behind every event of a revision.
LAST_PLACE = 2**31 - 1


@dataclass(frozen=True, slots=True)
class PageCursor:
    """The last row of a page: lists go on behind it."""

    at: datetime
    memory_id: MemoryId


@dataclass(frozen=True, slots=True)
class WatchPosition:
    """Everything up to this revision has been seen; with a memory id, up to that one within the revision."""

    revision: int
    memory_id: MemoryId | None = None


@dataclass(frozen=True, slots=True)
class EventCursor:
    """A place in the order of recording: lists go on behind it."""

    revision: int
    place: int
