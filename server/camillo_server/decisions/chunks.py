"""Chunks of decisions: one row for each, in which a search finds it."""

from collections.abc import Iterator, Sequence

from camillo_server.decisions.decision import Decision, DecisionStatus
from camillo_server.events.chunks import LONGEST, chunk_id
from camillo_server.kernel.kinds import ChunkKind
from camillo_server.memories.memory import Memory, NewRow
from camillo_server.text.characters import border_at_or_before

IMPORTANCE_OF_DECISIONS = 0.9


def decision_row(decision: Decision) -> NewRow:
    """The one chunk of a decision; archived if the decision is superseded."""
    stated = decision.stated
    return NewRow(
        Memory(
            memory_id=chunk_id(decision.decision_id, 0),
            agent_id=decision.agent_id,
            content=decision_text(decision),
            kind=ChunkKind.DECISION,
            session_id=stated.session_id,
            occurred_at=stated.decided_at or decision.created_at,
            tags=stated.tags,
            sensitivity=stated.sensitivity,
            importance=IMPORTANCE_OF_DECISIONS,
            metadata={
                "channel": stated.channel.name.lower(),
                "reach": stated.reach.name.lower(),
                "place": 0,
            },
            expires_at=None,
            pinned=False,
            archived=decision.status is DecisionStatus.SUPERSEDED,
            version=1,
            source_refs=(str(decision.decision_id), *stated.refs),
            created_at=decision.created_at,
            updated_at=decision.created_at,
            vector_model_id="",
        ),
        vector=None,
    )


def decision_text(decision: Decision) -> str:
    """The text that is searched: the decision, then as much of its reasons as fits in a chunk."""
    text = "\n".join(_lines(decision))
    return text[: border_at_or_before(text, LONGEST, 0)]


def _lines(decision: Decision) -> Iterator[str]:
    stated = decision.stated
    yield stated.decision
    for name in ("rationale", "constraints", "consequences", "alternatives"):
        texts: Sequence[str] = getattr(stated, name)
        if texts:
            yield f"{name.capitalize()}: {'; '.join(texts)}"
