"""The hits of a recall as a table, with how each score came about where that was asked for."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from camillo_server.cli.tables import Column, show_table
from camillo_server.cli.wording import age_of, kind_of, short_tags

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import ArmScore, RecallHit, ScoreBreakdown
    from camillo.v1.memory_service_pb2 import RecallResponse

SCORE = Column("score", style="bold", right=True)
BREAKDOWN = tuple(
    Column(title, style="cyan", right=True)
    for title in ("dense", "lexical", "similar", "recent", "import.")
)
ABOUT = (
    Column("age", right=True, optional=True),
    Column("tags", style="green", optional=True),
    Column("kind", optional=True),
)

DEGRADED = {
    "embedding_unavailable": "the embedding provider failed: found by words alone",
    "vectors_pending": "some memories have no vector yet: those are found by words alone",
}


def show_hits(
    answer: RecallResponse, now: datetime, *, explained: bool, drawn: bool = False
) -> None:
    """Prints the hits, best first."""
    columns = [SCORE, *(BREAKDOWN if explained else ()), *ABOUT, Column("content")]
    rows = [_row(hit, now, explained) for hit in answer.hits]
    show_table(columns, rows, lines=3 if explained else 2, drawn=drawn)


def degraded_notes(answer: RecallResponse) -> list[str]:
    """Why the answer is less good than it could be, in words."""
    from camillo.v1.memory_pb2 import DegradedReason
    from camillo_client import enum_name

    names = [enum_name(DegradedReason, reason) for reason in answer.degraded]
    return [DEGRADED.get(name, name) for name in names]


def _row(hit: RecallHit, now: datetime, explained: bool) -> list[str]:
    memory = hit.memory
    breakdown = _breakdown(hit.breakdown) if explained else []
    return [
        f"{hit.score:.3f}",
        *breakdown,
        age_of(memory, now),
        short_tags(memory),
        kind_of(memory),
        memory.content,
    ]


def _breakdown(breakdown: ScoreBreakdown) -> list[str]:
    return [
        _arm(breakdown.dense if breakdown.HasField("dense") else None),
        _arm(breakdown.lexical if breakdown.HasField("lexical") else None),
        f"{breakdown.similarity:.2f}",
        f"{breakdown.recency:.2f}",
        f"{breakdown.importance:.2f}",
    ]


def _arm(score: ArmScore | None) -> str:
    # The arm's normalised score, which is what enters the sum; it did not find what it has no score for.
    return "-" if score is None else f"{score.normalized:.2f}"
