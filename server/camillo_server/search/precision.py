"""Decides which hits are as much to the point as the best one: a precise recall returns only those.

Texts that answer the same question say much the same, so the best hit tells most about the others (the cluster
hypothesis: van Rijsbergen, "Information Retrieval", 1979). The chance that a hit is to the point is a logistic function
of four facts:

    total = bias + likeness * cos + relevance * (logit(r) - logit(best r)) + rank * ln(1 + rank) + words * share
    chance = 1 / (1 + exp(-total))

where cos is the cosine with the best hit, r the relevance (search/fusion.py), rank the position behind the best hit,
from 0, and share the part that a hit has of the words that the best hit adds to those of the query: they are the
answer. The weights were fitted on half of a suite of decisions, preferences and states: `python -m
bench.decisions.precision`, docs/adr/precision-and-reranking.md."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.kinds import KINDS_OF_A_SOURCE
from camillo_server.kernel.off_loop import off_loop
from camillo_server.lib.text.entities import ENTITIES_COST, entities_of
from camillo_server.lib.text.index_terms import FUNCTION_TERMS, folded, index_terms
from camillo_server.search.candidates import CandidatePool, CandidateQuery
from camillo_server.search.fusion import E5, LEXICAL, MIN_RELEVANCE, family_of
from camillo_server.search.signals.typed import TYPED

# The most hits of a precise answer: candidates further down are not looked at.
MAX_PRECISE_HITS = 200
# Without vectors, a hit with at least this share of the best relevance is taken to be to the point.
MIN_RELEVANCE_SHARE = 0.5
MIN_LOGIT = 1e-6
# Finding the terms of a character, in characters that are looked through for secrets (kernel/off_loop.py).
TERMS_COST = 1
# The most hits that are looked at for a name, those with a word of the query.
MAX_LOOKED_AT = 50
# Beside a memory of at least the first relevance, one with less than the second share of it has only a name in common
# with the question. Neighbours of an answer, and rows that it links to, have a larger share.
NEARLY_CERTAIN, DOUBTFUL_SHARE = 0.95, 0.75

Column = NDArray[np.float32]


class Precision(NamedTuple):
    """The weights of one embedder, and the least chance with which a hit is returned."""

    bias: float
    likeness: float
    relevance: float
    rank: float
    words: float
    min_chance: float


# Fitted for MiniLM; other models of sentences are taken to spread their cosines alike.
SENTENCES = Precision(-2.41, 4.38, 0.24, -1.11, 3.65, 0.22)
BY_FAMILY = {
    LEXICAL: Precision(-1.44, 1.43, 0.18, -0.40, 1.49, 0.15),
    # The weights of MiniLM, for cosines that mean the same by the weights of relevance.
    E5: Precision(-9.45, 11.17, 0.24, -1.11, 3.65, 0.22),
}


def is_to_the_point(
    relevance: Column, vectors: NDArray[np.float32], model_id: str, shares: Column | float
) -> NDArray[np.bool_]:
    """Whether each hit is returned; the hits come best first, `vectors` are their unit rows, zeros where there is none,
    and `shares` the parts that they have of the best hit's own words.

    None is returned if even the most relevant one probably answers nothing.
    """
    if not len(relevance) or relevance.max() < MIN_RELEVANCE:
        return np.zeros(len(relevance), np.bool_)
    best = vectors[0] if vectors.size else np.zeros(0, np.float32)
    if not best.any():
        return np.asarray(relevance >= MIN_RELEVANCE_SHARE * relevance.max())
    weights = BY_FAMILY.get(family_of(model_id), SENTENCES)
    logits = _logit(relevance)
    total = (
        weights.bias
        + weights.likeness * (vectors @ best)
        + weights.relevance * (logits - logits.max())
        + weights.rank * np.log1p(np.arange(len(relevance)))
        + weights.words * shares
    )
    return np.asarray(1 / (1 + np.exp(-total)) >= weights.min_chance)


async def precise_order(
    pool: CandidatePool, order: NDArray[np.intp], query: CandidateQuery, text: str
) -> NDArray[np.intp]:
    """The candidates that are to the point of the query with this text, best first like `order`. The pool must have
    been asked for vectors.

    A text that names several things asks about each: hits that have a name which no hit to the point has are judged by
    themselves, by the best one of them.
    """
    if TYPED in pool.arms.signals:
        order = _as_typed(pool, pool.arms.signals[TYPED], order)
    order = order[:MAX_PRECISE_HITS]
    kept = await _to_the_point(pool, order, query)
    names = await _names(text) if kept.any() else []
    if names:
        looked_at = np.flatnonzero(pool.arms.lexical[order] > 0)[:MAX_LOOKED_AT]
        read = np.union1d(np.flatnonzero(kept), looked_at)
        words = await _words_of(pool.texts(order[read].tolist()))
    for terms in names:
        having = read[np.array([terms <= each for each in words], np.bool_)]
        if not kept[having].any():
            named = np.intersect1d(having, looked_at)
            kept[named] = await _to_the_point(pool, order[named], query)
    return order[kept]


async def _to_the_point(pool: CandidatePool, order: NDArray[np.intp], query: CandidateQuery) -> NDArray[np.bool_]:
    relevance, vectors = pool.relevance[order], pool.vectors(order.tolist())
    certain, possible = (is_to_the_point(relevance, vectors, query.model_id, share) for share in (0.0, 1.0))
    # Only texts are read whose words decide.
    undecided = np.flatnonzero(possible & ~certain)
    if not len(undecided):
        return certain
    read = np.union1d([0], undecided)
    shares = np.zeros(len(order), np.float32)
    shares[read] = await shares_of_own_words(pool.texts(order[read].tolist()), query.terms)
    return is_to_the_point(relevance, vectors, query.model_id, shares)


async def _names(text: str) -> list[frozenset[str]]:
    """The terms of each entity that the text names."""
    entities = await off_loop(ENTITIES_COST * len(text), partial(entities_of, text))
    return [frozenset(chain.from_iterable(map(_terms_of, each.name.split()))) for each in entities]


def _terms_of(word: str) -> list[str]:
    """The terms that a text with the word has in any case: of an inflected word, its stem."""
    terms = index_terms(word)
    return terms[-1:] if word.isalpha() and terms[:1] == [folded(word)] else terms


async def shares_of_own_words(texts: Sequence[str], terms: Sequence[str]) -> Column:
    """The part that each text has of the words of the first one which are not among the query's terms."""
    first, *_ = words = await _words_of(texts)
    own = first.difference(terms, FUNCTION_TERMS)
    return np.array([len(own & each) / max(len(own), 1) for each in words], np.float32)


