"""Use cases of proposals: reviewed, edited, and undone with their distillation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from camillo_server.features.distillation.proposal import (
    ACTOR,
    DistillationId,
    Proposal,
    ProposalId,
    ReviewReplay,
)
from camillo_server.features.distillation.recording import RecordProposals
from camillo_server.features.distillation.statement import Operation
from camillo_server.features.distillation.store.proposals import (
    PreparedReview,
    ProposalFilter,
    ProposalStore,
    Review,
    require_pending,
)
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound, WrongState
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.scope import Attribution, Scope, TrustLevel
from camillo_server.kernel.writes import Written
from camillo_server.lib.redaction.redaction import Redaction, Redactor, redacted_values_off_loop
from camillo_server.rows.builder import MemoryBuilder
from camillo_server.rows.row import MemoryDraft, NewRow
from camillo_server.storage.quotas import Quotas

# As what is imported: nobody has said how important it is.
IMPORTANCE = 0.5


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The proposals as they are now, and the revision that holds them."""

    proposals: Sequence[Proposal]
    revision: int


@dataclass(frozen=True, slots=True)
class Undone:
    """How many proposals were undone, those whose records somebody has changed, and the revision that holds it."""

    reverted: int
    changed_ids: Sequence[ProposalId]
    revision: int


class Reviews:
    """Proposals of a scope. Every method raises KeyMissing, BytesLost and StorageUnavailable, writes
    RequestIdReused."""

    def __init__(
        self,
        store: ProposalStore,
        builder: MemoryBuilder,
        record: RecordProposals,
        redactor: Redactor,
        quotas: Quotas,
        clock: Clock,
    ) -> None:
        self._store = store
        self._quotas = quotas
        self._record = record
        self._builder = builder
        self._redactor = redactor
        self._clock = clock

    async def list(
        self, scope: Scope, filter: ProposalFilter, after: PageCursor | None, size: int
    ) -> Sequence[Proposal]:
        """A page, newest first."""
        return await self._store.page(scope, filter, after, size)

    async def accept(self, scope: Scope, proposal_ids: Sequence[UUID], review: Review) -> Reviewed:
        """Carries them out, each alone: accepted, stale or refused. Raises NotFound, WrongState where one waits no
        longer."""
        wanted = [ProposalId(each) for each in dict.fromkeys(proposal_ids)]
        now = self._clock.now()
        written = await self._store.first_answer(scope, review.request, now)
        if written is None:
            found = await self._store.get(scope, wanted)
            require_pending(found, wanted)
            written = await self._store.accept(scope, await self._prepared(scope, found, review, now), review, now)
        return await self._reviewed(scope, written)

    async def accept_pending(self, scope: Scope, size: int) -> int:
        """Carries out the oldest that wait, by the server itself; how many. Raises QuotaExceeded."""
        now = self._clock.now()
        found = await self._store.pending(scope, size)
        if found:
            # A call is held to its tenant's quotas by its door.
            await self._quotas.require(scope, {"memories": len(found)})
            await self._store.accept(scope, await self._prepared(scope, found, Review(), now), Review(), now)
        return len(found)

    async def reject(self, scope: Scope, proposal_ids: Sequence[UUID], review: Review) -> Reviewed:
        """Raises NotFound, WrongState where one waits no longer."""
        wanted = [ProposalId(each) for each in dict.fromkeys(proposal_ids)]
        return await self._reviewed(scope, await self._store.reject(scope, wanted, review, self._clock.now()))

    async def edit(
        self, scope: Scope, proposal_id: UUID, content: str, review: Review
    ) -> tuple[Proposal, int, Sequence[Redaction]]:
        """Changes the text, without its secrets; with the revision that holds it, and what was redacted. Raises
        NotFound, WrongState, ValueRejected."""
        key, now = ProposalId(proposal_id), self._clock.now()
        values, redactions = await redacted_values_off_loop({"content": content}, self._redactor)
        written = await self._store.first_answer(scope, review.request, now)
        if written is None:
            found = await self._store.get(scope, [key])
            require_pending(found, [key])
            if found[0].stated.operation is Operation.CONFIRM:
                raise WrongState("proposal", proposal_id, "a confirmation, which has no text of its own")
            stated = replace(found[0].stated, content=values["content"])
            written = await self._store.edit(scope, replace(found[0], stated=stated), review, now)
        done = await self._reviewed(scope, written)
        if not done.proposals:
            raise NotFound("proposal", proposal_id)
        return done.proposals[0], done.revision, redactions

    async def revert(self, scope: Scope, distillation_id: UUID, review: Review) -> Undone:
        """Undoes what was accepted of a distillation. Raises NotFound, WrongState where it was reverted already."""
        key = DistillationId(distillation_id)
        written = await self._store.revert(scope, key, review, self._clock.now())
        return Undone(written.record.reverted, written.record.changed_ids, written.revision)

    async def _reviewed(self, scope: Scope, written: Written[ReviewReplay]) -> Reviewed:
        return Reviewed(await self._store.get(scope, written.record.proposal_ids), written.revision)

    async def _prepared(
        self, scope: Scope, proposals: Sequence[Proposal], review: Review, now: datetime
    ) -> PreparedReview:
        adding = [each for each in proposals if each.is_of_memory and each.stated.operation is not Operation.CONFIRM]
        built = await self._builder.build(scope, [_draft(each, review) for each in adding], now=now)
        rows: Mapping[ProposalId, NewRow] = {
            each.proposal_id: row for each, row in zip(adding, built.rows, strict=True)
        }
        recorded = {each.proposal_id: await self._record(scope, each) for each in proposals if not each.is_of_memory}
        return PreparedReview(proposals, rows, recorded)


def _draft(proposal: Proposal, review: Review) -> MemoryDraft:
    """The memory that a proposal adds. A text that a reviewer wrote is the reviewer's."""
    stated = proposal.stated
    by = Attribution(stated.trust_level, ACTOR, review.by.credential)
    if proposal.edited:
        level = TrustLevel.USER if proposal.reviewer.startswith("human:") else TrustLevel.AGENT
        by = Attribution(min(level, stated.trust_level), proposal.reviewer, proposal.credential)
    supersedes = (stated.memory_id,) if stated.operation is Operation.SUPERSEDE and stated.memory_id else ()
    return MemoryDraft(
        content=stated.content,
        kind=stated.kind,
        occurred_at=stated.occurred_at,
        sensitivity=stated.sensitivity,
        importance=IMPORTANCE,
        source_refs=[str(each) for each in proposal.event_ids],
        trust_level=by.trust_level,
        actor=by.actor,
        credential=by.credential,
        valid_from=stated.valid_from,
        valid_until=stated.valid_until,
        supersedes=supersedes,
    )
