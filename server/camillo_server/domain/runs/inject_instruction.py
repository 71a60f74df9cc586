"""InjectInstruction: what the agent is told while it runs."""

from collections.abc import Sequence

from camillo_server.domain.clock import Clock
from camillo_server.domain.field_redaction import FieldRedaction
from camillo_server.domain.redaction import Redaction, Redactor
from camillo_server.domain.runs.ports import NewInstruction, RunStore
from camillo_server.domain.runs.run import Run, RunId
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


class InjectInstruction:
    """Adds an instruction without its secrets."""

    def __init__(self, store: RunStore, redactor: Redactor, clock: Clock) -> None:
        self._store = store
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self, scope: Scope, run_id: RunId, instruction: str, request: RequestKey | None
    ) -> tuple[Run, int, Sequence[Redaction]]:
        """The run as it is now, the revision that holds the instruction, and what was taken out. Raises NotFound,
        RequestIdReused, ValueRejected, QuotaExceeded, KeyMissing, StorageUnavailable."""
        fields = FieldRedaction(self._redactor)
        new = NewInstruction(run_id, fields.text("instruction", instruction))
        run, revision = await self._store.instruct(scope, new, request, now=self._clock.now())
        return run, revision, fields.redactions
