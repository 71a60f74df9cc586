"""How long and how large a run of `bench.recall` is."""

from dataclasses import dataclass
from pathlib import Path

from bench.servers import DIMENSIONS, Embedding

SIZES = {"1k": 1_000, "10k": 10_000, "100k": 100_000, "1M": 1_000_000}
DEFAULT_SIZES = ("1k", "10k", "100k")


@dataclass(frozen=True, slots=True)
class RecallOptions:
    """A full run; `quick()` is one that only shows that everything works. `round_seconds` ends a round early."""

    rounds: int = 9
    calls_a_round: int = 400
    round_seconds: float = 4.0
    rate_rounds: int = 5
    rate_seconds: float = 3.0
    callers: int = 16
    exact_queries: int = 500
    exact_seconds: float = 120.0
    # Of a scope of up to 10,000 memories; larger ones are loaded once, after a longer look at what was before.
    cold_starts: int = 5
    calm_seconds: float = 5.0
    large_calm_seconds: float = 30.0
    load_seconds: float = 300.0
    own_writes: int = 200
    replica_writes: int = 200
    model: Path | None = None

    @classmethod
    def quick(cls, model: Path | None) -> "RecallOptions":
        return cls(
            rounds=2,
            calls_a_round=30,
            round_seconds=1.0,
            rate_rounds=1,
            rate_seconds=0.3,
            exact_queries=20,
            exact_seconds=5.0,
            cold_starts=1,
            calm_seconds=0.5,
            large_calm_seconds=2.0,
            load_seconds=60.0,
            own_writes=5,
            replica_writes=5,
            model=model,
        )

    @property
    def embedding(self) -> Embedding:
        """What texts are embedded with; vectors that the benchmark brings count as the same model's."""
        if self.model:
            return Embedding("onnx", model=self.model)
        return Embedding("lexical", DIMENSIONS)
