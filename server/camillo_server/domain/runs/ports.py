"""What the use cases of runs need of the outside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import Memory
from camillo_server.domain.ports import NewRow
from camillo_server.domain.runs.run import (
    RoundSummary,
    Run,
    RunContents,
    RunId,
    RunStep,
)
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


@dataclass(frozen=True, slots=True)
class NewRound:
    """A round to be added, and what it comes to."""

    run_id: RunId
    steps: Sequence[RunStep]
    summary: RoundSummary


@dataclass(frozen=True, slots=True)
class NewInstruction:
    """An instruction to be added."""

    run_id: RunId
    text: str


@dataclass(frozen=True, slots=True)
class Ending:
    """A run to be removed, and the memories that are stored with that. `distilled_rounds`: how many rounds the first of
    them was distilled from; None where it was not."""

    run_id: RunId
    rows: Sequence[NewRow]
    distilled_rounds: int | None


@dataclass(frozen=True, slots=True)
class Ended:
    """What was kept, in the order given, how many rounds are gone, and the revision from which they are."""

    memory_ids: Sequence[MemoryId]
    rounds: int
    revision: int


class RunStore(Protocol):
    """Runs of one scope that go on; one that has ended by itself is not there. Every write is one transaction that advances the
    scope's revision by one; a repeated request writes nothing. Every method raises StorageUnavailable and, but for
    `start`, NotFound; writes raise RequestIdReused, ValueRejected, QuotaExceeded, KeyMissing; reads KeyMissing, BytesLost.
    """

    async def start(
        self, scope: Scope, run: Run, request: RequestKey | None, *, now: datetime
    ) -> tuple[Run, int]:
        """The run as it is now, and the revision that holds it; where the request is a repeat, the run of then."""
        ...

    async def append(
        self, scope: Scope, new: NewRound, request: RequestKey | None, *, now: datetime
    ) -> tuple[Run, int]:
        """The same for the run with the round."""
        ...

    async def instruct(
        self, scope: Scope, new: NewInstruction, request: RequestKey | None, *, now: datetime
    ) -> tuple[Run, int]:
        """The same for the run with the instruction."""
        ...

    async def contents(
        self, scope: Scope, run_id: RunId, max_tokens: int | None, *, now: datetime
    ) -> RunContents:
        """What there is to render into so many tokens, or as many as the run says, all as of one moment."""
        ...

    async def touch(self, scope: Scope, run: Run, *, now: datetime) -> None:
        """Notes that the run was rendered: no revision tells of it. Without an error where it is gone by now."""
        ...

    async def summaries(
        self, scope: Scope, run_id: RunId, *, now: datetime
    ) -> tuple[Run, Mapping[int, RoundSummary]]:
        """The run, and what each of its rounds came to, by number."""
        ...


class RunEndings(Protocol):
    """The ends of runs of one scope. Raises StorageUnavailable, KeyMissing."""

    async def ended(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Ended | None:
        """What this request was answered when it came first, or None. Raises RequestIdReused."""
        ...

    async def end(
        self, scope: Scope, ending: Ending, request: RequestKey | None, *, now: datetime
    ) -> Ended:
        """Removes the run and stores the memories, repeats of others merged into those, in one transaction that advances
        the scope's revision by one. Raises NotFound, RequestIdReused, AlreadyExists, ValueRejected, and VersionConflict
        where a round came that was not distilled."""
        ...

    async def kept(self, scope: Scope, memory_ids: Sequence[MemoryId]) -> Sequence[Memory]:
        """The memories of these ids that are still there, in the order given."""
        ...
