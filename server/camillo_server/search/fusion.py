"""Fusion: the scores of both arms, for a memory and its neighbours, combined in one similarity.

Each arm's scores are normalized to 0 to 1 over the candidates, and an arm weighs by how far its best stands out from
the rest. Neighbours raise the score of a memory: a reply seldom repeats the words that it replies to. All
constants are one setting for every kind of memory; how they were found: docs/adr/retrieval-fusion.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float32]
Flags = NDArray[np.bool_]

DENSE_SHARE = 0.55
# The lexical arm's share is multiplied by 5/8 for a query of common terms, and by 9/8 for one with a unique term.
RARITY_RANGE = (0.625, 1.125)
# Standing out is counted in standard deviations, of which a few scores that are almost alike have next to none.
MIN_DENSE_DEVIATION = 0.01
MAX_LEXICAL_SPREAD = 10.0

# Shares of a neighbour's score: before, after, second before, second after. Meaning is taken from what follows
# alone: the pieces of a long reply all follow something that is like the query.
DENSE_NEAR = (0.0, 0.3, 0.0, 0.15)
LEXICAL_NEAR = (0.4, 0.4, 0.2, 0.2)
# Share of the best score within the session.
SESSION_NEAR = 0.6

# The longer a text, the more it has in common with any query. In index terms: a few sentences, a full page.
BRIEF_TERMS, LONG_TERMS = 32, 320
BREVITY_WEIGHT = 2.0
# The two parts of `speech`: the speaker is named in the query, and the text tells rather than asks. Below, the shares
# that a reply takes of the scores of the short question before it, in addition to a neighbour's.
NAMED_WEIGHT, TELLS_WEIGHT = 1.5, 0.4
REPLY_DENSE, REPLY_LEXICAL = 0.2, 0.4
# Weights that few queries need: for a time that the query names; and for links from its hits, as a share of the weight
# of both arms and neighbours.
TEMPORAL_WEIGHT = 3.0
LINKED_SHARE = 0.2
# More than all else together: a text with a code or a number exactly as typed comes before one without.
TYPED_SHARE = 1.5


def _brevity_by_length() -> Column:
    """1 - (log(terms / brief) / log(long / brief))^2 by terms: 1 up to 32, 0.91 at 64, 0.63 at 130, 0 at 320."""
    length = np.arange(LONG_TERMS + 1, dtype=np.float32).clip(BRIEF_TERMS)
    orders = np.log(length / BRIEF_TERMS) / math.log(LONG_TERMS / BRIEF_TERMS)
    return (1 - orders * orders).astype(np.float32, copy=False)


BREVITY_OF_LENGTH = _brevity_by_length()


@dataclass(frozen=True, slots=True)
class Speech:
    """Flags of n candidates as utterances, by lib/text/speech.py: whether each asks, follows one in its session that asks,
    and has a speaker whom the query names."""

    asks: Flags
    replies: Flags
    named: Flags

    def at(self, rows: NDArray[np.intp]) -> "Speech":
        """The flags of these candidates alone."""
        return Speech(self.asks[rows], self.replies[rows], self.named[rows])


@dataclass(frozen=True, slots=True)
class ArmScores:
    """Raw scores over n candidates: cosine (nan: no vector) and BM25 (0: nothing in common).

    The columns `near`, of shape (n, 2) or (n, 4), are those of the memories before and after it in its session, then
    of the second before and after it (nan and 0: none). `term_counts` are the lengths of the texts, `sessions` a
    number for each session (0: in none). Length and neighbours count only where these are given. `temporal` is how well each fits the
    time that the query names, `linked` how well that matches which it is linked with, `typed` the share that it has of what the query
    names as it is typed, all 0 to 1; `speech` what it is as something said. None where there is none.
    """

    dense: Column
    lexical: Column
    dense_near: Column
    lexical_near: Column
    term_counts: NDArray[np.integer] | None = None
    sessions: NDArray[np.integer] | None = None
    temporal: Column | None = None
    linked: Column | None = None
    speech: Speech | None = None
    typed: Column | None = None


@dataclass(frozen=True, slots=True)
class QueryFacts:
    """The facts that set the weights: the rarity (idf) of each term of the query in the scope, and the scope's size."""

    rarities: Sequence[float] | Column
    memories: int


