"""Signals of the order: what counts beside the similarity, by weights of the profile, or as a slight boost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.search.candidates import CandidatePool

Values = NDArray[np.floating[Any]]


class Scored(NamedTuple):
    """The candidates that are scored, when (in microseconds since 1970), and the half life of what has happened."""

    pool: CandidatePool
    present: int
    half_life_hours: float


def explained(signal: "OrderSignal", scored: Scored, values: Values, index: int) -> Mapping[str, Any]:
    """The value, in the field that is called after the signal."""
    return {signal.name: float(values[index])}


@dataclass(frozen=True, slots=True, eq=False)
class OrderSignal:
    """A term of the score. `name` is that of its weight in a profile, and of its field in `ScoreBreakdown`; `values`
    are from 0 to 1 for each candidate. `boost` is the most that it adds in a profile that boosts; with
    `boosts_from_middle`, a value below 0.5 subtracts. Without `explain`, it shows in the sum of all boosts alone."""

    name: str
    values: Callable[[Scored], Values]
    boost: float = 0.0
    boosts_from_middle: bool = False
    explain: Callable[["OrderSignal", Scored, Values, int], Mapping[str, Any]] | None = explained
