"""The capacity model: what a recall costs and a scope takes by its size, what a budget hits, what workers reach.

Each part has few parameters, is fitted to some measurements, and is checked against others.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BISECTIONS = 100


@dataclass(frozen=True, slots=True)
class Line:
    """A cost with a fixed part for any scope, and a part for each row."""

    fixed: float
    per_row: float

    def at(self, rows: float) -> float:
        return self.fixed + self.per_row * rows


@dataclass(frozen=True, slots=True)
class Check:
    """A prediction of the model, and what was measured; `is_fitted`: the model has seen it."""

    what: str
    predicted: float
    measured: float
    is_fitted: bool = False

    @property
    def error(self) -> float:
        """The error of the prediction, as a share of what was measured."""
        return self.predicted / self.measured - 1


def fit_line(rows: Sequence[float], values: Sequence[float]) -> Line:
    """The line with the least relative errors, summed as squares, and no negative part. One point is all fixed.

    Values must be positive.
    """
    weights = 1.0 / np.asarray(values, np.float64)
    columns = np.stack([np.ones(len(rows)), np.asarray(rows, np.float64)], axis=1)
    candidates = [
        _fitted(columns, weights, [0, 1]) if len(rows) > 1 else np.full(2, -1.0),
        _fitted(columns, weights, [0]),
        _fitted(columns, weights, [1]),
    ]
    allowed = [found for found in candidates if found.min() >= 0]
    best = min(allowed, key=lambda found: float((((columns @ found) * weights - 1) ** 2).sum()))
    return Line(float(best[0]), float(best[1]))


def fit_and_check(what: str, rows: Sequence[int], values: Sequence[float]) -> tuple[Line, list[Check]]:
    """The line through every other point, from the first, and what it says of all of them."""
    seen = range(0, len(rows), 2)
    line = fit_line([rows[place] for place in seen], [values[place] for place in seen])
    checks = [
        Check(f"{what}, {each:,} memories", line.at(each), value, is_fitted=place in seen)
        for place, (each, value) in enumerate(zip(rows, values, strict=True))
    ]
    return line, checks


def zipf_shares(scopes: int, exponent: float) -> NDArray[np.float64]:
    """How often each scope is asked for, the most frequent first: shape (scopes,), sum 1."""
    weights = np.arange(1, scopes + 1, dtype=np.float64) ** -exponent
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def hit_share(shares: NDArray[np.float64], resident: float) -> float:
    """How many requests a cache of so many scopes answers that drops what was not asked for longest.

    Che's approximation (Che, Tung and Wang 2002): a scope is resident if it was asked for within a time that is the
    same for all, and such that as many are resident as there is room for.
    """
    if resident >= len(shares):
        return 1.0
    if resident <= 0:
        return 0.0
    low, high = 0.0, 1.0
    while _resident(shares, high).sum() < resident:
        high *= 2
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if _resident(shares, middle).sum() < resident else (low, middle)
    return float((shares * _resident(shares, high)).sum())


def calls_per_second(
    workers: int, cores: float, *, server_seconds: float, client_seconds: float, clients: int = 1
) -> float:
    """The limit reached first: a core for each worker, one for each client process, or the machine that they share."""
    return min(
        workers / server_seconds,
        clients / client_seconds if client_seconds else math.inf,
        cores / (server_seconds + client_seconds),
    )


def _resident(shares: NDArray[np.float64], time: float) -> NDArray[np.float64]:
    """How likely each scope is resident."""
    likely: NDArray[np.float64] = -np.expm1(-shares * time)
    return likely


def _fitted(columns: NDArray[np.float64], weights: NDArray[np.float64], used: list[int]) -> NDArray[np.float64]:
    """Weighted least squares with these columns, zero for the others."""
    found = np.zeros(2)
    scaled = columns[:, used] * weights[:, None]
    found[used] = np.linalg.lstsq(scaled, np.ones(len(weights)), rcond=None)[0]
    return found
