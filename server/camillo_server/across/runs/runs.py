"""Use cases of runs: started with a snapshot of context, appended to, rendered, and ended with what is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from camillo_server.across.context.build_bundle import BuildBundle
from camillo_server.across.context.bundle import Bundle, BundleRequest
from camillo_server.across.runs.rendering import RenderedRun, render
from camillo_server.across.runs.run import (
    Ending,
    Run,
    RunDraft,
    RunId,
    RunPage,
    RunStep,
    SnapshotLimits,
    prose_of_steps,
    redacted_run,
    redacted_steps,
    shortened_steps,
    steps_cost,
)
from camillo_server.across.runs.store.endings import EndedReplay, RunEndings
from camillo_server.across.runs.store.entries import NewRound
from camillo_server.across.runs.store.runs import RunStore
from camillo_server.across.runs.summarizing import distilled, summary_of
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.clock import Clock, time_ordered_uuid
from camillo_server.kernel.errors import VersionConflict
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import Attribution, Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.redaction.redaction import FieldRedaction, Redaction, Redactor
from camillo_server.lib.text.json_lines import json_text
from camillo_server.lib.text.tokens import TokenCounter
from camillo_server.rows.builder import MemoryBuilder
from camillo_server.rows.row import MemoryDraft, Row
from camillo_server.storage.blocklist import OmittedText, ShortenedText, offset_in

SNAPSHOT_RECIPE = "run_snapshot"
# Attempts to distill a run to which rounds are appended meanwhile.
ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class RunToEnd:
    """The run to end, whether to keep what came of it, what its agent wants to keep beside, and who says so."""

    run_id: RunId
    is_distilled: bool
    drafts: Sequence[MemoryDraft]
    ended_by: Attribution


@dataclass(frozen=True, slots=True)
class AppendedRound:
    """The run as it is now, the revision that holds the round, the secrets that were taken out, and where sentences
    were left out."""

    run: Run
    revision: int
    redactions: Sequence[Redaction]
    omitted: Sequence[OmittedText]


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
        limits: SnapshotLimits | None,
        request: RequestKey | None,
    ) -> tuple[Run, int, Bundle | None]:
        """The run, the revision that holds it, and the snapshot within these limits; None for no snapshot.
        If it fails, no run has started. Raises BudgetTooSmall, RequestIdReused, ValueRejected, QuotaExceeded,
        KeyMissing, StorageUnavailable."""
        draft = await off_loop(UNBOUNDED, partial(redacted_run, draft, self._redactor))
        snapshot = None
        if limits is not None:
            snapshot = await self._bundle(_snapshot_request(scope, draft, limits))
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
        return started, revision, snapshot

    async def append(
        self,
        scope: Scope,
        run_id: RunId,
        steps: Sequence[RunStep],
        request: RequestKey | None,
        *,
        omit_forgotten: bool = False,
        now: datetime | None = None,
    ) -> AppendedRound:
        """Appends a round; with `omit_forgotten`, without sentences of answers and results that were forgotten. `now`
        is when it counts as appended. Raises NotFound, RequestIdReused, ValueRejected, QuotaExceeded, KeyMissing,
        StorageUnavailable."""
        cost = steps_cost(steps)
        steps, redactions = await off_loop(cost, lambda: redacted_steps(steps, self._redactor))
        shortened: Mapping[str, ShortenedText] = {}
        if omit_forgotten:
            shortened = await self._store.without_forgotten(scope, prose_of_steps(steps))
            steps = shortened_steps(steps, shortened)
        now = now or self._clock.now()
        new_round = await off_loop(cost, lambda: NewRound.of(steps, summary_of(steps), now))
        run, revision = await self._store.append(scope, run_id, new_round, request, now=now)
        return AppendedRound(
            run,
            revision,
            [
                replace(each, offset=offset)
                for each in redactions
                if (offset := offset_in(shortened, each.field, each.offset)) is not None
            ],
            [place for field, each in shortened.items() for place in each.omitted(field)],
        )

    async def preview(self, steps: Sequence[RunStep]) -> Sequence[Redaction]:
        """The secrets that `append` will take out of these steps; nothing is stored, and Postgres asked nothing."""
        cost = steps_cost(steps)
        _, redactions = await off_loop(cost, lambda: redacted_steps(steps, self._redactor))
        return redactions

    async def inject(
        self, scope: Scope, run_id: RunId, instruction: str, request: RequestKey | None
    ) -> tuple[Run, int, Sequence[Redaction]]:
        """The run as it is now, the revision that holds the instruction, and what was taken out. Raises NotFound,
        RequestIdReused, ValueRejected, QuotaExceeded, KeyMissing, StorageUnavailable."""
        fields = FieldRedaction(self._redactor)
        text = fields.text("instruction", instruction)
        run, revision = await self._store.instruct(scope, run_id, text, request, now=self._clock.now())
        return run, revision, fields.redactions

    async def render(self, scope: Scope, run_id: RunId, max_tokens: int | None) -> tuple[RenderedRun, Run]:
        """Renders a run within `max_tokens`, or as many as the run says. Raises NotFound, BudgetTooSmall, KeyMissing,
        BytesLost, StorageUnavailable."""
        now = self._clock.now()
        contents = await self._store.contents(scope, run_id, max_tokens, now=now)
        run = contents.run
        if run.ends_at < now + run.stated.idle:
            await self._store.touch(scope, run, now=now)
        seed = self._bundle.fence_seed(f"{scope.tenant_id}/{scope.agent_id}/{run_id}")
        budget = max_tokens or run.stated.max_tokens
        # The text is counted many times: even a short one takes milliseconds.
        rendered = await off_loop(UNBOUNDED, lambda: render(contents, budget, self._counter, seed))
        return rendered, replace(run, active_at=now)

    async def list(self, scope: Scope, session_id: str, after: PageCursor | None, size: int) -> RunPage:
        """One page of the runs that have not ended, the last started first. Raises KeyMissing, BytesLost,
        StorageUnavailable."""
        # One more than requested shows whether there is a next page.
        runs = await self._store.page(scope, session_id, after, size + 1, now=self._clock.now())
        has_more = len(runs) > size
        page = runs[:size]
        cursor = PageCursor(page[-1].started_at, page[-1].run_id) if has_more else None
        return RunPage(page, cursor)

    async def end(self, scope: Scope, to_end: RunToEnd, request: RequestKey | None) -> tuple[Sequence[Row], int, int]:
        """The memories that were kept, the distilled one first, how many rounds are gone, and the revision of that. A
        repeated request returns the same memories, as they are now. Raises NotFound, AlreadyExists, RequestIdReused,
        ValueRejected, VersionConflict, KeyMissing, StorageUnavailable."""
        written = await self._endings.first_answer(scope, request, now=self._clock.now())
        if written is None:
            written = await self._end(scope, to_end, request)
        memories = await self._endings.kept(scope, written.record.memory_ids)
        return memories, written.record.rounds, written.revision

    async def _end(self, scope: Scope, to_end: RunToEnd, request: RequestKey | None) -> Written[EndedReplay]:
        attempt = 1
        while True:
            ending = await self._ending(scope, to_end)
            try:
                return await self._endings.end(scope, ending, request, now=self._clock.now())
            except VersionConflict:
                # A round was appended meanwhile: acknowledged rounds are part of what is distilled.
                if attempt == ATTEMPTS:
                    raise
            attempt += 1

    async def _ending(self, scope: Scope, to_end: RunToEnd) -> Ending:
        drafts, rounds = list(to_end.drafts), None
        if to_end.is_distilled:
            run, summaries = await self._store.summaries(scope, to_end.run_id, now=self._clock.now())
            drafts.insert(0, distilled(run, summaries, to_end.ended_by))
            rounds = run.rounds
        built = await self._memories.build(scope, drafts)
        return Ending(to_end.run_id, built.rows, rounds)


def _snapshot_request(scope: Scope, draft: RunDraft, limits: SnapshotLimits) -> BundleRequest:
    trigger = draft.trigger
    parts = (trigger.type, json_text(trigger.payload), draft.focus)
    return BundleRequest(
        scope=scope,
        recipe=SNAPSHOT_RECIPE,
        channel=Channel.PRIVATE,
        session_id=draft.session_id,
        query="\n".join(text for text in parts if text),
        max_tokens=limits.max_tokens,
        document_categories=limits.document_categories,
    )
