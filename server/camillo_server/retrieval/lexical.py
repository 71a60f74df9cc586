"""The lexical arm: BM25 over postings in memory.

Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond": a term weighs
idf = ln(1 + (N - n + 0.5) / (n + 0.5)), times tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length)).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from camillo_server.domain.lexical_weights import LENGTH_NORMALIZATION, SATURATION
from camillo_server.domain.term_codes import term_code
from camillo_server.retrieval.postings import Postings


@dataclass(frozen=True, slots=True)
class Corpus:
    """What the arm reads: postings of the first `count` rows and lengths in terms; and the size of what is searched."""

    postings: Postings
    lengths: NDArray[np.uint16]
    count: int
    memories: int
    term_count: int


def lexical_scores(
    corpus: Corpus, terms: Sequence[str], allowed: NDArray[np.bool_] | None
) -> tuple[NDArray[np.float32], list[float]]:
    """Of every row its score (0: nothing in common, or not allowed), and of every term its rarity (idf)."""
    scores = np.zeros(corpus.count, np.float32)
    mean = max(1, corpus.term_count) / max(1, corpus.memories)
    per_term = SATURATION * LENGTH_NORMALIZATION / mean
    rarities = []
    for rows, counts in corpus.postings.find([*map(term_code, terms)], corpus.count):
        if allowed is not None:
            kept = allowed[rows]
            rows, counts = rows[kept], counts[kept]
        rarity = math.log(1 + (corpus.memories - len(rows) + 0.5) / (len(rows) + 0.5))
        rarities.append(rarity)
        if len(rows):
            length = corpus.lengths[rows] * np.float32(per_term)
            length += np.float32(SATURATION * (1 - LENGTH_NORMALIZATION))
            length += counts
            # A row stands once in the postings of a term, so each is added to once.
            scores[rows] += counts / length * np.float32(rarity * (SATURATION + 1))
    return scores, rarities


def best_rows(
    scores: NDArray[np.float32], limit: int, ids: tuple[NDArray[np.uint64], NDArray[np.uint64]]
) -> NDArray[np.int64]:
    """The rows that score best, ascending by row; of equal ones at the border those with the first ids, which are
    given as two columns of halves, so that the choice does not depend on the order in which rows came."""
    found = np.flatnonzero(scores)
    if len(found) <= limit:
        return found
    values = scores[found]
    border = np.partition(values, len(values) - limit)[len(values) - limit]
    above = found[values > border]
    equal = found[values == border]
    if len(above) + len(equal) > limit:
        high, low = ids
        equal = equal[np.lexsort((low[equal], high[equal]))][: limit - len(above)]
    return np.sort(np.concatenate((above, equal)))