@dataclass(frozen=True, slots=True)
class Fusion:
    """Parts of a similarity, each over n candidates and from 0 to 1, and their weights, which sum to 1.

    similarity = dense_weight * dense + lexical_weight * lexical + neighbour_weight * neighbourhood
    + brevity_weight * brevity + temporal_weight * temporal + linked_weight * linked + speech_weight * speech
    + typed_weight * typed
    """

    similarity: Column
    dense: Column
    lexical: Column
    neighbourhood: Column
    brevity: Column
    dense_weight: float
    lexical_weight: float
    neighbour_weight: float
    brevity_weight: float
    temporal: Column | None = None
    temporal_weight: float = 0.0
    linked: Column | None = None
    linked_weight: float = 0.0
    speech: Column | None = None
    speech_weight: float = 0.0
    typed: Column | None = None
    typed_weight: float = 0.0


class _Arm(NamedTuple):
    """The scores of one arm, 0 to 1; `near` is summed by shares already, and `near_share` is the sum of these."""

    own: Column
    near: Column
    near_share: float
    weight: float


def fuse(arms: ArmScores, query: QueryFacts) -> Fusion:
    """The similarity of every candidate; the same whatever their order."""
    if not len(query.rarities) and arms.sessions is None:
        return _dense_only(arms.dense)
    has_sessions = arms.sessions is not None and bool(arms.sessions.any())
    reach = arms.dense_near.shape[1] if has_sessions else 0
    replies = None
    if arms.speech is not None and reach and arms.speech.replies.any():
        replies = arms.speech.replies
    dense = _dense_arm(arms.dense, arms.dense_near[:, :reach], replies)
    lexical = _lexical_arm(arms.lexical, arms.lexical_near[:, :reach], replies, query)
    dense_weight, lexical_weight = _arm_weights(dense.weight, lexical.weight)
    own = dense_weight * dense.own + lexical_weight * lexical.own
    near = dense_weight * dense.near + lexical_weight * lexical.near
    near_weight = dense_weight * dense.near_share + lexical_weight * lexical.near_share
    if arms.sessions is not None and has_sessions:
        near += SESSION_NEAR * _best_of_session(own, arms.sessions)
        near_weight += SESSION_NEAR * (dense_weight + lexical_weight)
    brevity = _brevity(arms.term_counts, len(own))
    found_anything = dense_weight or lexical_weight
    brevity_weight = BREVITY_WEIGHT if arms.term_counts is not None and found_anything else 0.0
    total = (dense_weight + lexical_weight + near_weight + brevity_weight) or 1.0
    summed = own + near + brevity_weight * brevity
    speech, speech_weight = _speech(arms.speech if found_anything else None)
    if speech is not None:
        summed += speech_weight * speech
    temporal_weight = linked_weight = 0.0
    if arms.temporal is not None:
        temporal_weight = TEMPORAL_WEIGHT
        summed += temporal_weight * arms.temporal
    if arms.linked is not None:
        linked_weight = LINKED_SHARE * (dense_weight + lexical_weight + near_weight)
        summed += linked_weight * arms.linked
    total += temporal_weight + linked_weight + speech_weight
    typed_weight = 0.0
    if arms.typed is not None:
        typed_weight = TYPED_SHARE * total
        summed += typed_weight * arms.typed
        total += typed_weight
    return Fusion(
        # Rounding may take a sum of shares above their total.
        similarity=np.minimum(summed / total, 1),
        dense=dense.own,
        lexical=lexical.own,
        neighbourhood=np.minimum(near / (near_weight or 1.0), 1),
        brevity=brevity,
        dense_weight=dense_weight / total,
        lexical_weight=lexical_weight / total,
        neighbour_weight=near_weight / total,
        brevity_weight=brevity_weight / total,
        temporal=arms.temporal,
        temporal_weight=temporal_weight / total,
        linked=arms.linked,
        linked_weight=linked_weight / total,
        speech=speech,
        speech_weight=speech_weight / total,
        typed=arms.typed,
        typed_weight=typed_weight / total,
    )


def _dense_only(raw: Column) -> Fusion:
    """The dense arm is all that there is, so nothing has to be weighed."""
    nothing = np.zeros(len(raw), np.float32)
    if not len(raw):
        return Fusion(nothing, nothing, nothing, nothing, nothing, 0.0, 0.0, 0.0, 0.0)
    best = np.fmax.reduce(raw)
    if math.isnan(best):
        return Fusion(nothing, nothing, nothing, nothing, nothing, 0.0, 0.0, 0.0, 0.0)
    span = max(float(best - np.fmin.reduce(raw)), MIN_DENSE_DEVIATION)
    own = raw - best
    own /= np.float32(span)
    own += 1
    # Candidates without a vector have nan until here.
    np.fmax(own, 0, out=own)
    return Fusion(own, own, nothing, nothing, nothing, 1.0, 0.0, 0.0, 0.0)


