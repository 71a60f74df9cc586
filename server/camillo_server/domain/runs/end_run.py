"""EndRun: what a run held is gone, but for what is kept of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from camillo_server.domain.clock import Clock
from camillo_server.domain.errors import VersionConflict
from camillo_server.domain.memory import Memory, MemoryDraft
from camillo_server.domain.memory_making import MemoryMaking
from camillo_server.domain.runs.distilling import distilled
from camillo_server.domain.runs.ports import Ended, Ending, RunEndings, RunStore
from camillo_server.domain.runs.run import RunId
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey

# So often is distilled anew what was appended to meanwhile.
ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class RunToEnd:
    """Which run, whether to keep what came of it, and what its agent wants to keep beside."""

    run_id: RunId
    is_distilled: bool
    drafts: Sequence[MemoryDraft]


@dataclass(frozen=True, slots=True)
class EndedRun:
    """The memories that were kept, the distilled one first, how many rounds are gone, and the revision of that."""

    memories: Sequence[Memory]
    rounds: int
    revision: int


class EndRun:
    """Removes a run and stores memories without their secrets: both or neither."""

    def __init__(
        self, store: RunStore, endings: RunEndings, making: MemoryMaking, clock: Clock
    ) -> None:
        self._store = store
        self._endings = endings
        self._making = making
        self._clock = clock

    async def __call__(
        self, scope: Scope, wanted: RunToEnd, request: RequestKey | None
    ) -> EndedRun:
        """A repeat tells of the same memories, as they are now. Raises NotFound, AlreadyExists, RequestIdReused,
        ValueRejected, VersionConflict, KeyMissing, StorageUnavailable."""
        ended = await self._endings.ended(scope, request, now=self._clock.now())
        if ended is None:
            ended = await self._end(scope, wanted, request)
        memories = await self._endings.kept(scope, ended.memory_ids)
        return EndedRun(memories, ended.rounds, ended.revision)

    async def _end(self, scope: Scope, wanted: RunToEnd, request: RequestKey | None) -> Ended:
        attempt = 1
        while True:
            ending = await self._ending(scope, wanted)
            try:
                return await self._endings.end(scope, ending, request, now=self._clock.now())
            except VersionConflict:
                # A round came between: what is acknowledged is part of what is distilled.
                if attempt == ATTEMPTS:
                    raise
            attempt += 1

    async def _ending(self, scope: Scope, wanted: RunToEnd) -> Ending:
        drafts, rounds = list(wanted.drafts), None
        if wanted.is_distilled:
            run, summaries = await self._store.summaries(
                scope, wanted.run_id, now=self._clock.now()
            )
            drafts.insert(0, distilled(run, summaries))
            rounds = run.rounds
        made = await self._making.made(scope, drafts)
        return Ending(wanted.run_id, made.rows, rounds)
