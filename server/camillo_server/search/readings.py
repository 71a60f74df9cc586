"""Readings of a query: a prompt is read by its parts as well, a word that nothing has by its other spellings, and what
it names as typed.

A candidate has the scores of the reading that it fits best. Readings compete by how relevant the best of each is: the
most similar of what has nothing to do with a pasted text must not stand before the answer to the question behind it
(docs/adr/queries-and-readings.md)."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.background import task_group
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.writes import Freshness
from camillo_server.lib.text.index_terms import FUNCTION_TERMS
from camillo_server.lib.text.query_parts import SHORT, query_parts
from camillo_server.lib.text.speech import speakers_in
from camillo_server.lib.text.typed_words import MAX_CHARACTERS, TypedWords, ids_named, typed_words
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.search.candidates import (
    CandidatePool,
    CandidateQuery,
    MemorySearch,
    ReadPart,
    selected,
)
from camillo_server.search.collection import concatenated
from camillo_server.search.fusion import Column, Fusion, fuse
from camillo_server.search.query_text import Count, is_misspelt, respelled, terms_of_query
from camillo_server.search.signals.signal import Part, joined
from camillo_server.search.signals.speech import SPEECH
from camillo_server.search.signals.typed import TYPED, is_named

# The relevance of a candidate with all that a query names exactly as typed, and of one with its only word.
NAMED_RELEVANCE, ONLY_WORD_RELEVANCE = 0.8, 0.5
# The share of relevance that candidates keep if none has the code that a query is: they are something else.
ANOTHER_CODE_SHARE = 0.1
# Another spelling may find something else.
RESPELLED_SHARE = 0.8
# A reading whose best is as relevant as this stands beside any other.
CERTAIN = 0.4
# All other readings together find as much as the first one; each this much at least.
MIN_CANDIDATES_PER_ARM = 10
MAX_CACHED_SPELLINGS = 512
# How many candidates are looked at for words as they are typed, the best by words first.
MAX_LOOKED_AT = 32

Find = Callable[[CandidateQuery], Awaitable[CandidatePool]]


class QueryReading(NamedTuple):
    """A reading of a query as it is searched, and its candidates; `replaces`: it is read in place of the query as it
    is, if it finds more."""

    text: str
    pool: CandidatePool
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads queries in more than one way, where there is more than one."""

    embedding: TextEmbedding
    # The spelling that helps, or None, by tenant, agent, text and revision: a repeated query is not respelled again.
    _spellings: dict[tuple[str, str, str, int], str | None] = field(default_factory=dict)

    async def in_scope(
        self, text: str, query: CandidateQuery, search: MemorySearch, freshness: Freshness
    ) -> CandidatePool:
        """The `candidates` of one scope; without a text, the candidates of the query alone."""

        async def find(asked: CandidateQuery) -> CandidatePool:
            return await search.candidates(asked, freshness)

        async def count(asked: CandidateQuery) -> Sequence[int]:
            return (await search.statistics(asked, freshness)).matches

        return await (self.candidates(text, query, find, count) if text else find(query))

    async def candidates(self, text: str, query: CandidateQuery, find: Find, count: Count) -> CandidatePool:
        """The candidates that `find` returns for `query`, which is the text as it is, and for the text's other
        readings. `count` tells how many rows have each term of a query. Raises what these raise."""
        pool = await self._found(text, query, find)
        readings = list[QueryReading]()
        if parts := query_parts(text):
            readings += await self._read(parts, query, find)
        if (
            len(text) <= SHORT
            and is_misspelt(query, pool)
            and (spelling := await self._spelling(text, query, pool, count))
        ):
            readings += await self._read([spelling], query, find, RESPELLED_SHARE)
        return best_of([QueryReading("", pool), *readings]) if readings else pool

    async def _spelling(self, text: str, query: CandidateQuery, pool: CandidatePool, count: Count) -> str | None:
        """Another spelling of a short text that finds more, if there is one."""
        if pool.starts or not query.filter.is_empty:
            # Each set of scopes has its own words.
            return await respelled(text, query, pool, count)
        key = (query.scope.tenant_id, query.scope.agent_id, text, pool.revision)
        if key not in self._spellings:
            spelling = await respelled(text, query, pool, count)
            if len(self._spellings) >= MAX_CACHED_SPELLINGS:
                self._spellings.clear()
            self._spellings[key] = spelling
        return self._spellings[key]

    async def _read(
        self, texts: Sequence[str], query: CandidateQuery, find: Find, share: float = 1.0
    ) -> list[QueryReading]:
        """Texts that have anything to search by."""
        async with task_group() as group:
            # The queries are made together, so that their texts are embedded together.
            tasks = [group.create_task(self._query(text, query)) for text in texts]
        readings = list[QueryReading]()
        per_arm = max(MIN_CANDIDATES_PER_ARM, query.candidates_per_arm // len(texts))
        for text, task in zip(texts, tasks, strict=True):
            asked = replace(task.result(), candidates_per_arm=per_arm)
            if FUNCTION_TERMS.issuperset(asked.terms):
                continue
            pool = await self._found(text, asked, find)
            if share < 1:
                pool = replace(pool, relevance=pool.relevance * np.float32(share))
            readings.append(QueryReading(text, pool, replaces=share < 1))
        return readings

    async def _query(self, text: str, query: CandidateQuery) -> CandidateQuery:
        terms = await terms_of_query(text)
        vector = None
        if query.vector is not None and terms:
            vector = await self.embedding.query_vector(text, query.scope)
        signals = {SPEECH: speakers_in(text, terms)} if SPEECH in query.signals else {}
        return replace(query, terms=terms, vector=vector, statistics=None, signals=signals)

    async def _found(self, text: str, query: CandidateQuery, find: Find) -> CandidatePool:
        """The candidates of one reading. Candidates that have the query's names exactly as typed stand out."""
        words, ids = None, None
        if len(text) <= MAX_CHARACTERS:
            words, ids = typed_words(text, len(query.terms)), ids_named(text)
        if ids is not None:
            query = query.asking(TYPED, ids)
        pool = await find(query)
        if ids is not None:
            shares = is_named(ids, pool.memory_ids).astype(np.float32)
            pool = _named(pool, shares, NAMED_RELEVANCE)
            if shares.any():
                return pool
        if words is None:
            return pool
        relevance = NAMED_RELEVANCE if words.names_one else ONLY_WORD_RELEVANCE
        shares = await _shares(pool, words)
        if words.is_code and not shares.any():
            return replace(pool, relevance=pool.relevance * np.float32(ANOTHER_CODE_SHARE))
        return _named(pool, shares, relevance)


async def _shares(pool: CandidatePool, words: TypedWords) -> Column:
    """The share of the query's typed words that each candidate has; only the best by words are looked at."""
    lexical = pool.arms.lexical
    best = np.argsort(-lexical, kind="stable")[:MAX_LOOKED_AT]
    indices: list[int] = best[lexical[best] > 0].tolist()
    shares = np.zeros(len(pool), np.float32)
    if indices:
        texts = pool.texts(indices)
        cost = sum(map(len, texts)) * len(words.words) / 2
        shares[indices] = await off_loop(cost, partial(_shares_of, texts, words))
    return shares


def _shares_of(texts: Sequence[str], words: TypedWords) -> list[float]:
    return [words.share_in(text) for text in texts]


def _named(pool: CandidatePool, shares: Column, relevance: float) -> CandidatePool:
    if not shares.any():
        return pool
    arms = replace(pool.arms, signals={**pool.arms.signals, TYPED: shares})
    return replace(
        pool,
        arms=arms,
        fusion=fuse(arms, pool.query),
        relevance=np.maximum(pool.relevance, np.float32(relevance) * shares),
    )


def best_of(readings: Sequence[QueryReading]) -> CandidatePool:
    """One pool of all readings' candidates, each once, by the reading that it fits best; scope by scope."""
    pools = [reading.pool for reading in readings]
    best = [float(pool.relevance.max(initial=0.0)) for pool in pools]
    certain = max([CERTAIN, *(b for b, each in zip(best, readings, strict=True) if each.replaces)])
    weights = [min(1.0, each / certain) for each in best]
    strongest = max(weights) or 1.0
    fusions = [_weighted(p.fusion, w / strongest) for p, w in zip(pools, weights, strict=True)]
    pool = concatenated(pools)
    reading_of = np.repeat(np.arange(len(pools)), [len(each) for each in pools])
    similarity = np.concatenate([each.similarity for each in fusions])
    scopes = np.concatenate([each.scope_numbers() for each in pools])
    rows, relevance = _best_rows(pool, similarity, scopes)
    return replace(
        selected(pool, rows),
        fusion=_joined_fusion(fusions, rows),
        relevance=relevance,
        readings=[ReadPart(each.text, f) for each, f in zip(readings, fusions, strict=True)],
        reading_of=reading_of[rows],
        starts=scopes[rows].searchsorted(np.arange(1, len(pools[0].starts) + 1)).tolist(),
    )


def _best_rows(pool: CandidatePool, similarity: Column, scopes: NDArray[np.intp]) -> tuple[NDArray[np.intp], Column]:
    """The row of each candidate that is the most similar, scope by scope in order of first occurrence; and the most
    relevant that any of its rows is."""
    high, low = pool.memory_ids.T.tolist()
    keys = [*zip(scopes.tolist(), high, low, strict=True)]
    best, relevance = dict[tuple[int, int, int], int](), dict[tuple[int, int, int], float]()
    for row, key in enumerate(keys):
        known = best.setdefault(key, row)
        if similarity[row] > similarity[known]:
            best[key] = row
        relevance[key] = max(relevance.get(key, 0.0), float(pool.relevance[row]))
    ordered = sorted(best, key=lambda key: key[0])
    return (
        np.array([best[key] for key in ordered], np.intp),
        np.array([relevance[key] for key in ordered], np.float32),
    )


def _weighted(fusion: Fusion, weight: float) -> Fusion:
    """The fusion with weights that sum to this one."""
    return replace(
        fusion,
        similarity=fusion.similarity * np.float32(weight),
        dense_weight=fusion.dense_weight * weight,
        lexical_weight=fusion.lexical_weight * weight,
        parts={signal: Part(part.score, part.weight * weight) for signal, part in fusion.parts.items()},
    )


def _joined_fusion(fusions: Sequence[Fusion], rows: NDArray[np.intp]) -> Fusion:
    """The columns of several, of these rows; the weights are those of the first one (`CandidatePool.reading`)."""
    lengths = [len(each.similarity) for each in fusions]
    scores = joined([{s: part.score for s, part in each.parts.items()} for each in fusions], lengths)
    return replace(
        fusions[0],
        similarity=np.concatenate([each.similarity for each in fusions])[rows],
        dense=np.concatenate([each.dense for each in fusions])[rows],
        lexical=np.concatenate([each.lexical for each in fusions])[rows],
        parts={signal: Part(score[rows], fusions[0].weight_of(signal)) for signal, score in scores.items()},
    )
