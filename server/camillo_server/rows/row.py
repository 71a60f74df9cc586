"""Rows: memories, which an agent keeps, and chunks, which are derived from events, documents and artifacts."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from camillo_formats.characters import composed

from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.errors import InvalidField, invalid_field
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import ChunkKind, Kind, MemoryKind, Scalar, Sensitivity, is_chunk
from camillo_server.kernel.scope import Attribution, TrustLevel
from camillo_server.lib.text.counted_terms import CountedTerms, counted_terms
from camillo_server.lib.text.index_terms import MAX_TERMS
from camillo_server.lib.text.json_lines import texts_in
from camillo_server.lib.text.speech import speech_terms
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.occurrences import (
    NO_OCCURRENCES,
    Occurrence,
    Occurrences,
    stored_metadata,
)

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class Staleness(NamedTuple):
    """Why a memory is stale: the source that says something else, and since when."""

    source_ref: str
    since: datetime


class Row(NamedTuple):
    """One version of a memory or of a chunk."""

    # A recall creates ten of them: a frozen dataclass takes several times as long to create. The fields are in the
    # order of the columns that statements select (storage/fragments.sql).

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
    # An Attribution.
    trust_level: TrustLevel = TrustLevel.UNKNOWN
    actor: str = ""
    credential: str = ""
    # From when until when it is true; what it superseded, and what superseded it.
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    supersedes: Sequence[MemoryId] = ()
    superseded_by: MemoryId | None = None
    accessed_at: datetime | None = None
    access_count: int = 0
    stated_count: int = 1
    # Read only to be shown.
    stale: Staleness | None = None
    # This process spooled it, and Postgres does not hold it yet.
    is_spooled: bool = False
    # Statements of a memory that was stated more than once, where they differ.
    occurrences: Occurrences = NO_OCCURRENCES

    @property
    def occurrence(self) -> Occurrence:
        """How it was stated first."""
        return Occurrence(self.session_id, self.occurred_at, self.actor, self.metadata)

    @property
    def stored_metadata(self) -> Mapping[str, Any]:
        """The metadata as it is stored, with the occurrences."""
        return stored_metadata(self.metadata, self.occurrences)

    @property
    def attribution(self) -> Attribution:
        """Who said it."""
        return Attribution(self.trust_level, self.actor, self.credential)

    @property
    def texts(self) -> Mapping[str, str]:
        """The texts that it states, by field, always in the same order."""
        entries = self.metadata.items()
        values = {f"metadata.{key}": value for key, value in entries if isinstance(value, str)}
        # Keys by their index: an error names the field, and a key may itself hold a text that may not be shown.
        keys = {f"metadata[{index}]": key for index, key in enumerate(self.metadata)}
        # New ones at the end: records of requests number them.
        actor = "" if self.actor == f"agent:{self.agent_id}" else self.actor.partition(":")[2]
        others: dict[str, Any] = {
            "session_id": self.session_id,
            "tags": self.tags,
            "source_refs": self.source_refs,
            "actor.id": actor,
        }
        if self.occurrences.kept:
            others["occurrences"] = list(self._texts_of_occurrences())
        return {"content": self.content, **values, **keys, **texts_in(others)}

    def _texts_of_occurrences(self) -> Iterator[str]:
        for each in self.occurrences.kept:
            yield from (each.session_id, each.actor.partition(":")[2], *each.metadata)
            yield from (value for value in each.metadata.values() if isinstance(value, str))

    def with_vector_of(self, vector: Vector | None) -> "Row":
        """The same memory, naming the model of this vector, or none."""
        return self._replace(vector_model_id=vector.model_id if vector else "")


@dataclass(slots=True)
class MemoryDraft:
    """A memory as a caller writes it, validated; what it leaves out is filled in when it is stored. Nobody changes
    one."""

    # Not frozen: with so many fields, that takes four times as long to create, and an import creates thousands a
    # second.

    content: str
    memory_id: MemoryId | None = None
    kind: MemoryKind = MemoryKind.FACT
    session_id: str = ""
    occurred_at: datetime | None = None
    tags: Sequence[str] = ()
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    # Absent: by rules, for what is remembered; 0.5 for what is imported.
    importance: float | None = None
    metadata: Mapping[str, Scalar] = field(default_factory=dict)
    expires_at: datetime | None = None
    never_expires: bool = False
    pinned: bool = False
    archived: bool = False
    version: int = 1
    source_refs: Sequence[str] = ()
    # An Attribution.
    trust_level: TrustLevel = TrustLevel.UNKNOWN
    actor: str = ""
    credential: str = ""
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    supersedes: Sequence[MemoryId] = ()
    superseded_by: MemoryId | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    accessed_at: datetime | None = None
    access_count: int = 0
    stated_count: int = 1
    vector: Vector | None = None

    @property
    def is_pinned(self) -> bool:
        """Whether it is pinned, by its flag or by the tag `pinned`."""
        return self.pinned or "pinned" in self.tags

    def memory(self, agent_id: AgentId, new_id: MemoryId, now: datetime) -> Row:
        """The memory that this draft becomes when it is stored now."""
        created_at = self.created_at or now
        return Row(
            memory_id=self.memory_id or new_id,
            agent_id=agent_id,
            content=self.content,
            kind=self.kind,
            session_id=self.session_id,
            occurred_at=self.occurred_at or created_at,
            tags=self.tags,
            sensitivity=self.sensitivity,
            importance=0.5 if self.importance is None else self.importance,
            metadata=self.metadata,
            expires_at=self.expires_at,
            pinned=self.pinned,
            archived=self.archived,
            version=self.version,
            source_refs=self.source_refs,
            created_at=created_at,
            updated_at=self.updated_at or created_at,
            vector_model_id=self.vector.model_id if self.vector else "",
            trust_level=self.trust_level,
            actor=self.actor,
            credential=self.credential,
            valid_from=self.valid_from,
            valid_until=self.valid_until,
            supersedes=self.supersedes,
            superseded_by=self.superseded_by,
            accessed_at=self.accessed_at,
            access_count=self.access_count,
            stated_count=self.stated_count,
        )


def over(field: str, end: datetime) -> InvalidField:
    """An expiry that has passed already."""
    return invalid_field(field, f"must be later than now, is {end.isoformat()}")


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """A memory as it was, and when the next version replaced it (None: it is in force)."""

    memory: Row
    replaced_at: datetime | None


# The number of terms of the day that precedes the text of a chunk.
DAY_TERMS = 3


def indexed_text(content: str, kind: int, occurred_at: datetime) -> str:
    """The text that the index holds: a memory's content; a chunk's with its day before it, since questions name
    days. Passages of documents, which hold in every version, have none."""
    if not is_chunk(kind) or kind == ChunkKind.PASSAGE:
        return content
    day = f"{occurred_at.day} {_MONTHS[occurred_at.month - 1]} {occurred_at.year}"
    return f"[{day}] {content}"


@dataclass(frozen=True, slots=True)
class NewRow:
    """A memory or a chunk to be stored, with its vector if it has one."""

    memory: Row
    vector: Vector | None
    # For a row on its own: the terms of a whole batch would take many times the bytes of its texts.
    carried_terms: CountedTerms | None = field(default=None, compare=False, repr=False)
    # For a part of a longer text, the number of characters of all parts together.
    whole_characters: int = field(default=0, compare=False, repr=False)

    def with_terms(self) -> "NewRow":
        """The row with its terms, so that they are counted once."""
        return NewRow(self.memory, self.vector, self.terms(), self.whole_characters)

    def without_vector(self) -> "NewRow":
        """The row as one that waits for its vector."""
        return self.with_vector(None)

    def with_vector(self, vector: Vector | None) -> "NewRow":
        """The row with this vector."""
        memory = self.memory.with_vector_of(vector)
        return NewRow(memory, vector, self.carried_terms, self.whole_characters)

    def text(self) -> str:
        """The text that is searched."""
        return indexed_text(self.memory.content, self.memory.kind, self.memory.occurred_at)

    def terms(self) -> CountedTerms:
        """The index terms of the text that is searched. A part counts as longer than it is, by as much as its text is
        shorter than the geometric mean of itself and the whole: a text of many parts has that many chances to be like a
        query."""
        if self.carried_terms is not None:
            return self.carried_terms
        content = self.memory.content
        terms = counted_terms(self.text(), speech_terms(content, self.memory.actor))
        own = len(content)
        if self.whole_characters <= own:
            return terms
        longer = round(terms.total * math.sqrt(self.whole_characters / own))
        return replace(terms, total=min(longer, MAX_TERMS))


def canonical_bytes(memory: Row) -> bytes | None:
    """The same bytes for memories that say exactly the same, whatever else they hold; None for chunks, which repeat
    texts of their sources.

    Case and look-alikes count: nothing may be lost that somebody stated. A turn of a conversation counts with its
    session and time, since saying "ok" twice is two turns; and a statement with the time in which it is true. One that
    was superseded is history: who states it anew states another one."""
    if is_chunk(memory.kind):
        return None
    parts = [str(int(memory.kind)), str(int(memory.sensitivity))]
    if memory.kind is MemoryKind.CONVERSATION:
        # As JSON, so that no session id can look like another and a moment.
        session = json.dumps(memory.session_id, ensure_ascii=False)
        parts += [session, str(microseconds(memory.occurred_at))]
    if memory.valid_from or memory.valid_until or memory.superseded_by:
        moments = (memory.valid_from, memory.valid_until)
        told = [str(microseconds(each)) if each else "" for each in moments]
        parts += [*told, str(memory.memory_id if memory.superseded_by else "")]
    return "\0".join((*parts, canonical_text(memory.content))).encode("utf-8", "surrogatepass")


def canonical_text(content: str) -> str:
    """The same text for contents that differ in nothing but spaces and how their letters are composed."""
    return " ".join(composed(content).split())
