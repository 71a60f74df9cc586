"""Runs: what an agent holds in mind from the start of a run to its end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NewType, Protocol
from uuid import UUID

from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.memories.memory import Memory, NewRow

RunId = NewType("RunId", UUID)
# So many of the last rounds are shown as they were.
WHOLE_ROUNDS = 3
# Bounds that protect the server: of one run, and of the runs that one scope has at a time.
MOST_ROUNDS = 10_000
MOST_INSTRUCTIONS = 100
MOST_BYTES = 8 * 1024 * 1024
MOST_OPEN_RUNS = 1_000
# Rendering writes at most once in so long: what it writes holds for the renderings that follow.
RENDERING_HOLDS = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Trigger:
    """What set a run off."""

    type: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function that the agent called, and what came back."""

    name: str
    arguments: Mapping[str, Any]
    result: str = ""
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model answered."""

    text: str


@dataclass(frozen=True, slots=True)
class RunStep:
    """One thing that happened. Without a time: when it was appended."""

    what: FunctionCall | Answer
    occurred_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RunDraft:
    """What a caller states. Already validated."""

    trigger: Trigger
    focus: str = ""
    session_id: str = ""
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    max_tokens: int = 2_000
    idle_seconds: int = 3_600

    @property
    def idle(self) -> timedelta:
        """It ends by itself after so long without a call."""
        return timedelta(seconds=self.idle_seconds)


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it is. From `ends_at` on it is gone, whether or not its rows are."""

    run_id: RunId
    agent_id: AgentId
    stated: RunDraft
    rounds: int
    instructions: int
    started_at: datetime
    active_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Round:
    """What was appended at once. Numbers begin with 1."""

    number: int
    steps: Sequence[RunStep]


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """What a round comes to: one sentence, the calls that failed, and what its last answer begins with."""

    sentence: str
    failures: Sequence[str] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class RunContents:
    """What is needed of a run to render it: the last rounds in their order, and summaries by number, also of those."""

    run: Run
    instructions: Sequence[str]
    rounds: Sequence[Round]
    summaries: Mapping[int, RoundSummary]


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
