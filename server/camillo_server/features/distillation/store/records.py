"""Decisions and tasks that came of proposals, undone in the transaction of a revert."""

from collections.abc import Sequence

from camillo_server.features.decisions.store import forget_decisions
from camillo_server.features.distillation.proposal import Proposal, ProposalId
from camillo_server.features.distillation.statement import RecordType
from camillo_server.kernel.scope import Scope
from camillo_server.rows.forgettable import Removal
from camillo_server.rows.store.removal import chunks_of, delete_rows
from camillo_server.storage.database import Session
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/distillation/store/records")
TASKS = statements("features/tasks/forgetting")


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
