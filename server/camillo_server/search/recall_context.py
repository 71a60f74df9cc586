"""The context of a recall: of what answers about equally well, what belongs to the conversation that goes on comes
first."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from camillo_server.models.embedding.embedder import Vector
from camillo_server.search.candidates import CandidatePool
from camillo_server.search.store.packed_payload import session_code

# The most that each part adds to an order_score: as much as a pinned memory gets, and no more than an arm may
# contradict.
SESSION_BOOST = 0.05
TAGS_BOOST = 0.03
TURNS_BOOST = 0.05
# The number of best candidates that are looked at: those that may come among the hits.
MIN_CONSIDERED = 50
CONSIDERED_PER_HIT = 3
# The last characters of all turns together: as much as an embedder reads of a text.
MAX_TURN_CHARACTERS = 2_000

Column = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class RecallContext:
    """The session, tags and last turns (the latest last) around a recall; each may be empty."""

    session_id: str = ""
    tags: frozenset[str] = frozenset()
    turns: Sequence[str] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.session_id or self.tags or self.turns)

    @property
    def joined_turns(self) -> str:
        """The end of the conversation as one text; empty without turns."""
        return "\n".join(self.turns)[-MAX_TURN_CHARACTERS:]


def context_boost(pool: CandidatePool, order: NDArray[np.intp], context: RecallContext, turns: Vector | None) -> Column:
    """The boost of each candidate's order_score, 0 to 0.13; only the candidates of `order` are looked at.

    `turns` is the vector of `joined_turns`; without one, turns add nothing. It raises a candidate by how far its cosine
    is above the mean of those looked at, since any two texts are a little alike.
    """
    boost = np.zeros(len(pool), np.float32)
    if context.session_id and pool.arms.sessions is not None:
        boost += SESSION_BOOST * (pool.arms.sessions == session_code(context.session_id))
    indices = order.tolist()
    if context.tags and indices:
        shared = [len(context.tags.intersection(each.tags)) / len(context.tags) for each in pool.memories(indices)]
        boost[order] += TAGS_BOOST * np.array(shared, np.float32)
    if turns is not None and indices:
        cosines = pool.vectors(indices) @ turns.values
        above = np.maximum(cosines - cosines.mean(), 0)
        boost[order] += TURNS_BOOST * above / max(float(above.max()), 1e-6)
    return boost


def considered(order: NDArray[np.intp], limit: int) -> NDArray[np.intp]:
    """The candidates that the context may bring among the hits."""
    return order[: max(MIN_CONSIDERED, CONSIDERED_PER_HIT * limit)]
