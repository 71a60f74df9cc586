"""Decisions and tasks out of proposals, recorded as any others are."""

import hashlib

from camillo_server.features.decisions.decision import DecisionDraft
from camillo_server.features.decisions.decisions import Decisions
from camillo_server.features.distillation.proposal import Proposal, ProposalState, ReviewOutcome
from camillo_server.features.distillation.statement import RecordType
from camillo_server.features.tasks.task import TaskChange, TaskDraft
from camillo_server.features.tasks.tasks import Tasks
from camillo_server.kernel.errors import RefNotFound, ValueRejected
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey


class RecordProposals:
    """Records what proposals say. Every method raises KeyMissing and StorageUnavailable."""

    def __init__(self, decisions: Decisions, tasks: Tasks) -> None:
        self._decisions = decisions
        self._tasks = tasks

    async def __call__(self, scope: Scope, proposal: Proposal) -> ReviewOutcome:
        """The decision or the task, once for each proposal, however often it is called within a day."""
        stated, refs = proposal.stated, [str(each) for each in proposal.event_ids]
        digest = hashlib.sha256(stated.content.encode("utf-8", "surrogatepass")).digest()
        key = RequestKey(f"proposal:{proposal.proposal_id}", digest)
        try:
            if stated.record_type is RecordType.DECISION:
                draft = DecisionDraft(
                    decision=stated.content, refs=refs, sensitivity=stated.sensitivity, decided_at=stated.occurred_at
                )
                decision, _, _ = await self._decisions.record(scope, draft, key)
                return ReviewOutcome(ProposalState.ACCEPTED, decision.decision_id, True)
            opened = TaskDraft(title=stated.content, refs=refs, sensitivity=stated.sensitivity)
            task, _, _ = await self._tasks.upsert(scope, TaskChange(None, 0, None, opened), key)
        except ValueRejected:
            return ReviewOutcome(ProposalState.REFUSED)
        except RefNotFound:
            return ReviewOutcome(ProposalState.STALE)
        return ReviewOutcome(ProposalState.ACCEPTED, task.task_id, True)
