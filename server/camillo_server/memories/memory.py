"""Memories: what an agent has distilled and keeps."""

import enum
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import reduce
from typing import NamedTuple

import numpy as np

from camillo_server.embedding.embedder import Vector
from camillo_server.kernel.channel import NEVER_IN_PUBLIC, Channel, ChannelPolicy
from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import (
    KIND_OF_NUMBER,
    Kind,
    MemoryKind,
    Scalar,
    Sensitivity,
    Source,
    is_chunk,
    source_of,
)
from camillo_server.text.characters import is_piled

# What one memory may hold of each.
MOST_TAGS = 64
MOST_SOURCE_REFS = 64
MOST_METADATA_KEYS = 64
MOST_METADATA_JSON_BYTES = 16 * 1024


class Archived(enum.IntEnum):
    """Which archived memories a filter lets through."""

    EXCLUDE = 1
    INCLUDE = 2
    ONLY = 3


class Memory(NamedTuple):
    """One memory as it is, or was, in one version; or a chunk, which stands beside memories in the same form."""

    # A recall makes ten of them: a frozen dataclass takes several times as long to make.

    memory_id: MemoryId
    agent_id: AgentId
    content: str
    kind: Kind
    session_id: str
    occurred_at: datetime
    tags: Sequence[str]
    sensitivity: Sensitivity
    importance: float
    metadata: Mapping[str, Scalar]
    expires_at: datetime | None
    pinned: bool
    archived: bool
    version: int
    source_refs: Sequence[str]
    created_at: datetime
    updated_at: datetime
    vector_model_id: str
    accessed_at: datetime | None = None
    access_count: int = 0
    stated_count: int = 1

    @property
    def texts(self) -> Mapping[str, str]:
        """The texts that it states, by field, always in the same order."""
        entries = self.metadata.items()
        told = {f"metadata.{key}": value for key, value in entries if isinstance(value, str)}
        # By their numbers, from 0: a key may hold what may not be told.
        keys = {f"metadata[{number}]": key for number, key in enumerate(self.metadata)}
        return {"content": self.content, **told, **keys}

    def with_vector_of(self, vector: Vector | None) -> "Memory":
        """The same memory, naming the model of this vector, or none."""
        return self._replace(vector_model_id=vector.model_id if vector else "")


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """What a caller states; what it leaves out is filled in when it is stored. Already validated."""

    content: str
    memory_id: MemoryId | None = None
    kind: MemoryKind = MemoryKind.FACT
    session_id: str = ""
    occurred_at: datetime | None = None
    tags: Sequence[str] = ()
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    importance: float = 0.5
    metadata: Mapping[str, Scalar] = field(default_factory=dict)
    expires_at: datetime | None = None
    never_expires: bool = False
    pinned: bool = False
    archived: bool = False
    version: int = 1
    source_refs: Sequence[str] = ()
    created_at: datetime | None = None
    updated_at: datetime | None = None
    accessed_at: datetime | None = None
    access_count: int = 0
    stated_count: int = 1
    vector: Vector | None = None

    @property
    def is_pinned(self) -> bool:
        """By its flag, or by the tag `pinned`."""
        return self.pinned or "pinned" in self.tags

    def memory(self, agent_id: AgentId, new_id: MemoryId, now: datetime) -> Memory:
        """The memory that this draft becomes when it is stored now."""
        created_at = self.created_at or now
        return Memory(
            memory_id=self.memory_id or new_id,
            agent_id=agent_id,
            content=self.content,
            kind=self.kind,
            session_id=self.session_id,
            occurred_at=self.occurred_at or created_at,
            tags=self.tags,
            sensitivity=self.sensitivity,
            importance=self.importance,
            metadata=self.metadata,
            expires_at=self.expires_at,
            pinned=self.pinned,
            archived=self.archived,
            version=self.version,
            source_refs=self.source_refs,
            created_at=created_at,
            updated_at=self.updated_at or created_at,
            vector_model_id=self.vector.model_id if self.vector else "",
            accessed_at=self.accessed_at,
            access_count=self.access_count,
            stated_count=self.stated_count,
        )


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Conditions that all have to hold; expired memories never pass.

    `kinds` are of memories, and restrict no other source; without any, all pass. `sensitivities` are those that may be
    read, empty for any; no row passes of `hidden_kinds`, nor of a source that is not among `sources`.
    """

    tags_any: Sequence[str] = ()
    tags_all: Sequence[str] = ()
    kinds: Sequence[MemoryKind] = ()
    session_id: str = ""
    occurred_from: datetime | None = None
    occurred_before: datetime | None = None
    min_importance: float = 0.0
    max_sensitivity: Sensitivity | None = None
    archived: Archived = Archived.EXCLUDE
    metadata: Mapping[str, Scalar] = field(default_factory=dict)
    sources: Sequence[Source] = (Source.MEMORY,)
    sensitivities: Sequence[Sensitivity] = ()
    hidden_kinds: Sequence[Kind] = ()

    @property
    def is_empty(self) -> bool:
        """It asks for memories alone, and holds no condition of its own."""
        return self is NO_FILTER or self == NO_FILTER

    @property
    def asks_for_kinds(self) -> bool:
        """It does not let every kind of memory through, and nothing else."""
        return bool(self.kinds or self.hidden_kinds) or tuple(self.sources) != (Source.MEMORY,)

    @property
    def is_narrowed(self) -> bool:
        """A channel hides rows from it (kernel/channel.py), so that no count and no score may tell of what does not pass."""
        # A channel that may load nothing leaves no source.
        return bool(self.sensitivities or self.hidden_kinds or not self.sources)

    def narrowed(self, policy: ChannelPolicy, channel: Channel) -> "MemoryFilter":
        """The filter, which lets through nothing that the channel may not load."""
        allowed = policy.allowed(channel)
        if self.sensitivities:
            allowed &= frozenset(self.sensitivities)
        hidden = NEVER_IN_PUBLIC if channel is Channel.PUBLIC else ()
        if len(allowed) == len(Sensitivity) and not hidden:
            return self
        return replace(
            self,
            sensitivities=tuple(sorted(allowed)),
            hidden_kinds=tuple(sorted({*self.hidden_kinds, *hidden})),
            # No level at all would read as any.
            sources=self.sources if allowed else (),
        )


NO_FILTER = MemoryFilter()
"""Lets every memory through but what is archived or expired."""


def passing_kinds(wanted: MemoryFilter) -> tuple[Kind, ...]:
    """The kinds of row that a filter lets through, in the order of their numbers."""
    return tuple(
        kind
        for kind in KIND_OF_NUMBER.values()
        if source_of(kind) in wanted.sources
        and kind not in wanted.hidden_kinds
        and (not wanted.kinds or kind in wanted.kinds or not isinstance(kind, MemoryKind))
    )


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """A memory as it was, and when the next version took its place (None: it is in force)."""

    memory: Memory
    replaced_at: datetime | None


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


_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def indexed_text(content: str, kind: int, occurred_at: datetime) -> str:
    """A memory's content as it is; a chunk's behind the day on which it happened, since questions name days."""
    if not is_chunk(kind):
        return content
    day = f"{occurred_at.day} {_MONTHS[occurred_at.month - 1]} {occurred_at.year}"
    return f"[{day}] {content}"
