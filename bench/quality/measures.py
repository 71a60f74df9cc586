"""Measures of lists of hits, and intervals of 95 % from seeded bootstraps over the questions."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 1000
SEED = 1
LOW, HIGH = 2.5, 97.5
Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure of so many questions, and the interval that 95 % of the resamples lie in; NaN where nothing was
    asked."""

    value: float
    low: float
    high: float
    count: int

    def as_json(self) -> dict[str, float | None]:
        """Rounded, null for what is not known."""
        named = {"value": self.value, "low": self.low, "high": self.high}
        rounded = {name: None if math.isnan(each) else round(each, 4) for name, each in named.items()}
        return {**rounded, "n": self.count}

    def __str__(self) -> str:
        return "-" if math.isnan(self.value) else f"{self.value:.3f} ({self.low:.3f}-{self.high:.3f})"


Estimates = dict[str, Estimate]
UNKNOWN = Estimate(math.nan, math.nan, math.nan, 0)


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> Estimate:
    """The sum of the parts over the sum of the wholes, of which each question has one."""
    part, whole = np.asarray(parts, np.float64), np.asarray(wholes, np.float64)
    if not whole.sum():
        return UNKNOWN
    drawn = _draws(len(part))
    sums = whole[drawn].sum(axis=1)
    resampled = part[drawn].sum(axis=1)[sums > 0] / sums[sums > 0]
    return _estimate(float(part.sum() / whole.sum()), resampled, len(part))


def mean(values: Sequence[float]) -> Estimate:
    """Every question counts alike."""
    return ratio(values, np.ones(len(values)).tolist())


def percentile(values: Sequence[float], share: float) -> Estimate:
    """The percentile at a share of 0 to 100."""
    if not values:
        return UNKNOWN
    column = np.asarray(values, np.float64)
    resampled = np.percentile(column[_draws(len(column))], share, axis=1)
    return _estimate(float(np.percentile(column, share)), resampled, len(column))


def separation(positive: Sequence[float], negative: Sequence[float]) -> Estimate:
    """AUROC; both kinds are resampled apart from each other."""
    if not positive or not negative:
        return UNKNOWN
    high, low = np.asarray(positive, np.float64), np.asarray(negative, np.float64)
    resampled = [
        _auroc(high[first], low[second])
        for first, second in zip(_draws(len(high)), _draws(len(low), SEED + 1), strict=True)
    ]
    return _estimate(_auroc(high, low), np.asarray(resampled), len(high) + len(low))


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """The chance that a score of the first is above one of the second; ties count half."""
    if not positive or not negative:
        return math.nan
    return _auroc(np.asarray(positive, np.float64), np.asarray(negative, np.float64))


def precision_at(found: Sequence[str], right: frozenset[str], depth: int) -> float:
    """The share of the first places that hold something right; a place that is empty holds nothing."""
    return len(right.intersection(found[:depth])) / depth


def reciprocal_rank(found: Iterable[str], right: frozenset[str]) -> float:
    """1 / the place of the first that is right, 0 without one."""
    return next((1 / place for place, each in enumerate(found, 1) if each in right), 0.0)


def ndcg_at(found: Sequence[str], right: frozenset[str], depth: int) -> float:
    """Normalised discounted cumulative gain, of gains 0 and 1."""
    gained = sum(_gain(place) for place, each in enumerate(found[:depth]) if each in right)
    return gained / sum(_gain(place) for place in range(min(depth, len(right))))


def flat(estimates: Mapping[str, Estimate]) -> dict[str, dict[str, float | None]]:
    """The estimates as JSON, by the same names."""
    return {name: each.as_json() for name, each in estimates.items()}


def _gain(place: int) -> float:
    return 1 / math.log2(place + 2)


def _draws(count: int, seed: int = SEED) -> NDArray[np.int64]:
    """Places drawn with replacement: shape (resamples, count)."""
    return np.random.default_rng(seed).integers(0, count, (RESAMPLES, count))


def _estimate(value: float, resampled: Column, count: int) -> Estimate:
    low, high = np.percentile(resampled, (LOW, HIGH))
    return Estimate(value, float(low), float(high), count)


def _auroc(positive: Column, negative: Column) -> float:
    scores = np.concatenate([positive, negative])
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    count = len(positive)
    rank_sum = float(ranks[:count].sum())
    return (rank_sum - count * (count + 1) / 2) / (count * len(negative))
