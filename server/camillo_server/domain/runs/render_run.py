"""RenderRun: a run as a text for a prompt."""

from dataclasses import replace

from camillo_server.domain.clock import Clock
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.domain.runs.ports import RunStore
from camillo_server.domain.runs.rendering import RenderedRun, render
from camillo_server.domain.runs.run import Run, RunId
from camillo_server.domain.scope import Scope
from camillo_server.domain.tokens import TokenCounter


class RenderRun:
    """Reads a run, notes that it was rendered, and fits it into a budget."""

    def __init__(self, store: RunStore, counter: TokenCounter, clock: Clock) -> None:
        self._store = store
        self._counter = counter
        self._clock = clock

    async def __call__(
        self, scope: Scope, run_id: RunId, max_tokens: int | None
    ) -> tuple[RenderedRun, Run]:
        """Without `max_tokens`, in as many as the run says. Raises NotFound, BudgetTooSmall, KeyMissing, BytesLost,
        StorageUnavailable."""
        now = self._clock.now()
        contents = await self._store.contents(scope, run_id, max_tokens, now=now)
        run = contents.run
        if run.ends_at < now + run.stated.idle:
            await self._store.touch(scope, run, now=now)
        seed = f"{scope.tenant_id}/{scope.agent_id}/{run_id}"
        budget = max_tokens or run.stated.max_tokens
        # Many times counted: of a short text, too, it takes milliseconds.
        rendered = await off_loop(UNBOUNDED, lambda: render(contents, budget, self._counter, seed))
        return rendered, replace(run, active_at=now)
