"""Finds the groups of a scope that could be put together; the number of memories that it reads is bounded."""

from collections.abc import Sequence
from itertools import islice

import numpy as np

from camillo_server.compaction.compaction import (
    MAX_COMPACTIONS,
    CandidateFilter,
    Criteria,
    Thresholds,
)
from camillo_server.compaction.groups import Comparable, Group, Groupable, Rows, groups
from camillo_server.compaction.store.compactions import CompactionStore
from camillo_server.embedding.embedder import Embedder
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import Memory, NewRow

# Older ones are found by their tags, or with criteria that name some.
MAX_CANDIDATES = 10_000
# More than one call takes: those that were refused lately come last.
_MAX_GROUPS = 10 * MAX_COMPACTIONS


class FindGroups:
    """Looks at the newest memories for near-duplicates, and at the tags that have too many."""

    def __init__(self, store: CompactionStore, words: Embedder, thresholds: Thresholds) -> None:
        """`words` makes vectors without a model, for memories that have none."""
        self._store = store
        self._words = words
        self._thresholds = thresholds

    async def __call__(
        self, scope: Scope, criteria: Criteria, filter: CandidateFilter
    ) -> Sequence[Group]:
        """The same groups in the same order for the same memories. Raises StorageUnavailable, KeyMissing."""
        threshold = criteria.tag_threshold or self._thresholds.tag_threshold
        rows: Sequence[NewRow] = ()
        tags: Sequence[str] = ()
        tagged: Sequence[Memory] = ()
        if not criteria.skip_near_duplicates:
            rows = await self._store.newest(scope, filter)
        if not criteria.skip_tags:
            tags, tagged = await self._store.tagged(scope, filter, threshold)
        found = Groupable(
            compared=await self._comparable(rows),
            likeness=criteria.likeness or self._thresholds.likeness,
            tagged=tagged,
            tags=tags,
            tag_threshold=threshold,
        )
        return await off_loop(UNBOUNDED, lambda: list(islice(groups(found), _MAX_GROUPS)))

    async def _comparable(self, rows: Sequence[NewRow]) -> Comparable:
        memories = [row.memory for row in rows]
        model_ids = [row.vector.model_id if row.vector else "" for row in rows]
        words = None
        # Vectors of several models are compared by none of them.
        if "" in model_ids or len(set(model_ids)) > 1:
            words = await self._words.embed([memory.content for memory in memories])
        return Comparable(memories, _stacked(rows), model_ids, words)


def _stacked(rows: Sequence[NewRow]) -> Rows:
    """Their vectors in the length of the longest, zeros where there is none."""
    longest = max((row.vector.values.size for row in rows if row.vector), default=1)
    stacked = np.zeros((len(rows), longest), np.float32)
    for index, row in enumerate(rows):
        if row.vector:
            stacked[index, : row.vector.values.size] = row.vector.values
    return stacked
