"""Chooses the hits among the candidates: ranked, cut to limit and token budget, masked, and without duplicates."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.kinds import KINDS_OF_A_SOURCE, ChunkKind, Source, is_chunk
from camillo_server.kernel.off_loop import ROW, TimeSlices
from camillo_server.lib.text.tokens import count_tokens
from camillo_server.rows.row import DAY_TERMS, Row, canonical_text
from camillo_server.search.candidates import CandidatePool, CandidateQuery
from camillo_server.search.collection import Collection
from camillo_server.search.masking import Rules, mask_memory
from camillo_server.search.precision import precise_order
from camillo_server.search.recall_query import RecallQuery
from camillo_server.search.scoring import Hit, Scores, diverse_order
from camillo_server.search.signals.brevity import BREVITY

MAX_REFS = 200


class Duplicates:
    """The candidates of a pool that say the same as one that has been chosen.

    Only the texts of candidates with as many terms as the chosen one are read; in a search by a vector alone, where no
    length is known, all texts are. Each is read once.
    """

    def __init__(self, pool: CandidatePool) -> None:
        self._pool = pool
        self._slices = TimeSlices()
        self._lengths = _lengths(pool)
        self._said: dict[int, str] = {}
        self._refs: dict[int, Sequence[str]] = {}
        self._chosen: set[int] = set()
        self._dropped: set[int] = set()

    def is_dropped(self, candidate: int) -> bool:
        """Whether one that was chosen says the same."""
        return candidate in self._dropped

    def refs(self, candidate: int) -> Sequence[str]:
        """The ids of the candidates that were dropped for this one; for a chunk, the id of its source."""
        return self._refs.get(candidate, ())

    async def choose(self, candidate: int) -> None:
        """Drops the candidates that say the same as this one."""
        if candidate in self._chosen:
            return
        self._chosen.add(candidate)
        as_long = np.flatnonzero(self._lengths == self._lengths[candidate]).tolist()
        others = [each for each in as_long if each != candidate and each not in self._dropped]
        if others:
            unread = sum(each not in self._said for each in (candidate, *others))
            drop = partial(self._drop_equal, candidate, others)
            await self._slices.run(unread * ROW / 4, drop)

    async def distinct(self, ranking: Sequence[int]) -> list[int]:
        """The candidates of a ranking without those that say the same as one before."""
        kept: list[int] = []
        for candidate in ranking:
            if candidate not in self._dropped:
                kept.append(candidate)
                await self.choose(candidate)
        return kept

    def _drop_equal(self, candidate: int, others: Sequence[int]) -> None:
        self._read([each for each in (candidate, *others) if each not in self._said])
        text = self._said[candidate]
        equal = [each for each in others if self._said[each] == text]
        if not equal:
            return
        self._dropped.update(equal)
        own, *refs = map(row_ref, self._pool.memories([candidate, *equal]))
        self._refs[candidate] = [ref for ref in dict.fromkeys(refs) if ref != own][:MAX_REFS]

    def _read(self, candidates: Sequence[int]) -> None:
        texts = map(canonical_text, self._pool.texts(candidates))
        self._said.update(zip(candidates, texts, strict=True))


def row_ref(row: Row) -> str:
    """The id of a memory; for a chunk, the id of its source."""
    if is_chunk(row.kind) and row.source_refs:
        return row.source_refs[0]
    return str(row.memory_id)


def _lengths(pool: CandidatePool) -> NDArray[np.int64]:
    """The terms of each candidate's own text: the index has those of its day before the text of a chunk,
    but for passages of documents."""
    counts = pool.arms.signals.get(BREVITY)
    if counts is None:
        return np.zeros(len(pool), np.int64)
    has_day = (pool.kinds >= KINDS_OF_A_SOURCE) & (pool.kinds != ChunkKind.PASSAGE)
    lengths: NDArray[np.int64] = counts.astype(np.int64) - DAY_TERMS * has_day
    return lengths


class BestHits(NamedTuple):
    """The candidates that become hits, best first, and the tokens of their shown text; with their memories if a mask
    applies."""

    candidates: Sequence[int]
    tokens: int
    masked: Sequence[Row] | None = None
    # The number of candidates within the limit that a precise recall leaves out.
    beside_the_point: int = 0


async def best_hits(
    scores: Scores,
    query: RecallQuery,
    asked: CandidateQuery,
    masking: Rules | None,
    duplicates: Duplicates | None,
) -> BestHits:
    """The best candidates within the limit and the token budget.

    A candidate that does not fit the budget is skipped: a shorter one after it may fit. So is a duplicate of a hit.
    """
    pool = scores.pool
    ranking, left_out = await _ranking(scores, query, asked, duplicates)
    if masking is None and not query.max_tokens and duplicates is None:
        first_ones = ranking[: query.limit]
        return BestHits(first_ones, sum(pool.tokens(first_ones)), None, left_out)
    chosen: list[int] = []
    shown: list[Row] = []
    used, slices = 0, TimeSlices()
    for candidate, tokens, row in _possible_hits(pool, ranking, query.limit, masking is not None):
        if duplicates is not None and duplicates.is_dropped(candidate):
            continue
        memory = row
        if masking is not None and row is not None:
            memory = await slices.run(2 * len(row.content), partial(mask_memory, row, masking))
            if memory is not row:
                tokens = count_tokens(memory.content)
        if query.max_tokens and used + tokens > query.max_tokens:
            continue
        used += tokens
        chosen.append(candidate)
        if memory is not None:
            shown.append(memory)
        if duplicates is not None:
            await duplicates.choose(candidate)
        if len(chosen) == query.limit:
            break
    return BestHits(chosen, used, None if masking is None else shown, left_out)


def _possible_hits(
    pool: CandidatePool, ranking: Sequence[int], at_once: int, with_memories: bool
) -> Iterator[tuple[int, int, Row | None]]:
    """Candidates with their tokens, and their memories if requested, read as far as they are taken: without a token
    budget those are the first ones."""
    for first in range(0, len(ranking), at_once):
        part = ranking[first : first + at_once]
        memories = pool.memories(part) if with_memories else [None] * len(part)
        yield from zip(part, pool.tokens(part), memories, strict=True)


async def _ranking(
    scores: Scores, query: RecallQuery, asked: CandidateQuery, duplicates: Duplicates | None
) -> tuple[list[int], int]:
    """The candidates that reach the minimum relevance, best first, or in order of diversity where that is requested; of
    a precise recall those that are to the point, with how many hits fewer that makes."""
    left_out = 0
    order = scores.order()
    if query.min_score:
        order = order[scores.pool.relevance[order] >= query.min_score]
    if query.profile.is_precise:
        complete = min(len(order), query.limit)
        order = await precise_order(scores.pool, order, asked, query.text)
        left_out = complete - min(len(order), query.limit)
    diversity = query.profile.diversity
    if diversity:
        if duplicates is not None:
            # Duplicates would take places among the few that are chosen.
            order = np.array(await duplicates.distinct(order.tolist()), np.intp)
        vectors = scores.pool.vectors(order.tolist())
        order = order[diverse_order(scores.score[order], vectors, diversity, query.limit)]
    ranking: list[int] = order.tolist()
    return ranking, left_out


def hits_of(scores: Scores, candidates: Sequence[int], explain: bool, duplicates: Duplicates | None) -> list[Hit]:
    relevances, order_scores = scores.pool.relevance[candidates], scores.score[candidates]
    hits = map(Hit, candidates, relevances.tolist(), order_scores.tolist())
    if duplicates is not None:
        hits = map(partial(_with_refs, duplicates), hits)
    if not explain:
        return [*hits]
    return [hit._replace(breakdown=scores.breakdown(hit.candidate)) for hit in hits]


def _with_refs(duplicates: Duplicates, hit: Hit) -> Hit:
    return hit._replace(equal_refs=duplicates.refs(hit.candidate))


class SourceBest(NamedTuple):
    """The best candidate of a source, with its breakdown."""

    memory: Row
    hit: Hit

    def masked(self, rules: Rules | None) -> "SourceBest":
        """The same as it is shown under these rules."""
        return self if rules is None else self._replace(memory=mask_memory(self.memory, rules))


async def source_bests(scores: Scores, collection: Collection, sources: Iterable[Source]) -> list[SourceBest]:
    """The best candidate of each source. A source without candidates is searched by itself and scored beside them: the
    scores of the hits do not change. Raises StorageUnavailable, RevisionBehind."""
    first = _first_of_each(scores)
    bests = {source: _best(scores, candidate) for source, candidate in first.items()}
    found = [
        pool
        for source in sorted(set(sources) - bests.keys())
        if len(pool := await collection.of_source(source).candidates())
    ]
    if found:
        beside = scores.beside(found)
        for source, candidate in _first_of_each(beside).items():
            if source not in bests:
                bests[source] = _best(beside, candidate)
    return [bests[source] for source in sorted(bests)]


def _first_of_each(scores: Scores) -> Mapping[Source, int]:
    """The best candidate of each source."""
    first: dict[Source, int] = {}
    kinds = scores.pool.kinds
    for candidate in scores.order().tolist():
        first.setdefault(Source(1 + int(kinds[candidate]) // KINDS_OF_A_SOURCE), candidate)
    return first


def _best(scores: Scores, candidate: int) -> SourceBest:
    (memory,) = scores.pool.memories([candidate])
    hit = Hit(
        candidate,
        float(scores.pool.relevance[candidate]),
        float(scores.score[candidate]),
        scores.breakdown(candidate),
    )
    return SourceBest(memory, hit)