def _dense_arm(raw: Column, near: Column, replies: Flags | None) -> _Arm:
    """0 for the least similar, 1 for the most; a memory without a vector counts as the average one."""
    # Sorted, so that sums do not depend on the order of the candidates; nan comes last.
    known = np.sort(raw).astype(np.float64)
    known = known[: len(known) - np.count_nonzero(np.isnan(known))]
    if not len(known):
        return _empty_arm(len(raw))
    best = float(known[-1])
    span = max(best - float(known[0]), MIN_DENSE_DEVIATION)
    mean, deviation = _spread(known)
    deviation = max(deviation, MIN_DENSE_DEVIATION)
    own = 1 + (raw - best) / span
    if len(known) < len(raw):
        own[np.isnan(own)] = 1 + (mean - best) / span
    neighbours = 1 + (near - best) / span
    shares = DENSE_NEAR[: near.shape[1]]
    summed, share = _weighted_sum(neighbours, shares, replies, REPLY_DENSE)
    return _Arm(own, summed, share, DENSE_SHARE * span / deviation)


def _lexical_arm(raw: Column, near: Column, replies: Flags | None, query: QueryFacts) -> _Arm:
    """The share of the best score."""
    ordered = np.sort(raw).astype(np.float64)
    best = float(ordered[-1]) if len(ordered) else 0.0
    if best <= 0:
        return _empty_arm(len(raw))
    spread = min(best / max(_spread(ordered)[1], 1e-9), MAX_LEXICAL_SPREAD)
    weight = (1 - DENSE_SHARE) * spread * _rarity_factor(query)
    shares = LEXICAL_NEAR[: near.shape[1]]
    summed, share = _weighted_sum(near / best, shares, replies, REPLY_LEXICAL)
    return _Arm(raw / best, summed, share, weight)


def _spread(values: NDArray[np.float64]) -> tuple[float, float]:
    """The mean and the standard deviation, as numpy computes them, in half the time."""
    mean = np.add.reduce(values) / len(values)
    apart = values - mean
    return float(mean), math.sqrt(np.add.reduce(apart * apart) / len(values))


def _empty_arm(count: int) -> _Arm:
    """An arm that found nothing, or was not asked."""
    return _Arm(np.zeros(count, np.float32), np.zeros(count, np.float32), 0.0, 0.0)


def _arm_weights(dense: float, lexical: float) -> tuple[float, float]:
    """The arms' weights; an arm that is alone has the other's share too."""
    if dense and lexical:
        return dense, lexical
    return dense / DENSE_SHARE, lexical / (1 - DENSE_SHARE)


def _weighted_sum(
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


def _rarity_factor(query: QueryFacts) -> float:
    """The factor of the lexical arm's share, by the rarest term of the query that any memory has."""
    # The rarity of a term that no memory has lies above this; that of one in a single memory is the border less ln 1.5.
    border = math.log(query.memories + 1)
    rarest = max((rarity for rarity in query.rarities if rarity < border), default=0.0)
    least, most = RARITY_RANGE
    return least + (most - least) * min(max(0.0, rarest) / max(border, 1e-9), 1.0)


def _best_of_session(own: Column, sessions: NDArray[np.integer]) -> Column:
    """The best score in the session of each; its own where it is in none."""
    if not len(own):
        return own
    order = sessions.argsort(kind="stable")
    ordered = sessions[order]
    is_first = np.ones(len(own), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    best_of_each = np.maximum.reduceat(own[order], is_first.nonzero()[0])
    best = np.empty_like(own)
    best[order] = best_of_each[is_first.cumsum() - 1]
    np.copyto(best, own, where=sessions == 0)
    return best


def _brevity(term_counts: NDArray[np.integer] | None, count: int) -> Column:
    """The brevity of each length; 1 where the lengths are not given."""
    if term_counts is None:
        return np.ones(count, np.float32)
    return BREVITY_OF_LENGTH.take(term_counts, mode="clip")


def _speech(speech: Speech | None) -> tuple[Column | None, float]:
    """The speech score (1: tells, and has a speaker whom the query names) and its weight; None if all are alike."""
    if speech is None:
        return None, 0.0
    named = NAMED_WEIGHT if speech.named.any() else 0.0
    tells = TELLS_WEIGHT if speech.asks.any() else 0.0
    if not named + tells:
        return None, 0.0
    parts = named * speech.named + tells * ~speech.asks
    return (parts / (named + tells)).astype(np.float32), named + tells
