"""How long and how large a run of bench.context is."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ContextOptions:
    """A full run; `quick()` is one that only shows that everything works."""

    chunks: int = 100_000
    bundles: int = 1_000
    records: int = 500
    ingests: int = 5
    agents: int = 16
    random_bundles: int = 2_000
    model: Path | None = None
    beam: Path | None = None
    locomo: Path | None = None
    vocabulary: Path | None = None

    @classmethod
    def quick(cls, model: Path | None, vocabulary: Path | None) -> "ContextOptions":
        return cls(
            chunks=2_000,
            bundles=30,
            records=30,
            ingests=1,
            agents=4,
            random_bundles=20,
            model=model,
            vocabulary=vocabulary,
        )
