"""Neighbourhood: neighbours in its session raise the score of a memory. A reply seldom repeats the words that it
replies to."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from camillo_server.search.signals.signal import Column, Part, Raw, Signal, Weights

# Shares of a neighbour's score: before, after, second before, second after. Meaning is taken from what follows
# alone: the pieces of a long reply all follow something that is like the query.
DENSE_NEAR = (0.0, 0.3, 0.0, 0.15)
LEXICAL_NEAR = (0.4, 0.4, 0.2, 0.2)
# The shares that a reply takes of the scores of the short question before it, in addition to a neighbour's.
REPLY_DENSE, REPLY_LEXICAL = 0.2, 0.4
# Share of the best score within the session.
SESSION_NEAR = 0.6
# Neighbours count whole from the second correlation on, of the cosines of texts two steps apart, and not at all up to
# the first: those of conversations have 0.2 to 0.6, unrelated ones -0.1 to 0.1.
COHERENT = (0.07, 0.17)
# So many pairs of a conversation are added to those of the candidates, so that a few of these decide nothing.
ASSUMED_PAIRS, ASSUMED_CORRELATION = 60, 0.3
Flags = NDArray[np.bool_]


def neighbourhood(summed: Raw, weights: Weights) -> Part:
    """The share of all that neighbours could add."""
    # Rounding may take a sum of shares above their total.
    return Part(np.minimum(summed / (weights.near or 1.0), 1), weights.near)


NEIGHBOURHOOD = Signal("neighbourhood", 0, neighbourhood, weight_field="neighbour_weight")
"""Raw values: the sums of the functions below, by the weights of both arms."""


def near_score(
    parts: NDArray[np.float32], shares: Sequence[float], replies: Flags | None, reply_share: float
) -> tuple[Column, float]:
    """The sum of the columns by their shares, shape (n,), and the sum of the shares. Parts are clipped to 0 to 1;
    missing ones count 0. Replies have another share of the first column: the score of the text before them."""
    # Column by column: a product of matrices rounds by the position of a row.
    parts = np.fmin(np.fmax(parts, 0), 1)
    total = np.zeros(len(parts), np.float32)
    for column, share in enumerate(shares):
        if share:
            total += share * parts[:, column]
    if replies is None:
        return total, sum(shares)
    total += reply_share * replies * parts[:, 0]
    return total, sum(shares) + reply_share


def coherence(own: Column, near: NDArray[np.float32]) -> float:
    """How much neighbours tell of a text, 0 to 1: by the correlation of the candidates' cosines, shape (n,), with those
    of the texts two steps before and after them, the last two of four columns. Neighbours at one step do not tell it:
    they are candidates because their neighbours are. Missing ones are nan. 1 without such columns."""
    if near.shape[1] < 4:
        return 1.0
    pairs = near[:, 2:] + 0 * own[:, None]
    known = ~np.isnan(pairs)
    count = int(np.count_nonzero(known))
    if count < 2:
        return 1.0
    of_near = pairs[known].astype(np.float64)
    of_own = own.repeat(2).reshape(pairs.shape)[known].astype(np.float64)
    of_own -= np.add.reduce(of_own) / count
    of_near -= np.add.reduce(of_near) / count
    spread = math.sqrt((of_own @ of_own) * (of_near @ of_near))
    correlation = float(of_own @ of_near) / spread if spread else 0.0
    shrunk = (count * correlation + ASSUMED_PAIRS * ASSUMED_CORRELATION) / (count + ASSUMED_PAIRS)
    # Rounded, so that it does not depend on the order of the candidates.
    apart, together = COHERENT
    return round(min(max((shrunk - apart) / (together - apart), 0.0), 1.0), 3)


def best_of_session(own: Column, sessions: NDArray[np.integer]) -> Column:
    """The best score in the session of each; its own where it is in none."""
    if not len(own):
        return own
    order = sessions.argsort(kind="stable")
    ordered = sessions[order]
    is_first = np.empty(len(own), np.bool_)
    is_first[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    best_of_each = np.maximum.reduceat(own[order], is_first.nonzero()[0])
    best = np.empty_like(own)
    best[order] = best_of_each[is_first.cumsum() - 1]
    np.copyto(best, own, where=sessions == 0)
    return best
