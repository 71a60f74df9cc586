"""How long and how large a run of bench.artifacts is."""

from dataclasses import dataclass
from pathlib import Path

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ArtifactOptions:
    """A full run; `quick()` is one that only shows that everything works."""

    rounds: int = 5
    stream_bytes: int = 256 * MIB
    memory_bytes: int = 1024 * MIB
    large_bytes: int = 1024 * MIB
    reads: int = 100
    offloads: int = 50
    cases: Path | None = None
    trajectories: Path | None = None

    @classmethod
    def quick(cls, cases: Path | None, trajectories: Path | None) -> "ArtifactOptions":
        return cls(
            rounds=1,
            stream_bytes=32 * MIB,
            memory_bytes=64 * MIB,
            large_bytes=64 * MIB,
            reads=10,
            offloads=5,
            cases=cases,
            trajectories=trajectories,
        )
