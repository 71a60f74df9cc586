"""Use cases of distillations: turns sent to a model, and what it answers stored as proposals; and the same answers
checked once more."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from camillo_server.features.distillation.answers import checked
from camillo_server.features.distillation.model import DistillationModel
from camillo_server.features.distillation.prompt import Prompt, prompt
from camillo_server.features.distillation.proposal import (
    Distillation,
    DistillationId,
    DistillationOff,
    DistillationState,
    DistillationTrigger,
    DistilledReplay,
    FinishedDistillation,
    ModelRequest,
    Proposal,
    ProposalId,
    ProposalState,
)
from camillo_server.features.distillation.selection import MAX_SENT, Selection, passages, turns_of, worth_sending
from camillo_server.features.distillation.statement import Checked, DropReason, Passage, Statement
from camillo_server.features.distillation.store.distillations import BEGINNING, DistillationStore, TurnQuery
from camillo_server.features.distillation.store.known import KnownMemories
from camillo_server.features.distillation.store.proposals import ProposalFilter, ProposalStore
from camillo_server.features.events.event import Event
from camillo_server.kernel.clock import Clock, earlier, time_ordered_uuid, time_ordered_uuids
from camillo_server.kernel.ids import EventCursor, PageCursor
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import SHARED, Scope, patterns_over
from camillo_server.kernel.writes import NO_PLAN, PlanConsent, RequestKey, Written
from camillo_server.lib.redaction.redaction import Redactor
from camillo_server.models.embedding.limits import SpendLimit
from camillo_server.settings.lifecycle import DistillationSettings

# A distillation reads so many turns: what one call, or one job, sends and stores at once.
MAX_TURNS = 100
# A lease outlives the time-out of a request by this much.
LEASE_MARGIN = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Distilled:
    """The distillation (None where there was nothing to read), its proposals, whether another call would read further
    turns, the revision that holds it, and the digest of a dry run's plan."""

    distillation: Distillation | None
    proposals: Sequence[Proposal] = ()
    has_more: bool = False
    revision: int = 0
    plan_digest: bytes = b""


@dataclass(frozen=True, slots=True)
class Replayed:
    """The statements that come of the stored answers now, and whether they are those of then."""

    proposals: Sequence[Proposal]
    dropped: Mapping[DropReason, int]
    is_identical: bool


@dataclass(frozen=True, slots=True)
class _Batch:
    """Turns that were read, what of them is sent, and where the cursor stands behind them."""

    events: Sequence[Event]
    selection: Selection
    cursor: EventCursor | None
    has_more: bool

    @property
    def digest(self) -> bytes:
        """A digest that only a batch of the same turns has, of which the same are sent."""
        sent = [[str(turn.event_id) for turn in passage.turns] for passage in self.selection.passages]
        read = [str(event.event_id) for event in self.events]
        return hashlib.sha256(json.dumps([read, sent]).encode()).digest()


