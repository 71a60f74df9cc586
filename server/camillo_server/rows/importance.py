"""How important a memory is where its caller does not state it."""

from collections.abc import Mapping

from camillo_server.kernel.attribution import may_ask
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.lib.text.importance import USUAL, text_importance
from camillo_server.rows.row import MemoryDraft

# The minimum importance of memories of a kind.
OF_KINDS: Mapping[MemoryKind, float] = {
    MemoryKind.TASK_OUTCOME: 0.6,
    MemoryKind.DECISION: 0.9,
    MemoryKind.ERROR: 0.7,
}
# Below what maintenance archives when nobody uses it for a week, and above what it archives at once.
SMALL_TALK = 0.15


def importance(draft: MemoryDraft) -> float:
    """0 to 1: that of the caller, else the higher one of what its kind and what its text says."""
    if draft.importance is not None:
        return draft.importance
    asks = may_ask(draft.trust_level, is_person=draft.actor.startswith("human:"))
    found = text_importance(draft.content, may_ask=asks, actions=True)
    if found < USUAL:
        found = SMALL_TALK
    return max(found, OF_KINDS.get(draft.kind, 0.0))
