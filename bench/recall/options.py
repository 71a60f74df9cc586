"""How long and how large a run of `bench.recall` is."""

from dataclasses import dataclass
from pathlib import Path

from bench.material.model_words import known_words
from bench.measure.repeats import FULL, QUICK, Repeats
from bench.measure.servers import DIMENSIONS, Embedding

SIZES = {"1k": 1_000, "10k": 10_000, "100k": 100_000, "1M": 1_000_000}
DEFAULT_SIZES = ("1k", "10k", "100k")


@dataclass(frozen=True, slots=True)
class RecallOptions:
    """A full run; `quick()` is one that only shows that everything works. `round_seconds` ends a round early."""

    repeats: Repeats = FULL
    round_seconds: float = 4.0
    exact_queries: int = 500
    exact_seconds: float = 120.0
    # Of a scope of up to 10,000 memories; larger ones are loaded once, after a longer look at what was before.
    cold_starts: int = 5
    calm_seconds: float = 5.0
    large_calm_seconds: float = 30.0
    load_seconds: float = 300.0
    own_writes: int = 200
    replica_writes: int = 200
    # How often new servers are started where versions are compared.
    starts: int = 3
    model: Path | None = None

    @classmethod
    def quick(cls, model: Path | None) -> "RecallOptions":
        return cls(
            repeats=QUICK,
            round_seconds=1.0,
            exact_queries=20,
            exact_seconds=5.0,
            cold_starts=1,
            calm_seconds=0.5,
            large_calm_seconds=2.0,
            load_seconds=60.0,
            own_writes=5,
            replica_writes=5,
            starts=1,
            model=model,
        )

    @property
    def known_words(self) -> tuple[str, ...]:
        """The frequent words of texts that a model embeds."""
        return known_words(self.model)

    @property
    def embedding(self) -> Embedding:
        """What texts are embedded with; vectors that the benchmark brings count as the same model's."""
        if self.model:
            return Embedding("onnx", model=self.model)
        return Embedding("lexical", DIMENSIONS)
