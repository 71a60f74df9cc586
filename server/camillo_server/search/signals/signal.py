"""A signal: what is known of a candidate beside both arms, how much of the similarity it is, and how it is explained.

A query asks for a signal by having its argument (`CandidateQuery.signals`). A signal that no query asks for is read by
nothing."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.scope import Scope
from camillo_server.search.index.lexical import JoinedPostings, Postings

Column = NDArray[np.float32]
Raw = NDArray[Any]
Rows = NDArray[np.int64]
Ids = NDArray[np.uint64]


class Weights(NamedTuple):
    """The sums of weights when a signal is weighed: of both arms, of their neighbours, and of all that was weighed
    before."""

    arms: float
    near: float
    total: float


class Part(NamedTuple):
    """A part of the similarity, 0 to 1 for each candidate, and its weight."""

    score: Column
    weight: float


@dataclass(frozen=True, slots=True)
class IndexRows:
    """The rows of an index as a signal reads them: their columns, the postings of their terms, and which of them may be
    found."""

    arrays: Mapping[str, NDArray[Any]]
    terms: Postings | JoinedPostings
    count: int
    passes: NDArray[np.bool_]

    def ids(self, rows: Any) -> Ids:
        """The ids of these rows: two halves in a row each."""
        return np.column_stack((self.arrays["id_high"][rows], self.arrays["id_low"][rows]))


def explained(signal: "Signal", raw: Raw | None, part: Part | None, weight: float, index: int) -> dict[str, Any]:
    """The score and its weight, in the two fields that are called after the signal."""
    if part is None:
        return {}
    return {signal.name: float(part.score[index]), signal.weight_field: weight}


def no_parameters(scope: Scope, argument: Any) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True, eq=False)
class Signal:
    """A part of the similarity.

    `name` is that of its field in `ScoreBreakdown`. `weigh` makes the part of the raw values of the candidates; None:
    they are all alike. Signals are weighed and added up by `rank`. Raw values come from `from_index` and from the
    column `sql_column`, decoded by `from_sql`; or from the ids alone, in both searches, by `from_ids`; or from whoever
    sets them later. `found_in_index` and `sql_rows` find candidates that no arm would find. With `raises_relevance`, a
    candidate is at least as relevant as its raw value says."""

    name: str
    rank: int
    weigh: Callable[[Raw, Weights], Part | None]
    raises_relevance: bool = False
    needs_neighbours: bool = False
    from_index: Callable[[IndexRows, Any, Rows, Rows], Raw] | None = None
    from_ids: Callable[[Any, Ids], Raw] | None = None
    found_in_index: Callable[[IndexRows, Any], Rows] | None = None
    sql_column: str = ""
    sql_type: str = ""
    from_sql: Callable[[Raw], Raw] | None = None
    sql_rows: str = ""
    sql_parameters: Callable[[Scope, Any], Mapping[str, Any]] = no_parameters
    explain: Callable[["Signal", Raw | None, Part | None, float, int], Mapping[str, Any]] = explained
    weight_field: str = field(default="")

    def __post_init__(self) -> None:
        if not self.weight_field:
            object.__setattr__(self, "weight_field", f"{self.name}_weight")


def at_rows(signals: Mapping[Signal, Raw], rows: NDArray[np.intp]) -> dict[Signal, Raw]:
    """The raw values of these candidates alone."""
    return {signal: raw[rows] for signal, raw in signals.items()}


def joined(parts: list[Mapping[Signal, Raw]], lengths: list[int]) -> dict[Signal, Raw]:
    """The raw values of several pools, one after the other; zeros for a pool that has none of a signal."""
    every = {signal: raw for part in parts for signal, raw in part.items()}
    return {
        signal: np.concatenate(
            [
                part[signal] if signal in part else np.zeros((length, *like.shape[1:]), like.dtype)
                for part, length in zip(parts, lengths, strict=True)
            ]
        )
        for signal, like in every.items()
    }


def with_columns(signals: Iterable[Signal]) -> list[Signal]:
    """The signals that Postgres reads a column for, in the order of these columns."""
    return sorted((each for each in signals if each.sql_column), key=attrgetter("rank"))
