"""Repeats: memories that say exactly the same, and how they are merged into one."""

import json
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import reduce

import numpy as np

from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.kinds import (
    MemoryKind,
    Scalar,
    is_chunk,
)
from camillo_server.memories.memory import Memory
from camillo_server.text.characters import is_piled

# What one memory may hold of each.
MOST_TAGS = 64


MOST_SOURCE_REFS = 64


MOST_METADATA_KEYS = 64


MOST_METADATA_JSON_BYTES = 16 * 1024


# What a merge may change of a memory: the rest is as it was stated first, and the counts are no part of a version.
_MERGED = ("tags", "source_refs", "metadata", "importance", "pinned", "expires_at", "archived")


def said(memory: Memory) -> bytes | None:
    """The same bytes for memories that say exactly the same, whatever else they hold; None for chunks, which repeat what
    their sources do.

    Case and look-alikes count: nothing may be lost that somebody stated. A turn of a conversation is one of its session
    and moment, since saying "ok" twice is two turns.
    """
    if is_chunk(memory.kind):
        return None
    parts = [str(int(memory.kind)), str(int(memory.sensitivity))]
    if memory.kind is MemoryKind.CONVERSATION:
        # As JSON, so that no session id can look like another and a moment.
        session = json.dumps(memory.session_id, ensure_ascii=False)
        parts += [session, str(microseconds(memory.occurred_at))]
    # Putting piled marks in order takes long, and leaving some out would make two memories one.
    stated = memory.content
    words = (stated if is_piled(stated) else unicodedata.normalize("NFC", stated)).split()
    return "\0".join((*parts, " ".join(words))).encode("utf-8", "surrogatepass")


def merged(kept: Memory, stated: Sequence[Memory], now: datetime) -> Memory:
    """The memory that is kept after the same was stated again, in this order: a new version of it only where that changes
    more than the counts.

    What they hold is joined, what is kept first; where there is no room for more, what is kept stays as it was. It is in
    force again if it was archived or expired, unless the new statements are so, too.
    """
    joined = reduce(_joined, stated, kept)
    if all(_is_same(getattr(kept, name), getattr(joined, name)) for name in _MERGED):
        return joined
    return joined._replace(version=kept.version + 1, updated_at=now)


def _joined(kept: Memory, stated: Memory) -> Memory:
    return kept._replace(
        tags=_with_more(kept.tags, stated.tags, MOST_TAGS),
        source_refs=_with_more(kept.source_refs, stated.source_refs, MOST_SOURCE_REFS),
        metadata=_with_entries(kept.metadata, stated.metadata),
        # As Postgres stores it: else every repeat would seem to state a little more.
        importance=max(kept.importance, stated.importance, key=np.float32),
        pinned=kept.pinned or stated.pinned,
        expires_at=_later(kept.expires_at, stated.expires_at),
        archived=kept.archived and stated.archived,
        accessed_at=max(filter(None, (kept.accessed_at, stated.accessed_at)), default=None),
        access_count=kept.access_count + stated.access_count,
        stated_count=kept.stated_count + stated.stated_count,
    )


def _is_same(before: object, after: object) -> bool:
    # What stays is handed on as it is; only in Python is 1 the same as True.
    return before is after or (before == after and not isinstance(before, Mapping))


def _with_more(kept: Sequence[str], stated: Sequence[str], most: int) -> Sequence[str]:
    new = [each for each in dict.fromkeys(stated) if each not in kept][: max(most - len(kept), 0)]
    return (*kept, *new) if new else kept


def _with_entries(kept: Mapping[str, Scalar], stated: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
    new = {key: value for key, value in stated.items() if not _holds(kept, key, value)}
    joined = {**kept, **new}
    size = len(json.dumps(joined, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    fits = len(joined) <= MOST_METADATA_KEYS and size <= MOST_METADATA_JSON_BYTES
    return joined if new and fits else kept


def _holds(entries: Mapping[str, Scalar], key: str, value: Scalar) -> bool:
    held = entries.get(key)
    # In Python, 1 equals True.
    return key in entries and held == value and isinstance(held, bool) == isinstance(value, bool)


def _later(kept: datetime | None, stated: datetime | None) -> datetime | None:
    return None if kept is None or stated is None else max(kept, stated)
