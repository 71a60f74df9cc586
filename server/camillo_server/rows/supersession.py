"""MemorySupersession: one memory in the place of another, which stays readable as history."""

from dataclasses import dataclass
from datetime import datetime

from camillo_server.kernel.errors import (
    DomainError,
    NotFound,
    SupersessionCycle,
    VersionConflict,
    invalid_field,
)
from camillo_server.kernel.ids import MemoryId
from camillo_server.rows.repeats import MAX_SOURCE_REFS, with_more
from camillo_server.rows.row import Row
from camillo_server.rows.write_records import Unsuperseded, WhyUnsuperseded

# The maximum number of ids in `supersedes`; the latest are kept.
MAX_SUPERSEDED = 64


@dataclass(frozen=True, slots=True)
class MemorySupersession:
    """A request to replace a memory, in the version that the caller has seen, by a successor from `since` on; None:
    from when the successor says that it is true."""

    memory_id: MemoryId
    expected_version: int
    successor_id: MemoryId
    since: datetime | None


def start_of(successor: Row) -> datetime:
    """Since when a memory is true, as far as it says."""
    return successor.valid_from or successor.occurred_at


def superseded(memory: Row, successor_id: MemoryId, since: datetime) -> Row:
    """The memory as history: true until then, or until it ended before."""
    ends = [each for each in (memory.valid_until, since) if each is not None]
    return memory._replace(superseded_by=successor_id, valid_until=min(ends))


def succeeding(successor: Row, memory: Row) -> Row:
    """The successor, with the place of the memory, and behind its own refs as many of its refs as there is room for."""
    return successor._replace(
        supersedes=(*successor.supersedes, memory.memory_id)[-MAX_SUPERSEDED:],
        source_refs=with_more(successor.source_refs, memory.source_refs, MAX_SOURCE_REFS),
    )


def check_end(memory: Row) -> None:
    """Raises InvalidField where a memory is true no longer before it is."""
    begin, end = memory.valid_from, memory.valid_until
    if begin is not None and end is not None and end <= begin:
        raise invalid_field("valid_until", "must be later than valid_from")


def error_of(failure: Unsuperseded, memory_id: MemoryId) -> DomainError:
    """Why a memory could not be superseded, as its caller is told."""
    match failure.why:
        case WhyUnsuperseded.MISSING:
            return NotFound("memory", memory_id)
        case WhyUnsuperseded.SUPERSEDED:
            return VersionConflict("memory", failure.version - 1, failure.version, memory_id=memory_id)
    return SupersessionCycle("memory", memory_id)
