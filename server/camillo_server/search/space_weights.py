"""Weights of spaces: how much a hit counts by whose it is (docs/retrieval.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope
from camillo_server.search.candidates import CandidatePool


@dataclass(frozen=True, slots=True)
class SpaceWeights:
    """A weight from 0 to 1 for each kind of space. Three are called as paths of that kind begin."""

    agents: float = 1.0
    users: float = 1.0
    projects: float = 1.0
    teams: float = 1.0
    shared: float = 1.0

    def of(self, agent_id: AgentId) -> float:
        """The weight of one space."""
        if "/" not in agent_id:
            return self.agents if agent_id else self.shared
        weight: float = getattr(self, agent_id.partition("/")[0])
        return weight


def with_space_weights(pool: CandidatePool, weights: SpaceWeights | None, scopes: Sequence[Scope]) -> CandidatePool:
    """The pool, whose candidates have the weights of their spaces; the same one without any. `scopes` are those that
    were searched, in their order."""
    if weights is None:
        return pool
    counts = [end - start for start, end in pairwise([0, *pool.starts, len(pool)])]
    own = np.array([weights.of(scope.agent_id) for scope in scopes], np.float32)
    return replace(pool, space_weights=own.repeat(counts))
