"""How long and how large a run of bench.foundation is."""

from dataclasses import dataclass
from pathlib import Path

from bench.measure.timing import FULL, QUICK, Repeats


@dataclass(frozen=True, slots=True)
class Options:
    """A full run; `quick()` is one that only shows that everything works."""

    repeats: Repeats = FULL
    imported_memories: int = 50_000
    import_rounds: int = 3
    recalled_memories: int = 10_000
    recalls_a_round: int = 100
    restarts: int = 3
    # How often new servers are started where versions are compared.
    starts: int = 3
    run_timeout_seconds: float = 300.0
    model: Path | None = None

    @classmethod
    def quick(cls) -> "Options":
        return cls(
            repeats=QUICK,
            imported_memories=2_000,
            import_rounds=1,
            recalled_memories=1_000,
            recalls_a_round=20,
            restarts=1,
            starts=1,
        )
