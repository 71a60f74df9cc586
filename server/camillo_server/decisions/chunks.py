"""Chunks of decisions: the rows by which a decision is found, one for each."""

from collections.abc import AsyncGenerator, Iterator, Sequence

from camillo_server.decisions.decision import (
    Decision,
    DecisionCursor,
    DecisionFilter,
    DecisionStatus,
    DecisionStore,
)
from camillo_server.events.chunks import LONGEST, chunk_id
from camillo_server.kernel.kinds import ChunkKind
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import Memory, NewRow
from camillo_server.text.characters import border_at_or_before

IMPORTANCE_OF_DECISIONS = 0.9
DECISIONS_AT_ONCE = 200
EVERY_DECISION = DecisionFilter(statuses=tuple(DecisionStatus))


async def rows_of_decisions(
    store: DecisionStore, scope: Scope
) -> AsyncGenerator[Sequence[NewRow], None]:
    """The chunk of every decision of the scope itself, a page at a time; the shared scope holds its own."""
    after: DecisionCursor | None = None
    while found := await store.page(scope, EVERY_DECISION, after, DECISIONS_AT_ONCE):
        yield [decision_row(each) for each in found if each.agent_id == scope.agent_id]
        last = found[-1]
        after = DecisionCursor(last.created_at, last.decision_id)


def decision_row(decision: Decision) -> NewRow:
    """The one chunk of a decision; archived where another has taken its place."""
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
    """What is searched: the decision first, then as much as there is room for of what was said about it."""
    text = "\n".join(_lines(decision))
    return text[: border_at_or_before(text, LONGEST, 0)]


def _lines(decision: Decision) -> Iterator[str]:
    stated = decision.stated
    yield stated.decision
    for name in ("rationale", "constraints", "consequences", "alternatives"):
        texts: Sequence[str] = getattr(stated, name)
        if texts:
            yield f"{name.capitalize()}: {'; '.join(texts)}"
