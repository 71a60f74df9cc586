"""Records that come of proposals, in the transaction of a review, and how they are undone exactly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from camillo_server.features.decisions.store import forget_decisions
from camillo_server.features.distillation.proposal import Proposal, ProposalId, ProposalState, ReviewOutcome
from camillo_server.features.distillation.statement import Operation, RecordType
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.rows.forgettable import Removal
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.store.batch import store_batch
from camillo_server.rows.store.removal import chunks_of, delete_rows
from camillo_server.rows.store.rows import RowReader, memory_fingerprints
from camillo_server.rows.store.supersession import unsupersede
from camillo_server.rows.store.transaction import MemoryTransaction
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

KNOWN = statements("features/distillation/store/known")
SQL = statements("features/distillation/store/proposals")
TASKS = statements("features/tasks/forgetting")
STALE = ReviewOutcome(ProposalState.STALE)
REFUSED = ReviewOutcome(ProposalState.REFUSED)


@dataclass(frozen=True, slots=True)
class ProposalAcceptance:
    """Carries proposals of memories out; `rows` are those that they add."""

    transaction: MemoryTransaction
    rows: Mapping[ProposalId, NewRow]

    async def carry_out(self, proposals: Sequence[Proposal]) -> dict[ProposalId, ReviewOutcome]:
        """Returns what became of each, in this order. A statement that a memory makes already counts as its repeat."""
        done = {each.proposal_id: STALE for each in proposals}
        intact = await self._intact(proposals)
        added = [each for each in intact if each.proposal_id in self.rows]
        fingerprints = await self._fingerprints(added)
        stored = await self.transaction.ids_by_fingerprint(list(fingerprints.values()))
        new: list[Proposal] = []
        repeats = {each.proposal_id: each.stated.memory_id for each in intact if each.proposal_id not in self.rows}
        for each in added:
            fingerprint = fingerprints[each.proposal_id]
            if fingerprint is None or fingerprint not in stored:
                new.append(each)
                if fingerprint is not None:
                    stored[fingerprint] = self.rows[each.proposal_id].memory.memory_id
            elif each.stated.operation is Operation.ADD:
                repeats[each.proposal_id] = stored[fingerprint]
        done |= await self._store(new)
        failed = [each.proposal_id for each in new if done[each.proposal_id].result_id is None]
        gone = {self.rows[each].memory.memory_id for each in failed}
        told = {key: memory_id for key, memory_id in repeats.items() if memory_id is not None and memory_id not in gone}
        await self.transaction.count_statements(list(told.values()), 1)
        return done | {key: ReviewOutcome(ProposalState.ACCEPTED, memory_id) for key, memory_id in told.items()}

    async def _intact(self, proposals: Sequence[Proposal]) -> Sequence[Proposal]:
        """The proposals whose memory, if they name one, is what the model was shown."""
        named = [each.stated.memory_id for each in proposals if each.stated.memory_id is not None]
        found = await self.transaction.memories(list(dict.fromkeys(named))) if named else []
        versions = {memory.memory_id: memory.version for memory in found if memory.superseded_by is None}
        return [
            each
            for each in proposals
            if each.stated.operation is Operation.ADD
            or (each.stated.memory_id in versions and versions[each.stated.memory_id] == each.memory_version)
        ]

    async def _fingerprints(self, proposals: Sequence[Proposal]) -> dict[ProposalId, bytes | None]:
        rows = [self.rows[each.proposal_id] for each in proposals]
        found = await memory_fingerprints(self.transaction.keyring, self.transaction.scope, rows)
        return {each.proposal_id: fingerprint for each, fingerprint in zip(proposals, found, strict=True)}

    async def _store(self, proposals: Sequence[Proposal]) -> dict[ProposalId, ReviewOutcome]:
        rows = [self.rows[each.proposal_id] for each in proposals]
        batch = await store_batch(self.transaction, rows) if rows else None
        if batch is None:
            return {}
        stale = {each.row for each in batch.unsuperseded}.union(batch.taken)
        done: dict[ProposalId, ReviewOutcome] = {}
        for index, (each, row) in enumerate(zip(proposals, rows, strict=True)):
            accepted = ReviewOutcome(ProposalState.ACCEPTED, row.memory.memory_id, True)
            done[each.proposal_id] = REFUSED if index in batch.refused else STALE if index in stale else accepted
        return done


@dataclass(frozen=True, slots=True)
class Reversal:
    """Undoes accepted proposals, unless somebody has changed their memories since."""

    transaction: MemoryTransaction

    async def carry_out(self, proposals: Sequence[Proposal]) -> Sequence[ProposalId]:
        """Undoes these, in the opposite order of their acceptance; returns those that were undone."""
        ids = {each.result_id for each in proposals} | {each.stated.memory_id for each in proposals}
        memories = await self._memories([MemoryId(each) for each in ids if each is not None])
        repeats = [each for each in proposals if not each.is_new]
        told = [MemoryId(each.result_id) for each in repeats if each.result_id in memories]
        await self.transaction.count_statements(told, -1)
        # A repeat of what another proposal added is gone from its count now.
        memories |= await self._memories(told)
        undone = [each.proposal_id for each in repeats]
        for each in proposals:
            if each.is_new and await self._undo(each, memories):
                undone.append(each.proposal_id)
        return undone

    async def _memories(self, memory_ids: Sequence[MemoryId]) -> dict[MemoryId, Row]:
        found = await self.transaction.memories(list(dict.fromkeys(memory_ids))) if memory_ids else []
        return {memory.memory_id: memory for memory in found}

    async def _undo(self, proposal: Proposal, memories: Mapping[MemoryId, Row]) -> bool:
        """Removes what the proposal added, and puts in force what that superseded; false where either is not what it
        was then."""
        assert proposal.result_id is not None  # noqa: S101
        transaction, memory_id = self.transaction, MemoryId(proposal.result_id)
        added = memories.get(memory_id)
        before = memories.get(proposal.stated.memory_id) if proposal.stated.memory_id else None
        if added is not None and not await self._is_as_added(added):
            return False
        is_succeeded = before is not None and before.superseded_by == memory_id
        if before and is_succeeded and not await unsupersede(transaction, before, proposal.memory_version):
            return False
        if added is not None:
            revision, now = transaction.revision, transaction.now
            await delete_rows(transaction.session, transaction.scope, [memory_id], revision, now)
        return True

    async def _is_as_added(self, memory: Row) -> bool:
        """Whether nobody has stated, superseded or changed it; what was undone since does not count."""
        if memory.superseded_by is not None or memory.stated_count != 1:
            return False
        if memory.version == 1:
            return True
        rows = await self.transaction.session.rows(
            KNOWN["of_versions"], {**self.transaction.key, "memory_ids": [memory.memory_id], "versions": [1]}
        )
        first = await RowReader(self.transaction.scope, self.transaction.keyring).memories(rows)
        return [_stated(each) for each in first] == [_stated(memory)]


def _stated(memory: Row) -> Row:
    """The memory without what says how often it changed and was read."""
    return memory._replace(
        version=1,
        updated_at=memory.created_at,
        accessed_at=None,
        access_count=0,
        stated_count=1,
        vector_model_id="",
        stale=None,
    )


async def remove_records(
    session: Session, scope: Scope, proposals: Sequence[Proposal], removal: Removal
) -> Sequence[ProposalId]:
    """Removes the decisions and tasks that these accepted proposals became, unless somebody has changed or superseded
    them since; the proposals of those that are gone now."""
    ids = {str(each.result_id): each.proposal_id for each in proposals if each.result_id is not None}
    key = {**scope_parameters(scope), "ids": list(ids)}
    changed = {record_id for (record_id,) in await session.rows(SQL["changed"], key)} if ids else set[str]()
    intact = [each for each in proposals if str(each.result_id) in ids.keys() - changed]
    decisions = [str(each.result_id) for each in intact if each.stated.record_type is RecordType.DECISION]
    tasks = [str(each.result_id) for each in intact if each.stated.record_type is RecordType.TASK]
    if decisions:
        chunk_ids = await chunks_of(session, scope, decisions)
        await delete_rows(session, scope, chunk_ids, removal.revision, removal.now)
        await forget_decisions(session, scope, decisions, removal)
    if tasks:
        await session.execute(TASKS["delete_tasks"], {**key, "ids": tasks})
    return [each.proposal_id for each in intact]
