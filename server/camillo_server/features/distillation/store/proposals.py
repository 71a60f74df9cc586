"""Proposals of a scope: listed, reviewed, carried out and undone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from camillo_server.features.distillation.proposal import (
    DistillationId,
    DistillationState,
    Proposal,
    ProposalId,
    ProposalState,
    ReviewOutcome,
    ReviewReplay,
)
from camillo_server.features.distillation.store.records import ProposalAcceptance, Reversal, remove_records
from camillo_server.features.distillation.store.rows import DistillationRows
from camillo_server.kernel.errors import NotFound, WrongState
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.scope import Attribution, Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.forgettable import Removal
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.transaction import MemoryTransaction
from camillo_server.storage.database import Session
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/distillation/store/proposals")
DISTILLATIONS = statements("features/distillation/store/distillations")


@dataclass(frozen=True, slots=True)
class ProposalFilter:
    """Conditions that all have to hold."""

    state: ProposalState | None = None
    distillation_id: DistillationId | None = None
    proposal_ids: Sequence[ProposalId] = ()


NOBODY = Attribution()


@dataclass(frozen=True, slots=True)
class Review:
    """A review by this caller, whom a change of a proposal names; the server itself has no actor."""

    by: Attribution = NOBODY
    request: RequestKey | None = None


@dataclass(frozen=True, slots=True)
class PreparedReview:
    """Pending proposals with the rows of the memories that they add, and the outcomes of those that are decisions and
    tasks, which are recorded already."""

    proposals: Sequence[Proposal]
    rows: Mapping[ProposalId, NewRow] = field(default_factory=dict)
    recorded: Mapping[ProposalId, ReviewOutcome] = field(default_factory=dict)


class ProposalStore:
    """Proposals of one scope. Every method raises StorageUnavailable, KeyMissing, BytesLost; writes raise
    RequestIdReused. A write is one transaction that advances the scope's revision by one."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._database = writes.database
        self._keyring = keyring
        self._rows = DistillationRows(keyring)

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, now: datetime
    ) -> Written[ReviewReplay] | None:
        """The answer to this request when it came first, or None."""
        return await self._writes.first_answer(scope, request, ReviewReplay, now)

    async def get(self, scope: Scope, proposal_ids: Sequence[ProposalId]) -> Sequence[Proposal]:
        """The proposals that exist, in the order of these ids."""
        parameters = {**scope_parameters(scope), "proposal_ids": list(proposal_ids)}
        rows = await self._database.records(scope, SQL["get"], parameters)
        found = {row.proposal_id: self._rows.proposal(scope, row) for row in rows}
        return [found[each] for each in proposal_ids if each in found]

    async def pending(self, scope: Scope, size: int) -> Sequence[Proposal]:
        """The oldest proposals that wait."""
        rows = await self._database.records(scope, SQL["pending"], {**scope_parameters(scope), "size": size})
        return [self._rows.proposal(scope, row) for row in rows]

    async def page(
        self, scope: Scope, filter: ProposalFilter, after: PageCursor | None, size: int
    ) -> Sequence[Proposal]:
        """Newest first, behind the last one of the page before."""
        after_at, after_id = after or (None, None)
        parameters = {
            **scope_parameters(scope),
            "state": int(filter.state) if filter.state else None,
            "distillation_id": filter.distillation_id,
            "proposal_ids": list(filter.proposal_ids) or None,
            "after_at": after_at,
            "after_id": after_id,
            "size": size,
        }
        rows = await self._database.records(scope, SQL["page"], parameters)
        return [self._rows.proposal(scope, row) for row in rows]

    async def accept(
        self, scope: Scope, prepared: PreparedReview, review: Review, now: datetime
    ) -> Written[ReviewReplay]:
        """Carries proposals out in the order of what was said: one whose memory has changed is stale, one whose text
        was forgotten is refused, each alone. Raises NotFound, WrongState where one waits no longer."""
        wanted = [each.proposal_id for each in prepared.proposals]

        async def change(session: Session, revision: int) -> ReviewReplay:
            locked = await self._lock(session, scope, wanted)
            transaction = MemoryTransaction(session, scope, revision, now, self._keyring)
            acceptance = ProposalAcceptance(transaction, prepared.rows)
            memories = [each for each in locked if each.is_of_memory]
            done = await acceptance.carry_out(memories)
            outcomes = done | dict(prepared.recorded)
            await self._settle(session, scope, outcomes, review, now)
            return ReviewReplay(tuple(wanted))

        rows = list(prepared.rows.values())
        return await self._writes.write(scope, review.request, ReviewReplay, change, now, rows)

    async def reject(
        self, scope: Scope, proposal_ids: Sequence[ProposalId], review: Review, now: datetime
    ) -> Written[ReviewReplay]:
        """Raises NotFound, WrongState where one waits no longer."""

        async def change(session: Session, revision: int) -> ReviewReplay:
            await self._lock(session, scope, proposal_ids)
            outcomes = dict.fromkeys(proposal_ids, ReviewOutcome(ProposalState.REJECTED))
            await self._settle(session, scope, outcomes, review, now)
            return ReviewReplay(tuple(proposal_ids))

        return await self._writes.write(scope, review.request, ReviewReplay, change, now)

    async def edit(self, scope: Scope, proposal: Proposal, review: Review, now: datetime) -> Written[ReviewReplay]:
        """Stores what the proposal says now. Raises NotFound, WrongState, ValueRejected."""

        async def change(session: Session, revision: int) -> ReviewReplay:
            await self._lock(session, scope, [proposal.proposal_id])
            parameters = {
                **scope_parameters(scope),
                **self._rows.detail_columns(scope, proposal),
                "proposal_id": proposal.proposal_id,
                "reviewer": review.by.actor,
                "credential": review.by.credential,
            }
            await session.execute(SQL["edit"], parameters)
            return ReviewReplay((proposal.proposal_id,))

        texts = {"content": proposal.stated.content}
        return await self._writes.write(scope, review.request, ReviewReplay, change, now, texts=texts)

    async def revert(
        self, scope: Scope, distillation_id: DistillationId, review: Review, now: datetime
    ) -> Written[ReviewReplay]:
        """Undoes what was accepted of a distillation, the last first, and rejects what waits. Raises NotFound,
        WrongState where it was reverted already."""
        key = {**scope_parameters(scope), "distillation_id": distillation_id, "now": now}

        async def change(session: Session, revision: int) -> ReviewReplay:
            state = await session.row(DISTILLATIONS["lock_distillation"], key)
            if state is None:
                raise NotFound("distillation", distillation_id)
            if state[0] != DistillationState.DONE:
                raise WrongState("distillation", distillation_id, "reverted")
            rows = await session.records(SQL["of_distillation"], key)
            proposals = [self._rows.proposal(scope, row) for row in rows]
            transaction = MemoryTransaction(session, scope, revision, now, self._keyring)
            accepted = [each for each in reversed(proposals) if each.state is ProposalState.ACCEPTED]
            undone = list(await Reversal(transaction).carry_out([each for each in accepted if each.is_of_memory]))
            others = [each for each in accepted if not each.is_of_memory]
            undone += await remove_records(session, scope, others, Removal(distillation_id, revision, now))
            waiting = [each.proposal_id for each in proposals if each.state is ProposalState.PENDING]
            outcomes = dict.fromkeys(undone, ReviewOutcome(ProposalState.REVERTED))
            outcomes |= dict.fromkeys(waiting, ReviewOutcome(ProposalState.REJECTED))
            await self._settle(session, scope, outcomes, review, now)
            await session.execute(DISTILLATIONS["set_reverted"], key)
            changed = [each.proposal_id for each in accepted if each.proposal_id not in outcomes]
            return ReviewReplay((), tuple(changed), len(undone))

        return await self._writes.write(scope, review.request, ReviewReplay, change, now)

    async def _lock(self, session: Session, scope: Scope, proposal_ids: Sequence[ProposalId]) -> Sequence[Proposal]:
        """The proposals, in the order of what was said. Raises NotFound, WrongState."""
        parameters = {**scope_parameters(scope), "proposal_ids": list(proposal_ids)}
        found = [self._rows.proposal(scope, row) for row in await session.records(SQL["lock"], parameters)]
        require_pending(found, proposal_ids)
        return found

    async def _settle(
        self,
        session: Session,
        scope: Scope,
        outcomes: Mapping[ProposalId, ReviewOutcome],
        review: Review,
        now: datetime,
    ) -> None:
        values = outcomes.values()
        parameters: dict[str, Any] = {
            **scope_parameters(scope),
            "proposal_ids": list(outcomes),
            "states": [int(each.state) for each in values],
            "result_ids": [each.result_id for each in values],
            "are_new": [each.is_new or None for each in values],
            "reviewer": review.by.actor,
            "credential": review.by.credential,
            "now": now,
        }
        await session.execute(SQL["set_state"], parameters)


def require_pending(found: Sequence[Proposal], wanted: Sequence[ProposalId]) -> None:
    """Raises NotFound, WrongState for the first of these that is not there, or waits no longer."""
    by_id = {each.proposal_id: each for each in found}
    for proposal_id in wanted:
        if proposal_id not in by_id:
            raise NotFound("proposal", proposal_id)
        state = by_id[proposal_id].state
        if state is not ProposalState.PENDING:
            raise WrongState("proposal", proposal_id, state.name.lower())
