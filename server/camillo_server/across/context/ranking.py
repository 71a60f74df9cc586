"""The hits of one search for a section of a bundle: the best first, with the passages that summaries cite."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from camillo_server.across.context.candidates import RecalledRow, recalled
from camillo_server.across.context.recipe import SectionRecipe, SectionSource
from camillo_server.across.context.space_search import Beside
from camillo_server.kernel.ids import chunk_id
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.writes import Freshness
from camillo_server.rows.row import Row
from camillo_server.search.candidates import CandidatePool, CandidateQuery
from camillo_server.search.precision import precise_order, without_doubtful
from camillo_server.search.scoring import Scores, ScoringProfile
from camillo_server.search.signals.temporal import TimeMode, TimeWindow

Hit = TypeVar("Hit", RecalledRow, Row)
_SUMMARY = int(MemoryKind.SUMMARY)


@dataclass(frozen=True, slots=True)
class SectionSearch:
    """One search for one section, in the agent's own scope or the tenant's shared one. The `scored` most similar
    candidates are scored."""

    section: SectionRecipe
    query: CandidateQuery
    text: str
    freshness: Freshness
    profile: ScoringProfile
    scored: int
    # The time that the query names.
    window: TimeWindow | None = None
    time_mode: TimeMode = TimeMode.PREFER
    # Spaces that are searched as one collection with the query's scope.
    beside: Beside | None = None


def prepared_in(pool: CandidatePool) -> Callable[[Sequence[int]], list[RecalledRow]]:
    """Loads candidates of the pool as they are packed."""
    return lambda indices: pool.prepared(indices, recalled)


async def best_hits(
    scores: Scores, search: SectionSearch, load: Callable[[Sequence[int]], list[Hit]]
) -> list[tuple[Hit, float]]:
    """The candidates most like the query, by their scores; before a summary, the passages that it cites. Leaves out
    candidates that are less relevant than the section wants."""
    pool, ids = scores.pool, scores.pool.memory_ids
    scored = _best_first(pool.fusion.similarity, ids)[: search.scored]
    if _knows_relevance(search, pool):
        scored = scored[pool.relevance[scored] >= search.section.min_score]
        scored = without_doubtful(pool, scored) if search.section.min_score else scored
    ordered = scored[_best_first(scores.score[scored], ids[scored])]
    if search.profile.is_precise:
        ordered = await precise_order(pool, ordered, search.query, search.text)
    indices: list[int] = ordered.tolist()
    hits, own = load(indices), scores.score[ordered].tolist()
    if not np.logical_or.reduce(pool.kinds[ordered] == _SUMMARY):
        return list(zip(hits, own, strict=True))
    return _with_cited(scores, dict(zip(indices, zip(hits, own, strict=True), strict=True)), load)


def _best_first(scores: NDArray[np.floating[Any]], ids: NDArray[np.uint64]) -> NDArray[np.intp]:
    """The indices by score, ties by id."""
    order = (-scores).argsort()
    ordered = scores[order]
    if np.logical_or.reduce(ordered[1:] == ordered[:-1]):
        order = np.lexsort((ids[:, 1], ids[:, 0], -scores))
    return order


def _with_cited(
    scores: Scores, hits: Mapping[int, tuple[Hit, float]], load: Callable[[Sequence[int]], list[Hit]]
) -> list[tuple[Hit, float]]:
    """As many hits, the passages of the events that a summary cites before it, which score at least as much."""
    known = {index: hit for index, (hit, _) in hits.items()}
    found: dict[int, tuple[Hit, float]] = {}
    for index, (hit, own) in hits.items():
        if hit.kind is MemoryKind.SUMMARY:
            cited = [each for each in _cited(scores.pool, hit.source_refs) if each not in found]
            missing = [each for each in cited if each not in known]
            known.update(zip(missing, load(missing) if missing else (), strict=True))
            for each in cited:
                found[each] = (known[each], max(own, float(scores.score[each])))
        found.setdefault(index, (hit, own))
    return list(found.values())[: len(hits)]


def _knows_relevance(search: SectionSearch, pool: CandidatePool) -> bool:
    """Whether the relevance can be trusted: not if vectors are missing, so that words alone would decide."""
    has_vectors = search.query.vector is not None and not pool.vector_search_failed
    is_recall = search.section.source is SectionSource.RECALL
    return is_recall and has_vectors and not pool.vectors_pending


def _cited(pool: CandidatePool, refs: Sequence[str]) -> list[int]:
    """The indices of chunks whose event, which is half of their id, is among the refs."""
    halves = [chunk_id(event, 0).int >> 64 for ref in refs if (event := _uuid(ref))]
    is_cited = np.isin(pool.memory_ids[:, 0], np.array(halves, np.uint64))
    indices: list[int] = np.flatnonzero(is_cited & (pool.kinds > len(MemoryKind))).tolist()
    return indices


def _uuid(ref: str) -> UUID | None:
    try:
        return UUID(ref)
    except ValueError:
        return None
