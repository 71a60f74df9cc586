"""Hits of a search: text, id, ref, kind and time, in the same form for every source."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from camillo.v1.actor_pb2 import EventKind
from camillo.v1.citation_pb2 import DocumentCitation
from camillo.v1.consistency_pb2 import Revision
from camillo.v1.decision_pb2 import Decision
from camillo.v1.decision_service_pb2 import FoundDecision, QueryDecisionsResponse
from camillo.v1.memory_pb2 import (
    AnsweredBy,
    Chunk,
    DegradedReason,
    Memory,
    MemoryKind,
    RecallHit,
    ScoreBreakdown,
    Source,
)
from camillo.v1.memory_service_pb2 import RecallResponse
from camillo_client.convert import enum_name, to_datetime
from camillo_client.views import View


class Hit(View[RecallHit]):
    """One hit of a recall: a memory, or a passage of an event, a document or a decision."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """A memory's content, or a passage."""
        return self.chunk.text if self._is_passage else self.memory.content

    @property
    def id(self) -> str:
        """The id of the memory or passage, which no other hit has."""
        return self.chunk.chunk_id if self._is_passage else self.memory.memory_id

    @property
    def ref(self) -> str:
        """The id of the whole memory, event or decision, which `get`, `events.get` or `decisions.get` returns and
        `refs` cites; passages of one event have the same."""
        return self.chunk.origin_id if self._is_passage else self.memory.memory_id

    @property
    def kind(self) -> str:
        """The kind of the memory (`preference`) or of the event (`message`); else the source, such as `decision`."""
        if not self._is_passage:
            return enum_name(MemoryKind, self.memory.kind)
        if self.chunk.event_kind:
            return enum_name(EventKind, self.chunk.event_kind)
        return enum_name(Source, self.chunk.source)

    @property
    def occurred_at(self) -> datetime.datetime:
        """When it happened, in UTC."""
        return to_datetime((self.chunk if self._is_passage else self.memory).occurred_at)

    @property
    def score(self) -> float:
        return self.message.score

    @property
    def source(self) -> Source:
        """Where it was found."""
        return self.message.source

    @property
    def memory(self) -> Memory:
        """The memory; empty where the hit is a passage."""
        return self.message.memory

    @property
    def chunk(self) -> Chunk:
        """The passage; empty where the hit is a memory."""
        return self.message.chunk

    @property
    def citation(self) -> DocumentCitation:
        """Where in its document a passage is; empty for what is of no document."""
        return self.message.chunk.citation

    @property
    def equal_refs(self) -> Sequence[str]:
        """Ids of what says exactly the same and is no hit of its own."""
        return self.message.equal_refs

    @property
    def is_spooled(self) -> bool:
        """Whether it waits on the disk of the server that answered, and is not in Postgres yet."""
        return self.message.is_spooled

    @property
    def breakdown(self) -> ScoreBreakdown:
        """How the score came about; empty unless asked to `explain`."""
        return self.message.breakdown

    @property
    def _is_passage(self) -> bool:
        return self.message.HasField("chunk")


class TimeAnchor(NamedTuple):
    """An event by which a query names a time: what it is called, and the id of what was found to tell of it, with its
    score; an empty id where nothing certain was found."""

    text: str
    id: str
    score: float


class TimeWindow(NamedTuple):
    """The time that a query names, from its begin until before its end, in UTC; None for without one. `text`: the words
    that name it; `anchor`: the event by which they do, if they do."""

    begin: datetime.datetime | None
    end: datetime.datetime | None
    text: str
    anchor: TimeAnchor | None = None


class RecallAnswer(View[RecallResponse]):
    """The hits of a recall, best first, and how they were found."""

    __slots__ = ("hits",)

    hits: list[Hit]

    def __init__(self, message: RecallResponse) -> None:
        super().__init__(message)
        self.hits = [Hit(hit) for hit in message.hits]

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    @property
    def revision(self) -> Revision:
        """The revision that was read."""
        return self.message.revision

    @property
    def degraded(self) -> Sequence[DegradedReason]:
        """Why the answer is less good than it could be; empty if it is not."""
        return self.message.degraded

    @property
    def answered_by(self) -> AnsweredBy:
        return self.message.answered_by

    @property
    def model_id(self) -> str:
        """The model that embedded the query; empty where none did."""
        return self.message.model_id

    @property
    def tokens(self) -> int:
        """Tokens of the text of all hits, by the server's estimate."""
        return self.message.tokens

    @property
    def no_match(self) -> bool:
        """Whether nothing was relevant enough."""
        return self.message.no_match

    @property
    def time_window(self) -> TimeWindow | None:
        """The time that the query names; None where it names none, or that is ignored."""
        if not self.message.HasField("time_window"):
            return None
        named = self.message.time_window
        # `from` is a word of Python.
        begin = getattr(named, "from")
        return TimeWindow(
            to_datetime(begin) if named.HasField("from") else None,
            to_datetime(named.until) if named.HasField("until") else None,
            named.text,
            TimeAnchor(named.anchor.text, named.anchor.id, named.anchor.score) if named.HasField("anchor") else None,
        )


class DecisionHit(View[FoundDecision]):
    """A decision that was found."""

    __slots__ = ()

    @property
    def text(self) -> str:
        """The decision in words."""
        return self.decision.stated.decision

    @property
    def id(self) -> str:
        return self.decision.decision_id

    @property
    def ref(self) -> str:
        """The decision's id, which `decisions.get` takes and `refs` cites."""
        return self.decision.decision_id

    @property
    def kind(self) -> str:
        return "decision"

    @property
    def occurred_at(self) -> datetime.datetime:
        """When it was decided, in UTC."""
        return to_datetime(self.decision.stated.decided_at)

    @property
    def score(self) -> float:
        return self.message.score

    @property
    def decision(self) -> Decision:
        return self.message.decision


class DecisionsAnswer(View[QueryDecisionsResponse]):
    """Decisions that answer a text, best first."""

    __slots__ = ("decisions",)

    decisions: list[DecisionHit]

    def __init__(self, message: QueryDecisionsResponse) -> None:
        super().__init__(message)
        self.decisions = [DecisionHit(found) for found in message.decisions]

    def __iter__(self) -> Iterator[DecisionHit]:
        return iter(self.decisions)

    def __len__(self) -> int:
        return len(self.decisions)

    @property
    def degraded(self) -> Sequence[DegradedReason]:
        """Why the answer is less good than it could be; empty if it is not."""
        return self.message.degraded
