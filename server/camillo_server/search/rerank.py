"""The best candidates read again by a model, and what it says blended with what fusion says."""

import enum
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.models.reranking.text_reranking import RerankTimeout, RerankUnavailable, TextReranking
from camillo_server.search.scoring import Reranked, Scores

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