class Distil:
    """Distillations of a scope. Every method raises KeyMissing, BytesLost and StorageUnavailable."""

    def __init__(
        self,
        store: DistillationStore,
        proposals: ProposalStore,
        known: KnownMemories,
        model: DistillationModel | None,
        settings: DistillationSettings,
        redactor: Redactor,
        clock: Clock,
    ) -> None:
        self._store = store
        self._proposals = proposals
        self._known = known
        self._model = model
        self._settings = settings
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        session_id: str,
        trigger: DistillationTrigger,
        request: RequestKey | None = None,
        consent: PlanConsent = NO_PLAN,
    ) -> Distilled:
        """Sends the next turns of a session, or of all (""), and stores what the model proposes: one commit, with the
        new position of the cursor. Raises DistillationOff, DistillationUnderWay, PlanChanged, QuotaExceeded,
        ModelUnavailable, RequestIdReused."""
        now = self._clock.now()
        written = await self._store.first_answer(scope, request, now)
        if written is not None:
            return await self._distilled(scope, written)
        model = self._required(scope)
        is_on_request = trigger is DistillationTrigger.REQUEST
        lease_id = time_ordered_uuid(now)
        if not await self._store.has_events(scope):
            return Distilled(None)
        cursor = await self._store.lease(scope, lease_id, now + model.timeout + LEASE_MARGIN, now)
        try:
            batch = await self._batch(scope, session_id, cursor, now, is_on_request=is_on_request)
            if batch is None:
                return Distilled(None)
            consent.require(len(batch.events), batch.digest, now)
            answers = await self._ask(model, scope, batch, lease_id)
            distillation = _distillation(batch, answers, session_id, trigger, model.model_id, self._clock.now())
            finished = _finished(distillation, batch, answers)
            written = await self._store.finish(scope, finished, lease_id, request, self._clock.now())
        finally:
            await self._store.release(scope, lease_id)
        return await self._distilled(scope, written)

    async def plan(self, scope: Scope, session_id: str) -> Distilled:
        """Chooses what would be sent, without sending it. Raises DistillationOff."""
        model, now = self._required(scope), self._clock.now()
        batch = await self._batch(scope, session_id, await self._store.cursor(scope), now, is_on_request=True)
        if batch is None:
            return Distilled(None)
        distillation = _distillation(
            batch, ModelAnswers(model.limit_of_run()), session_id, DistillationTrigger.REQUEST, model.model_id, now
        )
        return Distilled(distillation, (), batch.has_more, 0, batch.digest)

    async def replay(self, scope: Scope, distillation_id: UUID) -> Replayed:
        """Checks the stored answers once more; stores nothing and asks no model. Raises NotFound."""
        key = DistillationId(distillation_id)
        then = await self._store.get(scope, key)
        requests = await self._store.requests(scope, key)
        found = [await self._checked_again(scope, each) for each in requests]
        statements = [each for checked_ in found for each in checked_.statements]
        dropped = sum((checked_.dropped for checked_ in found), Counter[DropReason]())
        stored = await self._proposals.page(scope, ProposalFilter(distillation_id=key), None, len(statements) + 1)
        by_place = {each.place: each for each in stored}
        proposals = [
            Proposal(ProposalId(key), key, place, ProposalState.PENDING, each, then.created_at)
            for place, each in enumerate(statements)
        ]
        is_whole = len(requests) == then.requests and by_place.keys() == set(range(len(statements)))
        is_same = is_whole and all(
            by_place[place].edited or canonical(by_place[place].stated) == canonical(each)
            for place, each in enumerate(statements)
        )
        return Replayed(proposals, dropped, is_same)

    async def list(
        self, scope: Scope, state: DistillationState | None, after: PageCursor | None, size: int
    ) -> Sequence[Distillation]:
        """A page, newest first."""
        return await self._store.page(scope, state, after, size)

    async def get(self, scope: Scope, distillation_id: UUID) -> Distillation:
        """Raises NotFound."""
        return await self._store.get(scope, DistillationId(distillation_id))

    def is_on(self, scope: Scope) -> bool:
        """Whether a model may be asked about this space."""
        return self._model is not None and is_enabled(self._settings, scope)

    def _required(self, scope: Scope) -> DistillationModel:
        """Raises DistillationOff."""
        if self._model is None or not self.is_on(scope):
            raise DistillationOff
        return self._model

    async def _batch(
        self, scope: Scope, session_id: str, cursor: EventCursor, now: datetime, *, is_on_request: bool
    ) -> _Batch | None:
        """The next turns; None where there are none. Who asks for them wants old ones, too."""
        since = None if is_on_request else earlier(now, timedelta(days=self._settings.max_age_days))
        start = BEGINNING if session_id else cursor
        query = TurnQuery(session_id, start, MAX_SENT, since, MAX_TURNS + 1)
        found = await self._store.turns(scope, query)
        events = found[:MAX_TURNS]
        if not events:
            return None
        turns = turns_of(events)
        chosen, _ = await off_loop(UNBOUNDED, lambda: worth_sending(turns, {}))
        near = await self._known.near(scope, chosen, now)
        selection = await off_loop(UNBOUNDED, lambda: passages(turns, near))
        behind = None if session_id else EventCursor(events[-1].revision, events[-1].index)
        return _Batch(events, selection, behind, len(found) > len(events))

    async def _ask(self, model: DistillationModel, scope: Scope, batch: _Batch, lease_id: UUID) -> "ModelAnswers":
        """One request for each passage, in their order. Raises DistillationUnderWay, QuotaExceeded,
        ModelUnavailable."""
        answers = ModelAnswers(model.limit_of_run())
        for passage in batch.selection.passages:
            now = self._clock.now()
            await self._store.lease(scope, lease_id, now + model.timeout + LEASE_MARGIN, now)
            told = prompt(passage)
            answer = await model.ask(told.messages, scope, answers.spent)
            answers.add(passage, told, answer, await self._checked(answer, told, passage))
        return answers

    async def _checked(self, answer: str, told: Prompt, passage: Passage) -> Checked:
        """The part of an answer that counts: no text with a secret."""

        def work() -> Checked:
            found = checked(answer, told, passage)
            kept = [each for each in found.statements if not self._redactor.redact(each.content)[1]]
            dropped = Counter(found.dropped)
            dropped[DropReason.VALUE_REJECTED] += len(found.statements) - len(kept)
            return Checked(kept, +dropped)

        return await off_loop(UNBOUNDED, work)

    async def _checked_again(self, scope: Scope, request: ModelRequest) -> Checked:
        """Nothing where a turn or a memory that the answer is about is gone."""
        events = await self._store.events(scope, request.event_ids)
        known = await self._known.versions(scope, request.memories)
        if not all(each in events for each in request.event_ids) or not all(each in known for each in request.memories):
            return Checked((), Counter())
        turns = turns_of([events[each] for each in request.event_ids])
        sent = [replace(turn, text=text) for turn, text in zip(turns, request.texts, strict=True)]
        passage = Passage(sent, [known[each] for each in request.memories])
        return await self._checked(request.answer, prompt(passage, request.seed), passage)

    async def _distilled(self, scope: Scope, written: Written[DistilledReplay]) -> Distilled:
        """The distillation as it is stored, with its proposals."""
        key = written.record.distillation_id
        distillation = await self._store.get(scope, key)
        filter = ProposalFilter(distillation_id=key)
        proposals = await self._proposals.page(scope, filter, None, max(written.record.proposals, 1))
        in_order = sorted(proposals, key=lambda each: each.place)
        return Distilled(distillation, in_order, written.record.has_more, written.revision)


