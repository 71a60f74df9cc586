"""Use cases of runs: started with a snapshot of context, appended to, rendered, and ended with what is kept."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from camillo_server.context.build_bundle import BuildBundle, BundleAsked
from camillo_server.context.bundle import Bundle
from camillo_server.events.chunks import json_text
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import VersionConflict
from camillo_server.kernel.ids import time_ordered_uuid
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.memories.builder import MemoryBuilder
from camillo_server.memories.memory import Memory, MemoryDraft
from camillo_server.redaction.redaction import FieldRedaction, Redaction, Redactor
from camillo_server.runs.rendering import RenderedRun
from camillo_server.runs.rendering import render as render_run
from camillo_server.runs.run import (
    Ended,
    Ending,
    NewInstruction,
    NewRound,
    Run,
    RunDraft,
    RunId,
    RunStep,
)
from camillo_server.runs.run_texts import redacted_run, redacted_steps
from camillo_server.runs.store.endings import RunEndings
from camillo_server.runs.store.runs import RunStore
from camillo_server.runs.summarizing import distilled, summary_of
from camillo_server.text.tokens import TokenCounter

SNAPSHOT_RECIPE = "run_snapshot"
# Attempts to distill a run to which rounds are appended meanwhile.
ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class StartedRun:
    """The run, the revision that holds it, and the snapshot, if one was asked for."""

    run: Run
    revision: int
    snapshot: Bundle | None


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


class Runs:
    """Runs of a scope, stored without their secrets."""

    def __init__(
        self,
        store: RunStore,
        endings: RunEndings,
        bundle: BuildBundle,
        memories: MemoryBuilder,
        redactor: Redactor,
        counter: TokenCounter,
        clock: Clock,
    ) -> None:
        self._store = store
        self._endings = endings
        self._bundle = bundle
        self._memories = memories
        self._redactor = redactor
        self._counter = counter
        self._clock = clock

    async def start(
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

    async def append(
        self, scope: Scope, run_id: RunId, steps: Sequence[RunStep], request: RequestKey | None
    ) -> tuple[Run, int, Sequence[Redaction]]:
        """The run as it is now, the revision that holds the round, and what was taken out. Raises NotFound,
        RequestIdReused, ValueRejected, QuotaExceeded, KeyMissing, StorageUnavailable."""
        # The length of the texts does not show how long that takes: keys and numbers cost as much.
        new, redactions = await off_loop(UNBOUNDED, lambda: self._new_round(run_id, steps))
        run, revision = await self._store.append(scope, new, request, now=self._clock.now())
        return run, revision, redactions

    def _new_round(
        self, run_id: RunId, steps: Sequence[RunStep]
    ) -> tuple[NewRound, Sequence[Redaction]]:
        cleaned, redactions = redacted_steps(steps, self._redactor)
        return NewRound(run_id, cleaned, summary_of(cleaned)), redactions

    async def inject(
        self, scope: Scope, run_id: RunId, instruction: str, request: RequestKey | None
    ) -> tuple[Run, int, Sequence[Redaction]]:
        """The run as it is now, the revision that holds the instruction, and what was taken out. Raises NotFound,
        RequestIdReused, ValueRejected, QuotaExceeded, KeyMissing, StorageUnavailable."""
        fields = FieldRedaction(self._redactor)
        new = NewInstruction(run_id, fields.text("instruction", instruction))
        run, revision = await self._store.instruct(scope, new, request, now=self._clock.now())
        return run, revision, fields.redactions

    async def render(
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
        # The text is counted many times: even a short one takes milliseconds.
        rendered = await off_loop(
            UNBOUNDED, lambda: render_run(contents, budget, self._counter, seed)
        )
        return rendered, replace(run, active_at=now)

    async def end(self, scope: Scope, wanted: RunToEnd, request: RequestKey | None) -> EndedRun:
        """A repeated request returns the same memories, as they are now. Raises NotFound, AlreadyExists, RequestIdReused,
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
                # A round was appended meanwhile: acknowledged rounds are part of what is distilled.
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
        built = await self._memories.build(scope, drafts)
        return Ending(wanted.run_id, built.rows, rounds)


def _snapshot_asked(scope: Scope, draft: RunDraft, max_tokens: int) -> BundleAsked:
    trigger = draft.trigger
    parts = (trigger.type, json_text(trigger.payload), draft.focus)
    return BundleAsked(
        scope=scope,
        recipe=SNAPSHOT_RECIPE,
        channel=Channel.PRIVATE,
        session_id=draft.session_id,
        query="\n".join(text for text in parts if text),
        max_tokens=max_tokens,
    )