async def _words_of(texts: Sequence[str]) -> list[frozenset[str]]:
    return await off_loop(TERMS_COST * sum(map(len, texts)), partial(_words, texts))


def _words(texts: Sequence[str]) -> list[frozenset[str]]:
    return [frozenset(index_terms(each)) for each in texts]


def with_words_in_common(pool: CandidatePool) -> CandidatePool:
    """The pool, with relevance 0 for candidates without a word of the query: vectors tell nothing about small talk."""
    return replace(pool, relevance=pool.relevance * (pool.arms.lexical > 0))


def without_doubtful(pool: CandidatePool, candidates: NDArray[np.intp]) -> NDArray[np.intp]:
    """The candidates without doubtful memories: far less relevant than one that answers almost certainly, by the same
    reading of the query. Chunks stay, since an answer can be a part of a conversation; so do memories with something
    that the query names exactly as typed."""
    is_memory = pool.kinds[candidates] < KINDS_OF_A_SOURCE
    relevance = np.where(is_memory, pool.relevance[candidates], np.float32(0))
    if relevance.max(initial=0) < NEARLY_CERTAIN:
        return candidates
    best = _best_of_reading(pool, candidates, relevance)
    doubtful = is_memory & (best >= NEARLY_CERTAIN) & (relevance < DOUBTFUL_SHARE * best)
    if TYPED in pool.arms.signals:
        doubtful &= pool.arms.signals[TYPED][candidates] == 0
    kept: NDArray[np.intp] = candidates[~doubtful]
    return kept


def _best_of_reading(pool: CandidatePool, candidates: NDArray[np.intp], relevance: Column) -> Any:
    """The best relevance by the reading that each candidate has its scores from. For the query as a whole, it is at
    least that of the part that is answered worst, since the parts ask several things."""
    if pool.reading_of is None:
        return relevance.max()
    reading_of = pool.reading_of[candidates]
    best = np.zeros(len(pool.readings), np.float32)
    np.maximum.at(best, reading_of, relevance)
    parts = best[1:][best[1:] > 0]
    best[0] = max(best[0], parts.min(initial=1) if len(parts) else 0)
    return best[reading_of]


def _as_typed(pool: CandidatePool, typed: Column, order: NDArray[np.intp]) -> NDArray[np.intp]:
    """The candidates that best match what their reading types exactly: another version or number is not meant."""
    own = typed[order]
    reading_of = np.zeros(len(pool), np.intp) if pool.reading_of is None else pool.reading_of
    most = np.zeros(int(reading_of.max(initial=0)) + 1, np.float32)
    np.maximum.at(most, reading_of[order], own)
    kept: NDArray[np.intp] = order[own >= most[reading_of[order]]]
    return kept


def _logit(share: Column) -> NDArray[Any]:
    bounded = share.astype(np.float64).clip(MIN_LOGIT, 1 - MIN_LOGIT)
    logits: NDArray[Any] = np.log(bounded / (1 - bounded))
    return logits