@dataclass(slots=True)
class ModelAnswers:
    """The answers of a model so far, and their cost."""

    # The cost, and its bound.
    spent: SpendLimit
    requests: list[ModelRequest] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    dropped: Counter[DropReason] = field(default_factory=Counter)

    def add(self, passage: Passage, told: Prompt, answer: str, found: Checked) -> None:
        """The answer about a passage, and what counts of it."""
        event_ids = [turn.event_id for turn in passage.turns]
        texts = [turn.text for turn in passage.turns]
        memories = [(known.memory_id, known.version) for known in passage.known]
        self.requests.append(ModelRequest(event_ids, texts, memories, told.seed, answer))
        self.prompts.append(told)
        self.statements += found.statements
        self.dropped += found.dropped

    @property
    def prompt_digest(self) -> bytes:
        """SHA-256 of the messages of all requests, in their order; empty without one."""
        if not self.prompts:
            return b""
        messages = [each.messages for each in self.prompts]
        return hashlib.sha256(json.dumps(messages, ensure_ascii=False).encode("utf-8", "surrogatepass")).digest()


def _distillation(
    batch: _Batch, answers: ModelAnswers, session_id: str, trigger: DistillationTrigger, model_id: str, now: datetime
) -> Distillation:
    selection, spent = batch.selection, answers.spent
    return Distillation(
        distillation_id=DistillationId(time_ordered_uuid(now)),
        state=DistillationState.DONE,
        trigger=trigger,
        session_id=session_id,
        model_id=model_id,
        prompt_digest=answers.prompt_digest,
        turns=len(batch.events),
        turns_sent=sum(len(passage.turns) for passage in selection.passages),
        said_tokens=selection.said_tokens,
        sent_tokens=selection.sent_tokens,
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        nano_usd=spent.nano_usd,
        requests=len(answers.requests) or len(selection.passages),
        first_event_id=batch.events[0].event_id,
        last_event_id=batch.events[-1].event_id,
        dropped=answers.dropped,
        left_out=selection.left_out,
        created_at=now,
    )


def _finished(distillation: Distillation, batch: _Batch, answers: ModelAnswers) -> FinishedDistillation:
    return FinishedDistillation(
        distillation,
        _proposals(distillation, answers.statements, batch.selection.passages),
        answers.requests,
        [event.event_id for event in batch.events],
        max(event.sensitivity for event in batch.events),
        batch.cursor,
        batch.has_more,
    )


def _proposals(
    distillation: Distillation, statements: Sequence[Statement], passages: Sequence[Passage]
) -> Sequence[Proposal]:
    versions = {known.memory_id: known.version for passage in passages for known in passage.known}
    ids = time_ordered_uuids(distillation.created_at, len(statements))
    return [
        Proposal(
            proposal_id=ProposalId(proposal_id),
            distillation_id=distillation.distillation_id,
            place=place,
            state=ProposalState.PENDING,
            stated=stated,
            created_at=distillation.created_at,
            memory_version=None if stated.memory_id is None else versions.get(stated.memory_id),
        )
        for place, (stated, proposal_id) in enumerate(zip(statements, ids, strict=True))
    ]


def canonical(statement: Statement) -> bytes:
    """The same bytes for the same statement, whether it was stored or not."""
    return json.dumps(asdict(statement), default=_plain, sort_keys=True, ensure_ascii=False).encode(
        "utf-8", "surrogatepass"
    )


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def is_enabled(settings: DistillationSettings, scope: Scope) -> bool:
    """Whether the space is one of those that may be sent to the model."""
    patterns = settings.spaces.get(scope.tenant_id, ())
    if "*" in patterns:
        return True
    return any(each in patterns for each in patterns_over(scope.agent_id or SHARED))
