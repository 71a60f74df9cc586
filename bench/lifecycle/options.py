"""How long and how large a run of bench.lifecycle is."""

from dataclasses import dataclass

from bench.measure.servers import Embedding


@dataclass(frozen=True, slots=True)
class LifecycleOptions:
    """A full run; `quick()` is one that only shows that everything works."""

    scope_rows: int = 10_000
    rounds: int = 3
    scopes: int = 100
    recalls: int = 2_000
    derived_rows: int = 1_000
    forgets: int = 5
    replica_forgets: int = 100
    writers: int = 32
    texts: int = 500
    kills: int = 30
    answers_a_life: tuple[int, int] = (50, 200)
    dimensions: int = 64

    @classmethod
    def quick(cls) -> "LifecycleOptions":
        return cls(
            scope_rows=300,
            rounds=1,
            scopes=3,
            recalls=50,
            derived_rows=20,
            forgets=1,
            replica_forgets=3,
            writers=4,
            texts=10,
            kills=2,
            answers_a_life=(20, 40),
        )

    @property
    def embedding(self) -> Embedding:
        """Vectors of few numbers: maintenance reads none."""
        return Embedding("random", self.dimensions)
