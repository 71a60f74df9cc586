"""The hits of a recall as a table, with how each score came about where that was asked for."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from camillo_server.cli.output import note
from camillo_server.cli.tables import Column, show_table
from camillo_server.cli.wording import age_of, kind_of, short_tags

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import (
        ArmScore,
        Chunk,
        DegradedReason,
        Memory,
        RecallHit,
        ScoreBreakdown,
    )
    from camillo.v1.memory_service_pb2 import RecallResponse

SCORE = Column("score", style="bold", right=True)
# In a terminal of 100 columns all of them leave room for a text.
BREAKDOWN = ("dense", "lexical", "simil.", "recent", "imp.", "near", "brief", "boost")
IN_BOOST = frozenset({"recent", "imp."})
IN_SIMILARITY = frozenset({"near", "brief", "boost"})
ABOUT = (
    Column("age", right=True, optional=True),
    Column("tags", style="green", optional=True),
    Column("kind", optional=True),
)

DEGRADED = {
    "embedding_unavailable": "the embedding provider failed: found by words alone",
    "vectors_pending": "some memories have no vector yet: those are found by words alone",
    "sealed_not_searched": "what is encrypted is searched once the scope is in memory: ask again",
    "storage_unavailable": "Postgres is away: answered from memory, as of its last revision",
}


def show_hits(
    answer: RecallResponse, now: datetime, *, explained: bool, drawn: bool = False
) -> None:
    """Prints the hits, best first; what their parts weigh is noted where they are explained."""
    breakdown = _breakdown_columns(answer.hits) if explained else ()
    columns = [SCORE, *breakdown, *ABOUT, Column("content")]
    rows = [_row(hit, now, explained) for hit in answer.hits]
    show_table(columns, rows, lines=3 if explained else 2, drawn=drawn)
    if explained and answer.hits:
        note(_weights(answer.hits[0].breakdown))


def degraded_notes(answer: RecallResponse) -> list[str]:
    """Why the answer is less good than it could be, in words."""
    return reasons_told(answer.degraded)


def reasons_told(degraded: Iterable[DegradedReason]) -> list[str]:
    """Each reason in words."""
    from camillo.v1.memory_pb2 import DegradedReason
    from camillo_client import enum_name

    names = [enum_name(DegradedReason, reason) for reason in degraded]
    return [DEGRADED.get(name, name) for name in names]


def _breakdown_columns(hits: Iterable[RecallHit]) -> list[Column]:
    """Where there is a boost, it stands for recency and importance on a narrow terminal; elsewhere they enter the
    score themselves, and the similarity stands for what it is made of."""
    boosted = any(hit.breakdown.boost for hit in hits)
    spare = IN_BOOST if boosted else IN_SIMILARITY
    return [Column(each, style="cyan", right=True, optional=each in spare) for each in BREAKDOWN]


def _weights(breakdown: ScoreBreakdown) -> str:
    """What the parts of the similarity weigh, which is the same for every hit of an answer."""
    weights = {
        "dense": breakdown.dense_weight,
        "lexical": breakdown.lexical_weight,
        "neighbour": breakdown.neighbour_weight,
        "brevity": breakdown.brevity_weight,
    }
    return "weights: " + ", ".join(f"{name} {weight:.2f}" for name, weight in weights.items())


def _row(hit: RecallHit, now: datetime, explained: bool) -> list[str]:
    item: Memory | Chunk = hit.chunk if hit.HasField("chunk") else hit.memory
    breakdown = _breakdown(hit.breakdown) if explained else []
    return [
        f"{hit.score:.3f}",
        *breakdown,
        age_of(item, now),
        short_tags(item),
        _chunk_kind(hit.chunk) if hit.HasField("chunk") else kind_of(hit.memory),
        hit.chunk.text if hit.HasField("chunk") else hit.memory.content,
    ]


def _chunk_kind(chunk: Chunk) -> str:
    from camillo.v1.actor_pb2 import EventKind
    from camillo.v1.memory_pb2 import Source
    from camillo_client import enum_name

    return (
        enum_name(EventKind, chunk.event_kind)
        if chunk.event_kind
        else enum_name(Source, chunk.source)
    )


def _breakdown(breakdown: ScoreBreakdown) -> list[str]:
    return [
        _arm(breakdown.dense if breakdown.HasField("dense") else None),
        _arm(breakdown.lexical if breakdown.HasField("lexical") else None),
        f"{breakdown.similarity:.2f}",
        f"{breakdown.recency:.2f}",
        f"{breakdown.importance:.2f}",
        f"{breakdown.neighbourhood:.2f}",
        f"{breakdown.brevity:.2f}",
        f"{breakdown.boost:+.3f}",
    ]


def _arm(score: ArmScore | None) -> str:
    # The arm's normalised score, which is what enters the sum; it did not find what it has no score for.
    return "-" if score is None else f"{score.normalized:.2f}"
