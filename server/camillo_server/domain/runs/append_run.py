"""AppendRun: what happened since the round before."""

from collections.abc import Sequence

from camillo_server.domain.clock import Clock
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.domain.redaction import Redaction, Redactor
from camillo_server.domain.runs.ports import NewRound, RunStore
from camillo_server.domain.runs.redaction import redacted_steps
from camillo_server.domain.runs.run import Run, RunId, RunStep
from camillo_server.domain.runs.summarising import summary_of
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


class AppendRun:
    """Adds a round without its secrets, and what it comes to in a sentence."""

    def __init__(self, store: RunStore, redactor: Redactor, clock: Clock) -> None:
        self._store = store
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self, scope: Scope, run_id: RunId, steps: Sequence[RunStep], request: RequestKey | None
    ) -> tuple[Run, int, Sequence[Redaction]]:
        """The run as it is now, the revision that holds the round, and what was taken out. Raises NotFound,
        RequestIdReused, ValueRejected, QuotaExceeded, KeyMissing, StorageUnavailable."""
        # Whether that takes long is not told by the texts: keys and numbers cost as much.
        new, redactions = await off_loop(UNBOUNDED, lambda: self._made(run_id, steps))
        run, revision = await self._store.append(scope, new, request, now=self._clock.now())
        return run, revision, redactions

    def _made(
        self, run_id: RunId, steps: Sequence[RunStep]
    ) -> tuple[NewRound, Sequence[Redaction]]:
        cleaned, redactions = redacted_steps(steps, self._redactor)
        return NewRound(run_id, cleaned, summary_of(cleaned)), redactions
