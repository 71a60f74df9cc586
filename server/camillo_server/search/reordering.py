"""Changes of the order of the best candidates, by the conversation that a recall is a part of and by a model that reads
them again."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.embedder import Vector
from camillo_server.models.reranking.text_reranking import RerankTimeout, RerankUnavailable, TextReranking
from camillo_server.search.candidates import CandidatePool
from camillo_server.search.scoring import Reranked, Scores
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


# The same limit as for summaries by a remote model: more sensitive texts stay on this machine.
REMOTE_SENSITIVITY = Sensitivity.INTERNAL


class RerankFailure(enum.Enum):
    """Why the order is that of fusion."""

    TIMEOUT = enum.auto()
    UNAVAILABLE = enum.auto()


@dataclass(frozen=True, slots=True)
class RerankQuery:
    """How many of the best are read, and for how long at most; without either the server's settings hold."""

    candidates: int | None = None
    budget_seconds: float | None = None


class RerankOutcome(NamedTuple):
    """The scores by which hits are ordered, and why they are as they were, if they are."""

    scores: Scores
    failure: RerankFailure | None


class Reranking:
    """Reads the best candidates of a recall. Without a reranker there is none to read them."""

    def __init__(self, reranking: TextReranking | None) -> None:
        self._reranking = reranking

    async def __call__(
        self, scores: Scores, query: RerankQuery, text: str, scope: Scope, min_score: float
    ) -> RerankOutcome:
        """Scores whose best candidates, of those that are relevant enough to be hits, are ordered by both."""
        reranking = self._reranking
        if reranking is None:
            return RerankOutcome(scores, RerankFailure.UNAVAILABLE)
        order = scores.order()
        if min_score:
            order = order[scores.pool.relevance[order] >= min_score]
        best = order[: query.candidates or reranking.defaults.candidates]
        texts, is_read = _texts(scores, best, is_remote=reranking.is_remote)
        if not texts:
            return RerankOutcome(scores, None)
        try:
            read = await reranking.scores(text, texts, scope, query.budget_seconds)
        except RerankTimeout:
            return RerankOutcome(scores, RerankFailure.TIMEOUT)
        except RerankUnavailable:
            return RerankOutcome(scores, RerankFailure.UNAVAILABLE)
        found = np.full(len(best), np.nan, np.float32)
        found[is_read] = read
        reranked = Reranked(best, found, reranking.defaults.weight)
        return RerankOutcome(replace(scores, reranked=reranked), None)


def _texts(scores: Scores, best: NDArray[np.intp], *, is_remote: bool) -> tuple[list[str], NDArray[np.bool_]]:
    """The texts that are read, and of which candidates they are."""
    indices: list[int] = best.tolist()
    if not is_remote:
        return scores.pool.texts(indices), np.ones(len(best), np.bool_)
    memories = scores.pool.memories(indices)
    may_leave = np.array([each.sensitivity <= REMOTE_SENSITIVITY for each in memories], np.bool_)
    return [each.content for each, leaves in zip(memories, may_leave, strict=True) if leaves], may_leave
