"""How long and how large a run is."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """A full run; `quick()` is one that only shows that everything works."""

    rounds: int = 9
    calls_a_round: int = 400
    rate_rounds: int = 5
    rate_seconds: float = 3.0
    callers: int = 16
    imported_memories: int = 50_000
    import_rounds: int = 3
    recalled_memories: int = 10_000
    recalls_a_round: int = 100
    restarts: int = 3
    run_timeout_seconds: float = 300.0
    model: Path | None = None

    @classmethod
    def quick(cls, model: Path | None) -> "Options":
        return cls(
            rounds=2,
            calls_a_round=30,
            rate_rounds=1,
            rate_seconds=0.3,
            imported_memories=2_000,
            import_rounds=1,
            recalled_memories=1_000,
            recalls_a_round=20,
            restarts=1,
            model=model,
        )
