"""Two memories become one: repeats are merged, and one memory takes the place of another, which stays readable as
history."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce

import numpy as np

from camillo_server.kernel.errors import (
    DomainError,
    NotFound,
    SupersessionCycle,
    VersionConflict,
    invalid_field,
)
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import Scalar
from camillo_server.kernel.scope import Attribution
from camillo_server.rows.row import Row
from camillo_server.rows.write_records import Unsuperseded, WhyUnsuperseded

# The limits of one memory: a merge keeps within them, too.
MAX_TAGS = 64
MAX_SOURCE_REFS = 64
MAX_METADATA_KEYS = 64
MAX_METADATA_JSON_BYTES = 16 * 1024


# The fields that a merge may change: the rest stays as it was first stored, and the counts are no part of a version.
_MERGED_FIELDS = (
    "tags",
    "source_refs",
    "metadata",
    "importance",
    "pinned",
    "expires_at",
    "archived",
    *Attribution._fields,
)


def merge(kept: Row, repeats: Sequence[Row], now: datetime) -> Row:
    """The kept memory with its repeats added, in this order: a new version only where more changes than the counts.

    Tags, refs and metadata are joined, those of the kept memory first; where a limit leaves no room, they stay as they
    were. An archived or expired memory is in force again, unless its repeats are archived or expired, too. It is
    trusted as far as the least trusted of them, whose actor and credential it then has."""
    joined = reduce(_merge_two, repeats, kept)
    if all(_is_same(getattr(kept, name), getattr(joined, name)) for name in _MERGED_FIELDS):
        return joined
    return joined._replace(version=kept.version + 1, updated_at=now)


def _merge_two(kept: Row, repeat: Row) -> Row:
    least = min(kept, repeat, key=lambda each: each.trust_level)
    return kept._replace(
        trust_level=least.trust_level,
        actor=least.actor,
        credential=least.credential,
        tags=with_more(kept.tags, repeat.tags, MAX_TAGS),
        source_refs=with_more(kept.source_refs, repeat.source_refs, MAX_SOURCE_REFS),
        metadata=_with_entries(kept.metadata, repeat.metadata),
        # As Postgres stores it: else every repeat would seem to add a little.
        importance=max(kept.importance, repeat.importance, key=np.float32),
        pinned=kept.pinned or repeat.pinned,
        expires_at=_later(kept.expires_at, repeat.expires_at),
        archived=kept.archived and repeat.archived,
        accessed_at=max(filter(None, (kept.accessed_at, repeat.accessed_at)), default=None),
        access_count=kept.access_count + repeat.access_count,
        stated_count=kept.stated_count + repeat.stated_count,
    )


def with_occurrences(joined: Row, kept: Row, repeats: Sequence[Row]) -> Row:
    """The merged memory with how it was stated, where that differs."""
    occurrences = kept.occurrences
    for each in repeats:
        occurrences = occurrences.with_one(kept.occurrence, each.occurrence)
    return joined if occurrences is kept.occurrences else joined._replace(occurrences=occurrences)


def _is_same(before: object, after: object) -> bool:
    # An unchanged mapping is the same object; two equal ones may differ, since in Python 1 equals True.
    return before is after or (before == after and not isinstance(before, Mapping))


def with_more(kept: Sequence[str], added: Sequence[str], limit: int) -> Sequence[str]:
    """The kept items, followed by as many new ones of `added` as `limit` leaves room for."""
    new = [each for each in dict.fromkeys(added) if each not in kept][: max(limit - len(kept), 0)]
    return (*kept, *new) if new else kept


def _with_entries(kept: Mapping[str, Scalar], added: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
    new = {key: value for key, value in added.items() if not _holds(kept, key, value)}
    joined = {**kept, **new}
    size = len(json.dumps(joined, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    fits = len(joined) <= MAX_METADATA_KEYS and size <= MAX_METADATA_JSON_BYTES
    return joined if new and fits else kept


def _holds(entries: Mapping[str, Scalar], key: str, value: Scalar) -> bool:
    present = entries.get(key)
    # In Python, 1 equals True.
    same_type = isinstance(present, bool) == isinstance(value, bool)
    return key in entries and present == value and same_type


def _later(kept: datetime | None, added: datetime | None) -> datetime | None:
    return None if kept is None or added is None else max(kept, added)


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
