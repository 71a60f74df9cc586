"""StartRun: a run begins, and its agent is told what it should know."""

from dataclasses import dataclass
from functools import partial

from camillo_server.domain.channel import Channel
from camillo_server.domain.clock import Clock
from camillo_server.domain.context.build_bundle import BuildBundle, BundleAsked
from camillo_server.domain.context.bundle import Bundle
from camillo_server.domain.events.json_text import json_text
from camillo_server.domain.ids import time_ordered_uuid
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.domain.redaction import Redactor
from camillo_server.domain.runs.ports import RunStore
from camillo_server.domain.runs.redaction import redacted_run
from camillo_server.domain.runs.run import Run, RunDraft, RunId
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey

SNAPSHOT_RECIPE = "run_snapshot"


@dataclass(frozen=True, slots=True)
class StartedRun:
    """The run, the revision that holds it, and the snapshot, if one was asked for."""

    run: Run
    revision: int
    snapshot: Bundle | None


class StartRun:
    """Stores a run without its secrets."""

    def __init__(
        self, store: RunStore, bundle: BuildBundle, redactor: Redactor, clock: Clock
    ) -> None:
        self._store = store
        self._bundle = bundle
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        draft: RunDraft,
        snapshot_tokens: int | None,
        request: RequestKey | None,
    ) -> StartedRun:
        """The snapshot takes at most so many tokens; None for no snapshot. Where it fails, no run has started. Raises
        BudgetTooSmall, RequestIdReused, ValueRejected, QuotaExceeded, KeyMissing, StorageUnavailable."""
        draft = await off_loop(UNBOUNDED, partial(redacted_run, draft, self._redactor))
        snapshot = None
        if snapshot_tokens is not None:
            snapshot = await self._bundle(_snapshot_asked(scope, draft, snapshot_tokens))
        now = self._clock.now()
        run = Run(
            run_id=RunId(time_ordered_uuid(now)),
            agent_id=scope.agent_id,
            stated=draft,
            rounds=0,
            instructions=0,
            started_at=now,
            active_at=now,
            ends_at=now + draft.idle,
        )
        started, revision = await self._store.start(scope, run, request, now=now)
        return StartedRun(started, revision, snapshot)


def _snapshot_asked(scope: Scope, draft: RunDraft, max_tokens: int) -> BundleAsked:
    trigger = draft.trigger
    told = (trigger.type, json_text(trigger.payload), draft.focus)
    return BundleAsked(
        scope=scope,
        recipe=SNAPSHOT_RECIPE,
        channel=Channel.PRIVATE,
        session_id=draft.session_id,
        query="\n".join(text for text in told if text),
        max_tokens=max_tokens,
    )
